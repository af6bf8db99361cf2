#include "refinement/true_residual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

#include "base/norm.hpp"
#include "base/rounding.hpp"
#include "base/wide_clones.hpp"

namespace glsolve::inline v0_1 {

namespace {

constexpr std::size_t block = 256;  // rows that are multiplied in one go

/// Sums of squares that do not wait for one another: a processor has some additions under way at a time.
using Sums = std::array<double, 8>;

GLSOLVE_WIDE_CLONES void add_squares(Sums& all, const double* numbers, std::size_t count) {
    Sums sums = all;
    std::size_t i = 0;
    for (; i + sums.size() <= count; i += sums.size()) {
        for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += numbers[i + k] * numbers[i + k];
    }
    for (; i < count; ++i) sums[0] += numbers[i] * numbers[i];
    all = sums;
}
double total(const Sums& sums) { return std::accumulate(sums.begin(), sums.end(), 0.0); }

/// product <- b - product,  size <- size + |b|
GLSOLVE_WIDE_CLONES void subtract_from(const double* b, double* __restrict product, double* __restrict size,
                                       std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) {
        product[k] = b[k] - product[k];
        size[k] += std::abs(b[k]);
    }
}

}  // namespace

LeastResidual TrueResidual::limit(std::int64_t steps) const {
    if (!limit_) return {};
    const HostClock::Running timed(clock_);
    return limit_(steps);
}

TrueResidual::TrueResidual(CsrView A, const RowFactors& scale, std::span<const double> b, std::span<double> x,
                           double relative_tolerance, double absolute_tolerance)
    : TrueResidual(std::make_shared<HostCsr>(A, HostCsr::Again::never), scale, b, x, relative_tolerance,
                   absolute_tolerance) {}

TrueResidual::TrueResidual(std::shared_ptr<const HostMatrix> A, const RowFactors& scale, std::span<const double> b,
                           std::span<double> x, double relative_tolerance, double absolute_tolerance)
    : A_(std::move(A)),
      scale_(scale),
      b_(b),
      x_(x),
      best_norm_(std::numeric_limits<double>::infinity()),
      best_told_(best_norm_) {
    norm_b_ = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    threshold_ = std::max(relative_tolerance * norm_b_, absolute_tolerance);
}

void TrueResidual::add(std::span<const float> y, double s) {
    const HostClock::Running timed(clock_);
    const double factor = back(s);
    parallel_each(x_.size(), [&](std::size_t i) { x_[i] += step(i, static_cast<double>(y[i]) * factor); });
}

std::pair<double, double> TrueResidual::product(std::size_t i) const {
    double sum = 0, size = 0;
    A_->multiply(i, i + 1, x_, &sum, &size);
    return {sum, size};
}

template <class Function>
void TrueResidual::each_products(Offset begin, Offset end, std::span<const double> x, const Function& f) const {
    std::array<double, block> product{}, size{};
    const auto last = static_cast<std::size_t>(end);
    for (auto first = static_cast<std::size_t>(begin); first < last; first += block) {
        const std::size_t behind = std::min(first + block, last), rows = behind - first;
        A_->multiply(first, behind, x, product.data(), size.data());
        f(first, std::span(product).first(rows), std::span(size).first(rows));
    }
}

template <class Function>
void TrueResidual::each_product(Offset begin, Offset end, std::span<const double> x, const Function& f) const {
    each_products(begin, end, x, [&](std::size_t first, std::span<double> product, std::span<double> size) {
        for (std::size_t k = 0; k < product.size(); ++k) f(first + k, product[k], size[k]);
    });
}

void TrueResidual::fill_with_zeros() {
    parallel_each(x_.size(), [&](std::size_t j) { x_[j] = 0; });
}

void TrueResidual::begin_at_zero() {
    const HostClock::Running timed(clock_);
    fill_with_zeros();
    take_zero();
}

void TrueResidual::take_zero() {
    at_zero_ = compensated_ = true;
    norm_ = norm_b_;
    error_ = error_bound(0, 0, b_.size(), norm_);
    scaled_norm_ = scale_.alike() && !b_.empty() ? std::abs(scale_[0]) * norm_b_
                                                 : norm_of(b_.size(), [&](std::size_t i) { return scale_[i] * b_[i]; });
    floor_ = std::ldexp(norm_b_, -53);
    keep_best();
}

void TrueResidual::recompute(bool likely_met) {
    const HostClock::Running timed(clock_);
    const std::size_t n = b_.size();
    if (!parallel_any(n, [&](std::size_t j) { return x_[j] != 0; })) return take_zero();  // the usual guess
    at_zero_ = compensated_ = false;
    const bool keeps = !likely_met;
    if (keeps && r_.size() == 0) r_ = HostArray<double>(n);
    // All in one go through the matrix: |r|^2, |S r|^2 and the squares of sizes, of each range.
    const auto squares = parallel_parts(static_cast<Offset>(n), A_->grain(), [&](Offset begin, Offset end) {
        Sums of_r{}, of_scaled{}, of_sizes{};
        each_products(begin, end, x_, [&](std::size_t first, std::span<double> product, std::span<double> size) {
            subtract_from(&b_[first], product.data(), size.data(), product.size());
            if (keeps) std::ranges::copy(product, &r_[first]);
            add_squares(of_r, product.data(), product.size());
            add_squares(of_sizes, size.data(), size.size());
            if (scale_.alike()) return;
            for (std::size_t k = 0; k < product.size(); ++k) product[k] *= scale_[first + k];
            add_squares(of_scaled, product.data(), product.size());
        });
        const double scaled = scale_.alike() ? scale_[0] * scale_[0] * total(of_r) : total(of_scaled);
        return std::array{total(of_r), scaled, total(of_sizes)};
    });
    const auto total_of = [&](std::size_t which) {
        return std::accumulate(squares.begin(), squares.end(), 0.0,
                               [&](double sum, const std::array<double, 3>& each) { return sum + each[which]; });
    };
    const auto keep = [&] {
        if (r_.size() == 0) r_ = HostArray<double>(n);
        parallel_for(static_cast<Offset>(n), A_->grain(), [&](int, Offset begin, Offset end) {
            each_product(begin, end, x_, [&](std::size_t i, double product, double) { r_[i] = b_[i] - product; });
        });
    };
    const bool wanted_later = !keeps, safe = is_safe(total_of(0)) && is_safe(total_of(1));
    if (wanted_later && !safe) keep();  // the norms below look at it
    const auto size_of = [&](std::size_t i) { return product(i).second + std::abs(b_[i]); };
    norm_ = norm_from(total_of(0), n, [&](std::size_t i) { return residual(i); });
    scaled_norm_ = norm_from(total_of(1), n, [&](std::size_t i) { return scale_[i] * residual(i); });
    const double sizes = norm_from(total_of(2), n, size_of);
    floor_ = unit_roundoff * sizes;
    error_ = error_bound(gamma_of(static_cast<double>(A_->most_terms() + 1)), sizes, n, norm_);
    decide();
    if (wanted_later && safe && !compensated_ && !met()) keep();
    keep_best();
}

double TrueResidual::error_bound(double gamma, double sizes, std::size_t count, double norm) const {
    const auto n = static_cast<double>(count);
    const double underflow = std::sqrt(n) * static_cast<double>(A_->most_terms() + 1) * 0x1p-1074;
    return (sizes > 0 ? (gamma > 0 ? gamma * sizes : 0) + underflow : 0) + gamma_of(n + 2) * norm;
}

void TrueResidual::decide() {
    if (!compensated_ && (undecided() || (met() && blurred()))) compensate();
}

void TrueResidual::compensate() {
    recompute_by<CompensatedSum>(compensated_gamma_of(static_cast<double>(A_->most_terms() + 2)));
    if (undecided() || blurred()) recompute_by<ExactSum>(0);
    compensated_ = true;
}

template <class Sum>
void TrueResidual::recompute_by(double gamma) {
    const std::size_t n = b_.size();
    if (r_.size() == 0) r_ = HostArray<double>(n);
    parallel_each(n, A_->grain(), [&](std::size_t i) {
        Sum r(b_[i]);
        A_->subtract(r, i, x_);
        r_[i] = r.high();
    });
    norm_ = norm_of(n, [&](std::size_t i) { return r_[i]; });
    scaled_norm_ = norm_of(n, [&](std::size_t i) { return scale_[i] * r_[i]; });
    error_ = error_bound(gamma, floor_ / unit_roundoff, n, norm_);
}

void TrueResidual::keep_best() {
    if (met() || !(norm_ < best_norm_)) return;
    best_norm_ = norm_;
    best_floor_ = floor_;
    best_is_zero_ = at_zero_;
    if (best_is_zero_) return;
    if (best_.size() == 0) best_ = HostArray<double>(x_.size());
    parallel_each(x_.size(), [&](std::size_t j) { best_[j] = x_[j]; });
}

std::string TrueResidual::outcome() const { return fmt::format("true relative residual {:.2e}", relative()); }

void TrueResidual::report(Report& report) const { report.relative_residual = relative(); }

void TrueResidual::told(double norm, double scaled_norm, double size) {
    norm_ = norm;
    error_ = 0;
    compensated_ = true;
    scaled_norm_ = scaled_norm;
    floor_ = unit_roundoff * size;
    if (norm < best_norm()) best_floor_ = floor_;
    best_told_ = std::min(best_told_, norm);
}

double TrueResidual::unit_scale() const {
    int exponent = 0;
    std::frexp(scaled_norm_, &exponent);
    return std::ldexp(1.0, std::clamp(-exponent, -1000, 1000));
}

double TrueResidual::drift(double s, std::span<const float> r) const {
    const HostClock::Running timed(clock_);
    const double difference = parallel_sum(x_.size(), [&](std::size_t i) {
        const double d = scaled_residual(s, i) - static_cast<double>(r[i]);
        return d * d;
    });
    return scaled_norm_ > 0 ? std::sqrt(difference) / (s * scaled_norm_) : 0;
}

double TrueResidual::curvature(std::span<const float> p) const {
    const HostClock::Running timed(clock_);
    HostArray<double> Sp(x_.size());
    parallel_each(x_.size(), [&](std::size_t i) { Sp[i] = scale_[i] * static_cast<double>(p[i]); });
    return parallel_sum_of_ranges(static_cast<Offset>(x_.size()), A_->grain(), [&](Offset begin, Offset end) {
        double sum = 0;
        each_product(begin, end, Sp.all(), [&](std::size_t i, double product, double) { sum += Sp[i] * product; });
        return sum;
    });
}

void TrueResidual::restore_best() {
    latest_ = {};
    const bool finite = std::isfinite(norm_), none = best_is_zero_ || !std::isfinite(best_norm_);
    if (!met() && (!finite || norm_ > best_norm_)) {
        latest_ = HostArray<double>(x_.size());
        parallel_each(x_.size(), [&](std::size_t j) { latest_[j] = std::exchange(x_[j], none ? 0 : best_[j]); });
        recompute();
    }
    if (!compensated_ && blurred()) {
        const HostClock::Running timed(clock_);
        compensate();
    }
}

void TrueResidual::go_on_from(std::span<const double> latest) {
    parallel_each(x_.size(), [&](std::size_t j) { x_[j] = latest[j]; });
    recompute();
}

}  // namespace glsolve::inline v0_1
