/// Multigrid: what there is to choose, and what a hierarchy of levels looks like.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// How algebraic multigrid chooses the unknowns of the next coarser level.
enum class Coarsening : std::uint8_t {
    /// Small connected sets of unknowns become one unknown each; interpolation is constant there (or what
    /// near-null-space vectors say), and smoothed once (Vanek, Mandel and Brezina 1996). Where the matrix is that of a
    /// grid the sets are blocks, and coarser levels are grids as well. Where it is symmetric, too, there is no constant
    /// that is smoothed: interpolation from the centres of blocks solves A P = 0 between them, on lines, planes and in
    /// space (Alcouffe, Brandt, Dendy and Painter 1981).
    smoothed_aggregation,
    aggregation,   ///< the same without smoothing; wants the K cycle
    ruge_stueben,  ///< a subset of the unknowns, after Ruge and Stüben (1987); AmgOptions::second_pass
    pmis,          ///< ... by parallel modified independent sets (De Sterck, Yang and Heys 2006): the coarsest, cheap
    falgout        ///< ... Ruge and Stüben's first pass, then CLJP (Henson and Yang 2002)
};

/// How the classical methods interpolate from the coarse unknowns.
enum class Interpolation : std::uint8_t {
    automatic,  ///< direct for Ruge-Stüben and Falgout, extended for PMIS
    direct,     ///< from strong coarse neighbours (Stüben 2001)
    extended    ///< also from those of strong fine neighbours: extended+i (De Sterck et al. 2008)
};

enum class MultigridCycle : std::uint8_t {
    v,  ///< each level once, down and up
    w,  ///< each level twice as often as the one above
    k   ///< on each level but the finest two steps of conjugate gradients (Notay and Vassilevski 2008), for
        ///< symmetric matrices and methods that take preconditioners which vary
};

/// What smooths on each level.
enum class MultigridSmoother : std::uint8_t {
    automatic,    ///< chebyshev where the matrix is symmetric, else l1_jacobi
    chebyshev,    ///< a polynomial that damps the upper part of the spectrum, which has to be real: of flows it is not
    jacobi,       ///< damped by 4/3 of the reciprocal spectral radius
    l1_jacobi,    ///< the diagonal enlarged so that no damping is needed (Baker et al. 2011)
    cf_jacobi,    ///< of classical coarsening: C then F unknowns downwards, F then C upwards, as Li et al. publish it
    gauss_seidel  ///< by colours, forwards downwards and backwards upwards
};

GLSOLVE_API std::string_view name(Coarsening coarsening);
GLSOLVE_API std::string_view name(Interpolation interpolation);
GLSOLVE_API std::string_view name(MultigridCycle cycle);
GLSOLVE_API std::string_view name(MultigridSmoother smoother);
GLSOLVE_API std::vector<Coarsening> all_coarsenings();
GLSOLVE_API std::vector<Interpolation> all_interpolations();
GLSOLVE_API std::vector<MultigridCycle> all_multigrid_cycles();
GLSOLVE_API std::vector<MultigridSmoother> all_multigrid_smoothers();

struct AmgOptions {
    Coarsening coarsening = Coarsening::smoothed_aggregation;
    Interpolation interpolation = Interpolation::automatic;
    MultigridCycle cycle = MultigridCycle::v;
    MultigridSmoother smoother = MultigridSmoother::automatic;
    /// Of the smoother, before and after each correction from the coarser level; at most 16; 0: 3, and 4 of
    /// geometric multigrid.
    int steps = 0;
    /// An entry is strong from this share of the largest of its row on (classical), or of sqrt(|a_ii a_jj|)
    /// (aggregation, halved with each level where sets are no blocks); negative: 0.2 and 0.08.
    double strength = -1;
    bool second_pass = false;   ///< of Ruge and Stüben: F unknowns that depend on each other share a C unknown
    double truncation = 0;      ///< classical: entries of interpolation below this share of the row's largest go
    int most_interpolated = 0;  ///< ... and all but so many; 0: extended 4, direct as many as there are
    /// Rows from which on a level is solved by one dense product with its inverse; 0: 300 to 2,000, from what the
    /// device was measured to do (in the first such set-up of a process, unless it was opened so), and 1,500 on the
    /// host.
    Index coarsest = 0;
    /// Levels behind the finest with at most so many rows are worked on by the host, as Li et al. (2011) propose it; 0:
    /// none. For comparison: each cycle reads a right-hand side back, and the device waits for the host.
    Index host_rows = 0;
    int levels = 32;         ///< at most, at least 1
    bool on_lattice = true;  ///< where the matrix is that of a grid, aggregates are blocks of it
    /// Vectors that A nearly maps to zero, `near_null_vectors` numbers for each unknown; empty: ones. For aggregation.
    std::vector<double> near_null_space = {};
    int near_null_vectors = 1;
    /// Numbers of levels behind the finest, and of interpolation, are stored in half precision where that hardly
    /// changes the cycle: then it fetches fewer bytes, and iterations stay as many. LevelReport says where.
    bool half_floats = true;
    int unknowns_a_point = 1;  ///< consecutive unknowns that belong to one point: aggregates keep them together
};

/// Translations and rotations of a rigid body: three numbers for each unknown of a plane problem, six in space, as
/// AmgOptions::near_null_space takes them. `coordinates`: x of all points, then y of all, then z where `dimension` is
/// 3; a point has as many unknowns, one after the other. Throws InvalidInput else.
GLSOLVE_API std::vector<double> rigid_body_modes(const std::vector<double>& coordinates, int dimension);

/// A level of a hierarchy, the finest first.
struct LevelReport {
    Index rows = 0;
    Offset nonzeros = 0;
    Offset transfer_nonzeros = 0;  ///< of the prolongation to this level from the next; 0 on the coarsest
    /// Coarser levels of a solver: the format of the matrix, and ", half" where its numbers are in half precision;
    /// "transfer half" where those of the interpolation from the next level are.
    std::string stored = {};
    bool on_host = false;  ///< the host works on it (AmgOptions::host_rows)
};

struct HierarchyReport {
    std::vector<LevelReport> levels;
    std::string coarsest;  ///< how the coarsest level is solved, and why it is that one, in words
    double strength_seconds = 0, coarsening_seconds = 0, interpolation_seconds = 0, product_seconds = 0,
           coarse_seconds = 0, upload_seconds = 0;

    /// Rows of all levels over those of the finest; the same of nonzeros.
    GLSOLVE_API double grid_complexity() const;
    GLSOLVE_API double operator_complexity() const;
};

/// The hierarchy of A, made on the host only; A must be square. Throws InvalidInput for options that make no sense.
GLSOLVE_API HierarchyReport analyze_hierarchy(const CsrMatrix& A, const AmgOptions& options = {});

}  // namespace glsolve::inline v0_1
