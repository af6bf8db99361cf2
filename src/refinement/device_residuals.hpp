/// Residuals of corrections, computed on the device in two floats: no vector goes to the host and back. The system
/// comes from the host, or is made by passes.
///
/// The device holds  u S b  and  u x / S  in two floats, for the scaled system S A S: S holds powers of two or, for
/// MINRES, reciprocal roots, and the power of two u brings |b| near 1, so that single precision has room for all of
/// them.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>

#include "device/operator.hpp"
#include "matrix/row_factors.hpp"
#include "refinement/residuals.hpp"

namespace glsolve::inline v0_1 {

class DeviceResiduals final : public Residuals {
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

    /// Are they in double precision there, instead of two floats?
    bool in_doubles() const { return backend_.holds_doubles(); }
    /// Takes a right-hand side and a guess (none: 0). `scaled_norm_b`: |S b|, where somebody knows it; else 0. False:
    /// single precision has no room for them.
    bool begin(std::span<const double> b, std::span<const double> x, double scaled_norm_b = 0);
    /// y <- a times numbers of the caller's; `other` is some vector that is as long. (x must not be read on the way:
    /// what is read and written has two textures, and those of its two parts must not part.)
    /// Of a right-hand side it may take something off, and leave the square of its norm in `taken`.
    using MakeVector = std::function<void(Vector& y, const ScalarArg& a, const Vector& other)>;
    /// When a run may stop: at |b - A x| <= max(relative |b|, absolute).
    struct Tolerance {
        double relative = 0, absolute = 0;
    };
    /// Takes a right-hand side and a guess (none: 0) that passes make, and computes the residual, without asking how
    /// large any of them is: lengths of b from 1e-15 to 1e15 are fine. Runs then multiply residuals by a gain of the
    /// device's own, so that they may stop where what they see is `reference` long; it is 0, and runs change nothing,
    /// where x is good enough already or b is zero. (x is zero then.)
    void begin(const MakeVector& make_b, const MakeVector& make_x, const Tolerance& tolerance);
    /// For the next run, from the x that the last one has left.
    void begin_again(const Tolerance& tolerance);
    static constexpr float reference = 1e-4f;
    /// |.|^2 of what has been taken off b; zero until somebody writes it.
    Scalar& taken();
    /// What a run begins with, for `results`. Reads nothing.
    void tell_start();
    /// Ends a run, and the residual it has left: the norms of it, for `results`, and whether x is worth having. Reads
    /// nothing.
    void end(const Scalar& status);
    /// S x rounded to single precision; the residual is gone then.
    const Vector& solution();
    /// A texel for guarded passes: x is worse than the guess.
    StorageId refused() const { return refused_->id(); }

    /// Another one for each run, which its results must have: OpenGL may discard passes.
    float number() const { return number_; }
    /// Four texels that say how such a run has begun, or ended.
    using Results = std::array<float, 16>;
    const Storage& results() const { return results_; }
    struct RunResult {
        double residual = 0, b = 0;     ///< |b - A x| and |b|
        double taken = 0;               ///< the norm of what was taken off b
        float number = 0;               ///< of the run
        bool too_small = false;         ///< b is not zero, but its square is, or next to it
        std::array<float, 4> status{};  ///< of the run
    };
    static RunResult run_result(const Results& results);
    struct RunStart {
        double relative = 0;     ///< |b - A x| / |b|
        double to_relative = 0;  ///< so many times as large as what the run sees is the relative residual
        float number = 0;        ///< of the run
    };
    static RunStart run_start(const Results& results);

    /// x <- x + S y / s.
    void add(const Vector& y, double s);
    double correct(const Vector& y, const Vector* y_low, const Vector& r, double s) override;
    /// r <- b - A x; reads back some texels, `status` among them if there is one, and waits for them. `r`: the
    /// recurrence's residual, s S (b - A x) but for drift.
    Norms compute(const Vector& r, double s, const Scalar* status = nullptr);
    /// The residual of the x that is there now, for `restart`; reads nothing.
    void residual();
    /// r + r_low <- s S (b - A x), which `compute` or `residual` has left; `r_low` may be null.
    void restart(Vector& r, Vector* r_low, double s) override;

    /// Keeps x as it was before y was added: the best one, as it turns out.
    void keep_without(const Vector& y, double s);
    /// Reads x, or the one that was kept.
    void download(std::span<double> x) const { read(x_, x); }
    void download_kept(std::span<double> x) const {
        if (kept_) read(*kept_, x);
    }

    /// Runs every pass, so that textures are allocated before the first solve; their programs have been begun.
    void touch_all();

  private:
    void encode_norms(const Vector& r, double s, const ScalarArg& a);
    void start(const Tolerance& tolerance);
    void mark();
    ScalarArg times(double s) const;
    ScalarArg divided_by(double s) const;
    void read(const TwoFloatVector& from, std::span<double> x) const;

    Backend& backend_;
    Operator& A_;
    RowFactors scale_;
    Vector& r_;  // high part of the residual
    PartialSums& partial_;
    double u_ = 1;
    TwoFloatVector b_, x_;
    Vector r_low_;
    std::optional<TwoFloatVector> kept_;
    std::optional<Vector> weights_;  // 1 / S; none: S = 1
    std::optional<Vector> factors_;  // S, for systems that passes make
    Scalar sizes_, norms_;
    std::optional<Scalar> norms_of_b_, unit_, start_, gain_, refused_, taken_, mark_;  // of such a system
    bool has_gain_ = false;                                                            // it is such a one
    float number_ = 0;
    Storage results_;
};

}  // namespace glsolve::inline v0_1
