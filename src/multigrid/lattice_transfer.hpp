/// Interpolation from the blocks of a lattice to its points, made by passes (shaders/lattice.glsl).
///
/// Source:  R. E. Alcouffe, A. Brandt, J. E. Dendy and J. W. Painter, SIAM J. Sci. Stat. Comput. 2 (1981).
#pragma once

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

#include "multigrid/lattice_stencil.hpp"
#include "multigrid/level.hpp"

namespace glsolve::inline v0_1 {

/// P by its weights: of each point those of the corners between which it lies.
class LatticeWeights {
  public:
    /// By elimination in the matrix whose tiles are `a`. `blocks`: along each axis a third of the points, or as many.
    LatticeWeights(Backend& backend, const LatticeStencil& points, StorageId a, const Lattice& blocks);

    /// The diagonals of P^T A P, and its row sums, become the tiles of `coarse`, which is as `blocks` has it.
    void multiply(const LatticeStencil& coarse, StorageId coarse_a, const LatticeStencil& points, StorageId a);
    /// P <- D P with a diagonal D.
    void scale_rows(const Vector& d);
    void scale(double factor);  // the same with one number

    void restrict_to_blocks(Vector& y, const Vector& x) const;  // y <- P^T x
    void prolong(Vector& y, const Vector& x) const;             // y <- y + P x
    Offset nonzeros() const;

  private:
    bool is_deep() const { return w_.size() > 4; }
    std::vector<Vector> vectors_of_corners(std::string_view what) const;
    /// A pass whose integers begin with the sizes of both lattices.
    void encode(PassId pass, std::span<const StorageId> outputs, std::span<const StorageId> inputs,
                std::initializer_list<std::int32_t> more_integers, VariantId variant = {}) const;

    Backend& backend_;
    Lattice points_, blocks_;
    std::vector<Vector> w_;  // of four corners, or of eight
};

class LatticeTransfer final : public LevelTransfer {
  public:
    LatticeTransfer(const AssembledSystem& fine, LatticeWeights weights)
        : A_(fine.A), r_(fine.backend, fine.size, "r"), weights_(std::move(weights)) {}

    void restrict_residual(Vector& coarse_b, Vector& /*coarse_x*/, const Vector& b, const Vector& x) override {
        A_.residual(r_, b, x);
        weights_.restrict_to_blocks(coarse_b, r_);
    }
    void prolong(Vector& fine, const Vector& coarse) override { weights_.prolong(fine, coarse); }

  private:
    AssembledMatrix& A_;
    Vector r_;
    LatticeWeights weights_;
};

}  // namespace glsolve::inline v0_1
