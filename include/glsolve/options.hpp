/// The options of a solve: method, preconditioner, format, precision and tolerances.
#pragma once

#include <cstdint>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <glsolve/multigrid.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

enum class Method : std::uint8_t {
    /// Conjugate gradients, for symmetric positive definite matrices. Corrections use the residual in double precision.
    /// Sources: Hestenes and Stiefel 1952; Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 9.1;
    /// van der Vorst and Ye 2000 (corrections).
    cg,
    /// Conjugate gradients with one reduction per iteration instead of two. Inner products are predicted; they are
    /// recomputed where this costs nothing. The iterates are those of `cg`, except for rounding. It needs fewer passes
    /// and is corrected in the same way. Source: Chen and Carson, SIAM J. Sci. Comput. 42 (2020).
    pipelined_cg,
    /// MINRES, for symmetric matrices, definite or indefinite. If the matrix is singular, it converges for right-hand
    /// sides in the range of the matrix; for others the report says why the solve ended.
    /// The preconditioner must be symmetric and definite; a breakdown tells that it is not definite.
    /// PreconditionerKind::jacobi is |diag(A)| here; where the diagonal is zero, the largest entry of the row is used.
    /// Precision::two_float applies to products only.
    /// Sources: Paige and Saunders, SIAM J. Numer. Anal. 12 (1975); Elman, Silvester and Wathen, Finite Elements and
    /// Fast Iterative Solvers (2005), algorithm 6.1 (preconditioner).
    minres,
    /// BiCGStab with right preconditioning, for nonsymmetric matrices. An iteration takes two products; few vectors are
    /// stored. After a breakdown it restarts. If that does not help, BiCGStab(2) continues.
    /// Precision::two_float applies to products only.
    /// Sources: van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Saad's book, algorithm 7.7.
    bicgstab,
    /// BiCGStab(2), for matrices with eigenvalues near the imaginary axis. BiCGStab breaks down or is slow there. An
    /// iteration takes four products. Source: Sleijpen and Fokkema, Electronic Trans. Numer. Anal. 1 (1993).
    bicgstab2,
    /// IDR(s) with right preconditioning, for nonsymmetric matrices. It stands between BiCGStab and GMRES: an iteration
    /// takes s + 1 products, 3 s + 5 vectors are stored, and the residual is kept orthogonal to s shadow vectors
    /// instead of one. It often needs fewer products than BiCGStab. It restarts at corrections and after a breakdown.
    /// Precision::two_float applies to products only.
    /// See Options::idr.
    /// Source: van Gijzen and Sonneveld, ACM Trans. Math. Softw. 38 (2011), algorithm 913.
    idr,
    /// GMRES(m) with right preconditioning, for any nonsingular matrix. Each restart is a correction with the residual
    /// in double precision. Nothing is read back between restarts. See Options::gmres.
    /// Sources: Saad and Schultz, SIAM J. Sci. Stat. Comput. 7 (1986); Saad's book, algorithm 9.5.
    gmres,
    /// FGMRES(m), for preconditioners that vary between iterations. It stores a second basis.
    /// Sources: Saad, SIAM J. Sci. Comput. 14 (1993); Saad's book, algorithm 9.6.
    fgmres,
    /// The Chebyshev iteration, for symmetric positive definite matrices. It needs no inner products; a step is one
    /// pass. It needs bounds of the spectrum. A short Lanczos run estimates them; a bound that proves too small or too
    /// large is corrected. See Options::chebyshev. It iterates in single precision; Precision::two_float is refused.
    /// Source: Barrett et al., Templates, 1994, figure 2.11, with the errata.
    chebyshev,
    /// BiCGStab until the first correction (about single-precision accuracy), then the Chebyshev iteration. For
    /// symmetric positive definite matrices. The options of both methods apply; Precision::two_float is refused.
    /// Source: B. Chadov, Chebyshev iteration on the GPU.
    bicgstab_chebyshev,
    /// Stationary iterations, x <- x + w D^-1 (b - A x). They are slow, but useful as smoothers and to compute a first
    /// approximation. Options::relaxation is w. They run in single precision; Precision::two_float is refused.
    /// Source: Saad's book, chapter 4 and section 12.4.
    richardson,    ///< D is the preconditioner
    jacobi,        ///< D is the diagonal; w < 1 gives damped Jacobi
    cf_jacobi,     ///< the rows of an independent set first, then all other rows
    gauss_seidel,  ///< multicolour: independent rows have the same colour and are updated together, one pass per colour
    sor,           ///< as gauss_seidel, with w between 0 and 2
    ssor,          ///< as sor, a forward and then a backward sweep
    /// For any nonsingular matrix: sparse factors in double precision on the host, or the inverse on the device, by
    /// Gauss-Jordan elimination with partial pivoting, for dense matrices of up to some thousand rows; see DirectForm.
    /// Corrections use the residual in double precision. It takes no preconditioner; Options::max_iterations limits the
    /// corrections; Precision::two_float is refused. Where that is too little, matrices of up to 512 rows get dense
    /// factors on the host; singular ones the shortest answer.
    /// Sources: Li and Demmel, ACM Trans. Math. Softw. 29 (2003); Davis, Direct Methods for Sparse Linear Systems
    /// (2006); Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4 and chapter 12.
    direct,
    /// Least squares, min |b - A x|, for a matrix of any shape and rank. It applies conjugate gradients to the normal
    /// equations A^T A x = A^T b, without forming A^T A.
    /// `converged` means |A^T (b - A x)| <= tolerance |A|_F |b - A x|. If the system is consistent, it may also mean
    /// |b - A x| <= tolerance |b|. Report::normal_residual holds the residual of the first test.
    /// From x = 0, x stays in the range of M^-1 A^T. With PreconditionerKind::none the result is then the solution of
    /// smallest |x|. With jacobi, which scales columns to length 1, it is the solution of smallest |M^(1/2) x|. It is
    /// smallest to single-precision accuracy only, because the null space does not show in any residual.
    /// Sources: Hestenes and Stiefel 1952 and Saad's book, section 8.3 (CGNR); Paige and Saunders, ACM Trans. Math.
    /// Softw. 8 (1982) (stopping tests).
    cgnr,
    /// Chooses a method for the matrix by symmetry, definiteness (from a short Lanczos run) and predicted time.
    /// Solver::method gives the reason and the predictions. If that method fails, or gets on more slowly than something
    /// else is predicted to, another one continues from its answer, and a third one where that fails: multigrid; the
    /// direct method; incomplete factors; GMRES in two floats; least squares. The report then covers all of them, and x
    /// is the best one found. On grids: cg.
    automatic
};
/// The preconditioner: M^-1 approximates A^-1. Kinds that divide by the diagonal are refused if it contains a zero
/// (except jacobi with MINRES). Kinds that the method cannot use are refused. See Options::preconditioning.
enum class PreconditionerKind : std::uint8_t {
    none,
    jacobi,        ///< M = diag(A); with more than one step: that many damped Jacobi sweeps
    block_jacobi,  ///< inverted blocks of 2 to 4 rows along the diagonal
    chebyshev,     ///< a Chebyshev polynomial in A, for symmetric positive definite matrices
    richardson,    ///< a polynomial in A: steps of Richardson's iteration
    cf_jacobi,     ///< multicolour sweeps of the stationary iteration of the same name; not symmetric
    gauss_seidel,  ///< ... not symmetric
    sor,           ///< ... not symmetric
    ssor,          ///< ... symmetric
    amg,           ///< a cycle of algebraic multigrid; see Options::amg
    /// Incomplete LU factors. Where a matrix has zeros on its diagonal, rows are matched to columns and scaled first,
    /// inside of the preconditioner. Where pivots are not safe, growing shifts are added to the diagonal.
    ilu0,  ///< with the nonzeros of A; not symmetric
    iluk,  ///< with PreconditionerOptions::level of fill; not symmetric
    ilut,  ///< with what is large: drop_tolerance and fill; not symmetric
    ic0,   ///< incomplete Cholesky factors, for symmetric matrices
    ick,   ///< ... with a level of fill
    ict,   ///< ... with what is large
    /// Complete LU factors, ordered for little fill. Kept by Solver::update_values while values change little: a tenth
    /// of the largest of their row. Not symmetric.
    lu,
    isai,  ///< ilu0 with sparse approximate inverses of its factors; not symmetric
    /// ilu0 by fixed-point sweeps on the device, applied by sweeps; for symmetric matrices ic0. New values of the
    /// matrix need no factorisation on the host.
    parilu,
    fsai,  ///< sparse triangles G^T G ~ A^-1; for matrices that are not symmetric, two triangles
    spai,  ///< a sparse M ~ A^-1 by least squares; not symmetric
    /// A cycle of geometric multigrid. For GridSolver, and for symmetric 5-point and 7-point matrices. For a matrix,
    /// unknowns must be numbered row by row, no off-diagonal entry may be positive, and no row sum may be negative;
    /// other matrices are refused. These members of Options::amg apply: cycle (v, k), smoother (chebyshev), steps and
    /// levels.
    multigrid,
    /// For saddle points, (A, B^T; B, 0) with a positive definite A: Stokes, Darcy, constraints. A cycle of algebraic
    /// multigrid for one of the two blocks and a diagonal for the other: for A, where that is like a Laplacian, with
    /// the diagonal of B D^-1 B^T; for B D^-1 B^T, where A is like its diagonal D. Symmetric and definite, for minres.
    /// The unknowns of the second block are those with zeros on the diagonal, or what first_field leaves: the second
    /// block may then be a negative one, (A, B^T; B, -C). Options::amg applies.
    saddle,
    /// Chosen for the method and the matrix, by predicted time; Solver::method says which one.
    automatic
};
/// How a matrix is stored on the device. A texel holds numbers of four rows.
enum class FormatKind : std::uint8_t {
    automatic,  ///< the format whose product is predicted to be the fastest
    measure,    ///< the format with the fastest product, timed on the device when the solver is made
    ell,        ///< every row has as many slots as the longest row has nonzeros; takes any matrix
    sell,       ///< sliced: rows have as many slots as the longest row of their slice; for rows of different lengths
    runs,       ///< sliced; one index where four rows use consecutive columns; for grids and most meshes
    dia,        ///< by diagonals; best for grids
    dense,      ///< every entry, zeros included; for matrices with mostly nonzero entries
    csr,        ///< compressed rows: the nonzeros one behind the other; for rows of very different lengths
    hec,        ///< ell for the first nonzeros of each row, csr for the rest of the rows that have more
    hyb,        ///< ell for the first nonzeros of each row, coo for the rest
    coo,        ///< all nonzeros in pieces of equal length, whatever their rows
    bcsr        ///< blocks of 2 x 2 to 4 x 4, 4 x 2 or 4 x 1; for several unknowns at each point of a mesh
};

/// How incomplete factors are applied on the device.
enum class FactorApplication : std::uint8_t {
    automatic,  ///< what is expected to take least time, by measurement
    levels,     ///< exact: rows that do not depend on each other together, several such levels multiplied out
    sweeps,     ///< Jacobi sweeps on each factor; PreconditionerOptions::steps of them, 0: 3
    isai,       ///< products with sparse approximate inverses of the factors
    /// Exact, in double precision on the host: each application reads a vector back and waits. Not on textures.
    host
};

/// The order in which rows are factored. Inside of the preconditioner: the system keeps its own.
enum class FactorOrder : std::uint8_t {
    automatic,       ///< as they are; minimum_degree where rows had to be matched
    none,            ///< as they are
    rcm,             ///< reverse Cuthill-McKee
    minimum_degree,  ///< less fill with thresholds
    colours          ///< rows of one colour together: few levels, and more iterations
};

/// How many nonzeros of each row, K, the formats hec and hyb keep in ell.
enum class EllWidth : std::uint8_t {
    cheapest,  ///< as many as cost less there than in the rest
    paper,     ///< Cheng (2018), section 1.4: a column joins while those so far are more than half full
    measure    ///< several are timed on the device
};

/// The arithmetic of the iteration. `converged` is always tested in double precision.
enum class Precision : std::uint8_t {
    /// Starts in single precision and changes to two_float once corrections no longer help. For cg and pipelined_cg
    /// with amg or multigrid: two_float from the start, where the device has it.
    automatic,
    /// Single precision with corrections: fast, and sufficient for most matrices.
    single,
    /// The same, but the matrix's values are in half precision. Corrections use all of its digits. Each iteration reads
    /// less, but more iterations are needed. For matrices with a condition number of a few thousand at most. The matrix
    /// is stored twice.
    half,
    /// Product, solution and residual are stored in two floats each, about 48 bits. For ill-conditioned matrices; an
    /// iteration takes longer.
    two_float,
    /// Vectors and the matrix are stored in double precision, and all arithmetic is done in it; for every method, on
    /// CUDA and the host. Corrections are then unnecessary. A preconditioner's own numbers are rounded to single
    /// precision.
    doubles
};

/// Another order of rows and unknowns on the device; x and b stay in the caller's.
enum class Reordering : std::uint8_t {
    none,
    rcm,             ///< reverse Cuthill-McKee: nonzeros near the diagonal, so that neighbours read neighbours
    degree,          ///< rows with most nonzeros first, so that rows of one length stand together
    minimum_degree,  ///< approximate minimum degree: factors of the matrix have few nonzeros
    automatic  ///< rcm or degree where the best format then fetches a tenth less, and where rows may move; else none
};

GLSOLVE_API std::string_view name(Precision precision);
GLSOLVE_API std::string_view name(Method method);
GLSOLVE_API std::string_view name(PreconditionerKind preconditioner);
GLSOLVE_API std::string_view name(FormatKind format);
GLSOLVE_API std::string_view name(Reordering reordering);
GLSOLVE_API std::string_view name(EllWidth width);
GLSOLVE_API std::string_view name(FactorApplication apply);
GLSOLVE_API std::string_view name(FactorOrder order);

/// All values of each enumeration.
GLSOLVE_API std::vector<Method> all_methods();
GLSOLVE_API std::vector<PreconditionerKind> all_preconditioners();
GLSOLVE_API std::vector<FormatKind> all_formats();
GLSOLVE_API std::vector<Reordering> all_reorderings();
GLSOLVE_API std::vector<EllWidth> all_ell_widths();
GLSOLVE_API std::vector<FactorApplication> all_factor_applications();
GLSOLVE_API std::vector<FactorOrder> all_factor_orders();

/// The slices of the sliced formats.
struct Slicing {
    int height = 16;  ///< rows per slice: a power of two, at least 4
    /// Rows are sorted by length within windows of this many rows. The order is restored on output. 0: no sorting.
    Index sort_window = 0;
};

/// How GMRES orthogonalises a new vector against the basis.
enum class Orthogonalisation : std::uint8_t {
    classical_twice,  ///< classical Gram-Schmidt, twice: a few passes over all vectors
    modified          ///< modified Gram-Schmidt, as published: one inner product and one update per basis vector
};
/// Where GMRES solves its small least-squares problem.
enum class LeastSquares : std::uint8_t {
    device,  ///< by rotations in each step: the device knows |r| and stops without the host
    host     ///< at the end of each cycle; reads the Hessenberg matrix back. Source: Liu, Yin and Wu (2011)
};
inline bool is_cg(Method method) { return method == Method::cg || method == Method::pipelined_cg; }
inline bool is_chebyshev(Method method) { return method == Method::chebyshev || method == Method::bicgstab_chebyshev; }
/// richardson, jacobi, cf-jacobi, gauss-seidel, sor or ssor
GLSOLVE_API bool is_stationary(Method method);
/// false: the method has a splitting of its own, or none, and preconditioners other than none and jacobi are refused
GLSOLVE_API bool takes_preconditioner(Method method);
inline bool is_gmres(Method method) { return method == Method::gmres || method == Method::fgmres; }
GLSOLVE_API std::string_view name(Orthogonalisation orthogonalisation);
GLSOLVE_API std::string_view name(LeastSquares least_squares);

struct GmresOptions {
    int restart = 32;  ///< steps per cycle, 1 to 1024; restart + 1 vectors are stored
    Orthogonalisation orthogonalisation = Orthogonalisation::classical_twice;
    LeastSquares least_squares = LeastSquares::device;
};

/// What the direct method solves with.
enum class DirectForm : std::uint8_t {
    automatic,  ///< what is predicted to take less time; the inverse, where at least a quarter of the entries is there
    /// A^-1 on the device, in single precision: n^2 numbers, 2 n^3 operations.
    inverse,
    /// Sparse factors in double precision on the host, on one core: L U, or L D L^T where A may be positive definite.
    /// Rows are matched to columns and scaled, the order is that of minimum degree.
    factors
};
GLSOLVE_API std::string_view name(DirectForm form);

struct DirectOptions {
    DirectForm form = DirectForm::automatic;
};

struct IdrOptions {
    int s = 4;  ///< number of shadow vectors, 1 to 8; with 1 it is BiCGStab, but for the choice of omega
};

struct PreconditionerOptions {
    int steps = 0;          ///< number of sweeps, or degree of a polynomial, at most 64; 0: one sweep, degree 4
    double relaxation = 0;  ///< weight of the sweeps; 0: chosen
    int block = 4;          ///< block_jacobi: rows per block, 2 to 4
    /// saddle: so many rows are of the first block and come first; 0: all that have no zero on the diagonal.
    int first_field = 0;
    // Of incomplete factors and approximate inverses:
    int level = 1;                 ///< iluk, ick: the level of fill, 0 to 100
    double drop_tolerance = 1e-3;  ///< ilut, ict: what is smaller than this share of its row is dropped; from 0
    double fill = 10;              ///< ilut, ict: at most about so many times the nonzeros of A; from 0
    double modified = 0;           ///< share of what is dropped that is added to the diagonal, 0 to 1 (MILU, MIC)
    double shift = 0;              ///< first shift of the diagonal to be tried, in units of the rows; from 0
    int inverse_power = 0;         ///< isai, fsai, spai: nonzeros in the places of A^p, p = 1 to 8; 0: chosen
    int factor_block = 1;          ///< ilu0, iluk, ic0, ick: rows that stay together, 1 to 4; such blocks are inverted
    int factor_sweeps = 0;         ///< parilu: sweeps that make the factors, at most 64; 0: until they change little
    FactorApplication apply = FactorApplication::automatic;
    FactorOrder order = FactorOrder::automatic;
};

enum class ChebyshevForm : std::uint8_t {
    fused,      ///< a step is one pass; the residual is tested every few steps
    published,  ///< each operation is a pass; the residual is tested in each step
    /// One pass does several steps. Workgroups or threads do not wait for each other in it; they read the values that
    /// their neighbours have at that moment. Each test waits for all of them. There is no proof of convergence, and
    /// results differ from run to run. `converged` is tested as for the other forms. FormatKind::dia and ell have it,
    /// on the host, on CUDA and where there are compute shaders; elsewhere `fused` is used, and Report::remarks says
    /// why.
    chaotic
};
GLSOLVE_API std::string_view name(ChebyshevForm form);

struct ChebyshevOptions {
    ChebyshevForm form = ChebyshevForm::fused;
    /// Bounds of the eigenvalues of M^-1 A (of A with PreconditionerKind::none). 0: estimated.
    double smallest = 0;
    double largest = 0;      ///< if this is too small, it is raised when the iteration diverges
    int lanczos_steps = 32;  ///< Lanczos steps of the estimate, at least 1
    int chaotic_steps = 2;   ///< chaotic form: steps per pass, 1 to 16; more steps make convergence slower
};

/// The progress of a solve. It arrives with a delay, because the device is never made to wait for it.
struct Progress {
    std::int64_t iteration = 0;
    double relative_residual = 0;  ///< from the recurrence
    std::int64_t corrections = 0;
};

/// Receives the progress; returns false to cancel. The direct method calls it in the constructor of Solver already.
/// It must not call the solver that calls it: that throws InvalidInput. It may use another solver.
using Observer = std::function<bool(const Progress&)>;

struct MethodChoice;
using ChoiceObserver = std::function<void(const MethodChoice&)>;

struct Options {
    Method method = Method::cg;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;
    FormatKind format = FormatKind::automatic;
    /// Folder of what was found for a structure on a device, which is looked at first: formats that FormatKind::measure
    /// has timed, and seconds that the ways of Method::automatic took. Empty: nothing is kept. Several processes may
    /// use it at a time.
    std::string choice_cache = {};
    Slicing slicing = {};
    EllWidth ell_width = EllWidth::cheapest;  ///< of hec and hyb
    /// Not available where rows must stay in place: cgnr, multigrid, block-jacobi, amg with near-null vectors, solves
    /// on textures, functions.
    Reordering reorder = Reordering::none;
    Precision precision = Precision::automatic;
    PreconditionerOptions preconditioning = {};
    AmgOptions amg = {};
    GmresOptions gmres = {};
    IdrOptions idr = {};
    DirectOptions direct = {};
    ChebyshevOptions chebyshev = {};
    int test_every = 16;              ///< chebyshev and stationary methods: steps between two tests of the residual
    double relaxation = 0;            ///< weight of stationary methods; 0: chosen by the method
    double tolerance = 1e-8;          ///< relative: |b - A x| <= tolerance |b| ...
    double absolute_tolerance = 0;    ///< ... or |b - A x| <= absolute_tolerance
    std::int64_t max_iterations = 0;  ///< 0: depends on the size, see default_max_iterations
    /// Runs exactly this many iterations, whatever the residual is, up to 65,536. 0: runs until the tolerance is met.
    /// The host does not query the device before all iterations are done. So nothing waits, and the amount of work is
    /// known in advance. The answer is tested once, at the end.
    /// The precision is the one requested (automatic: single). There are no corrections in between, and the observer
    /// is not called. GMRES: the number must fit in one cycle. Not for the direct method, and not together with
    /// max_iterations.
    std::int64_t fixed_iterations = 0;
    /// A call of solve, solve_several or resume ends after so many seconds, with the best x so far and
    /// Outcome::time_limit. 0: no limit. Set-up is not counted; but the direct method, which inverts the matrix there,
    /// ends that after so many seconds, too. The host looks between chunks of iterations (gmres: between cycles). Not
    /// together with fixed_iterations, and not for work on textures, which Budget limits.
    double seconds = 0;
    /// Memory of the host, in MB (10^6 bytes), that sparse factors may take. 0: half of what the process can have.
    double memory = 0;
    bool zero_guess = false;  ///< ignores the contents of x and starts from 0; saves a product
    /// Times each pass. This is slow, except for `enqueue`, which uses time stamps and does not wait.
    bool profile = false;
    Observer observer = {};
    /// Is told which method and preconditioner Method::automatic takes, and why, before each of them is set up. It must
    /// not call the solver.
    ChoiceObserver on_choice = {};
};

/// 100 n + 10000 for n unknowns. Ill-conditioned systems need many times n iterations in floating point. A solve that
/// no longer improves ends much earlier, as `stagnated` or `precision_limit`.
GLSOLVE_API std::int64_t default_max_iterations(Index unknowns);

}  // namespace glsolve::inline v0_1
