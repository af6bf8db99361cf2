// Several right-hand sides in one call.
#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "solvers/check_options.hpp"
#include "solvers/multi_rhs_cg.hpp"
#include "solvers/solver_impl.hpp"

namespace glsolve::inline v0_1 {

std::vector<Report> Solver::Impl::solve_several(std::span<const double> b, std::span<double> x, int count) {
    const auto m = static_cast<std::size_t>(A.rows), n = static_cast<std::size_t>(A.columns);
    const auto columns = static_cast<std::size_t>(std::max(count, 0));
    if (count < 1) throw InvalidInput(fmt::format("{} right-hand sides; there has to be one at least", count));
    if (b.size() != columns * m || x.size() != columns * n) {
        throw InvalidInput(fmt::format(
            "the matrix has {} rows and {} columns, but b has {} elements and x has {}, not {} times as many", m, n,
            b.size(), x.size(), count));
    }
    std::vector<Report> reports(columns);
    for (std::size_t k = 0; k < columns;) {
        const std::size_t at_once =
            takes_multi_rhs(options, *system) ? std::min<std::size_t>(columns - k, MultiRhsMethod::most) : 1;
        const auto these_b = b.subspan(k * m, at_once * m);
        const auto these_x = x.subspan(k * n, at_once * n);
        if (at_once == 1) {
            reports[k] = solve(these_b, these_x);
        } else {
            solve_together(these_b, these_x, std::span(reports).subspan(k, at_once));
            for (std::size_t j = k; j < k + at_once; ++j) {
                if (may_go_on(reports[j])) {
                    reports[j] = go_on(b.subspan(j * m, m), x.subspan(j * n, n), std::move(reports[j]));
                }
            }
        }
        k += at_once;
    }
    return reports;
}

MultiRhsMethod& Solver::Impl::four_at_once() {
    if (!several) {
        const Session open(backend);
        several = make_multi_rhs_cg({*system, *assembled}, iteration_limit(options, A.columns));
    }
    return *several;
}

void Solver::Impl::solve_together(std::span<const double> b, std::span<double> x, std::span<Report> reports) {
    MultiRhsMethod& method_of_all = four_at_once();
    const Work work(backend, options.profile);
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<Column> columns;
    std::vector<TrueResidual> truths;
    columns.reserve(reports.size());
    truths.reserve(reports.size());
    for (std::size_t k = 0; k < reports.size(); ++k) {
        columns.emplace_back(*this, b.subspan(k * n, n), x.subspan(k * n, n));
        truths.push_back(std::move(*columns.back().truth()));
        truths.back().set_deadline(deadline);
    }
    method_of_all.solve(truths, options, reports);
    for (std::size_t k = 0; k < reports.size(); ++k) columns[k].finish(reports[k], truths[k]);
    has_least = false;  // not of each of them
    work.account(reports, subject());
}

}  // namespace glsolve::inline v0_1
