#include "core/least_squares_correction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/norm.hpp"

namespace glsolve::inline v0_1 {

LeastSquaresCorrection::LeastSquaresCorrection(const CsrMatrix& A, const RowFactors& scale, std::span<const double> b,
                                               std::span<double> x, double relative_tolerance,
                                               double absolute_tolerance)
    : Correction(A, scale, b, x, relative_tolerance, absolute_tolerance),
      A_(A),
      tolerance_(relative_tolerance),
      norm_A_(norm_of(A.value.size(), [&](std::size_t e) { return A.value[e]; })),
      right_(norm_b_),
      residual_threshold_(threshold_) {
    r_ = HostArray<double>(x.size());  // s, here and below
}

void LeastSquaresCorrection::begin_at_zero() {
    fill_with_zeros();
    recompute();
}

void LeastSquaresCorrection::recompute(bool /*likely_met*/) {
    const HostClock::Running timed(clock_);
    std::ranges::fill(r_.all(), 0.0);
    std::vector<double> r(b_.begin(), b_.end()), sizes(r_.size(), 0.0);
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto [product_i, size_i] = product(i);
        r[i] -= product_i;
        const double size = size_i + std::abs(b_[i]);
        for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(A_.column[e]);
            r_[j] += A_.value[e] * r[i];
            sizes[j] += std::abs(A_.value[e]) * size;
        }
    }
    residual_ = norm_of(r.size(), [&](std::size_t i) { return r[i]; });
    norm_ = norm_of(r_.size(), [&](std::size_t j) { return r_[j]; });
    scaled_norm_ = norm_of(r_.size(), [&](std::size_t j) { return scale_[j] * r_[j]; });
    floor_ = std::ldexp(norm_of(sizes.size(), [&](std::size_t j) { return sizes[j]; }), -53);
    norm_b_ = norm_A_ * residual_;
    // Of |s|, for the device: where the first rule holds, or the second if |s| / |r| stays as it is.
    threshold_ = std::max(tolerance_ * norm_b_, residual_ > 0 ? residual_threshold_ * (norm_ / residual_) : 0);
    keep_best();
}

std::string LeastSquaresCorrection::outcome() const {
    if (consistent()) return fmt::format("true relative residual {:.2e}", relative_residual());
    return fmt::format("{} = {:.2e}: a least-squares solution, with a true relative residual of {:.2e}", measure(),
                       relative(), relative_residual());
}

void LeastSquaresCorrection::report(Report& report) const {
    report.relative_residual = relative_residual();
    report.normal_residual = relative();
}

double LeastSquaresCorrection::curvature(std::span<const float> p) const {
    double sum = 0;
    for (std::size_t i = 0; i < b_.size(); ++i) {
        double row = 0;
        for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(A_.column[e]);
            row += A_.value[e] * scale_[j] * static_cast<double>(p[j]);
        }
        sum += row * row;
    }
    return sum;
}

}  // namespace glsolve::inline v0_1
