#include "factors/isai.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "base/parallel.hpp"
#include "factors/check_input.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset isai_grain = 1024;  // rows that are worth a thread

void require_strict(CsrView T, PatternPart part, const char* function) {
    require_square(T, function);
    const Offset* const row = T.offsets.data();
    for (Index i = 0; i < T.rows; ++i) {
        if (row[i] == row[i + 1]) continue;
        const bool lower = part == PatternPart::lower;
        const Index j = T.column.data()[lower ? row[i + 1] - 1 : row[i]];
        if (lower ? j < i : j > i) continue;
        throw InvalidInput(fmt::format("{}: row {} has an entry in column {}; the triangle has to be strictly {}",
                                       function, i + 1, j + 1, lower ? "lower" : "upper"));
    }
}

/// Row i of W, w with places S, solves  w (I + T)(S, S) = e_i^T:  a triangular system, and T(S, S) need not be put
/// together. From the diagonal outwards, w_l is known once the rows before it in that order have been subtracted:
///     w_i = 1,   w_j -= w_l t_lj   for the entries t_lj of row l with j in S.
/// `place` is -1 everywhere, before and after.
void solve_row(CsrView T, std::span<const Index> S, PatternPart part, Index* place, double* w) {
    const auto size = static_cast<Index>(S.size());
    for (Index k = 0; k < size; ++k) place[S.data()[k]] = k;
    const bool lower = part == PatternPart::lower;
    w[lower ? size - 1 : 0] = 1;
    const Offset* const row = T.offsets.data();
    for (Index step = 0; step < size; ++step) {
        const Index k = lower ? size - 1 - step : step;
        const Index l = S.data()[k];
        const double w_l = w[k];
        if (w_l == 0) continue;
        for (Offset e = row[l]; e < row[l + 1]; ++e) {
            const Index j = place[T.column.data()[e]];
            if (j >= 0) w[j] -= w_l * T.value.data()[e];
        }
    }
    for (const Index j : S) place[j] = -1;
}

CsrMatrix isai(CsrView T, const SparsityPattern& pattern, PatternPart part, const char* function) {
    require_strict(T, part, function);
    require_fitting(T, pattern, part, function);
    CsrMatrix W = pattern.zeros();
    parallel_for(T.rows, isai_grain, [&](int, Offset begin, Offset end) {
        std::vector<Index> place(static_cast<std::size_t>(T.rows), -1);
        for (Index i = static_cast<Index>(begin); i < static_cast<Index>(end); ++i) {
            solve_row(T, pattern.row(i), part, place.data(), W.value.data() + W.offsets.data()[i]);
        }
    });
    return W;
}

}  // namespace

SparsityPattern isai_pattern(CsrView T, const InversePattern& options) {
    const std::vector<double> ones(static_cast<std::size_t>(T.rows), 1);  // I + T has them on its diagonal
    return power_pattern(T, ones, options, PatternPart::all, "isai");
}

CsrMatrix isai_lower(CsrView L, const SparsityPattern& pattern) {
    return isai(L, pattern, PatternPart::lower, "isai_lower");
}
CsrMatrix isai_lower(CsrView L, const InversePattern& options) { return isai_lower(L, isai_pattern(L, options)); }

CsrMatrix isai_upper(CsrView U, const SparsityPattern& pattern) {
    return isai(U, pattern, PatternPart::upper, "isai_upper");
}
CsrMatrix isai_upper(CsrView U, const InversePattern& options) { return isai_upper(U, isai_pattern(U, options)); }

}  // namespace glsolve::inline v0_1
