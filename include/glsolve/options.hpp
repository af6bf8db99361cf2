/// What can be chosen for a solve: method, preconditioner, format, precision, tolerances.
#pragma once

#include <cstdint>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <glsolve/multigrid.hpp>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

enum class Method : std::uint8_t {
    /// Conjugate gradients, for symmetric positive definite matrices (Hestenes and Stiefel 1952; Saad, Iterative
    /// Methods for Sparse Linear Systems, 2nd ed., algorithm 9.1), corrected from double precision (van der Vorst and
    /// Ye 2000).
    cg,
    /// Conjugate gradients with one sum an iteration instead of two: inner products are predicted, and recomputed where
    /// that is free (Chen and Carson, SIAM J. Sci. Comput. 42 (2020)). The same iterates as `cg` but for rounding, in
    /// fewer passes; corrected in the same way.
    pipelined_cg,
    /// MINRES, for symmetric matrices, definite or not (Paige and Saunders, SIAM J. Numer. Anal. 12 (1975)). Where the
    /// matrix is singular it converges for right-hand sides in its range, and else says why it ends. Its preconditioner
    /// must be positive definite: PreconditionerKind::jacobi is |diag(A)| here, and a zero on the diagonal counts as
    /// the largest entry of its row. Precision::two_float is for products.
    minres,
    /// BiCGStab, preconditioned from the right, for matrices that are not symmetric: two products an iteration and few
    /// vectors (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992); Saad's book, algorithm 7.7). It may break down,
    /// and begins anew then; where that does not help BiCGStab(2) goes on. Precision::two_float is for products.
    bicgstab,
    /// BiCGStab(2), for matrices whose eigenvalues lie near the imaginary axis, where BiCGStab breaks down or crawls
    /// (Sleijpen and Fokkema, Electronic Trans. Numer. Anal. 1 (1993)). An iteration takes four products.
    bicgstab2,
    /// GMRES(m), preconditioned from the right, for any matrix that is not singular (Saad and Schultz, SIAM J. Sci.
    /// Stat.
    /// Comput. 7 (1986); Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithm 9.5). Each restart is a
    /// correction from double precision; nothing is read back in between. Options::gmres.
    gmres,
    /// FGMRES(m), for preconditioners that vary (Saad, SIAM J. Sci. Comput. 14 (1993); the book's algorithm 9.6): keeps
    /// a
    /// second basis.
    fgmres,
    /// The Chebyshev iteration, for symmetric positive definite matrices: no inner products, a step is one pass
    /// (Barrett
    /// et al., Templates, 1994, figure 2.11, with the errata). It needs to know where the spectrum lies, finds out by a
    /// short Lanczos run, and mends what it took too small or too large. Options::chebyshev. Iterates in single
    /// precision; Precision::two_float is refused.
    chebyshev,
    /// BiCGStab to the first correction, to an answer of single precision about, then the Chebyshev iteration, which
    /// refines it: for symmetric positive definite matrices (B. Chadov, Chebyshev iteration on the GPU). Takes the
    /// options of both; Precision::two_float is refused.
    bicgstab_chebyshev,
    /// Stationary iterations (Saad, chapter 4 and section 12.4), x <- x + w D^-1 (b - A x): slow, but smoothers, and
    /// good starts. Options::relaxation is w. In single precision; Precision::two_float is refused.
    richardson,    ///< D is the preconditioner
    jacobi,        ///< D is the diagonal; with w < 1 damped
    cf_jacobi,     ///< the rows of an independent set first, then all others
    gauss_seidel,  ///< by colours: rows that do not depend on each other at the same time, a pass for each colour
    sor,           ///< the same with w between 0 and 2
    ssor,          ///< the same, forwards and backwards
    /// The inverse on the device, after Gauss and Jordan with partial pivoting, and corrections from double precision
    /// (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4 and chapter 12). For any matrix
    /// that is not singular, dense or not, of up to some thousand rows: it takes n^2 numbers and 2 n^3 operations.
    /// Takes no preconditioner; max_iterations are corrections; Precision::two_float is refused.
    direct,
    /// Least squares, min |b - A x|, for a matrix of any shape and rank: conjugate gradients on the normal equations
    /// A^T A x = A^T b (CGNR: Hestenes and Stiefel 1952; Saad, section 8.3), which are never formed. `converged` means
    /// |A^T (b - A x)| <= tolerance |A|_F |b - A x|, or |b - A x| <= tolerance |b| where the system is consistent
    /// (Paige and Saunders, ACM Trans. Math. Softw. 8 (1982)); Report::normal_residual is the first of them. From x = 0
    /// x stays in the range of M^-1 A^T: of all solutions it becomes the one of smallest |x| with
    /// PreconditionerKind::none, and with jacobi, which scales columns to length 1, that of smallest |M^(1/2) x|; in
    /// single precision, since no residual sees
    /// the null space.
    cgnr,
    /// The one that suits the matrix, by symmetry, definiteness (a short Lanczos run) and size; Solver::method says
    /// why. Where that one fails another goes on from its answer, once: jacobi in place of a costly preconditioner, the
    /// direct method where that is quick, else least squares. Reports tell of both.
    automatic
};
/// M^-1, an approximation of A^-1. Those that divide by the diagonal are refused where it holds a zero (MINRES takes
/// jacobi all the same); what a method does not take is refused. Options::preconditioning.
enum class PreconditionerKind : std::uint8_t {
    none,
    jacobi,        ///< M = diag(A); with more than one step: that many damped sweeps of Jacobi
    block_jacobi,  ///< blocks of 2 to 4 rows along the diagonal, inverted
    chebyshev,     ///< a polynomial in A (Chebyshev's), for symmetric positive definite matrices
    richardson,    ///< a polynomial in A: steps of Richardson's iteration
    cf_jacobi,     ///< sweeps of the stationary iteration of that name, by colours; not symmetric
    gauss_seidel,  ///< ... not symmetric
    sor,           ///< ... not symmetric
    ssor,          ///< ... symmetric
    amg,           ///< a cycle of algebraic multigrid: Options::amg
    /// A cycle of geometric multigrid, for GridSolver and for symmetric 5-point and 7-point matrices whose unknowns are
    /// numbered row by row, with nothing positive beside the diagonal and no row that sums to less than zero: others
    /// are refused. Options::amg has cycle (v, k), smoother (chebyshev), steps and levels.
    multigrid
};
/// How a matrix is stored on the device. A texel holds numbers of four rows.
enum class FormatKind : std::uint8_t {
    automatic,  ///< the one whose product is predicted to fetch the fewest bytes
    measure,    ///< the one whose product is fastest, timed on the device when the solver is made
    ell,        ///< as many slots for each row as the longest row has nonzeros; takes any matrix
    sell,       ///< sliced: as many slots as the longest row of the slice; for rows of different lengths
    runs,       ///< sliced; one index where four rows use consecutive columns; for grids and most meshes
    dia,        ///< by diagonals; best for grids
    dense       ///< every entry, zeros included; for matrices most of whose entries are not zero
};

/// The arithmetic of the iteration. Whatever it is, `converged` is judged in double precision.
enum class Precision : std::uint8_t {
    automatic,  ///< single, and two_float when corrections have stopped helping; cg with amg: two_float where it can
    single,     ///< single precision with corrections: fast, and enough for most matrices
    two_float   ///< product, solution and residual in two floats each, some 48 bits: for ill-conditioned matrices; an
                ///< iteration takes longer
};

GLSOLVE_API std::string_view name(Precision precision);
GLSOLVE_API std::string_view name(Method method);
GLSOLVE_API std::string_view name(PreconditionerKind preconditioner);
GLSOLVE_API std::string_view name(FormatKind format);

/// What there is to choose from.
GLSOLVE_API std::vector<Method> all_methods();
GLSOLVE_API std::vector<PreconditionerKind> all_preconditioners();
GLSOLVE_API std::vector<FormatKind> all_formats();

/// How the sliced formats cut.
struct Slicing {
    int height = 16;        ///< rows of a slice: a power of two, at least 4
    Index sort_window = 0;  ///< rows sorted by their lengths within windows of so many (undone outside); 0: not at all
};

/// How GMRES makes a vector orthogonal to those before it.
enum class Orthogonalisation : std::uint8_t {
    classical_twice,  ///< Gram and Schmidt's classical process, twice: a few passes over all vectors
    modified          ///< the modified process, as published: for each vector an inner product and an update of its own
};
/// Where GMRES solves its small least-squares problem.
enum class LeastSquares : std::uint8_t {
    device,  ///< by rotations with each step: the device knows |r|, and stops by itself
    host     ///< at the end of each cycle, as Liu, Yin and Wu (2011) do: reads the Hessenberg matrix back
};
inline bool is_cg(Method method) { return method == Method::cg || method == Method::pipelined_cg; }
inline bool is_chebyshev(Method method) { return method == Method::chebyshev || method == Method::bicgstab_chebyshev; }
inline bool is_stationary(Method method) { return method >= Method::richardson && method <= Method::ssor; }
inline bool is_gmres(Method method) { return method == Method::gmres || method == Method::fgmres; }
GLSOLVE_API std::string_view name(Orthogonalisation orthogonalisation);
GLSOLVE_API std::string_view name(LeastSquares least_squares);

struct GmresOptions {
    int restart = 32;  ///< steps of a cycle, 1 to 1024: as many vectors and one more are kept
    Orthogonalisation orthogonalisation = Orthogonalisation::classical_twice;
    LeastSquares least_squares = LeastSquares::device;
};

struct PreconditionerOptions {
    int steps = 0;          ///< sweeps, or the degree of a polynomial, at most 64; 0: one sweep, degree 4
    double relaxation = 0;  ///< weight of sweeps; 0: chosen
    int block = 4;          ///< block_jacobi: rows of a block, 2 to 4
};

enum class ChebyshevForm : std::uint8_t {
    fused,      ///< a step is one pass, tested now and then
    published,  ///< one operation after the other, each step tested
    /// Several steps are one pass, in which work groups or threads do not wait for one another, and read of their
    /// neighbours whatever is there; fragments take band after band. Each test waits for all. Without a proof of
    /// convergence, and results differ from run to run; what is converged is judged as ever.
    chaotic
};
GLSOLVE_API std::string_view name(ChebyshevForm form);

struct ChebyshevOptions {
    ChebyshevForm form = ChebyshevForm::fused;
    double smallest = 0;     ///< bounds of the eigenvalues of M^-1 A (preconditioner none: of A); 0: estimated
    double largest = 0;      ///< ... a bound that is too small is raised, when the iteration diverges
    int lanczos_steps = 32;  ///< of the estimate, at least 1
    int chaotic_steps =
        2;  ///< of the chaotic form: so many are one pass, 1 to 16; more of them make it converge slower
};

/// How far a solve is; told late, never by making the device wait.
struct Progress {
    std::int64_t iteration = 0;
    double relative_residual = 0;  ///< as the recurrence has it
    std::int64_t corrections = 0;
};

/// Receives what happens; returns false to cancel. The direct method asks it already while a Solver is made.
using Observer = std::function<bool(const Progress&)>;

struct Options {
    Method method = Method::cg;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;
    FormatKind format = FormatKind::automatic;
    Slicing slicing = {};
    Precision precision = Precision::automatic;
    PreconditionerOptions preconditioning = {};
    AmgOptions amg = {};
    GmresOptions gmres = {};
    ChebyshevOptions chebyshev = {};
    int test_every = 16;      ///< chebyshev and stationary methods: steps from one look at the residual to the next
    double relaxation = 0;    ///< weight of stationary methods; 0: chosen by the method
    double tolerance = 1e-8;  ///< relative: |b - A x| <= tolerance |b| ...
    double absolute_tolerance = 0;    ///< ... or <= this
    std::int64_t max_iterations = 0;  ///< 0: as many as the size suggests (see default_max_iterations)
    /// So many iterations, whatever the residual is, up to 65,536; 0: until the tolerance is met. The device is not
    /// asked anything before they are all done, so that nothing waits and the work is known beforehand; the answer is
    /// judged once, then. In the precision that was asked for (automatic: single), without corrections on the way, and
    /// without an observer. GMRES: within one cycle. Not for the direct method, and not together with max_iterations.
    std::int64_t fixed_iterations = 0;
    bool zero_guess = false;  ///< x is taken as 0 whatever it holds; saves a product
    bool profile = false;     ///< time each pass: slow; of `enqueue` by time stamps, which wait for nothing
    Observer observer = {};
};

/// 100 n + 10000 for n unknowns: ill-conditioned systems need many times n in floating point, and what has stopped
/// getting better ends as `stagnated` or `precision_limit` long before.
GLSOLVE_API std::int64_t default_max_iterations(Index unknowns);

}  // namespace glsolve::inline v0_1
