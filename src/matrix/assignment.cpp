#include "matrix/matching.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t near_by = 128;  // columns that the search of a single row may visit

/// The search, step by step. e is the place of an entry among all, i a row, j a column.
class Matcher {
  public:
    Matcher(CsrView A, std::span<const double> cost)
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
          start_of_column_(columns_, none),
          has_path_(rows_, false) {}

    /// Most rows find a free column close by. The last ones would search most of the matrix, each for itself: they
    /// search together instead, until no path is left.
    Assignment run() {
        make_first_duals();
        assign_cheaply();
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) augment({i}, near_by);
        }
        while (augment(rows_without_column(), columns_)) {
        }
        choose_least_duals();
        tighten_unmatched();
        return result();
    }

  private:
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

    std::vector<std::size_t> rows_without_column() const {
        std::vector<std::size_t> found;
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) found.push_back(i);
        }
        return found;
    }

    /// Gives columns to some of the rows `starts`, each along a shortest path. False: there is no path, or it is not
    /// among the `most` columns that are nearest.
    bool augment(const std::vector<std::size_t>& starts, std::size_t most) {
        find_shortest_paths(starts, most);
        const bool found = !ends_.empty();
        if (found) {
            move_duals(starts);
            for (const std::size_t j : ends_) exchange(start_of_column_[j], j);
            for (const std::size_t j : settled_) {
                if (!is_free(j)) fit_dual_of_row(j);
            }
        }
        for (const std::size_t j : touched_) distance_[j] = infinity;
        for (const std::size_t j : ends_) has_path_[start_of_column_[j]] = false;
        return found;
    }

    /// From all starts to free columns, by Dijkstra's algorithm: from a row along any of its entries to a column (its
    /// length is the reduced cost), from a column to the row that has it (no length). The paths from different starts
    /// are trees without common columns, so that each start may have one path to a free column.
    void find_shortest_paths(const std::vector<std::size_t>& starts, std::size_t most) {
        touched_.clear();
        settled_.clear();
        ends_.clear();
        heap_.clear();
        nearest_end_ = infinity;
        for (const std::size_t i : starts) look_from(i, i, 0, starts.size() == 1);
        while (ends_.size() < starts.size() && settled_.size() < most) {
            const std::size_t j = nearest();
            if (j == none) break;
            settled_.push_back(j);
            const std::size_t start = start_of_column_[j];
            if (!is_free(j)) {
                look_from(row_of_column_[j], start, distance_[j], starts.size() == 1);
            } else if (!has_path_[start]) {
                has_path_[start] = true;
                ends_.push_back(j);
            }
        }
    }
    /// The columns of row i, which is `so_far` from its start. A single start needs none beyond a free column.
    void look_from(std::size_t i, std::size_t start, double so_far, bool only_start) {
        for (std::size_t e = begin(i); e < end(i) && so_far < nearest_end_; ++e) {
            const std::size_t j = column(e);
            const double distance = so_far + reduced_cost(i, e);
            if (distance >= std::min(nearest_end_, distance_[j])) continue;
            if (only_start && is_free(j)) nearest_end_ = distance;
            if (distance_[j] == infinity) touched_.push_back(j);
            distance_[j] = distance;
            row_before_[j] = i;
            entry_before_[j] = e;
            start_of_column_[j] = start;
            heap_.emplace_back(distance, j);
            std::ranges::push_heap(heap_, std::greater<>());
        }
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

    /// v_j <- v_j - (D - distance_j)  and  u_i <- u_i + D - distance_i,  D the distance of the last column visited:
    /// what lies on shortest paths then has reduced cost 0. u of rows that have columns follows later.
    void move_duals(const std::vector<std::size_t>& starts) {
        const double farthest = distance_[settled_.back()];
        for (const std::size_t i : starts) u_[i] += farthest;
        for (const std::size_t j : settled_) v_[j] -= farthest - distance_[j];
    }
    /// Each row of the path to a free column gives its own to the row before.
    void exchange(std::size_t start, std::size_t end) {
        for (std::size_t i = none, j = end; i != start;) {
            i = row_before_[j];
            const std::size_t given = has_column(i) ? column(entry_of_row_[i]) : none;
            match(i, entry_before_[j]);
            j = given;
        }
    }
    /// u_i = c_ij - v_j  for the row that has column j.
    void fit_dual_of_row(std::size_t j) {
        const std::size_t i = row_of_column_[j];
        u_[i] = cost_[entry_of_row_[i]] - v_[j];
    }

    /// Searches leave duals that may be far larger than they must be. The least u >= 0 that fit to the matching:
    ///     u_k = max(0, max over rows i with an entry in column j, which row k has, of u_i - (c_ij - c_kj)),
    /// by Dijkstra's algorithm once more: from the duals so far, rows are final in the order of the least change, and
    /// what they ask of others asks for more change by a reduced cost. Sums of costs c themselves round less.
    void choose_least_duals() {
        std::vector<double> least(rows_, 0.0), change(rows_, 0.0);
        std::vector<std::pair<double, std::size_t>> heap;
        for (std::size_t i = 0; i < rows_; ++i) {
            if (!has_column(i)) continue;
            change[i] = -u_[i];
            heap.emplace_back(change[i], i);
        }
        std::ranges::make_heap(heap);
        while (!heap.empty()) {
            const auto [of_row, i] = heap.front();
            std::ranges::pop_heap(heap);
            heap.pop_back();
            if (of_row != change[i]) continue;  // it has been changed less since
            for (std::size_t e = begin(i); e < end(i); ++e) {
                const std::size_t k = row_of_column_[column(e)];
                if (k == none || of_row - reduced_cost(i, e) <= change[k]) continue;
                change[k] = of_row - reduced_cost(i, e);
                least[k] = std::max(0.0, least[i] - (cost_[e] - cost_[entry_of_row_[k]]));
                heap.emplace_back(change[k], k);
                std::ranges::push_heap(heap);
            }
        }
        u_ = std::move(least);
        for (std::size_t j = 0; j < columns_; ++j) {
            if (!is_free(j)) v_[j] = cost_[entry_of_row_[row_of_column_[j]]] - u_[row_of_column_[j]];
        }
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

    CsrView A_;
    std::span<const double> cost_;
    std::size_t rows_, columns_;
    std::vector<double> u_, v_;
    std::vector<std::size_t> entry_of_row_, row_of_column_;  // none: not matched
    std::vector<double> distance_;                           // of columns from their start; infinity: not reached
    std::vector<std::size_t> row_before_, entry_before_, start_of_column_;  // on the path to a column
    std::vector<bool> has_path_;                                            // of starts: to a free column
    std::vector<std::pair<double, std::size_t>> heap_;                      // columns to visit, the nearest first
    std::vector<std::size_t> touched_, settled_, ends_;  // columns with a distance; visited; at the ends of paths
    double nearest_end_ = infinity;                      // of the paths of a single start
};

}  // namespace

Assignment assign(CsrView A, std::span<const double> cost) { return Matcher(A, cost).run(); }

}  // namespace glsolve::inline v0_1
