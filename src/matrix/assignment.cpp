#include "matrix/assignment.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr double infinity = std::numeric_limits<double>::infinity();

/// The search, step by step. e is the place of an entry among all, i a row, j a column.
class Matcher {
  public:
    Matcher(const CsrMatrix& A, std::span<const double> cost)
        : A_(A),
          cost_(cost),
          rows_(static_cast<std::size_t>(A.rows)),
          columns_(static_cast<std::size_t>(A.columns)),
          u_(rows_, infinity),
          v_(columns_, infinity),
          entry_of_row_(rows_, none),
          row_of_column_(columns_, none),
          distance_(columns_, infinity),
          row_before_(columns_, none),
          entry_before_(columns_, none),
          group_of_row_(rows_, live),
          group_of_column_(columns_, live) {}

    Assignment run() {
        make_first_duals();
        assign_cheaply();
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) augment(i);
        }
        separate_groups();
        tighten_unmatched();
        return result();
    }

  private:
    static constexpr std::size_t live = 0;

    std::size_t begin(std::size_t i) const { return static_cast<std::size_t>(A_.offsets[i]); }
    std::size_t end(std::size_t i) const { return static_cast<std::size_t>(A_.offsets[i + 1]); }
    std::size_t column(std::size_t e) const { return static_cast<std::size_t>(A_.column[e]); }
    bool has_column(std::size_t i) const { return entry_of_row_[i] != none; }
    bool is_free(std::size_t j) const { return row_of_column_[j] == none; }
    void match(std::size_t i, std::size_t e) {
        entry_of_row_[i] = e;
        row_of_column_[column(e)] = i;
    }
    /// c_ij - u_i - v_j >= 0, but for rounding.
    double reduced_cost(std::size_t i, std::size_t e) const {
        return std::max(0.0, (cost_[e] - v_[column(e)]) - u_[i]);
    }

    /// v_j = min_i c_ij,  u_i = min_j (c_ij - v_j): each row has an entry of reduced cost 0, exactly.
    void make_first_duals() {
        for (std::size_t e = 0; e < cost_.size(); ++e) v_[column(e)] = std::min(v_[column(e)], cost_[e]);
        std::ranges::replace(v_, infinity, 0.0);
        for (std::size_t i = 0; i < rows_; ++i) u_[i] = least(i);
    }
    double least(std::size_t i) const {
        double least = infinity;
        for (std::size_t e = begin(i); e < end(i); ++e) least = std::min(least, cost_[e] - v_[column(e)]);
        return least == infinity ? 0 : least;
    }

    /// Rows take entries of reduced cost 0 while there are free ones; then paths of three such entries.
    void assign_cheaply() {
        std::vector<std::size_t> next(rows_);  // where the search in a row goes on: columns once taken stay taken
        for (std::size_t i = 0; i < rows_; ++i) next[i] = begin(i);
        const auto take_free_column = [&](std::size_t i) {
            for (std::size_t& e = next[i]; e < end(i); ++e) {
                if (!is_free(column(e)) || reduced_cost(i, e) > 0) continue;
                match(i, e);
                return true;
            }
            return false;
        };
        for (std::size_t i = 0; i < rows_; ++i) take_free_column(i);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t e = begin(i); e < end(i) && !has_column(i); ++e) {
                if (reduced_cost(i, e) > 0) continue;
                if (take_free_column(row_of_column_[column(e)])) match(i, e);
            }
        }
    }

    /// The shortest path from row `start` to a free column, by Dijkstra's algorithm: from a row along any of its
    /// entries to a column (its length is the reduced cost), from a column to the row that has it (no length).
    void augment(std::size_t start) {
        double shortest = infinity, length = 0;
        std::size_t last = none;
        touched_.clear();
        settled_.clear();
        heap_.clear();
        for (std::size_t i = start, j = none;; i = row_of_column_[j]) {
            for (std::size_t e = begin(i); e < end(i) && length < shortest; ++e) {
                const std::size_t to = column(e);
                const double so_far = length + reduced_cost(i, e);
                if (group_of_column_[to] != live || so_far >= std::min(shortest, distance_[to])) continue;
                row_before_[to] = i;
                entry_before_[to] = e;
                if (is_free(to)) {
                    shortest = so_far;
                    last = to;
                } else {
                    reach(to, so_far);
                }
            }
            j = nearest();
            if (j == none || distance_[j] >= shortest) break;
            length = distance_[j];
            settled_.push_back(j);
        }
        if (last == none) {
            retire(start);
        } else {
            lower_duals(shortest);
            exchange(start, last);
            raise_duals(last);
        }
        for (const std::size_t j : touched_) distance_[j] = infinity;
    }
    void reach(std::size_t j, double distance) {
        if (distance_[j] == infinity) touched_.push_back(j);
        distance_[j] = distance;
        heap_.emplace_back(distance, j);
        std::ranges::push_heap(heap_, std::greater<>());
    }
    /// The nearest column that has not been visited; none is left: none. A column reached anew, nearer, is twice in the
    /// heap.
    std::size_t nearest() {
        while (!heap_.empty()) {
            const auto [distance, j] = heap_.front();
            std::ranges::pop_heap(heap_, std::greater<>());
            heap_.pop_back();
            if (distance == distance_[j]) return j;
        }
        return none;
    }

    /// v_j <- v_j - (shortest - distance_j)
    void lower_duals(double shortest) {
        for (const std::size_t j : settled_) v_[j] -= shortest - distance_[j];
    }
    /// Each row of the path gives its column to the row before.
    void exchange(std::size_t start, std::size_t last) {
        for (std::size_t i = none, j = last; i != start;) {
            i = row_before_[j];
            const std::size_t given = has_column(i) ? column(entry_of_row_[i]) : none;
            match(i, entry_before_[j]);
            j = given;
        }
    }
    /// u_i = c_ij - v_j for all rows met, with their new columns.
    void raise_duals(std::size_t last) {
        const auto raise = [&](std::size_t j) {
            const std::size_t i = row_of_column_[j];
            u_[i] = cost_[entry_of_row_[i]] - v_[j];
        };
        raise(last);
        for (const std::size_t j : settled_) raise(j);
    }

    /// No path leads to a free column from the rows and columns met, nor will one do so later: their rows have entries
    /// in their columns only, or in those retired before. Searches need not come here again.
    void retire(std::size_t start) {
        ++groups_;
        group_of_row_[start] = groups_;
        retired_rows_.push_back(start);
        for (const std::size_t j : settled_) {
            group_of_column_[j] = groups_;
            group_of_row_[row_of_column_[j]] = groups_;
            retired_rows_.push_back(row_of_column_[j]);
        }
    }
    /// Since a group retired, u has grown in other rows that have entries in its columns. Within a group u + t and
    /// v - t are as good as u and v: the t that is needed is chosen, for the last group first, as rows of a group have
    /// entries in columns of groups before.
    void separate_groups() {
        if (groups_ == 0) return;
        std::vector<double> shift(groups_ + 1, 0.0);
        const auto demand = [&](std::size_t i) {
            for (std::size_t e = begin(i); e < end(i); ++e) {
                const std::size_t of = group_of_column_[column(e)];
                if (of == group_of_row_[i]) continue;
                shift[of] = std::max(shift[of], u_[i] + shift[group_of_row_[i]] + v_[column(e)] - cost_[e]);
            }
        };
        for (std::size_t i = 0; i < rows_; ++i) {
            if (group_of_row_[i] == live) demand(i);
        }
        std::for_each(retired_rows_.rbegin(), retired_rows_.rend(), demand);
        for (std::size_t i = 0; i < rows_; ++i) u_[i] += shift[group_of_row_[i]];
        for (std::size_t j = 0; j < columns_; ++j) v_[j] -= shift[group_of_column_[j]];
    }
    /// The largest duals that are allowed, where no entry fixes them: no unmatched row has an entry in an unmatched
    /// column.
    void tighten_unmatched() {
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) u_[i] = least(i);
        }
        std::vector<double> slack(columns_, infinity);
        for (std::size_t i = 0; i < rows_; ++i) {
            for (std::size_t e = begin(i); e < end(i); ++e) {
                slack[column(e)] = std::min(slack[column(e)], cost_[e] - u_[i]);
            }
        }
        for (std::size_t j = 0; j < columns_; ++j) {
            if (is_free(j)) v_[j] = slack[j] == infinity ? 0 : slack[j];
        }
    }

    Assignment result() {
        Assignment made{.column_of_row = std::vector<Index>(rows_, -1),
                        .row_of_column = std::vector<Index>(columns_, -1),
                        .u = std::move(u_),
                        .v = std::move(v_)};
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) continue;
            made.column_of_row[i] = A_.column[entry_of_row_[i]];
            made.row_of_column[column(entry_of_row_[i])] = static_cast<Index>(i);
        }
        return made;
    }

    const CsrMatrix& A_;
    std::span<const double> cost_;
    std::size_t rows_, columns_;
    std::vector<double> u_, v_;
    std::vector<std::size_t> entry_of_row_, row_of_column_;  // none: not matched
    std::vector<double> distance_;                           // of columns from the start; infinity: not reached
    std::vector<std::size_t> row_before_, entry_before_;     // of columns, on the path from the start
    std::vector<std::pair<double, std::size_t>> heap_;       // columns to visit, the nearest first
    std::vector<std::size_t> touched_, settled_;             // columns with a distance; those visited
    std::vector<std::size_t> group_of_row_, group_of_column_, retired_rows_;
    std::size_t groups_ = live;
};

}  // namespace

Assignment assign(const CsrMatrix& A, std::span<const double> cost) { return Matcher(A, cost).run(); }

}  // namespace glsolve::inline v0_1
