/// The operator of a grid on a device, without a matrix: couplings between neighbouring cells, made of the cells by
/// passes (shaders/pass/grid_couplings.glsl has the formulas), and the same of coarser grids, made of these.
///
/// Coarser grids: cells are joined in pairs along the axes along which they are strongly coupled. What couples two of
/// them is the sum of the couplings between their parts, weakened along those axes by what lies between the middle of a
/// cell and that of its part (shaders/pass/grid_coarsen.glsl): what discretising anew gives, for constant coefficients,
/// and at a wall wherever it is.
///
/// Source:  W. L. Briggs, V. E. Henson and S. F. McCormick, A Multigrid Tutorial, 2nd ed., 2000, chapters 7 and 8; D.
///          Braess, Computing 55 (1995), for the factor.
#pragma once

#include <array>
#include <memory>

#include "base/host_array.hpp"
#include "device/vectors.hpp"
#include "formats/stored_matrix.hpp"
#include "grid/grid_cells.hpp"
#include "smoothers/diagonal.hpp"

namespace glsolve::inline v0_1 {

/// What a grid's operator is made of, on top of its cells.
struct GridCoefficients {
    std::array<std::int32_t, 3> dirichlet{};  ///< walls along each axis where the value is 0: bit 0 low, bit 1 high
    float wall = 2;                           ///< such a wall is 1 / wall of the spacing away
    std::int32_t halved = 0;  ///< where the outermost unknowns lie on a wall: bit 2 axis low, bit 2 axis + 1 high
    float mass = 0;           ///< the multiple of the identity that is added
    bool alike = false;       ///< all are 1: only the signs of cells count
};

/// The same in numbers, in the order of the device's vectors, with zeros where there is no cell. The row sums are kept
/// in two parts, `given` and `mass`. Coarser grids weaken `given` along its axis, because there the cell's centre lies
/// farther from the face.
struct GridNumbers {
    std::array<std::vector<float>, 3> couplings;  ///< of each cell with the next one along an axis
    std::array<std::vector<float>, 3> given;      ///< ... with values that are given on faces across that axis
    std::vector<float> mass;                      ///< the part of the diagonal that couples nothing
};

class GridOperator {
  public:
    /// `weight`: of couplings along each axis, in the proportions of 1 / spacing^2. `constant`: all couplings are the
    /// same, wherever there are any: then all weights are 1, and there is no mass, so that nothing is rounded.
    GridOperator(Backend& backend, const GridCells& cells, const std::array<float, 3>& weight, bool constant);

    /// Made of cells: positive numbers are coefficients, negative ones those of cells with the value 0, and zeros are
    /// solid.
    void couple(const Vector& cells, const GridCoefficients& coefficients);
    /// Made of numbers, which need not be constant.
    void take(const GridNumbers& numbers);
    /// Made of a finer grid, of which 1 or 2 cells along each axis are joined; or so many copies of what that makes,
    /// one behind the other along the last axis.
    void coarsen(const GridOperator& fine, const std::array<Index, 3>& joined, Index copies = 1);

    /// coarse_b <- T^T (b - A x), with T as restrict_cells has it;  coarse_x <- weight D^-1 coarse_b, with D of
    /// `coarse`
    void restrict_residual(Vector& coarse_b, Vector& coarse_x, float weight, const GridOperator& coarse,
                           const Vector& b, const Vector& x, const std::array<Index, 3>& joined);

    // The same for four right-hand sides, and steps of smoothing with D.
    void restrict_residual(MultiVector& coarse_b, MultiVector& coarse_x, float weight, const GridOperator& coarse,
                           const MultiVector& b, const MultiVector& x, const std::array<Index, 3>& joined);
    /// x <- x + weight D^-1 (b - A x)
    void relax(MultiVector& x, const MultiVector& b, float weight);
    /// Two such steps from x = 0, the first of which need not be stored.
    void relax_twice(MultiVector& x, const MultiVector& b, float first, float second);

    /// y <- y + a g, with g_i how strongly cell i is coupled with values that are given, on walls and in open cells:
    /// exactly 0 where there are none.
    void add_given(Vector& y, float a) const;

    AssembledMatrix& matrix() { return *matrix_; }
    Diagonal& reciprocal_diagonal() { return diagonal_; }
    const GridCells& cells() const { return cells_; }
    const std::array<float, 3>& weight() const { return weight_; }
    /// Of what joins `joined` cells.
    std::array<float, 3> coarse_weight(const std::array<Index, 3>& joined) const;

    bool constant() const { return constant_; }

    /// Couplings along an axis, number by number. This, and what follows, waits.
    HostArray<float> read_couplings(int axis) const;
    /// How strongly cells are coupled with values that are given, on walls and in open cells, and the multiple of the
    /// identity: what rows add up to. Of constant couplings with what makes up for those that are not there.
    HostArray<float> read_row_sums() const;

  private:
    void finish();
    VariantId restricting(const std::array<Index, 3>& joined);
    HostArray<float> read(StorageId storage) const;

    Backend& backend_;
    GridCells cells_;
    Layout layout_;
    std::array<float, 3> weight_;
    bool constant_;
    std::unique_ptr<StoredMatrix> matrix_;
    StorageId a_;
    std::array<StorageId, 3> couplings_;
    std::array<Storage, 3> excess_;
    Storage mass_;
    bool has_no_mass_ = true;  // nothing but zeros, as far as is known
    Diagonal diagonal_;
    std::array<VariantId, 8> restricts_{};  // of restrict_residual, by axes along which cells are joined
};

/// coarse <- T^T fine, where T gives each cell what the cell that it became part of has; so many copies of it.
void restrict_cells(Backend& backend, StorageId coarse, const GridCells& coarse_cells, StorageId fine,
                    const GridCells& fine_cells, const std::array<Index, 3>& joined, Index copies = 1);
/// Rows of cells: one right after the other, or as the device's vectors have them, a whole number of texels apart.
enum class Rows : std::uint8_t { dense, apart };
/// y <- x, both with a number for each cell, y with `of_y` and x with the other kind of rows; zeros where there is no
/// cell.
void store_rows(Backend& backend, Vector& y, Rows of_y, const Vector& x, const GridCells& cells);
/// fine <- fine + T coarse, where `d` is not zero.
void prolong_cells(Backend& backend, StorageId fine, const GridCells& fine_cells, StorageId coarse,
                   const GridCells& coarse_cells, const std::array<Index, 3>& joined, StorageId d);
void prolong_cells(MultiVector& fine, const GridCells& fine_cells, const MultiVector& coarse,
                   const GridCells& coarse_cells, const std::array<Index, 3>& joined, StorageId d);

}  // namespace glsolve::inline v0_1
