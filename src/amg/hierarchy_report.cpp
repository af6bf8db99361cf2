// What a hierarchy looks like.
#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "amg/check_amg.hpp"
#include "amg/hierarchy.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The sum over all levels, over that of the finest.
template <class Count>
double complexity(const HierarchyReport& report, const Count& count) {
    if (report.levels.empty() || count(report.levels.front()) == 0) return 1;
    double sum = 0;
    for (const LevelReport& level : report.levels) sum += static_cast<double>(count(level));
    return sum / static_cast<double>(count(report.levels.front()));
}

}  // namespace

double HierarchyReport::grid_complexity() const {
    return complexity(*this, [](const LevelReport& level) { return level.rows; });
}

double HierarchyReport::operator_complexity() const {
    return complexity(*this, [](const LevelReport& level) { return level.nonzeros; });
}

HierarchyReport analyze_hierarchy(CsrView A, const AmgOptions& options) {
    check(A);
    if (A.rows != A.columns) {
        throw InvalidInput(
            fmt::format("multigrid needs a square matrix; this one has {} rows and {} columns", A.rows, A.columns));
    }
    check_amg(options, A.rows);
    return Hierarchy(A, options, rows_of_coarsest(options), is_symmetric(A)).report();
}

}  // namespace glsolve::inline v0_1
