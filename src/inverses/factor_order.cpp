#include "inverses/factor_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <numeric>

#include "base/parallel.hpp"
#include "matrix/colouring.hpp"
#include "matrix/matching.hpp"
#include "matrix/minimum_degree.hpp"
#include "matrix/reordering.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Rows of one colour after the other: as many levels as there are colours.
std::vector<Index> by_colours(CsrView A) {
    const Colouring colouring = colour_rows(A);
    std::vector<Index> order(static_cast<std::size_t>(A.rows));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](Index i) { return colouring.colour[static_cast<std::size_t>(i)]; });
    return order;
}

std::vector<Index> order_of(CsrView A, FactorOrder order) {
    switch (order) {
        case FactorOrder::rcm:
            return reverse_cuthill_mckee(A);
        case FactorOrder::minimum_degree:
            return minimum_degree(A);
        case FactorOrder::colours:
            return by_colours(A);
        default:
            return {};
    }
}

/// "3, 8, 12 and 5 more", counted from 1.
std::string some_of(const std::vector<Index>& rows) {
    std::string text;
    const std::size_t shown = std::min<std::size_t>(rows.size(), 5);
    for (std::size_t k = 0; k < shown; ++k) text += fmt::format("{}{}", k > 0 ? ", " : "", rows[k] + 1);
    return rows.size() > shown ? fmt::format("{} and {} more", text, rows.size() - shown) : text;
}

/// Rows so that each has a pivot on the diagonal, where any has none.
void match(MatrixToFactor& made) {
    const WeakDiagonal weak = weak_diagonal(made.C);
    if (weak.zeros + weak.tiny == 0) return;
    Matching matching = maximum_product_matching(made.C);
    if (matching.rank() < made.C.rows) {
        throw InvalidInput(fmt::format(
            "the matrix is structurally singular: rows {} have no place on the diagonal, whatever the numbers are; "
            "incomplete factors need one for each row",
            some_of(matching.unmatched_rows)));
    }
    made.match(std::move(matching));
    made.moved = true;
    made.remark = fmt::format("{} rows without a pivot on the diagonal: rows matched to columns and scaled; ",
                              weak.zeros + weak.tiny);
}

}  // namespace

CsrMatrix scaled_by(CsrView A, std::span<const double> scale) {
    CsrMatrix made = copy_of(A);
    parallel_rows(A, [&](std::size_t i) {
        for (const auto [j, a] : made.row(i)) a *= scale[i] * scale[static_cast<std::size_t>(j)];
    });
    return made;
}

CsrMatrix MatrixToFactor::F() const {
    CsrMatrix made{.rows = C.rows, .columns = C.rows};
    for (const Index row : rows) {
        made.column.push_back(row);
        made.value.push_back(row_scale[static_cast<std::size_t>(row)]);
        made.offsets.push_back(static_cast<Offset>(made.column.size()));
    }
    return made;
}

CsrMatrix MatrixToFactor::G() const {
    CsrMatrix identity{.rows = C.rows, .columns = C.rows};
    for (Index i = 0; i < C.rows; ++i) {
        identity.column.push_back(i);
        identity.value.push_back(1);
        identity.offsets.push_back(Offset{i} + 1);
    }
    return G_times(identity);
}

CsrMatrix MatrixToFactor::times_F(CsrView W) const {
    std::vector<Triplet> entries;
    entries.reserve(W.column.size());
    for (Index i = 0; i < W.rows; ++i) {
        for (const auto [j, a] : W.row(i)) {
            const Index row = rows[j];
            entries.push_back({i, row, a * row_scale[static_cast<std::size_t>(row)]});
        }
    }
    return csr_from_triplets(W.rows, W.columns, entries);
}

CsrMatrix MatrixToFactor::G_times(CsrView W) const {
    std::vector<Index> place(columns.size());
    for (std::size_t k = 0; k < columns.size(); ++k)
        place[static_cast<std::size_t>(columns[k])] = static_cast<Index>(k);
    CsrMatrix made{.rows = W.rows, .columns = W.columns};
    for (std::size_t j = 0; j < place.size(); ++j) {
        const auto row = static_cast<std::size_t>(place[j]);
        for (const auto [column, a] : W.row(row)) {
            made.column.push_back(column);
            made.value.push_back(column_scale[j] * a);
        }
        made.offsets.push_back(static_cast<Offset>(made.column.size()));
    }
    return made;
}

MatrixToFactor order_for_factors(CsrView A, std::span<const double> scale, bool symmetric,
                                 const PreconditionerOptions& options) {
    MatrixToFactor made(scaled_by(A, scale));
    if (!symmetric) match(made);
    FactorOrder order = options.order;
    if (order == FactorOrder::automatic) order = made.moved ? FactorOrder::minimum_degree : FactorOrder::none;
    const std::vector<Index> places = order_of(made.C, order);
    if (places.empty()) return made;
    made.reorder(places);
    made.moved = true;
    made.remark += fmt::format("factored in the order {}; ", name(order));
    return made;
}

}  // namespace glsolve::inline v0_1
