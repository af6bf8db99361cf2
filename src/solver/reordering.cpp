#include "solver/reordering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "formats/choose_format.hpp"
#include "matrix/minimum_degree.hpp"
#include "matrix/permutation.hpp"
#include "matrix/reordering.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double worth_it = 0.9;  // of the bytes in the caller's order

double bytes_fetched(CsrView A) {
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    double least = std::numeric_limits<double>::infinity();
    for (const FormatPrediction& p : choose_format({A, ones}, FormatKind::automatic, true).predictions) {
        if (p.possible()) least = std::min(least, p.bytes);
    }
    return least;
}

std::vector<Index> ordered(CsrView A, Reordering reorder) {
    if (reorder == Reordering::rcm) return reverse_cuthill_mckee(A);
    if (reorder == Reordering::degree) return sorted_by_length(A, std::max<Index>(A.rows, 1));
    if (reorder == Reordering::minimum_degree) return minimum_degree(A);
    return {};
}

}  // namespace

bool may_move_rows(CsrView A, const Options& options) {
    const PreconditionerKind kind = options.preconditioner;
    const bool by_number = kind == PreconditionerKind::multigrid || kind == PreconditionerKind::block_jacobi;
    return A.rows == A.columns && options.method != Method::cgnr && options.method != Method::direct && !by_number
           && options.preconditioning.first_field == 0 && options.amg.near_null_space.empty()
           && options.amg.unknowns_a_point <= 1 && options.slicing.sort_window <= 1;
}

Reordering best_reordering(CsrView A) {
    Reordering best = Reordering::none;
    double least = worth_it * bytes_fetched(A);
    for (const Reordering reorder : {Reordering::rcm, Reordering::degree}) {
        const double bytes = bytes_fetched(permute(A, ordered(A, reorder)));
        if (bytes > least) continue;
        least = bytes;
        best = reorder;
    }
    return best;
}

RowOrder row_order(CsrView A, Reordering reorder, Index sort_window) {
    RowOrder made{.order = ordered(A, reorder), .reason = ""};
    const CsrMatrix moved = made.order.empty() ? CsrMatrix{} : permute(A, made.order);
    if (!made.order.empty())
        made.reason =
            fmt::format("rows reordered by {}, bandwidth {} -> {}; ", name(reorder), bandwidth(A), bandwidth(moved));
    if (sort_window <= 1) return made;
    const std::vector<Index> by_length = sorted_by_length(made.order.empty() ? A : moved, sort_window);
    made.order = made.order.empty() ? by_length : permute(std::span<const Index>(made.order), by_length);
    return made;
}

}  // namespace glsolve::inline v0_1
