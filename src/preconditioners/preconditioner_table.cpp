#include "preconditioners/preconditioner_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "amg/check_amg.hpp"
#include "base/require_range.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_steps = 64;

MadePreconditioner make_none(const PreconditionerInput& /*input*/) { return {}; }

}  // namespace

constinit const PreconditionerRow no_preconditioner{PreconditionerKind::none, "none", make_none, {.divides = false}};

const PreconditionerRow& preconditioner_row(PreconditionerKind kind) {
    return **std::ranges::find(preconditioner_table, kind, &PreconditionerRow::kind);
}

std::string_view name(PreconditionerKind kind) { return preconditioner_row(kind).name; }

std::vector<PreconditionerKind> all_preconditioners() {
    std::vector<PreconditionerKind> all;
    for (const PreconditionerRow* row : preconditioner_table) all.push_back(row->kind);
    return all;
}

int steps_of(const Options& options) {
    const int asked = options.preconditioning.steps;
    return asked > 0 ? asked : preconditioner_row(options.preconditioner).is.steps;
}

bool is_diagonal(const Options& options) {
    return options.preconditioner == PreconditionerKind::jacobi && steps_of(options) == 1;
}

namespace {

void check_blocks(const PreconditionerOptions& p, const PreconditionerRow& row) {
    require_range("preconditioning", "factor_block", p.factor_block, 1, 4);
    if (p.factor_block == 1) return;
    if (!row.is.in_blocks) {
        throw InvalidInput(
            fmt::format("preconditioner {} has no blocks of {} rows (factor_block); ilu0, iluk, ic0 and ick have them",
                        row.name, p.factor_block));
    }
    if (p.order != FactorOrder::automatic && p.order != FactorOrder::none) {
        throw InvalidInput(
            fmt::format("preconditioner {}: the rows of a block must stay together, but factor_order {} moves them; "
                        "factor_order none does not",
                        row.name, name(p.order)));
    }
}

}  // namespace

void check_preconditioner(const Options& options) {
    const PreconditionerOptions& p = options.preconditioning;
    require_range("preconditioning", "steps", p.steps, 0, most_steps);
    require_range("preconditioning", "block", p.block, 2, 4);
    require_range("preconditioning", "level", p.level, 0, 100);
    require_range("preconditioning", "factor_sweeps", p.factor_sweeps, 0, 64);
    require_range("preconditioning", "inverse_power", p.inverse_power, 0, 8);
    constexpr double most = 1e100;
    require_range("preconditioning", "drop_tolerance", p.drop_tolerance, 0.0, most);
    require_range("preconditioning", "fill", p.fill, 0.0, most);
    require_range("preconditioning", "modified", p.modified, 0.0, 1.0);
    require_range("preconditioning", "shift", p.shift, 0.0, most);
    check_amg(options.amg, -1);
    const PreconditionerRow& row = preconditioner_row(options.preconditioner);
    check_blocks(p, row);
    check_weight("preconditioning: relaxation", p.relaxation, row.is.over_relaxes);
    if (row.check != nullptr) row.check(options);
}

}  // namespace glsolve::inline v0_1
