#include "solver/scaled_matrix.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <string_view>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "matrix/permutation.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What floats of a precision hold.
struct Range {
    double most;
    std::string_view too_large;  ///< in words, what a larger number is
};
constexpr Range single_range{1e30, "too large beside the diagonal for single precision"},
    half_range{65504, "too large for half precision, which holds numbers up to 65504"};

/// Why such floats cannot hold S A S; empty: they can.
std::string out_of_range(const OrderedMatrix& ordered, const RowFactors& scale, const Range& range) {
    if (scale.alike() && scale[0] * ordered.survey().largest * scale[0] <= range.most) return "";
    const CsrView A = ordered.matrix();
    const auto scaled = [&](std::size_t i, std::size_t e) {
        return std::abs(scale[i] * A.value[e] * scale[static_cast<std::size_t>(A.column[e])]);
    };
    const auto first_beyond = [&](std::size_t i) {
        auto e = static_cast<std::size_t>(A.offsets[i]);
        while (e < static_cast<std::size_t>(A.offsets[i + 1]) && scaled(i, e) <= range.most) ++e;
        return e;
    };
    const auto fits = [&](std::size_t i) { return first_beyond(i) == static_cast<std::size_t>(A.offsets[i + 1]); };
    if (!parallel_any(static_cast<std::size_t>(A.rows), [&](std::size_t i) { return !fits(i); })) return "";
    std::size_t i = 0;
    while (fits(i)) ++i;
    const std::size_t e = first_beyond(i);
    return fmt::format("row {}, column {}: {:.3e} is {}, even after scaling",
                       ordered.as_given(static_cast<Index>(i)) + 1, ordered.as_given(A.column[e]) + 1,
                       std::ldexp(A.value[e], -ordered.exponent()), range.too_large);
}

/// Of the power of two that brings the largest entry near 1 where it is near the ends of double precision: products of
/// A and x, and the scaling, stay inside then, and b times it is about as large as x.
int exponent_for(double largest) {
    constexpr int far = 830;  // 1e250
    if (largest == 0 || !std::isfinite(largest)) return 0;
    const int exponent = std::ilogb(largest);
    return std::abs(exponent) > far ? -exponent : 0;
}

std::vector<double> scale_of(const OrderedMatrix& ordered, const Scaling& scaling) {
    const CsrView A = ordered.matrix();
    switch (scaling.kind) {
        case Scaling::Kind::symmetric:
            return choose_scaling(A, scaling.rule, ordered.survey().pivots(scaling.rule));
        case Scaling::Kind::columns:
            return choose_column_scaling(A, scaling.to_one);
        case Scaling::Kind::none:
            break;
    }
    return filled(static_cast<std::size_t>(A.rows), 1.0);
}

ScalingRule scaling_rule(const Options& options) {
    if (options.method == Method::direct) return ScalingRule::by_largest;
    if (scales_by_jacobi(options)) return ScalingRule::to_one;
    if (preconditioner_row(options.preconditioner).is.finds_pivots) return ScalingRule::by_largest;
    if (options.preconditioner == PreconditionerKind::multigrid) return ScalingRule::alike;
    return preconditioner_row(options.preconditioner).is.divides ? ScalingRule::always : ScalingRule::where_needed;
}

}  // namespace

OrderedMatrix::OrderedMatrix(CsrView A, std::shared_ptr<const RowOrder> order, const MatrixSurvey& known)
    : A_(A), order_(std::move(order)), exponent_(exponent_for(known.largest)), survey_(known.times(exponent_)) {
    if (moves()) moved_ = order_->order.empty() ? copy_of(A) : permute(A, order_->order);
    for (double& value : moved_.value) value = std::ldexp(value, exponent_);
}

const std::shared_ptr<const HostMatrix>& OrderedMatrix::judge() const {
    if (!judge_) judge_ = std::make_shared<HostCsr>(matrix());
    return judge_;
}

const ClosedRegions& OrderedMatrix::closed_regions(bool symmetric) const {
    if (!closed_regions_) closed_regions_.emplace(matrix(), symmetric);
    return *closed_regions_;
}

bool scales_by_jacobi(const Options& options) { return options.method == Method::minres && is_diagonal(options); }

Scaling Scaling::for_options(const Options& options) {
    if (options.method == Method::cgnr) {
        return {.kind = Kind::columns, .to_one = options.preconditioner == PreconditionerKind::jacobi};
    }
    return {.kind = Kind::symmetric, .rule = scaling_rule(options)};
}

ScaledMatrix::ScaledMatrix(const OrderedMatrix& A, const Scaling& scaling)
    : A_(A), scale_(scale_of(A, scaling)), factors_(scale_) {}

double ScaledMatrix::infinity_norm() const {
    return factors_.alike() ? factors_[0] * A_.survey().norm * factors_[0] : glsolve::infinity_norm(matrix(), scale_);
}

const std::string& ScaledMatrix::out_of_single() const {
    if (!out_of_single_) out_of_single_ = out_of_range(A_, factors_, single_range);
    return *out_of_single_;
}

std::string ScaledMatrix::out_of_half() const { return out_of_range(A_, factors_, half_range); }

void check_range(const ScaledMatrix& A, Method method) {
    if (method == Method::direct || method == Method::cgnr || A.out_of_single().empty()) return;
    throw InvalidInput(A.out_of_single());
}

}  // namespace glsolve::inline v0_1
