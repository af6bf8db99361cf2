#include "factors/inverse_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "base/parallel.hpp"
#include "base/require_range.hpp"
#include "factors/check_input.hpp"
#include "factors/joined_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset pattern_grain = 1024;  // rows that are worth a thread

struct Step {
    Index to;
    double weight;  // |a_ij| / (s_i s_j)
};

/// The entries of A beside the diagonal that are not small: of each row the strongest first.
struct Steps {
    std::vector<Offset> offsets{0};
    std::vector<Step> step;

    std::span<const Step> from(Index i) const {
        const Offset* const first = offsets.data() + i;
        return {step.data() + first[0], step.data() + first[1]};
    }
};

Steps steps_of(CsrView A, std::span<const double> scale, double drop) {
    Steps all;
    all.offsets.reserve(A.offsets.size());
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        const auto first = static_cast<std::ptrdiff_t>(all.step.size());
        for (Offset e = row[i]; e < row[i + 1]; ++e) {
            const Index j = A.column.data()[e];
            const double a = std::abs(A.value.data()[e]), s = scale.data()[i] * scale.data()[j];
            if (j != i && a > 0 && a >= drop * s) all.step.push_back({j, a / s});
        }
        std::sort(all.step.begin() + first, all.step.end(), [](const Step& a, const Step& b) {
            return a.weight != b.weight ? a.weight > b.weight : a.to < b.to;
        });
        all.offsets.push_back(static_cast<Offset>(all.step.size()));
    }
    return all;
}

bool is_in(PatternPart part, Index i, Index j) {
    return part == PatternPart::all || (part == PatternPart::lower ? j <= i : j >= i);
}

/// Breadth-first search from one row after another.
class PathSearch {
  public:
    PathSearch(const Steps& steps, const InversePattern& options, PatternPart part)
        : steps_(steps),
          options_(options),
          part_(part),
          reached_(steps.offsets.size() - 1, 0),
          weight_(steps.offsets.size() - 1, 0) {}

    /// Row i of the pattern, which stays valid until the next call.
    std::span<const Index> row(Index i) {
        const auto most = static_cast<std::size_t>(options_.most_entries);
        kept_.assign(1, i);
        frontier_.assign(1, i);
        reached_.data()[i] = mark(i, 0);
        weight_.data()[i] = 1;
        for (int length = 1; length <= options_.power && kept_.size() < most; ++length) {
            advance(i, length);
            std::copy_if(next_.begin(), next_.end(), std::back_inserter(kept_),
                         [&](Index j) { return is_in(part_, i, j); });
            const auto first =
                kept_.end() - std::count_if(next_.begin(), next_.end(), [&](Index j) { return is_in(part_, i, j); });
            if (kept_.size() > most) {
                std::sort(first, kept_.end(), [&](Index a, Index b) {
                    const double w_a = weight_.data()[a], w_b = weight_.data()[b];
                    return w_a != w_b ? w_a > w_b : a < b;
                });
                kept_.resize(most);
            }
            std::swap(frontier_, next_);
        }
        std::sort(kept_.begin(), kept_.end());
        return kept_;
    }

  private:
    /// One step farther: `next_` are the rows to which the shortest paths from i have this length.
    void advance(Index i, int length) {
        next_.clear();
        for (const Index from : frontier_) {
            std::span<const Step> steps = steps_.from(from);
            // A row that depends on very many others would show each of them to each of its neighbours.
            const auto most = static_cast<std::size_t>(options_.most_entries);
            if (from != i && steps.size() > most) steps = steps.first(most);
            for (const Step& step : steps) {
                const double weight = weight_.data()[from] * step.weight;
                if (reached_.data()[step.to] < mark(i, 0)) {
                    reached_.data()[step.to] = mark(i, length);
                    weight_.data()[step.to] = weight;
                    next_.push_back(step.to);
                } else if (reached_.data()[step.to] == mark(i, length)) {
                    weight_.data()[step.to] = std::max(weight_.data()[step.to], weight);
                }
            }
        }
    }
    /// Ascends with i, for which `reached_` is never cleared: rows are asked for in ascending order.
    std::int64_t mark(Index i, int length) const { return (std::int64_t{i} + 1) * (options_.power + 1) + length; }

    const Steps& steps_;
    const InversePattern& options_;
    const PatternPart part_;
    std::vector<std::int64_t> reached_;  // by mark()
    std::vector<double> weight_;         // of the strongest among the shortest paths
    std::vector<Index> kept_, frontier_, next_;
};

}  // namespace

Index SparsityPattern::longest_row() const {
    Offset longest = 0;
    for (std::size_t i = 1; i < offsets.size(); ++i) longest = std::max(longest, offsets[i] - offsets[i - 1]);
    return static_cast<Index>(longest);
}

CsrMatrix SparsityPattern::zeros() const {
    return {.rows = rows(),
            .columns = rows(),
            .offsets = offsets,
            .column = column,
            .value = std::vector<double>(column.size(), 0.0)};
}

std::vector<double> entry_scale(CsrView A) {
    std::vector<double> scale(static_cast<std::size_t>(A.rows), 1);
    const Offset* const row = A.offsets.data();
    for (Index i = 0; i < A.rows; ++i) {
        double of_diagonal = 0, largest = 0;
        for (Offset e = row[i]; e < row[i + 1]; ++e) {
            const double a = std::abs(A.value.data()[e]);
            if (A.column.data()[e] == i) of_diagonal = a;
            largest = std::max(largest, a);
        }
        const double size = of_diagonal > 0 ? of_diagonal : largest;
        if (size > 0) scale.data()[i] = std::sqrt(size);
    }
    return scale;
}

SparsityPattern power_pattern(CsrView A, std::span<const double> scale, const InversePattern& options, PatternPart part,
                              const char* function) {
    require_square(A, function);
    require_range(function, "power", options.power, 0, 8);
    require_range(function, "drop", options.drop, 0.0, 1e100);
    require_range(function, "most_entries", options.most_entries, 1, 2000);
    const Steps steps = steps_of(A, scale, options.drop);
    return joined_rows(A.rows, pattern_grain, [&](Index begin, Index end, const auto& add_row) {
        PathSearch search(steps, options, part);
        for (Index i = begin; i < end; ++i) add_row(search.row(i));
    });
}

void require_fitting(CsrView A, const SparsityPattern& pattern, PatternPart part, const char* function) {
    require_square(A, function);
    if (pattern.rows() != A.rows) {
        throw InvalidInput(fmt::format("{}: a pattern of {} rows for a matrix of {}; it has to have as many", function,
                                       pattern.rows(), A.rows));
    }
    for (Index i = 0; i < A.rows; ++i) {
        const std::span<const Index> S = pattern.row(i);
        const bool fits = !S.empty()
                          && (part == PatternPart::all     ? std::ranges::binary_search(S, i)
                              : part == PatternPart::lower ? S.back() == i
                                                           : S.front() == i);
        if (fits) continue;
        throw InvalidInput(fmt::format("{}: row {} of the pattern {}", function, i + 1,
                                       part == PatternPart::all     ? "has to have the diagonal"
                                       : part == PatternPart::lower ? "has to end at the diagonal"
                                                                    : "has to begin at the diagonal"));
    }
}

}  // namespace glsolve::inline v0_1
