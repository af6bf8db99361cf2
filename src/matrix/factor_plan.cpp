#include "matrix/factor_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "base/memory.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/empty_lines.hpp"
#include "matrix/matching.hpp"
#include "matrix/minimum_degree.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// With an entry in each row.
CsrMatrix with_equations(CsrView A) {
    const EmptyLines lines = empty_lines(A);
    if (lines.rows.empty()) return copy_of(A);
    std::vector<Triplet> entries;
    entries.reserve(A.value.size() + lines.rows.size());
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) entries.push_back({i, static_cast<Index>(j), a});
    }
    for (const Position& missing : positions_for(lines)) entries.push_back({missing.row, missing.column, 1});
    return csr_from_triplets(A.rows, A.columns, entries);
}

/// The numbers of entries in the columns of L, for C + C^T = L L^T: entry (i, j) is there where j is on the way from a
/// neighbour of i up the elimination tree to i (T. A. Davis, Direct Methods for Sparse Linear Systems, 2006, section
/// 4.1 and 4.4). Stops with less where there are more than `most`.
std::vector<double> column_counts(CsrView C, double most) {
    const auto n = static_cast<std::size_t>(C.rows);
    std::vector<std::vector<Index>> neighbours(n);  // those before each row
    for (std::size_t i = 0; i < n; ++i) {
        for (const auto [column, a] : C.row(i)) {
            const auto j = static_cast<std::size_t>(column);
            if (j != i) neighbours[std::max(i, j)].push_back(static_cast<Index>(std::min(i, j)));
        }
    }
    constexpr Index no_parent = -1;
    std::vector<Index> parent(n, no_parent), seen_by(n, no_parent);
    std::vector<double> counts(n, 1.0);
    double entries = static_cast<double>(n);
    for (std::size_t i = 0; i < n && entries <= most; ++i) {
        const auto row = static_cast<Index>(i);
        seen_by[i] = row;
        for (Index j : neighbours[i]) {
            for (auto k = static_cast<std::size_t>(j); seen_by[k] != row; k = static_cast<std::size_t>(parent[k])) {
                if (parent[k] == no_parent) parent[k] = row;
                seen_by[k] = row;
                ++counts[k];
                ++entries;
            }
        }
    }
    if (entries > most) counts.clear();
    return counts;
}

/// The kind that takes less time.
FactorCost cost_of(const std::vector<double>& counts, bool definite) {
    FactorCost lu{.rows = static_cast<Index>(counts.size())};
    for (const double count : counts) {
        lu.entries += 2 * count;
        lu.operations += count * count;
    }
    FactorCost ldlt = lu;
    ldlt.kind = FactorCost::Kind::ldlt;
    ldlt.entries /= 2;
    return definite && ldlt.seconds() < lu.seconds() ? ldlt : lu;
}

/// S A S with a diagonal near 1.
void scale_by_diagonal(FactorPlan& plan) {
    const std::vector<double> d = diagonal(plan.C);
    for (std::size_t i = 0; i < d.size(); ++i) plan.row_scale[i] = std::exp2(-std::round(0.5 * std::log2(d[i])));
    plan.column_scale = plan.row_scale;
    parallel_rows(plan.C, [&](std::size_t i) {
        for (const auto [j, a] : plan.C.row(i)) a *= plan.row_scale[i] * plan.row_scale[static_cast<std::size_t>(j)];
    });
}

/// Are rows and columns matched as in a plan that has moved both already?
bool has_same_rows(const FactorPlan& matched, const FactorPlan& moved) {
    if (!moved.possible() || moved.rows.size() != matched.rows.size()) return false;
    for (std::size_t k = 0; k < moved.rows.size(); ++k) {
        if (matched.rows[static_cast<std::size_t>(moved.columns[k])] != moved.rows[k]) return false;
    }
    return true;
}

}  // namespace

// Measured over 70 matrices, one core of an Intel Xeon (docs/measurements/auto-2026-11-29.md): Eigen's LU joins columns
// of like places, its LDL^T takes them one by one.
double FactorCost::seconds() const {
    const double n = rows;
    return kind == Kind::lu ? 5e-7 * n + 2e-8 * entries + operations / 4.2e9
                            : 2e-7 * n + 1e-8 * entries + operations / 1.4e9;
}

std::string FactorCost::in_words() const {
    return fmt::format("about {:.2g} s and {:.2g} MB", seconds(), 1e-6 * bytes());
}

double most_bytes_of_factors(double megabytes) {
    return megabytes > 0 ? 1e6 * megabytes : 0.5 * static_cast<double>(memory_limit());
}

double seconds_to_plan(CsrView A, bool definite) {
    return (definite ? 1e-7 : 1.5e-7) * static_cast<double>(A.nonzeros());
}

FactorPlan plan_factors(CsrView A, bool definite, double most_bytes, const FactorPlan* known) {
    FactorPlan plan(with_equations(A));
    if (definite) {
        scale_by_diagonal(plan);
    } else {
        Matching matching = maximum_product_matching(plan.C, ScaleFactors::powers_of_two);
        if (matching.rank() < A.rows) {
            plan.impossible = fmt::format("the matrix is structurally singular: its rank is {} of {} at most",
                                          matching.rank(), A.rows);
            return plan;
        }
        plan.match(std::move(matching));
    }
    if (known != nullptr && known->is_definite == definite && known->cost.bytes() <= most_bytes
        && has_same_rows(plan, *known)) {
        plan.reorder(known->columns);
        plan.cost = known->cost;
        plan.is_definite = definite;
        return plan;
    }
    plan.reorder(minimum_degree(plan.C));
    constexpr double most_counted = 3e8;  // which takes a second; to make as many takes minutes
    const double most = std::min(most_bytes / FactorCost::bytes_each, most_counted);
    const std::vector<double> counts = column_counts(plan.C, most / 2);
    if (counts.empty() && A.rows > 0) {
        plan.impossible = fmt::format("sparse factors take more than {:.3g} MB", 1e-6 * FactorCost::bytes_each * most);
        return plan;
    }
    plan.cost = cost_of(counts, definite);
    plan.is_definite = definite;
    return plan;
}

}  // namespace glsolve::inline v0_1
