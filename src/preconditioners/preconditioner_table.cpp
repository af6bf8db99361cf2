#include "preconditioners/preconditioner_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "amg/check_amg.hpp"
#include "base/suggestions.hpp"
#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

MadePreconditioner make_none(const PreconditionerInput& /*input*/) { return {}; }

}  // namespace

constinit const PreconditionerRow no_preconditioner{PreconditionerKind::none, "none", make_none, {.divides = false}};
// Becomes one of the others (solver/method_policy.cpp).
constinit const PreconditionerRow automatic_preconditioner{PreconditionerKind::automatic, "auto", nullptr};

const PreconditionerRow& preconditioner_row(PreconditionerKind kind) {
    return **std::ranges::find(preconditioner_table, kind, &PreconditionerRow::kind);
}

std::string_view name(PreconditionerKind kind) { return preconditioner_row(kind).name; }

std::vector<PreconditionerKind> all_preconditioners() {
    std::vector<PreconditionerKind> all;
    for (const PreconditionerRow* row : preconditioner_table) all.push_back(row->kind);
    return all;
}

std::vector<OptionSection> sections_of_preconditioner_rows() {
    std::vector<OptionSection> sections;
    for (const PreconditionerRow* row : preconditioner_table) {
        if (!row->options.rows.empty()) sections.push_back(row->options);
    }
    return sections;
}

std::vector<std::string> preconditioners_that(bool (*fits)(const PreconditionerTraits& is)) {
    std::vector<std::string> names;
    for (const PreconditionerRow* row : preconditioner_table) {
        if (fits(row->is)) names.emplace_back(row->name);
    }
    return names;
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
    if (p.factor_block == 1) return;
    if (!row.is.in_blocks) {
        throw InvalidInput(fmt::format(
            "preconditioner {} has no blocks of {} rows (factor_block); {} have them", row.name, p.factor_block,
            listed(preconditioners_that([](const PreconditionerTraits& is) { return is.in_blocks; }))));
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
    check_amg(options.amg, -1);
    const PreconditionerRow& row = preconditioner_row(options.preconditioner);
    check_blocks(p, row);
    if (row.is.over_relaxes && p.relaxation >= 2) {
        throw InvalidInput(refusal(*find_option("preconditioner-relaxation"), p.relaxation));
    }
    if (row.check != nullptr) row.check(options);
}

}  // namespace glsolve::inline v0_1
