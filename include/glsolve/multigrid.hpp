/// Multigrid: its options, and a description of the hierarchy of levels.
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
    /// Small connected sets of unknowns (aggregates) become one unknown each. Interpolation is constant on an
    /// aggregate, or follows the near-null-space vectors, and is smoothed once. Source: Vanek, Mandel and Brezina 1996.
    /// If the matrix is that of a grid, the aggregates are blocks, and coarser levels are grids as well. If that matrix
    /// is symmetric too, no constant interpolation is smoothed. Instead, interpolation from the centres of the blocks
    /// solves A P = 0 between them, on lines, planes and in space. Source: Alcouffe, Brandt, Dendy and Painter 1981.
    smoothed_aggregation,
    aggregation,   ///< the same without smoothing; use the K cycle with it
    ruge_stueben,  ///< a subset of the unknowns; Ruge and Stüben (1987); see AmgOptions::second_pass
    /// ... by parallel modified independent sets: the coarsest choice, and cheap. De Sterck, Yang and Heys (2006).
    pmis,
    falgout  ///< ... Ruge and Stüben's first pass, then CLJP; Henson and Yang (2002)
};

/// How the classical methods interpolate from the coarse unknowns.
enum class Interpolation : std::uint8_t {
    automatic,  ///< direct for Ruge-Stüben and Falgout, extended for PMIS
    direct,     ///< from strong coarse neighbours; Stüben (2001)
    /// Also from the strong coarse neighbours of strong fine neighbours: extended+i; De Sterck et al. (2008).
    extended
};

enum class MultigridCycle : std::uint8_t {
    v,  ///< each level once, downwards and upwards
    w,  ///< each level twice as often as the one above
    /// Two steps of conjugate gradients on each level except the finest. For symmetric matrices, and for methods that
    /// take a varying preconditioner. Source: Notay and Vassilevski 2008.
    k
};

/// The smoother on each level.
enum class MultigridSmoother : std::uint8_t {
    automatic,  ///< chebyshev if the matrix is symmetric, otherwise l1_jacobi
    /// A polynomial that damps the upper part of the spectrum. The spectrum must be real; for flow problems it is not.
    chebyshev,
    jacobi,     ///< damped with weight 4/3 / (spectral radius)
    l1_jacobi,  ///< the diagonal is enlarged, so that no damping is needed; Baker et al. (2011)
    /// For classical coarsening, as published by Li et al. Downwards: C, then F unknowns. Upwards: F, then C.
    cf_jacobi,
    gauss_seidel,  ///< multicolour; forward sweeps on the way down, backward sweeps on the way up
    ilu0,          ///< incomplete factors with the nonzeros of the level's matrix (Cholesky's where it is symmetric)
    fsai           ///< factorised sparse approximate inverses, as the preconditioner of that name
};

/// Where the levels of algebraic multigrid are made.
enum class MultigridSetup : std::uint8_t {
    automatic,  ///< on a GPU that can make them, from 65,536 rows on; else on the host
    device,     ///< on the device, where it can make them; HierarchyReport::set_up says who did
    host
};

GLSOLVE_API std::string_view name(Coarsening coarsening);
GLSOLVE_API std::string_view name(Interpolation interpolation);
GLSOLVE_API std::string_view name(MultigridCycle cycle);
GLSOLVE_API std::string_view name(MultigridSmoother smoother);
GLSOLVE_API std::string_view name(MultigridSetup setup);
GLSOLVE_API std::vector<Coarsening> all_coarsenings();
GLSOLVE_API std::vector<Interpolation> all_interpolations();
GLSOLVE_API std::vector<MultigridCycle> all_multigrid_cycles();
GLSOLVE_API std::vector<MultigridSmoother> all_multigrid_smoothers();
GLSOLVE_API std::vector<MultigridSetup> all_multigrid_setups();

struct AmgOptions {
    Coarsening coarsening = Coarsening::smoothed_aggregation;
    Interpolation interpolation = Interpolation::automatic;
    MultigridCycle cycle = MultigridCycle::v;
    MultigridSmoother smoother = MultigridSmoother::automatic;
    /// Steps of the smoother, before and after each correction from the coarser level; at most 16. 0: 3 steps, or 4 for
    /// geometric multigrid.
    int steps = 0;
    /// Threshold of strong entries; below 1. An entry is strong if it is at least this fraction of a reference value.
    /// Classical methods: the reference is the largest entry of the row. Aggregation: it is sqrt(|a_ii a_jj|), and the
    /// threshold is halved on each level if the aggregates are not blocks.
    /// Negative: 0.2 for classical methods, 0.08 for aggregation.
    double strength = -1;
    /// Ruge and Stüben's second pass: F unknowns that depend on each other get a common C unknown.
    bool second_pass = false;
    /// Classical: interpolation entries smaller than this fraction of the row's largest entry are dropped.
    double truncation = 0;
    /// Classical: maximum number of interpolation entries per row. 0: 4 for extended, no limit for direct.
    int most_interpolated = 0;
    /// A level with at most this many rows is the coarsest; it is solved by one dense product with its inverse.
    /// 0: 400.
    Index coarsest = 0;
    /// The host processes levels below the finest with at most this many rows; 0: none. Source: Li et al. (2011).
    /// This option is for comparison: each cycle reads a right-hand side back, and the device waits for the host.
    Index host_rows = 0;
    int levels = 32;         ///< maximum number of levels, at least 1
    bool on_lattice = true;  ///< if the matrix is that of a grid, aggregates are blocks of the grid
    /// For aggregation: vectors that A maps nearly to zero, `near_null_vectors` numbers for each unknown. Empty: one
    /// vector of ones.
    std::vector<double> near_null_space = {};
    int near_null_vectors = 1;
    /// Stores matrices below the finest level, and interpolation, in half precision where this hardly changes the
    /// cycle. A cycle then reads fewer bytes, and the number of iterations stays the same. See LevelReport::stored.
    bool half_floats = true;
    /// The device can make levels of a symmetric matrix with a positive diagonal, for smoothed_aggregation with the
    /// smoothers automatic and chebyshev; in single precision, so half_floats does not apply. Of grids any device can,
    /// of other matrices CUDA, OpenGL with compute shaders on a GPU, and the host backend. Solver::update_values then
    /// makes them anew, coarse unknowns included.
    MultigridSetup setup = MultigridSetup::automatic;
    int unknowns_a_point = 1;  ///< consecutive unknowns that belong to one point; aggregates keep them together
};

/// Translations and rotations of a rigid body, for AmgOptions::near_null_space. There are three numbers per unknown in
/// 2D and six in 3D. `coordinates`: x of all points, then y of all points, then z of all points if `dimension` is 3. A
/// point must have `dimension` consecutive unknowns. Throws InvalidInput otherwise.
GLSOLVE_API std::vector<double> rigid_body_modes(const std::vector<double>& coordinates, int dimension);

/// One level of a hierarchy.
struct LevelReport {
    Index rows = 0;
    Offset nonzeros = 0;
    Offset transfer_nonzeros = 0;  ///< nonzeros of the prolongation from the next level to this one; 0 on the coarsest
    /// Coarser levels of a solver: the format of the matrix, followed by ", half" if its numbers are in half precision.
    /// "transfer half" means that the interpolation from the next level is in half precision.
    std::string stored = {};
    bool on_host = false;  ///< the host processes this level (AmgOptions::host_rows)
};

struct HierarchyReport {
    std::vector<LevelReport> levels;               ///< the finest first
    MultigridSetup set_up = MultigridSetup::host;  ///< where: device or host
    std::string why_host = {};                     ///< why the host did it, where the device was asked to
    std::string coarsest;                          ///< how the coarsest level is solved, in words
    /// A device may work on one part while the next one is timed.
    double strength_seconds = 0, coarsening_seconds = 0, interpolation_seconds = 0, product_seconds = 0,
           coarse_seconds = 0, upload_seconds = 0;

    /// Rows (grid complexity) or nonzeros (operator complexity) of all levels, divided by those of the finest level.
    GLSOLVE_API double grid_complexity() const;
    GLSOLVE_API double operator_complexity() const;
};

/// The hierarchy of A, computed on the host only. A must be square. Throws InvalidInput for options out of range.
GLSOLVE_API HierarchyReport analyze_hierarchy(CsrView A, const AmgOptions& options = {});

}  // namespace glsolve::inline v0_1
