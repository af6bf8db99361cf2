/// Residuals of corrections, computed on the device in two floats: no vector goes to the host and back.
///
/// The device holds  u S b  and  u x / S  in two floats, for the scaled system S A S: S holds powers of two or, for
/// MINRES, reciprocal roots, and the power of two u brings |b| near 1, so that single precision has room for all of
/// them.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "core/operator.hpp"

namespace glsolve::inline v0_1 {

class DeviceResiduals {
  public:
    /// Norms of b - A x and of what goes with it.
    struct Norms {
        double residual = 0;            ///< |b - A x|
        double scaled = 0;              ///< |S (b - A x)|
        double size = 0;                ///< | |A| |x| + |b| |, up to a small factor
        double drift = 0;               ///< |s S (b - A x) - r| / |s S (b - A x)|, for the recurrence's residual r
        std::array<float, 4> status{};  ///< the texel that was to be read along
    };

    /// `work` and `partial` are lent by the method: the residual is left in `work` until it goes on iterating.
    DeviceResiduals(Operator& A, std::span<const double> scale, Vector& work, PartialSums& partial);

    /// Takes a right-hand side and a guess. False: single precision has no room for them.
    bool begin(std::span<const double> b, std::span<const double> x);
    /// x <- x + S y / s.
    void add(const Vector& y, double s);
    /// r <- b - A x; reads back some texels, `status` among them if there is one, and waits for them. `r`: the
    /// recurrence's residual, s S (b - A x) but for drift.
    Norms compute(const Vector& r, double s, const Scalar* status = nullptr);
    /// The residual of the x that is there now, for `restart`; reads nothing.
    void residual();
    /// r + r_low <- s S (b - A x), which `compute` or `residual` has left; `r_low` may be null.
    void restart(Vector& r, Vector* r_low, double s) const;

    /// Keeps x as it was before y was added: the best one, as it turns out.
    void keep_without(const Vector& y, double s);
    /// Reads x, or the one that was kept.
    void download(std::span<double> x) const { read(x_, x); }
    void download_kept(std::span<double> x) const {
        if (kept_) read(*kept_, x);
    }

  private:
    void warm_up();
    void read(const TwoFloatVector& from, std::span<double> x) const;

    Backend& backend_;
    Operator& A_;
    std::span<const double> scale_;
    Vector& r_;  // high part of the residual
    PartialSums& partial_;
    double u_ = 1;
    TwoFloatVector b_, x_;
    Vector r_low_;
    std::optional<TwoFloatVector> kept_;
    std::optional<Vector> weights_;  // 1 / S; none: S = 1
    Scalar sizes_, norms_;
    Storage results_;
};

}  // namespace glsolve::inline v0_1
