#include "matrix/matching.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <numeric>

#include "base/parallel.hpp"
#include "matrix/csr_build.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double most_exponent = 1000;  // of a factor: its square root and its reciprocal are numbers still

/// log2 of the largest entry of each row; 0 for an empty one.
std::vector<double> largest_of_rows(CsrView A) {
    std::vector<double> largest(static_cast<std::size_t>(A.rows), 0.0);
    parallel_rows(A, [&](std::size_t i) {
        double most = 0;
        for (const double a : A.row(i).values()) most = std::max(most, std::abs(a));
        if (most > 0) largest[i] = std::log2(most);
    });
    return largest;
}

/// c_ij = log2 max_k |a_ik| - log2 |a_ij|. By rows, as A is stored so; Duff and Koster take columns, which adds the
/// same to the cost of every matching.
std::vector<double> costs(CsrView A, std::span<const double> largest) {
    std::vector<double> cost(A.value.size());
    parallel_rows(A, [&](std::size_t i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            cost[e] = A.value[e] == 0 ? no_entry : largest[i] - std::log2(std::abs(A.value[e]));
        }
    });
    return cost;
}

/// Adds t to the exponents of rows and -t to those of columns, so that the largest in magnitude is as small as can be:
/// that changes no entry, and keeps factors in range.
void balance(std::span<double> rows, std::span<double> columns) {
    if (rows.empty() || columns.empty()) return;
    const auto [least_row, most_row] = std::ranges::minmax(rows);
    const auto [least_column, most_column] = std::ranges::minmax(columns);
    const double t = std::round((std::max(-least_row, most_column) - std::max(most_row, -least_column)) / 2);
    for (double& exponent : rows) exponent += t;
    for (double& exponent : columns) exponent -= t;
}

double factor(double exponent, ScaleFactors factors) {
    const double allowed = std::clamp(exponent, -most_exponent, most_exponent);
    return std::exp2(factors == ScaleFactors::powers_of_two ? std::round(allowed) : allowed);
}

std::vector<Index> places_without(std::span<const Index> partner) {
    std::vector<Index> found;
    for (std::size_t i = 0; i < partner.size(); ++i) {
        if (partner[i] < 0) found.push_back(static_cast<Index>(i));
    }
    return found;
}

/// r a c: the largest and the smallest factor first. Where the product is in range, so is what comes between.
double scaled(double r, double a, double c) {
    const double size = std::abs(a);
    const auto [least, most] = std::minmax({r, size, c});
    const double middle = std::max(std::min(r, size), std::min(std::max(r, size), c));
    return std::copysign((least * most) * middle, a);
}

/// The largest magnitude in each row and each column.
struct Largest {
    std::vector<double> of_row, of_column;
};
Largest largest_entries(CsrView A) {
    Largest made{std::vector<double>(static_cast<std::size_t>(A.rows), 0.0),
                 std::vector<double>(static_cast<std::size_t>(A.columns), 0.0)};
    each_entry(A, [&](std::size_t i, std::size_t j, double a) {
        made.of_row[i] = std::max(made.of_row[i], std::abs(a));
        made.of_column[j] = std::max(made.of_column[j], std::abs(a));
    });
    return made;
}

}  // namespace

Matching maximum_product_matching(CsrView A, ScaleFactors factors) {
    if (A.rows != A.columns) {
        throw InvalidInput(fmt::format(
            "a matching wants a diagonal for the matrix, which has {} rows and {} columns; it has to be square", A.rows,
            A.columns));
    }
    const std::vector<double> largest = largest_of_rows(A);
    Assignment found = assign(A, costs(A, largest));
    // |r_i a_ij c_j| = 2^(u_i + v_j - c_ij)  with  r_i = 2^u_i / max_k |a_ik|,  c_j = 2^v_j
    for (std::size_t i = 0; i < largest.size(); ++i) found.u[i] -= largest[i];
    balance(found.u, found.v);
    Matching made{.row_of_column = std::move(found.row_of_column),
                  .row_scale = std::move(found.u),
                  .column_scale = std::move(found.v),
                  .unmatched_rows = places_without(found.column_of_row),
                  .unmatched_columns = {}};
    made.unmatched_columns = places_without(made.row_of_column);
    parallel_each(largest.size(), [&](std::size_t i) {
        made.row_scale[i] = factor(made.row_scale[i], factors);
        made.column_scale[i] = factor(made.column_scale[i], factors);
    });
    return made;
}

std::vector<double> symmetric_scaling(const Matching& matching, ScaleFactors factors) {
    std::vector<double> s(matching.row_scale.size());
    parallel_each(s.size(), [&](std::size_t i) {
        s[i] = std::sqrt(matching.row_scale[i]) * std::sqrt(matching.column_scale[i]);
        if (factors == ScaleFactors::powers_of_two) s[i] = factor(std::log2(s[i]), factors);
    });
    return s;
}

std::vector<Index> matched_order(const Matching& matching) {
    std::vector<Index> order = matching.row_of_column;
    for (std::size_t k = 0; k < matching.unmatched_columns.size(); ++k) {
        order[static_cast<std::size_t>(matching.unmatched_columns[k])] = matching.unmatched_rows[k];
    }
    return order;
}

CsrMatrix matched_matrix(CsrView A, const Matching& matching) {
    const std::vector<Index> order = matched_order(matching);
    CsrMatrix B{.rows = A.rows, .columns = A.columns, .offsets = {0}, .column = {}, .value = {}};
    B.offsets.reserve(A.offsets.size());
    for (const Index row : order) {
        const auto i = static_cast<std::size_t>(row);
        B.offsets.push_back(B.offsets.back() + std::ssize(A.row(i)));
    }
    allocate_entries(B);
    parallel_rows(B, [&](std::size_t k) {
        const auto i = static_cast<std::size_t>(order[k]);
        auto to = static_cast<std::size_t>(B.offsets[k]);
        for (const auto [j, a] : A.row(i)) {
            B.column[to] = j;
            B.value[to++] = scaled(matching.row_scale[i], a, matching.column_scale[static_cast<std::size_t>(j)]);
        }
    });
    return B;
}

std::vector<double> matched_right_side(std::span<const double> b, const Matching& matching) {
    const std::vector<Index> order = matched_order(matching);
    std::vector<double> made(b.size());
    parallel_each(b.size(), [&](std::size_t k) {
        const auto i = static_cast<std::size_t>(order[k]);
        made[k] = matching.row_scale[i] * b[i];
    });
    return made;
}

std::vector<double> unmatched_solution(std::span<const double> y, const Matching& matching) {
    std::vector<double> x(y.size());
    parallel_each(y.size(), [&](std::size_t j) { x[j] = matching.column_scale[j] * y[j]; });
    return x;
}

WeakDiagonal weak_diagonal(CsrView A, double tiny) {
    const Largest largest = largest_entries(A);
    WeakDiagonal found;
    for (std::size_t i = 0; i < largest.of_row.size(); ++i) {
        const double pivot = std::abs(entry(A, static_cast<Index>(i), static_cast<Index>(i)));
        const bool zero = pivot == 0;
        if (!zero && pivot >= tiny * std::min(largest.of_row[i], largest.of_column[i])) continue;
        ++(zero ? found.zeros : found.tiny);
        if (found.first < 0) found.first = static_cast<Index>(i);
    }
    return found;
}

}  // namespace glsolve::inline v0_1
