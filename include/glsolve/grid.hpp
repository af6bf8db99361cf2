/// Grids without a matrix, for example the pressure equation that a fluid program solves each frame.
/// The equation is  -div grad x = b.  Mind the minus sign: for a pressure, b = -div u, the *negative* divergence of the
/// velocity u. The velocity is then updated by  u <- u - grad x  (docs/fluids.md).
///
///     glsolve::GridSolver pressure(device, {.width = 512, .height = 512, .spacing = {h, h, 1}});  // walls: closed
///     pressure.set_cells(kinds);                          // each frame, when solids have moved
///     glsolve::Report report = pressure.solve(b, x);
#pragma once

#include <array>
#include <cstdint>
#include <glsolve/solver.hpp>
#include <memory>
#include <span>

namespace glsolve::inline v0_1 {

/// The boundary condition on a side of a grid.
enum class Wall : std::uint8_t {
    neumann,   ///< a closed wall: no flux through it
    dirichlet  ///< the value is 0 there
};

/// The kind of a cell.
enum class Cell : std::uint8_t {
    unknown,  ///< holds an unknown
    solid,    ///< holds no unknown; no flux into it
    open      ///< holds the value 0, for example air above a liquid
};

/// Where the unknowns of a grid are located.
enum class GridPoints : std::uint8_t {
    /// At the centres of cells. A wall is half a spacing away from the outermost unknowns.
    cells,
    /// At vertices. A Dirichlet wall is one spacing away from the outermost unknowns. A Neumann wall goes through the
    /// outermost unknowns. These have half a volume; at corners a quarter or an eighth.
    vertices
};

/// The equation
///
///     - div (k grad x) + shift x = b        mind the sign: A is positive definite
///
/// on a grid. It is discretised by finite volumes with a two-point flux per face: five points in 2D, seven in 3D. k is
/// 1, or a coefficient for each cell; a face uses the harmonic mean of its two cells. For a cell in 2D, with k = 1 and
/// spacing h:
///
///     (4 x - x_left - x_right - x_below - x_above) / h^2 + shift x = b
///
/// At a closed wall or a solid, the term of that neighbour is dropped, and the 4 is reduced by one. b is a density: do
/// not multiply it by the volume of a cell.
struct Grid {
    Index width = 1, height = 1, depth = 1;  ///< unknowns along x, y, z; depth 1: a 2D grid
    std::array<double, 3> spacing{
        1, 1, 1};  ///< distance of neighbours along x, y, z: the h of your gradients and divergences
    GridPoints points = GridPoints::cells;
    /// The walls at the low and the high end of each axis. Default: Wall::neumann (closed).
    std::array<Wall, 2> x_walls{}, y_walls{}, z_walls{};
    /// Not negative. For an implicit step of the heat equation: 1 / (diffusivity times time step).
    double shift = 0;
};

/// A grid prepared on a device. Couplings between cells are stored in single precision. The system with these rounded
/// couplings is the one that is solved; its residual is tested in double precision.
/// Move-only. It belongs to the device's thread and may outlive the Device. A default-constructed or moved-from
/// GridSolver is empty and behaves like an empty Solver.
class GLSOLVE_API GridSolver {
  public:
    /// Empty.
    GridSolver() noexcept;
    /// Methods: cg, pipelined_cg and richardson. Preconditioners: multigrid, jacobi and, for cg, none. richardson with
    /// multigrid is a multigrid iteration; with jacobi it is Jacobi's method.
    /// These members of Options::amg apply: cycle (v, k), smoother (chebyshev), steps and levels.
    /// Throws InvalidInput for a grid or options that are not possible. Throws DeviceError when the device runs out of
    /// memory. All cells hold unknowns until `set_cells` is called.
    GridSolver(Device& device, const Grid& grid, Options options = usual_options());
    GridSolver(GridSolver&&) noexcept;
    GridSolver& operator=(GridSolver&&) noexcept;
    ~GridSolver();

    /// False if empty.
    explicit operator bool() const noexcept { return impl_ != nullptr; }

    /// The default options: conjugate gradients with multigrid.
    static Options usual_options();

    /// Sets the kinds of all cells and their coefficients; x varies fastest, then y, then z. Empty `kinds`: all cells
    /// hold unknowns. Coefficients are positive numbers; empty: 1 everywhere. A grid that once had coefficients keeps
    /// memory for them. The device computes the operator and all coarser grids again; nothing is read back.
    void set_cells(std::span<const Cell> kinds, std::span<const float> coefficients = {});

    /// Solves the equation and blocks until it is done. b and x have one number per cell; x holds the initial guess.
    /// In cells without an unknown, b is ignored and x becomes 0.
    /// The residual is that of  A x = V b.  V is the volume of each unknown in units of a cell: 1, and less for
    /// unknowns on a Neumann wall.
    /// A region of cells may be enclosed by Neumann walls and solids, without any given value and without a shift. Then
    /// x is determined there up to a constant only, and the sum of b over the region must be zero. If it is not, the
    /// sum is subtracted from b evenly over the region. Report::remarks gives the amount, and the tolerance is relative
    /// to the corrected b.
    /// The first solve after `set_cells` reads the couplings back, to compute residuals in double precision.
    Report solve(std::span<const double> b, std::span<double> x);

    /// x = M^-1 b, with the preconditioner of this solver, as one of `matrix()`; see Solver::precondition. In a region
    /// where x is determined up to a constant only, the mean is subtracted from b and from x.
    void precondition(std::span<const double> b, std::span<double> x);

    /// Sets the kinds of the cells from a texture with one or four cells per texel. Rows of a plane lie one above the
    /// other, and so do planes. A positive number means an unknown, 0 a solid, a negative number an open cell (so 8-bit
    /// formats cannot mark open cells). If `set_cells` gave the grid coefficients, positive numbers are coefficients;
    /// otherwise only the sign counts. No data passes through the CPU.
    void set_cells_from(const TextureView& cells);

    // Work on textures, as in Solver (solver.hpp). Rows of cells lie one above the other, and so do planes.
    // Methods: cg, pipelined_cg, richardson. If all walls and cells are closed and the shift is 0, the mean over all
    // unknowns is subtracted from b (times volumes; Report::remarks says how much) and from the initial guess. So x may
    // change by a constant although it meets the tolerance.
    // Several right-hand sides are solved together by cg with Precision::single; with multigrid, in V cycles only. All
    // other cases are solved one after the other. (With multigrid, Precision::automatic means two_float.)
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget = {});
    std::optional<Report> poll();
    Report solve(const TextureView& b, const TextureView& x);
    void precondition(const TextureView& b, const TextureView& x);
    void warm_up(const TextureView& b, const TextureView& x);

    /// The grids of multigrid, the finest first; empty without multigrid.
    const HierarchyReport& hierarchy() const;
    /// The matrix A of the system that is solved. It is symmetric and has one row per cell; a cell without an unknown
    /// has a 1 on the diagonal. Blocks.
    CsrMatrix matrix() const;

  private:
    struct Impl;
    Impl& impl() const;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glsolve::inline v0_1
