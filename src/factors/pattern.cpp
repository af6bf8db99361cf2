#include "factors/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <span>
#include <utility>

#include "base/parallel.hpp"
#include "factors/check_input.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset rows_per_thread = 512;

/// Finds rows of U's pattern by paths (D. Hysom and A. Pothen, SIAM J. Sci. Comput. 22, 2001, theorem 3): (i, j) has a
/// level of fill of at most k if and only if the graph of A has a path from i to j of at most k + 1 edges, whose nodes
/// between are all smaller than i and j. For j > i these are smaller than i, so that one search finds all of row i. No
/// row needs another.
class FillSearch {
  public:
    FillSearch(const Places& A, int level)
        : row_(A.offsets.data()), column_(A.column.data()), level_(level), seen_by_(A.offsets.size() - 1, -1) {}

    /// Appends the columns of row i right of the diagonal, in ascending order.
    void append_row(Index i, std::vector<Index>& columns) {
        const auto first = static_cast<std::ptrdiff_t>(columns.size());
        seen_by_.data()[i] = i;
        front_.assign(1, i);
        for (int edges = 1; edges - 1 <= level_ && !front_.empty(); ++edges) {  // breadth first
            next_.clear();
            for (const Index node : front_) visit_neighbours(node, i, columns);
            front_.swap(next_);
        }
        std::sort(columns.begin() + first, columns.end());
    }

  private:
    void visit_neighbours(Index node, Index i, std::vector<Index>& columns) {
        for (Offset e = row_[node]; e < row_[node + 1]; ++e) {
            const Index j = column_[e];
            if (seen_by_.data()[j] == i) continue;
            seen_by_.data()[j] = i;
            if (j > i) {
                columns.push_back(j);
            } else {
                next_.push_back(j);
            }
        }
    }

    const Offset* row_;
    const Index* column_;
    int level_;
    std::vector<Index> seen_by_;  // the last row whose search came to this node
    std::vector<Index> front_, next_;
};

struct RowsOfPlaces {
    std::vector<Offset> lengths;
    std::vector<Index> column;
};

/// No rows at all if there are more than `most` places.
Places upper_fill(const Places& A, int level, Offset most) {
    std::atomic<Offset> count = 0;
    const auto parts = parallel_parts(A.rows(), rows_per_thread, [&](Offset begin, Offset end) {
        RowsOfPlaces made;
        FillSearch search(A, level);
        for (Offset i = begin; i < end && count <= most; ++i) {
            const std::size_t before = made.column.size();
            search.append_row(static_cast<Index>(i), made.column);
            made.lengths.push_back(static_cast<Offset>(made.column.size() - before));
            count += made.lengths.back();
        }
        return made;
    });
    Places all;
    if (count > most) return all;
    all.offsets.reserve(A.offsets.size());
    all.column.reserve(static_cast<std::size_t>(count));
    for (const RowsOfPlaces& part : parts) {
        for (const Offset length : part.lengths) all.offsets.push_back(all.offsets.back() + length);
        all.column.insert(all.column.end(), part.column.begin(), part.column.end());
    }
    return all;
}

/// The places of A right of the diagonal, or left of it. No rows at all if there are more than `most` places.
Places strict_triangle(const Places& A, Triangle triangle, Offset most) {
    const bool lower = triangle == Triangle::lower;
    const auto row = [&](Index i) {
        const std::span<const Index> all = A.row(i);
        return lower ? std::span(all.begin(), std::ranges::lower_bound(all, i))
                     : std::span(std::ranges::upper_bound(all, i), all.end());
    };
    Places made;
    made.offsets.reserve(A.offsets.size());
    for (Index i = 0; i < A.rows(); ++i) made.offsets.push_back(made.offsets.back() + std::ssize(row(i)));
    if (made.offsets.back() > most) return {};
    made.column.resize(static_cast<std::size_t>(made.offsets.back()));
    parallel_for(A.rows(), row_grain(A.rows(), std::ssize(A.column)), [&](int, Offset begin, Offset end) {
        for (Offset i = begin; i < end; ++i)
            std::ranges::copy(row(static_cast<Index>(i)), made.column.begin() + made.offsets.data()[i]);
    });
    return made;
}

// Without fill they are those of A.
Places upper_places(const Places& A, int level, Offset most) {
    return level == 0 ? strict_triangle(A, Triangle::upper, most) : upper_fill(A, level, most);
}
// The places of L are those of U for A^T, transposed.
Places lower_places(const Places& A, int level, Offset most) {
    return level == 0 ? strict_triangle(A, Triangle::lower, most) : transposed(upper_fill(transposed(A), level, most));
}

FactorPattern too_many(int level, Offset most) {
    FactorPattern none;
    none.failure = fmt::format("factors of level {} have more than {} entries on a side of the diagonal", level, most);
    return none;
}

}  // namespace

Places places_of(CsrView A) { return {{A.offsets.begin(), A.offsets.end()}, {A.column.begin(), A.column.end()}}; }

Places places_of_symmetric(CsrView A) {
    Places below;
    for (Index i = 0; i < A.rows; ++i) {
        for (const Index j : A.row(i).columns()) {
            if (j < i) below.column.push_back(j);
        }
        below.offsets.push_back(static_cast<Offset>(below.column.size()));
    }
    const Places above = transposed(below);
    Places both;
    for (Index i = 0; i < A.rows; ++i) {
        for (const Places* const side : {&std::as_const(below), &above})
            both.column.insert(both.column.end(), side->row(i).begin(), side->row(i).end());
        both.offsets.push_back(static_cast<Offset>(both.column.size()));
    }
    return both;
}

Places transposed(const Places& places, std::vector<Offset>* from) {
    Places made;
    made.offsets.assign(places.offsets.size(), 0);
    made.column.resize(places.column.size());
    if (from != nullptr) from->resize(places.column.size());
    Offset* const offsets = made.offsets.data();
    for (const Index j : places.column) ++offsets[j + 1];
    std::partial_sum(made.offsets.begin(), made.offsets.end(), made.offsets.begin());
    std::vector<Offset> next = made.offsets;
    for (Index i = 0; i < places.rows(); ++i) {
        for (Offset e = places.offsets.data()[i]; e < places.offsets.data()[i + 1]; ++e) {
            const Offset to = next.data()[places.column.data()[e]]++;
            made.column.data()[to] = i;
            if (from != nullptr) from->data()[to] = e;
        }
    }
    return made;
}

FactorPattern ilu_pattern(const Places& A, int level, Offset most) {
    FactorPattern made;
    made.upper = upper_places(A, level, most);
    made.lower = lower_places(A, level, most);
    if (made.upper.rows() != A.rows() || made.lower.rows() != A.rows()) return too_many(level, most);
    made.levels = level_sets(made.lower.offsets, made.lower.column, Triangle::lower);
    return made;
}

FactorPattern ilu_pattern(CsrView A, int level, Offset most) {
    require_square(A, "ILU");
    return ilu_pattern(places_of(A), level, most);
}

FactorPattern ic_pattern(const Places& symmetric, int level, Offset most) {
    FactorPattern made;
    made.upper = upper_places(symmetric, level, most);
    if (made.upper.rows() != symmetric.rows()) return too_many(level, most);
    made.lower = transposed(made.upper, &made.mirrored);
    made.levels = level_sets(made.lower.offsets, made.lower.column, Triangle::lower);
    return made;
}

FactorPattern ic_pattern(CsrView A, int level, Offset most) {
    require_square(A, "IC");
    return ic_pattern(places_of_symmetric(A), level, most);
}

}  // namespace glsolve::inline v0_1
