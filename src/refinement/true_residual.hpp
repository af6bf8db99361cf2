/// The truth about a solve: solution and residual in double precision, on the host, from the original matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/report.hpp>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/deadline.hpp"
#include "base/host_array.hpp"
#include "base/host_clock.hpp"
#include "matrix/host_matrix.hpp"
#include "matrix/inconsistency.hpp"
#include "matrix/row_factors.hpp"

namespace glsolve::inline v0_1 {

class TrueResidual {
  public:
    /// Solves for S A S with the factors `scale`; x holds the initial guess. A, b, x and what `scale`
    /// looks at must outlive the object.
    TrueResidual(CsrView A, const RowFactors& scale, std::span<const double> b, std::span<double> x,
                 double relative_tolerance, double absolute_tolerance);
    /// The same for other matrices than those in compressed rows.
    TrueResidual(std::shared_ptr<const HostMatrix> A, const RowFactors& scale, std::span<const double> b,
                 std::span<double> x, double relative_tolerance, double absolute_tolerance);
    TrueResidual(TrueResidual&&) = default;
    virtual ~TrueResidual() = default;

    /// x <- x + S C y / s: takes in what the device has found since the last time.
    void add(std::span<const float> y, double s);
    /// The same of one number.
    void add(std::size_t i, double y, double s) { x_[i] += step(i, y * back(s)); }
    /// The diagonal of C, for methods that scale columns by more than S does; else it is the identity.
    void scale_columns(std::span<const double> factors) { columns_ = factors; }
    /// x <- 0, r <- b, and the norms below.
    virtual void begin_at_zero();
    /// r <- b - A x, and the norms below. `likely_met`: r need not be kept before it turns out that it is wanted.
    virtual void recompute(bool likely_met = false);

    /// The device has computed the norms |r|, |S r| and | |A| |x| + |b| | for an x of its own; whether to believe that
    /// is decided here, later.
    void told(double norm, double scaled_norm, double size);

    /// A proof that the system has no solution: the smallest |b - A x| / |b| that any x reaches, if that is known to be
    /// above the tolerance. 0: the system may have a solution.
    using Limit = std::function<LeastResidual(std::int64_t steps)>;
    void set_limit(Limit limit) { limit_ = std::move(limit); }
    /// Takes as long as so many iterations on the host, and less where these would take seconds.
    LeastResidual limit(std::int64_t steps) const;

    /// When the solve has to be over.
    void set_deadline(const Deadline& deadline) { deadline_ = deadline; }
    const Deadline& deadline() const { return deadline_; }

    /// Of what moves vectors and computes in double precision.
    HostClock& clock() const { return clock_; }

    std::span<const double> b() const { return b_; }
    std::span<double> x() const { return x_; }
    bool at_zero() const { return at_zero_; }  ///< x = 0
    /// |r|, and whatever rounding may have hidden of it, is within the tolerance.
    virtual bool met() const { return norm_ + error_ <= threshold_; }
    double threshold() const { return threshold_; }  ///< of |r|
    double norm() const { return norm_; }            ///< |r|
    double error() const { return error_; }          ///< a bound of what rounding has done to it
    double norm_b() const { return norm_b_; }        ///< |b|
    double relative() const { return norm_b_ > 0 && std::isfinite(norm_b_) ? norm_ / norm_b_ : norm_; }
    /// What `relative` is, in words; of what it is a share; and what a solve that has met its tolerance says.
    virtual std::string_view measure() const { return "true relative residual"; }
    virtual std::string_view unit() const { return "|b|"; }
    virtual std::string outcome() const;
    virtual void report(Report& report) const;
    double scaled_norm() const { return scaled_norm_; }  ///< |S r|
    /// 2^-53 | |A| |x| + |b| | for the best x so far: to round that x alone makes residuals of this size.
    double floor() const { return best_floor_; }

    /// The power of two s with |s S r| in [1/2, 1).
    double unit_scale() const;
    double residual_of(std::size_t i) const { return residual(i); }  ///< the i-th of r
    /// The i-th of s S r, for the device.
    double scaled_residual(double s, std::size_t i) const { return s * scale_[i] * residual(i); }
    /// use(element) with element(i) the same, for loops: what is the same for all i is looked at before.
    template <class Use>
    void with_scaled_residual(double s, const Use& use) const {
        const double* const r = at_zero_ ? b_.data() : r_.all().data();
        if (scale_.alike()) {
            use([r, factor = s * scale_[0]](std::size_t i) { return factor * r[i]; });
        } else {
            use([r, s, S = scale_.each().data()](std::size_t i) { return s * S[i] * r[i]; });
        }
    }
    /// |s S r - r| / |s S r|: how far the device's residual had drifted.
    double drift(double s, std::span<const float> r) const;
    /// p^T S A S p in double precision.
    virtual double curvature(std::span<const float> p) const;

    /// The best x so far is kept, and put back by `restore_best`; zeros, where none was finite. Then |r| is computed
    /// in twice the precision where rounding is a large part of it.
    double best_norm() const { return std::min(best_norm_, best_told_); }
    void restore_best();
    /// The last x, where `restore_best` has put another one in its place; else empty.
    HostArray<double> take_latest() { return std::exchange(latest_, {}); }
    /// x <- a later iterate, and its residual; the best one so far stays the best.
    void go_on_from(std::span<const double> latest);
    /// The best x so far is none: another one begins.
    void forget_best() { best_norm_ = best_told_ = std::numeric_limits<double>::infinity(); }
    /// What has been told counts no longer: from now on only what `recompute` has found.
    void forget_told() { best_told_ = std::numeric_limits<double>::infinity(); }

  protected:
    /// The residual of x as if computed in twice the precision or, where even that decides nothing, exactly; and the
    /// norms above.
    virtual void compensate();
    /// ... by sums of this kind; `gamma` bounds what they do to a residual, beside rounding it.
    template <class Sum>
    void recompute_by(double gamma);
    /// After the usual arithmetic: more precise where that has not decided whether the tolerance is met.
    void decide();
    /// Has the usual arithmetic not decided whether a number, off by `error` at most, is within a limit?
    static bool undecided(double number, double error, double limit) {
        return number - error <= limit && number + error > limit;
    }
    virtual bool undecided() const { return undecided(norm_, error_, threshold_); }
    /// Is what rounding may have done to |r| worth telling?
    virtual bool blurred() const { return error_ > 0.1 * norm_; }
    /// What the rounding of products, each bounded by its share of `sizes`, and of the norm itself does to |r|.
    double error_bound(double gamma, double sizes, std::size_t count, double norm) const;

    void fill_with_zeros();
    /// x is 0, so r is b: its norms, as far as nobody knows them.
    void take_zero();
    /// x is the best one so far if its norm says so; where it meets the tolerance nobody will ask for a better one.
    void keep_best();
    /// Calls f(i, A x, |A| |x|) for some rows from i on at a time, until all of begin ... end - 1 are through. f may
    /// change these numbers.
    template <class Function>
    void each_products(Offset begin, Offset end, std::span<const double> x, const Function& f) const;
    /// Calls f(i, (A x)_i, (|A| |x|)_i) for i = begin ... end - 1.
    template <class Function>
    void each_product(Offset begin, Offset end, std::span<const double> x, const Function& f) const;
    /// The i-th of  A x  and of  |A| |x|
    std::pair<double, double> product(std::size_t i) const;
    /// The i-th of  S C y  for y_i
    double step(std::size_t i, double y) const { return scale_[i] * (columns_.empty() ? y : columns_[i] * y); }
    double residual(std::size_t i) const { return at_zero_ ? b_[i] : r_[i]; }
    /// From what the device has made of s S r back to x: 1 / s, and what r is scaled by.
    double back(double s) const { return std::ldexp(1 / s, exponent_); }

    std::shared_ptr<const HostMatrix> A_;
    RowFactors scale_;
    std::span<const double> columns_, b_;
    std::span<double> x_;
    HostArray<double> r_, best_, latest_;          // none before it is needed: memory is slow to be had
    bool at_zero_ = false, best_is_zero_ = false;  // x, and the best x: r is b, and needs no room of its own
    int exponent_ = 0;                             // what stands for r is 2^-exponent times it
    bool compensated_ = false;
    double threshold_ = 0, norm_b_ = 0, norm_ = 0, error_ = 0, scaled_norm_ = 0;
    double floor_ = 0, best_floor_ = 0;  // of this x, and of the best one
    double best_norm_, best_told_;
    Limit limit_;
    Deadline deadline_;
    mutable HostClock clock_;
};

}  // namespace glsolve::inline v0_1
