#include "refinement/least_squares_residual.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/norm.hpp"
#include "base/rounding.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Of the largest number in size, as far as a factor can make up for it; 0 where there is none but zeros, or one is not
/// finite.
int exponent_of_largest(std::span<const double> numbers) {
    double largest = 0;
    for (const double number : numbers) largest = std::max(largest, std::abs(number));
    return largest > 0 && std::isfinite(largest) ? std::clamp(std::ilogb(largest), -1000, 1000) : 0;
}

Offset longest_column(CsrView A) {
    std::vector<Offset> count(static_cast<std::size_t>(A.columns), 0);
    for (const Index j : A.column) ++count[static_cast<std::size_t>(j)];
    return count.empty() ? 0 : *std::ranges::max_element(count);
}

}  // namespace

LeastSquaresResidual::LeastSquaresResidual(CsrView A, const RowFactors& scale, std::span<const double> b,
                                           std::span<double> x, const Tolerances& tolerances)
    : TrueResidual(A, scale, b, x, tolerances.relative, tolerances.absolute),
      matrix_(A),
      longest_column_(longest_column(A)),
      exponent_of_A_(exponent_of_largest(A.value)),
      exponent_of_b_(exponent_of_largest(b)),
      tolerance_(tolerances.normal),
      unit_of_A_(std::ldexp(1.0, -exponent_of_A_)),
      unit_of_b_(std::ldexp(1.0, -exponent_of_b_)),
      norm_A_(norm_of(A.value.size(), [&](std::size_t e) { return unit_of_A_ * A.value[e]; })),
      right_(norm_of(b.size(), [&](std::size_t i) { return unit_of_b_ * b[i]; })),  // |b| itself may overflow
      residual_threshold_(std::max(tolerances.relative * right_, unit_of_b_ * tolerances.absolute)) {
    exponent_ = exponent_of_A_ + exponent_of_b_;
    r_ = HostArray<double>(x.size());  // s, here and below
}

void LeastSquaresResidual::begin_at_zero() {
    fill_with_zeros();
    recompute();
}

void LeastSquaresResidual::recompute(bool /*likely_met*/) {
    const HostClock::Running timed(clock_);
    compensated_ = false;
    std::ranges::fill(r_.all(), 0.0);
    std::vector<double> r(b_.size()), sizes(r.size()), column_sizes(r_.size(), 0.0);
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto [product_i, size_i] = product(i);
        r[i] = unit_of_b_ * (b_[i] - product_i);
        sizes[i] = unit_of_b_ * (size_i + std::abs(b_[i]));
    }
    each_entry(matrix_, [&](std::size_t i, std::size_t j, double a) {
        const double a_scaled = unit_of_A_ * a;
        r_[j] += a_scaled * r[i];
        column_sizes[j] += std::abs(a_scaled) * sizes[i];
    });
    take_norms(r);
    sizes_of_rows_ = norm_of(sizes.size(), [&](std::size_t i) { return sizes[i]; });
    const double sizes_of_columns = norm_of(column_sizes.size(), [&](std::size_t j) { return column_sizes[j]; });
    floor_ = unit_roundoff * sizes_of_columns;
    residual_error_ =
        error_bound(gamma_of(static_cast<double>(A_->most_terms() + 1)), sizes_of_rows_, r.size(), residual_);
    error_ = error_bound(gamma_of(products_behind_normal_residual()), sizes_of_columns, r_.size(), norm_);
    decide();
    keep_best();
}

void LeastSquaresResidual::compensate() {
    recompute_by<CompensatedSum>(compensated_gamma_of(static_cast<double>(A_->most_terms() + 2)));
    if (undecided() || blurred()) recompute_by<ExactSum>(0);
    compensated_ = true;
}

/// r by sums of this kind; s = A^T r in twice the precision.
template <class Sum>
void LeastSquaresResidual::recompute_by(double gamma) {
    std::vector<double> r(b_.size());
    std::vector<CompensatedSum> s(r_.size());
    for (std::size_t i = 0; i < r.size(); ++i) {
        Sum r_i(b_[i]);
        A_->subtract(r_i, i, x_);
        r[i] = unit_of_b_ * r_i.high();
        const double low = unit_of_b_ * r_i.low();
        for (const auto [j, a_ij] : matrix_.row(i)) {
            const double a = unit_of_A_ * a_ij;
            s[j].add_product(a, r[i]);
            s[j].add(a * low);
        }
    }
    for (std::size_t j = 0; j < s.size(); ++j) r_[j] = s[j].high();
    take_norms(r);
    residual_error_ = error_bound(gamma, sizes_of_rows_, r.size(), residual_);
    // What r is off by, and what the sums of products with it are.
    const double of_products = compensated_gamma_of(2 * products_behind_normal_residual());
    const double sizes = gamma > 0 ? floor_ / unit_roundoff : norm_A_ * residual_;
    error_ = error_bound(of_products, sizes, r_.size(), norm_);
}

void LeastSquaresResidual::take_norms(std::span<const double> residual) {
    residual_ = norm_of(residual.size(), [&](std::size_t i) { return residual[i]; });
    norm_ = norm_of(r_.size(), [&](std::size_t j) { return r_[j]; });
    scaled_norm_ = norm_of(r_.size(), [&](std::size_t j) { return scale_[j] * r_[j]; });
    norm_b_ = norm_A_ * residual_;
    // Of |s|, for the device: where the first rule holds, or the second if |s| / |r| stays as it is.
    threshold_ = std::max(tolerance_ * norm_b_, residual_ > 0 ? residual_threshold_ * (norm_ / residual_) : 0);
}

std::string LeastSquaresResidual::outcome() const {
    if (consistent()) return fmt::format("true relative residual {:.2e}", relative_residual());
    return fmt::format("{} = {:.2e}: a least-squares solution, with a true relative residual of {:.2e}", measure(),
                       relative(), relative_residual());
}

void LeastSquaresResidual::report(Report& report) const {
    report.relative_residual = relative_residual();
    report.normal_residual = relative();
}

double LeastSquaresResidual::curvature(std::span<const float> p) const {
    double sum = 0;
    for (std::size_t i = 0; i < b_.size(); ++i) {
        double row = 0;
        for (const auto [j, a] : matrix_.row(i)) row += a * scale_[j] * static_cast<double>(p[j]);
        sum += row * row;
    }
    return sum;
}

}  // namespace glsolve::inline v0_1
