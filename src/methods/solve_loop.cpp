#include "methods/solve_loop.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {

void SolveLoop::loop(std::span<Column> columns) {
    const auto goes_on = [&](const Column& column) { return !column.judgement.final() && !gives_up(); };
    const auto each = [&](const auto& visit) {
        for (std::size_t k = 0; k < columns.size(); ++k) visit(columns[k], static_cast<int>(k));
    };
    each([&](Column& column, int k) { goes_on(column) ? begin_run(column, k) : note(column, k, 0); });
    while (std::ranges::any_of(columns, goes_on)) {
        iterate(columns);
        each([&](Column& column, int k) {
            if (column.judgement.final()) return;
            apply_correction(column, k);
            column.judgement.corrected(column.look);
            // At once: the correction's residual stands where the next one's will.
            goes_on(column) ? begin_run(column, k) : note(column, k, 0);
        });
    }
}

void SolveLoop::begin_run(Column& column, int k) {
    const TrueResidual& truth = column.truth();
    column.scale = RunScale(truth);
    column.first = column.look.iterations;
    column.before = truth.norm();
    column.best_before = truth.best_norm();
    note(column, k, column.scale.to_relative);
    prepare(column, k);
}

}  // namespace glsolve::inline v0_1
