#include "core/correction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "core/norm.hpp"

namespace glsolve::inline v0_1 {

namespace {

constexpr std::size_t block = 256;  // rows that are multiplied in one go

}  // namespace

Correction::Correction(const CsrMatrix& A, const RowFactors& scale, std::span<const double> b, std::span<double> x,
                       double relative_tolerance, double absolute_tolerance)
    : Correction(std::make_shared<HostCsr>(A, HostCsr::Again::never), scale, b, x, relative_tolerance,
                 absolute_tolerance) {}

Correction::Correction(std::shared_ptr<const HostMatrix> A, const RowFactors& scale, std::span<const double> b,
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

void Correction::add(std::span<const float> y, double s) {
    const HostClock::Running timed(clock_);
    parallel_each(x_.size(), [&](std::size_t i) { x_[i] += step(i, static_cast<double>(y[i]) / s); });
}

void Correction::add(std::span<const float> y, std::span<const float> y_low, double s) {
    const HostClock::Running timed(clock_);
    parallel_each(x_.size(), [&](std::size_t i) {
        x_[i] += step(i, (static_cast<double>(y[i]) + static_cast<double>(y_low[i])) / s);
    });
}

std::pair<double, double> Correction::product(std::size_t i) const {
    double sum = 0, size = 0;
    A_->multiply(i, i + 1, x_, &sum, &size);
    return {sum, size};
}

template <class Function>
void Correction::each_product(Offset begin, Offset end, std::span<const double> x, const Function& f) const {
    std::array<double, block> product{}, size{};  // zeros stay where x is none
    const auto last = static_cast<std::size_t>(end);
    for (auto first = static_cast<std::size_t>(begin); first < last; first += block) {
        const std::size_t behind = std::min(first + block, last);
        if (!x.empty()) A_->multiply(first, behind, x, product.data(), size.data());
        for (std::size_t i = first; i < behind; ++i) f(i, product[i - first], size[i - first]);
    }
}

void Correction::fill_with_zeros() {
    parallel_each(x_.size(), [&](std::size_t j) { x_[j] = 0; });
}

void Correction::begin_at_zero() {
    const HostClock::Running timed(clock_);
    fill_with_zeros();
    at_zero_ = true;
    norm_ = norm_b_;
    scaled_norm_ = scale_.alike() && !b_.empty() ? std::abs(scale_[0]) * norm_b_
                                                 : norm_of(b_.size(), [&](std::size_t i) { return scale_[i] * b_[i]; });
    floor_ = std::ldexp(norm_b_, -53);
    keep_best();
}

void Correction::recompute(bool likely_met) {
    const HostClock::Running timed(clock_);
    const std::size_t n = b_.size();
    at_zero_ = !parallel_any(n, [&](std::size_t j) { return x_[j] != 0; });  // the usual guess
    const std::span<const double> nonzero = at_zero_ ? std::span<const double>() : x_;
    const bool keeps = !at_zero_ && !likely_met;
    if (keeps && r_.size() == 0) r_ = HostArray<double>(n);
    const auto row = [&](std::size_t i) { return at_zero_ ? std::pair(0.0, 0.0) : product(i); };
    // All in one go through the matrix: |r|^2, |S r|^2 and the squares of sizes, of each range.
    std::vector<std::array<double, 3>> squares(
        static_cast<std::size_t>(parallel_ranges(static_cast<Offset>(n), usual_grain)));
    parallel_for(static_cast<Offset>(n), usual_grain, [&](int range, Offset begin, Offset end) {
        std::array<double, 3> sums{};
        each_product(begin, end, nonzero, [&](std::size_t i, double product, double size) {
            const double r = b_[i] - product, all = size + std::abs(b_[i]), scaled = scale_[i] * r;
            if (keeps) r_[i] = r;
            sums[0] += r * r, sums[1] += scaled * scaled, sums[2] += all * all;
        });
        squares[static_cast<std::size_t>(range)] = sums;
    });
    const auto total = [&](std::size_t which) {
        return std::accumulate(squares.begin(), squares.end(), 0.0,
                               [&](double sum, const std::array<double, 3>& each) { return sum + each[which]; });
    };
    const auto keep = [&] {
        if (r_.size() == 0) r_ = HostArray<double>(n);
        parallel_for(static_cast<Offset>(n), usual_grain, [&](int, Offset begin, Offset end) {
            each_product(begin, end, nonzero, [&](std::size_t i, double product, double) { r_[i] = b_[i] - product; });
        });
    };
    const bool wanted_later = !at_zero_ && !keeps, safe = is_safe(total(0)) && is_safe(total(1));
    if (wanted_later && !safe) keep();  // the norms below look at it
    const auto size_of = [&](std::size_t i) { return row(i).second + std::abs(b_[i]); };
    norm_ = norm_from(total(0), n, [&](std::size_t i) { return residual(i); });
    scaled_norm_ = norm_from(total(1), n, [&](std::size_t i) { return scale_[i] * residual(i); });
    floor_ = std::ldexp(norm_from(total(2), n, size_of), -53);
    if (wanted_later && safe && !met()) keep();
    keep_best();
}

void Correction::keep_best() {
    if (met() || !(norm_ < best_norm_)) return;
    best_norm_ = norm_;
    best_is_zero_ = at_zero_;
    if (best_is_zero_) return;
    if (best_.size() == 0) best_ = HostArray<double>(x_.size());
    parallel_each(x_.size(), [&](std::size_t j) { best_[j] = x_[j]; });
}

std::string Correction::outcome() const { return fmt::format("true relative residual {:.2e}", relative()); }

void Correction::report(Report& report) const { report.relative_residual = relative(); }

void Correction::told(double norm, double scaled_norm, double size) {
    norm_ = norm;
    scaled_norm_ = scaled_norm;
    floor_ = std::ldexp(size, -53);
    best_told_ = std::min(best_told_, norm);
}

double Correction::unit_scale() const {
    int exponent = 0;
    std::frexp(scaled_norm_, &exponent);
    return std::ldexp(1.0, std::min(1000, -exponent));
}

void Correction::scaled_residual(double s, std::span<float> r) const {
    const HostClock::Running timed(clock_);
    parallel_each(x_.size(), [&](std::size_t i) { r[i] = static_cast<float>(s * scale_[i] * residual(i)); });
}

void Correction::scaled_residual_low(double s, std::span<float> r) const {
    const HostClock::Running timed(clock_);
    parallel_each(x_.size(), [&](std::size_t i) {
        const double exact = s * scale_[i] * residual(i);
        r[i] = static_cast<float>(exact - static_cast<double>(static_cast<float>(exact)));
    });
}

double Correction::drift(double s, std::span<const float> r) const {
    const HostClock::Running timed(clock_);
    const double difference = parallel_sum(x_.size(), [&](std::size_t i) {
        const double d = s * scale_[i] * residual(i) - static_cast<double>(r[i]);
        return d * d;
    });
    return scaled_norm_ > 0 ? std::sqrt(difference) / (s * scaled_norm_) : 0;
}

double Correction::curvature(std::span<const float> p) const {
    const HostClock::Running timed(clock_);
    HostArray<double> Sp(x_.size());
    parallel_each(x_.size(), [&](std::size_t i) { Sp[i] = scale_[i] * static_cast<double>(p[i]); });
    return parallel_sum_of_ranges(static_cast<Offset>(x_.size()), usual_grain, [&](Offset begin, Offset end) {
        double sum = 0;
        each_product(begin, end, Sp.all(), [&](std::size_t i, double product, double) { sum += Sp[i] * product; });
        return sum;
    });
}

void Correction::restore_best() {
    if (met() || norm_ <= best_norm_) return;
    parallel_each(x_.size(), [&](std::size_t j) { x_[j] = best_is_zero_ ? 0 : best_[j]; });
    recompute();
}

}  // namespace glsolve::inline v0_1
