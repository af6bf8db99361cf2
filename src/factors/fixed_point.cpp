#include "factors/fixed_point.hpp"

#include <fmt/format.h>

namespace glsolve::inline v0_1 {
namespace {

/// Calls term(e, p, q) for all products v_p v_q / v_kk that belong to entry e: the inner loop of ILU(0) in the order
/// (i, k, j), Saad (2003), algorithm 10.4. `place` is zero everywhere, and has an element for each column.
template <class Term>
void each_term(const FixedPointPattern& pattern, std::vector<std::int32_t>& place, const Term& term) {
    for (std::size_t i = 0; i < pattern.diagonal.size(); ++i) {
        const auto begin = static_cast<std::size_t>(pattern.offsets[i]),
                   end = static_cast<std::size_t>(pattern.offsets[i + 1]);
        for (std::size_t e = begin; e < end; ++e)
            place[static_cast<std::size_t>(pattern.column[e])] = static_cast<std::int32_t>(e) + 1;
        for (std::size_t p = begin; static_cast<std::size_t>(pattern.column[p]) < i; ++p) {
            const auto k = static_cast<std::size_t>(pattern.column[p]);
            for (auto q = static_cast<std::size_t>(pattern.diagonal[k]) + 1;
                 q < static_cast<std::size_t>(pattern.offsets[k + 1]); ++q) {
                const std::int32_t e = place[static_cast<std::size_t>(pattern.column[q])];
                if (e > 0) term(static_cast<std::size_t>(e - 1), p, q);
            }
        }
        for (std::size_t e = begin; e < end; ++e) place[static_cast<std::size_t>(pattern.column[e])] = 0;
    }
}

}  // namespace

FixedPointPattern fixed_point_pattern(CsrView C, std::int64_t most_terms) {
    FixedPointPattern made{.offsets = {C.offsets.begin(), C.offsets.end()},
                           .column = {C.column.begin(), C.column.end()}};
    const auto n = static_cast<std::size_t>(C.rows);
    for (std::size_t i = 0; i < n; ++i) {
        auto e = static_cast<std::size_t>(C.offsets[i]);
        const auto end = static_cast<std::size_t>(C.offsets[i + 1]);
        while (e < end && static_cast<std::size_t>(C.column[e]) < i) ++e;
        if (e == end || static_cast<std::size_t>(C.column[e]) > i) {
            made.failure = fmt::format("row {} has no entry on the diagonal, which sweeps divide by", i + 1);
            return made;
        }
        made.diagonal.push_back(static_cast<std::int32_t>(e));
    }
    std::vector<std::int32_t> place(n, 0);
    std::vector<std::int64_t> count(C.column.size() + 1, 0);
    std::int64_t all = 0;
    each_term(made, place, [&](std::size_t e, std::size_t, std::size_t) {
        ++count[e + 1];
        ++all;
    });
    if (all > most_terms) {
        made.failure = fmt::format("a sweep has {} products; at most {} are possible", all, most_terms);
        return made;
    }
    for (std::size_t e = 1; e < count.size(); ++e) count[e] += count[e - 1];
    made.first_term.assign(count.begin(), count.end());
    made.terms.resize(2 * static_cast<std::size_t>(all));
    each_term(made, place, [&](std::size_t e, std::size_t p, std::size_t q) {
        const auto at = 2 * static_cast<std::size_t>(count[e]++);
        made.terms[at] = static_cast<std::int32_t>(p);
        made.terms[at + 1] = static_cast<std::int32_t>(q);
    });
    return made;
}

Factors factors_of(const FixedPointPattern& pattern, const std::vector<double>& v) {
    const Index n = pattern.rows();
    Factors made{.L = {.rows = n, .columns = n}, .D = {}, .U = {.rows = n, .columns = n}};
    const auto pivot = [&](std::size_t row) { return v[static_cast<std::size_t>(pattern.diagonal[row])]; };
    for (std::size_t i = 0; i < pattern.diagonal.size(); ++i) {
        made.D.push_back(pivot(i));
        for (auto e = static_cast<std::size_t>(pattern.offsets[i]);
             e < static_cast<std::size_t>(pattern.offsets[i + 1]); ++e) {
            const auto j = static_cast<std::size_t>(pattern.column[e]);
            if (j == i) continue;
            CsrMatrix& triangle = j < i ? made.L : made.U;
            triangle.column.push_back(pattern.column[e]);
            triangle.value.push_back(v[e] / pivot(j < i ? j : i));
        }
        made.L.offsets.push_back(static_cast<Offset>(made.L.column.size()));
        made.U.offsets.push_back(static_cast<Offset>(made.U.column.size()));
    }
    return made;
}

}  // namespace glsolve::inline v0_1
