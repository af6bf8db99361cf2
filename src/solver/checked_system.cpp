#include "solver/checked_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/exact_rank.hpp"
#include "matrix/moves_rows.hpp"
#include "methods/method_table.hpp"
#include "preconditioners/matrix_grid.hpp"
#include "solver/check_options.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// A matrix that has nothing but values.
std::shared_ptr<const CsrMatrix> values_for(CsrView A, std::span<const double> values) {
    if (values.size() != A.value.size()) {
        throw InvalidInput(fmt::format("the matrix has {} nonzeros, and there are {} values: one for each is needed",
                                       A.value.size(), values.size()));
    }
    auto made = std::make_shared<CsrMatrix>();
    make_room(made->value, values.size());
    made->value.assign(values.begin(), values.end());
    return made;
}

}  // namespace

CheckedSystem::CheckedSystem(Owned pattern, Owned values, CsrView A, Method method)
    : pattern_(std::move(pattern)),
      values_(std::move(values)),
      A_(A),
      survey_(glsolve::survey(A_)),
      places_(std::make_shared<Places>()) {
    if (!method_row(method).is.any_shape) check_square(A_, method);
}

CheckedSystem::CheckedSystem(Owned A, Method method) : CheckedSystem(A, A, *A, method) {}

CheckedSystem::CheckedSystem(CsrMatrix A, Method method)
    : CheckedSystem(std::make_shared<const CsrMatrix>(std::move(A)), method) {}

CheckedSystem::CheckedSystem(CsrView A, Method method) : CheckedSystem({}, {}, A, method) {}

CheckedSystem::CheckedSystem(const CheckedSystem& of, Owned values, Method method)
    : CheckedSystem(of.pattern_, values, {of.A_.rows, of.A_.columns, of.A_.offsets, of.A_.column, values->value},
                    method) {
    places_ = of.places_;
}

CheckedSystem::CheckedSystem(const CheckedSystem& of, std::span<const double> values, Method method)
    : CheckedSystem(of, values_for(of.A_, values), method) {}

const EmptyLines& CheckedSystem::empty_lines() const {
    if (!empty_lines_) empty_lines_ = survey_.has_diagonal ? EmptyLines{} : glsolve::empty_lines(A_);
    return *empty_lines_;
}

bool CheckedSystem::has_divisors() const {
    if (!has_divisors_) has_divisors_ = survey_.has_diagonal || glsolve::has_divisors(A_);
    return *has_divisors_;
}

Index CheckedSystem::rank(std::int64_t most) const {
    if (!rank_ && most > looked_for_rank_) {
        const std::optional<ExactRank> exact =
            exact_rank(A_, std::vector<double>(static_cast<std::size_t>(A_.rows)), most);
        if (exact) rank_ = exact->rank;
        looked_for_rank_ = most;
    }
    return rank_.value_or(A_.rows);
}

bool CheckedSystem::is_like_m_matrix() const {
    if (is_like_m_matrix_) return *is_like_m_matrix_;
    std::vector<double> factor = diagonal(A_);
    const bool has_zero = std::ranges::find(factor, 0.0) != factor.end();
    parallel_each(factor.size(), [&](std::size_t i) { factor[i] = 1 / std::sqrt(std::abs(factor[i])); });
    constexpr double share = 0.9;  // negative >= share (negative + positive)
    const double balance = parallel_sum(factor.size(), [&](std::size_t i) {
        double positive = 0, negative = 0;
        for (const auto [j, a] : A_.row(static_cast<Index>(i))) {
            if (j == static_cast<Index>(i)) continue;
            const double entry = factor[i] * a * factor[static_cast<std::size_t>(j)];
            (entry > 0 ? positive : negative) += std::abs(entry);
        }
        return (1 - share) * negative - share * positive;
    });
    is_like_m_matrix_ = !has_zero && balance >= 0;
    return *is_like_m_matrix_;
}

bool CheckedSystem::is_grid() const {
    if (is_grid_) return *is_grid_;
    try {
        grid_of(A_, 1);
        is_grid_ = true;
    } catch (const InvalidInput&) {
        is_grid_ = false;
    }
    return *is_grid_;
}

const FactorPlan& CheckedSystem::factor_plan(double most_bytes) const {
    if (!factor_plan_) {
        factor_plan_ =
            std::make_unique<const FactorPlan>(plan_factors(A_, may_be_definite(), most_bytes, places_->factors.get()));
        auto order = std::make_shared<FactorPlan>();
        order->rows = factor_plan_->rows;
        order->columns = factor_plan_->columns;
        order->cost = factor_plan_->cost;
        order->is_definite = factor_plan_->is_definite;
        order->impossible = factor_plan_->impossible;
        places_->factors = std::move(order);
    }
    return *factor_plan_;
}

Reordering CheckedSystem::reordering(const Options& options) const {
    if (options.reorder != Reordering::automatic) return options.reorder;
    if (!may_move_rows(A_, options)) return Reordering::none;
    if (!places_->reordering) places_->reordering = best_reordering(A_);
    return *places_->reordering;
}

const OrderedMatrix& CheckedSystem::ordered(const OrderKey& key) const {
    std::unique_ptr<const OrderedMatrix>& made = ordered_[key];
    if (!made) {
        std::shared_ptr<const RowOrder>& order = places_->orders[key];
        if (!order) order = std::make_shared<RowOrder>(row_order(A_, key.first, key.second));
        made = std::make_unique<OrderedMatrix>(A_, order, survey_);
    }
    return *made;
}

const ScaledMatrix& CheckedSystem::scaled(const OrderKey& key, const Scaling& scaling) const {
    std::unique_ptr<const ScaledMatrix>& made = scaled_[{key, scaling}];
    if (!made) made = std::make_unique<ScaledMatrix>(ordered(key), scaling);
    return *made;
}

const ScaledMatrix& CheckedSystem::scaled(const Options& options) const {
    Options resolved = options;
    resolved.reorder = reordering(options);
    const OrderKey key =
        moves_rows(resolved) ? OrderKey{resolved.reorder, resolved.slicing.sort_window} : OrderKey{Reordering::none, 0};
    return scaled(key, Scaling::for_options(options));
}

const ScaledMatrix& CheckedSystem::as_it_is() const {
    return scaled({Reordering::none, 0}, {.kind = Scaling::Kind::none});
}

}  // namespace glsolve::inline v0_1
