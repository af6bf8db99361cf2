#include "amg/near_null_space.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double dependent = 1e-8;  // what is left of a vector, when those before it are taken out

/// The unknowns of each aggregate, one after the other.
struct Members {
    std::vector<Index> begin, unknown;
};

Members members(std::span<const Index> aggregate_of, Index aggregates) {
    Members m;
    m.begin.assign(static_cast<std::size_t>(aggregates) + 1, 0);
    for (const Index a : aggregate_of) {
        if (a >= 0) ++m.begin[a + std::size_t{1}];
    }
    std::partial_sum(m.begin.begin(), m.begin.end(), m.begin.begin());
    m.unknown.resize(static_cast<std::size_t>(m.begin.back()));
    std::vector<Index> next(m.begin.begin(), m.begin.end() - 1);
    for (std::size_t i = 0; i < aggregate_of.size(); ++i) {
        if (aggregate_of[i] >= 0) m.unknown[next[aggregate_of[i]]++] = static_cast<Index>(i);
    }
    return m;
}

double dot(std::span<const double> x, std::span<const double> y) {
    return std::inner_product(x.begin(), x.end(), y.begin(), 0.0);
}

/// Q R of the rows of B in one aggregate, dependent columns left out: q holds the columns of Q, r the rows of R.
struct Factors {
    std::vector<std::vector<double>> q, r;
};

Factors factorise(const NearNullSpace& B, std::span<const Index> rows) {
    Factors f;
    const auto k = static_cast<std::size_t>(B.vectors);
    for (std::size_t c = 0; c < k; ++c) {
        std::vector<double> v;
        for (const Index i : rows) v.push_back(B.values[static_cast<std::size_t>(i) * k + c]);
        const double size = std::sqrt(dot(v, v));
        for (int twice = 0; twice < 2; ++twice) {
            for (std::size_t j = 0; j < f.q.size(); ++j) {
                const double h = dot(f.q[j], v);
                f.r[j][c] += h;
                for (std::size_t i = 0; i < v.size(); ++i) v[i] -= h * f.q[j][i];
            }
        }
        const double left = std::sqrt(dot(v, v));
        if (left <= dependent * size) continue;
        for (double& x : v) x /= left;
        f.q.push_back(std::move(v));
        f.r.emplace_back(k, 0.0).at(c) = left;
    }
    return f;
}

/// T is 1 where an unknown meets its aggregate.
Tentative indicators(std::span<const Index> aggregate_of, Index aggregates) {
    Tentative made{.T = {}, .coarse = constants(aggregates), .aggregate_of = {}};
    CsrMatrix& T = made.T;
    T.rows = static_cast<Index>(aggregate_of.size());
    T.columns = aggregates;
    T.offsets.resize(aggregate_of.size() + 1);
    for (std::size_t i = 0; i < aggregate_of.size(); ++i) {
        if (aggregate_of[i] >= 0) T.column.push_back(aggregate_of[i]);
        T.offsets[i + 1] = static_cast<Offset>(T.column.size());
    }
    T.value.assign(T.column.size(), 1.0);
    made.aggregate_of.resize(static_cast<std::size_t>(aggregates));
    std::iota(made.aggregate_of.begin(), made.aggregate_of.end(), 0);
    return made;
}

}  // namespace

bool NearNullSpace::is_constant() const {
    return vectors == 1 && std::all_of(values.begin(), values.end(), [](double v) { return v == 1; });
}

NearNullSpace constants(Index unknowns, int unknowns_a_point) {
    const auto k = static_cast<std::size_t>(unknowns_a_point);
    NearNullSpace ones{unknowns_a_point, filled(static_cast<std::size_t>(unknowns) * k, 0.0)};
    for (std::size_t i = 0; i < static_cast<std::size_t>(unknowns); ++i) ones.values[i * k + i % k] = 1;
    return ones;
}

Tentative tentative_prolongation(const NearNullSpace& B, std::span<const Index> aggregate_of, Index aggregates) {
    if (B.is_constant()) return indicators(aggregate_of, aggregates);
    const Members m = members(aggregate_of, aggregates);
    const auto rows_of = [&](Index a) {
        return std::span(m.unknown).subspan(static_cast<std::size_t>(m.begin[a]),
                                            static_cast<std::size_t>(m.begin[a + std::size_t{1}] - m.begin[a]));
    };
    std::vector<Factors> factors(static_cast<std::size_t>(aggregates));
    parallel_for(aggregates, 256, [&](int, Index begin, Index end) {
        for (Index a = begin; a < end; ++a) factors[a] = factorise(B, rows_of(a));
    });

    Tentative made;
    made.coarse.vectors = B.vectors;
    std::vector<Index> first;  // coarse unknown of each aggregate
    for (Index a = 0; a < aggregates; ++a) {
        first.push_back(static_cast<Index>(made.aggregate_of.size()));
        for (const auto& row : factors[a].r) {
            made.coarse.values.insert(made.coarse.values.end(), row.begin(), row.end());
            made.aggregate_of.push_back(a);
        }
    }
    std::vector<Index> place(aggregate_of.size());  // of each unknown in its aggregate
    for (Index a = 0; a < aggregates; ++a) {
        const auto rows = rows_of(a);
        for (std::size_t i = 0; i < rows.size(); ++i) place[rows[i]] = static_cast<Index>(i);
    }
    CsrMatrix& T = made.T;
    T.rows = static_cast<Index>(aggregate_of.size());
    T.columns = static_cast<Index>(made.aggregate_of.size());
    for (std::size_t i = 0; i < aggregate_of.size(); ++i) {
        const Index a = aggregate_of[i];
        const std::size_t unknowns = a < 0 ? 0 : factors[a].q.size();
        for (std::size_t c = 0; c < unknowns; ++c) {
            T.column.push_back(first[a] + static_cast<Index>(c));
            T.value.push_back(factors[a].q[c][place[i]]);
        }
        T.offsets.push_back(static_cast<Offset>(T.column.size()));
    }
    return made;
}

}  // namespace glsolve::inline v0_1
