// Incomplete and complete factors, and approximate inverses (src/inverses): a row each.
#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "inverses/complete_factors.hpp"
#include "inverses/fixed_point_ilu.hpp"
#include "inverses/incomplete.hpp"
#include "matrix/factor_plan.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Says which preconditioner it is that the matrix does not allow.
template <class Make>
MadePreconditioner made_by(const PreconditionerInput& input, const Make& make) {
    try {
        MadeInverse inverse = make(input.system, input.A, input.options.preconditioning);
        MadePreconditioner made;
        made.own = std::move(inverse.M);
        made.remark = std::move(inverse.remark);
        return made;
    } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("preconditioner {}: {}; preconditioner none needs none",
                                       preconditioner_row(input.options.preconditioner).name, error.what()));
    }
}

enum class FillLevel : std::uint8_t { zero, as_asked };

template <Factorisation how, FillLevel level>
MadePreconditioner make_factors(const PreconditionerInput& input) {
    return made_by(input, [](const AssembledSystem& system, CsrView A, const PreconditionerOptions& options) {
        return incomplete_factors(system, A, how, level == FillLevel::zero ? 0 : options.level, options);
    });
}

/// ILU(0) with approximate inverses of its factors.
MadePreconditioner make_isai(const PreconditionerInput& input) {
    return made_by(input, [](const AssembledSystem& system, CsrView A, PreconditionerOptions options) {
        options.apply = FactorApplication::isai;
        return incomplete_factors(system, A, Factorisation::ilu, 0, options);
    });
}

MadePreconditioner make_lu(const PreconditionerInput& input) {
    KnownPlaces known;
    MadePreconditioner made =
        made_by(input, [&](const AssembledSystem& system, CsrView A, const PreconditionerOptions& options) {
            const double most_bytes = most_bytes_of_factors(input.options.memory);
            InverseByFactors found = complete_factors(system, A, options, most_bytes, input.known.complete);
            known.complete = std::move(found.factors);
            return std::move(found.inverse);
        });
    made.known = std::move(known);
    return made;
}

MadePreconditioner make_parilu(const PreconditionerInput& input) {
    KnownPlaces known;
    MadePreconditioner made =
        made_by(input, [&](const AssembledSystem& system, CsrView A, const PreconditionerOptions& options) {
            FixedPointIlu found = fixed_point_ilu(system, A, options, input.known.factors.get());
            known.factors = std::move(found.plan);
            return std::move(found.inverse);
        });
    made.known = std::move(known);
    return made;
}

MadePreconditioner make_fsai(const PreconditionerInput& input) { return made_by(input, factorised_inverse); }
MadePreconditioner make_spai(const PreconditionerInput& input) { return made_by(input, least_squares_inverse); }

constexpr PreconditionerTraits of_symmetric{.divides = false, .steps = 0},
    of_any{.symmetric = false, .divides = false, .finds_pivots = true, .steps = 0},
    blocks_of_symmetric{.divides = false, .in_blocks = true, .steps = 0},
    blocks_of_any{.symmetric = false, .divides = false, .finds_pivots = true, .in_blocks = true, .steps = 0};

}  // namespace

using Kind = PreconditionerKind;
constinit const PreconditionerRow ilu0_preconditioner{Kind::ilu0, "ilu0",
                                                      make_factors<Factorisation::ilu, FillLevel::zero>, blocks_of_any};
constinit const PreconditionerRow iluk_preconditioner{
    Kind::iluk, "iluk", make_factors<Factorisation::ilu, FillLevel::as_asked>, blocks_of_any};
constinit const PreconditionerRow ilut_preconditioner{Kind::ilut, "ilut",
                                                      make_factors<Factorisation::ilut, FillLevel::zero>, of_any};
constinit const PreconditionerRow ic0_preconditioner{Kind::ic0, "ic0", make_factors<Factorisation::ic, FillLevel::zero>,
                                                     blocks_of_symmetric};
constinit const PreconditionerRow ick_preconditioner{
    Kind::ick, "ick", make_factors<Factorisation::ic, FillLevel::as_asked>, blocks_of_symmetric};
constinit const PreconditionerRow ict_preconditioner{Kind::ict, "ict",
                                                     make_factors<Factorisation::ict, FillLevel::zero>, of_symmetric};
constinit const PreconditionerRow lu_preconditioner{Kind::lu, "lu", make_lu, of_any};
constinit const PreconditionerRow isai_preconditioner{Kind::isai, "isai", make_isai, of_any};
constinit const PreconditionerRow parilu_preconditioner{
    Kind::parilu, "parilu", make_parilu, {.divides = false, .finds_pivots = true, .steps = 0}};
constinit const PreconditionerRow fsai_preconditioner{Kind::fsai, "fsai", make_fsai, of_symmetric};
constinit const PreconditionerRow spai_preconditioner{Kind::spai, "spai", make_spai, of_any};

}  // namespace glsolve::inline v0_1
