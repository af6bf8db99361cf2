// M = (I + L) D (I + U) with incomplete factors of the matrix, made on the host in double precision (src/factors).
#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "base/require_range.hpp"
#include "factors/ic.hpp"
#include "factors/ict.hpp"
#include "factors/ilu.hpp"
#include "factors/ilut.hpp"
#include "preconditioners/apply_factors.hpp"
#include "preconditioners/factor_order.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Factorisation = Factors (*)(const CsrMatrix&, const FactorOptions&);

FactorOptions options_of(const PreconditionerOptions& asked, int level) {
    return {.level = level,
            .drop_tolerance = asked.drop_tolerance,
            .fill = asked.fill,
            .modified = asked.modified,
            .shift = asked.shift};
}

MadePreconditioner make_factors(const PreconditionerInput& input, Factorisation factorise, int level, bool symmetric,
                                FactorApplication apply) {
    const PreconditionerOptions& asked = input.options.preconditioning;
    const OrderedMatrix ordered = order_for_factors(input.A, input.system.scale, symmetric, asked);
    const Factors factors = factorise(ordered.C, options_of(asked, level));
    if (!factors.failure.empty()) {
        throw InvalidInput(fmt::format("preconditioner {}: {}; --preconditioner none needs none",
                                       preconditioner_row(input.options.preconditioner).name, factors.failure));
    }
    MadePreconditioner made = apply_factors(input, ordered, factors, apply);
    const double nonzeros = static_cast<double>(factors.nonzeros()),
                 of_A = std::max(1.0, static_cast<double>(input.A.nonzeros()));
    made.remark = fmt::format("{}{}{:.2f} times the nonzeros of A; {}", ordered.remark,
                              factors.shift > 0 ? factors.remark() + "; " : "", nonzeros / of_A, made.remark);
    return made;
}

Factors ilu(const CsrMatrix& A, const FactorOptions& options) { return factor_ilu(A, options); }
Factors ic(const CsrMatrix& A, const FactorOptions& options) { return factor_ic(A, options); }

template <Factorisation factorise, bool symmetric, bool by_level>
MadePreconditioner make(const PreconditionerInput& input) {
    const PreconditionerOptions& asked = input.options.preconditioning;
    return make_factors(input, factorise, by_level ? asked.level : 0, symmetric, asked.apply);
}

/// ILU(0) with approximate inverses of its factors.
MadePreconditioner make_isai(const PreconditionerInput& input) {
    return make_factors(input, ilu, 0, false, FactorApplication::isai);
}

}  // namespace

constinit const PreconditionerRow ilu0_preconditioner{
    PreconditionerKind::ilu0,
    "ilu0",
    make<ilu, false, false>,
    {.symmetric = false, .divides = false, .finds_pivots = true, .steps = 0}};
constinit const PreconditionerRow iluk_preconditioner{
    PreconditionerKind::iluk,
    "iluk",
    make<ilu, false, true>,
    {.symmetric = false, .divides = false, .finds_pivots = true, .steps = 0}};
constinit const PreconditionerRow ilut_preconditioner{
    PreconditionerKind::ilut,
    "ilut",
    make<factor_ilut, false, false>,
    {.symmetric = false, .divides = false, .finds_pivots = true, .steps = 0}};
constinit const PreconditionerRow ic0_preconditioner{
    PreconditionerKind::ic0, "ic0", make<ic, true, false>, {.divides = false, .steps = 0}};
constinit const PreconditionerRow ick_preconditioner{
    PreconditionerKind::ick, "ick", make<ic, true, true>, {.divides = false, .steps = 0}};
constinit const PreconditionerRow ict_preconditioner{
    PreconditionerKind::ict, "ict", make<factor_ict, true, false>, {.divides = false, .steps = 0}};
constinit const PreconditionerRow isai_preconditioner{
    PreconditionerKind::isai,
    "isai",
    make_isai,
    {.symmetric = false, .divides = false, .finds_pivots = true, .steps = 0}};

}  // namespace glsolve::inline v0_1
