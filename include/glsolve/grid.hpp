/// Grids without a matrix: what fluid programs solve each frame. The equation is  -div grad x = b, with a minus: for a
/// pressure b is -div u, the *negative* divergence of the velocity, and then  u <- u - grad x  (docs/fluids.md).
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

/// What a side of a grid is.
enum class Wall : std::uint8_t {
    neumann,   ///< nothing passes: a closed wall
    dirichlet  ///< the value is 0 there
};

/// What a cell of a grid is.
enum class Cell : std::uint8_t {
    unknown,  ///< holds an unknown
    solid,    ///< holds none, and nothing passes into it
    open      ///< holds the value 0: air above a liquid
};

/// Where the unknowns of a grid are.
enum class GridPoints : std::uint8_t {
    cells,    ///< in the middle of cells: a wall is half a spacing away from the outermost of them
    vertices  ///< at vertices: a Dirichlet wall is a whole spacing away from the outermost of them, and a Neumann wall
              ///< goes through them, so that these have half a volume, in corners a quarter or an eighth
};

/// The equation
///
///     - div (k grad x) + shift x = b        mind the sign: A is positive definite
///
/// on a grid, by finite volumes of two points a face (five points in the plane, seven in space); k = 1, or a
/// coefficient for each cell, of which a face takes the harmonic mean. In a cell of the plane, with k = 1 and a spacing
/// of h:
///
///     (4 x - x_left - x_right - x_below - x_above) / h^2 + shift x = b
///
/// where a closed wall or a solid takes away its neighbour and one of the 4. b is a density: not times a cell's volume.
struct Grid {
    Index width = 1, height = 1, depth = 1;  ///< unknowns along x, y, z; depth 1: a plane
    std::array<double, 3> spacing{1, 1, 1};  ///< of neighbours along x, y, z: the h of your gradients and divergences
    GridPoints points = GridPoints::cells;
    /// At the low and the high end of each axis; closed, unless they are said to be Wall::dirichlet.
    std::array<Wall, 2> x_walls{}, y_walls{}, z_walls{};
    double shift = 0;  ///< not negative: 1 / (diffusivity times time step) of an implicit step of the heat equation
};

/// A grid made ready on a device. Couplings between cells are rounded to single precision once, where they are not
/// exact; the system that they make is what is solved, judged in double precision. Move-only; belongs to the device's
/// thread, and may outlive the Device. An empty one, made so or moved from, is as an empty Solver.
class GLSOLVE_API GridSolver {
  public:
    /// Empty.
    GridSolver() noexcept;
    /// Method: cg, pipelined_cg or richardson, which is multigrid by itself or, with preconditioner jacobi, Jacobi's
    /// method; preconditioner: multigrid, jacobi or, for cg, none.
    /// Options::amg has cycle (v, k), smoother (chebyshev), steps and levels. Throws InvalidInput for what cannot be,
    /// DeviceError when the device runs out of memory. All cells hold unknowns until `set_cells` says otherwise.
    GridSolver(Device& device, const Grid& grid, Options options = usual_options());
    GridSolver(GridSolver&&) noexcept;
    GridSolver& operator=(GridSolver&&) noexcept;
    ~GridSolver();

    /// Is there a grid?
    explicit operator bool() const noexcept { return impl_ != nullptr; }

    /// Conjugate gradients with multigrid.
    static Options usual_options();

    /// What the cells are from now on, x fastest, then y, then z; and their coefficients, positive numbers (empty: 1
    /// everywhere). `kinds` may be empty: all hold unknowns. A grid that once had coefficients keeps room for them. The
    /// device makes the operator and all coarser grids anew; nothing is read back.
    void set_cells(std::span<const Cell> kinds, std::span<const float> coefficients = {});

    /// Solves the equation and blocks until it is done; b and x have a number for each cell, x holds a guess. What b
    /// has in cells without an unknown does not count, and x becomes 0 there. Judged is  A x = V b  with V the volume
    /// of each unknown in units of a cell: 1, and less where unknowns lie on a Neumann wall. Where cells are connected
    /// with each other but with no value (closed by Neumann walls and solids, no shift), x is determined but for a
    /// constant, and b must add up to zero among them: what it adds up to is taken off evenly, and Report::remarks says
    /// how much that was, and the tolerance is one of what is left. The first solve after `set_cells` reads the
    /// couplings back, to judge by.
    Report solve(std::span<const double> b, std::span<double> x);

    /// What the cells are, from a texture with one or four cells a texel, rows of a plane one above the other and
    /// planes one above the other: a positive number holds an unknown, 0 is a solid, a negative number an open cell
    /// (so bytes cannot mark open cells). Positive numbers are coefficients where the grid was given some by the other
    /// `set_cells`; else only the sign counts. Nothing goes through the processor.
    void set_cells_from(const TextureView& cells);

    // On textures, as Solver has it (solver.hpp): rows of cells one above the other, planes one above the other.
    // Method: cg, pipelined_cg, richardson. Where all walls and cells are closed the mean over all unknowns is taken
    // off b (times volumes) and off a guess. Several right-hand sides are solved together by cg in single precision
    // (Precision::single: Precision::automatic is two floats where there is multigrid), with multigrid in V cycles;
    // else one after the other.
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget = {});
    std::optional<Report> poll();
    Report solve(const TextureView& b, const TextureView& x);
    void warm_up(const TextureView& b, const TextureView& x);

    /// The grids of multigrid, the finest first; else none.
    const HierarchyReport& hierarchy() const;
    /// The matrix A of what is solved, symmetric: a row for each cell; cells without an unknown have a one on the
    /// diagonal. Waits.
    CsrMatrix matrix() const;

  private:
    struct Impl;
    Impl& impl() const;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glsolve::inline v0_1
