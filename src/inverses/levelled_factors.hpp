/// Incomplete factors applied exactly: each triangular solve is one pass, which goes from level to level of its rows
/// (Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, 2003, section 11.6.3).
#pragma once

#include "device/preconditioner.hpp"
#include "device/vectors.hpp"
#include "formats/packed_numbers.hpp"
#include "inverses/factor_order.hpp"
#include "inverses/triangular_factors.hpp"

namespace glsolve::inline v0_1 {

struct LevelSlots;

/// y <- (I + T)^-1 (d * b[n]) in the places of LevelSlots.
class LevelSolve {
  public:
    /// `n` and `d` hold a number for each place; n < 0 stands for none.
    LevelSolve(Backend& backend, const LevelSlots& T, const std::vector<std::int32_t>& n, const std::vector<float>& d);

    const Vector& solve(const Vector& b);

  private:
    Backend& backend_;
    Vector y_, d_;
    Storage n_;
    PackedNumbers values_, columns_, slots_, levels_;
    std::int32_t level_count_;
    int team_;
};

/// z <- G (I + U)^-1 D^-1 (I + L)^-1 F r  in three passes. Where Capabilities::ordered, and for factors that are not in
/// blocks.
class LevelledFactors final : public Preconditioner {
  public:
    LevelledFactors(Backend& backend, const TriangularFactors& factors, const MatrixToFactor& ordered, int products);

    void apply(Vector& z, const Vector& r) override;
    int products() const override { return products_; }

  private:
    LevelledFactors(Backend& backend, const TriangularFactors& factors, const MatrixToFactor& ordered, int products,
                    const LevelSlots& L, const LevelSlots& U);

    Backend& backend_;
    LevelSolve lower_, upper_;
    Vector column_scale_;
    Storage place_;  // of each row of z among the places of U
    int products_;
};

}  // namespace glsolve::inline v0_1
