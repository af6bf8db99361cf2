/// The matrix of a system, checked once, and what the host finds out about it: all who solve the system share that.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/options.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "matrix/empty_lines.hpp"
#include "matrix/factor_plan.hpp"
#include "matrix/survey.hpp"
#include "solver/scaled_matrix.hpp"

namespace glsolve::inline v0_1 {

class CheckedSystem {
  public:
    // Throw InvalidInput where A is no matrix that the method takes.

    CheckedSystem(CsrMatrix A, Method method);
    /// Reads the caller's arrays as long as it lives.
    CheckedSystem(CsrView A, Method method);
    /// `of` with other values, which are copied, in the same places: where these are, and what follows from that, both
    /// share. Throws InvalidInput where there are not as many, or where one is not finite.
    CheckedSystem(const CheckedSystem& of, std::span<const double> values, Method method);
    CheckedSystem(const CheckedSystem&) = delete;
    CheckedSystem& operator=(const CheckedSystem&) = delete;

    CsrView A() const { return A_; }
    bool square() const { return A_.rows == A_.columns; }

    const MatrixSurvey& survey() const { return survey_; }
    bool symmetric() const { return survey_.is_symmetric(); }
    /// For factors that pivot on the diagonal.
    bool may_be_definite() const { return survey_.may_be_definite(); }

    // Each is computed when it is first asked for, and kept.

    const EmptyLines& empty_lines() const;
    /// Is there something to divide by in each row?
    bool has_divisors() const;
    /// In exact arithmetic; as many as there are rows, where that takes more than `most` multiplications.
    Index rank(std::int64_t most) const;
    /// Of D^-1/2 A D^-1/2 most of what stands beside the diagonal is not positive, as where multigrid is at its best:
    /// nine tenths. (Without D few large entries of badly scaled matrices would decide.)
    bool is_like_m_matrix() const;
    /// For preconditioner multigrid.
    bool is_grid() const;
    /// Of factors of at most so many bytes, as the matrix stands. Once it is known it stays, whatever is asked for.
    const FactorPlan& factor_plan(double most_bytes) const;
    const FactorPlan* known_factor_plan() const { return factor_plan_.get(); }
    /// Options::reorder, where `automatic` has become one of the others.
    Reordering reordering(const Options& options) const;
    /// As a solver with these options brings it to the device.
    const ScaledMatrix& scaled(const Options& options) const;
    /// For a function, whose products are what they are.
    const ScaledMatrix& as_it_is() const;

  private:
    using OrderKey = std::pair<Reordering, Index>;  // and Slicing::sort_window
    /// What follows from where the numbers stand.
    struct Places {
        std::optional<Reordering> reordering;  // which one pays, where rows may move
        std::map<OrderKey, std::shared_ptr<const RowOrder>> orders;
        std::shared_ptr<const FactorPlan> factors;  // its order and cost alone
    };
    const OrderedMatrix& ordered(const OrderKey& key) const;
    const ScaledMatrix& scaled(const OrderKey& key, const Scaling& scaling) const;

    /// The arrays that belong to systems: none where they are the caller's.
    using Owned = std::shared_ptr<const CsrMatrix>;
    CheckedSystem(Owned pattern, Owned values, CsrView A, Method method);
    CheckedSystem(Owned A, Method method);
    CheckedSystem(const CheckedSystem& of, Owned values, Method method);

    Owned pattern_, values_;  // the same for a matrix that has come as a whole
    CsrView A_;
    MatrixSurvey survey_;
    std::shared_ptr<Places> places_;
    mutable std::optional<EmptyLines> empty_lines_;
    mutable std::optional<bool> has_divisors_;
    mutable std::optional<bool> is_like_m_matrix_, is_grid_;
    mutable std::unique_ptr<const FactorPlan> factor_plan_;
    mutable std::optional<Index> rank_;
    mutable std::int64_t looked_for_rank_ = 0;  // multiplications that were allowed
    mutable std::map<OrderKey, std::unique_ptr<const OrderedMatrix>> ordered_;
    mutable std::map<std::pair<OrderKey, Scaling>, std::unique_ptr<const ScaledMatrix>> scaled_;
};

}  // namespace glsolve::inline v0_1
