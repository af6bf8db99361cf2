// Options that several preconditioners take. Those of a single one stand in its file.
#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

using P = PreconditionerKind;
using Pre = PreconditionerOptions;

constexpr Kinds<P> factored{P::ilu0, P::iluk, P::ilut, P::ic0, P::ick, P::ict, P::isai, P::parilu},
    factored_by_host{P::ilu0, P::iluk, P::ilut, P::ic0, P::ick, P::ict, P::isai}, with_levels{P::iluk, P::ick},
    with_thresholds{P::ilut, P::ict}, swept{P::jacobi, P::richardson, P::cf_jacobi, P::gauss_seidel, P::sor, P::ssor};

constexpr OptionRow of_sweeps[] = {
    {.name = "preconditioner-steps",
     .at = at<preconditioning, &Pre::steps>("steps"),
     .range = {0, 64},
     .words = "sweeps of a preconditioner, or the degree of a polynomial; 0: one sweep, degree 4",
     .preconditioners = {P::jacobi, P::chebyshev, P::richardson, P::cf_jacobi, P::gauss_seidel, P::sor, P::ssor,
                         P::ilu0, P::iluk, P::ilut, P::ic0, P::ick, P::ict, P::parilu}},
    {.name = "preconditioner-relaxation",
     .at = at<preconditioning, &Pre::relaxation>("relaxation"),
     .range = {smallest_single, largest_single},
     .words = "weight of its sweeps",
     .preconditioners = swept,
     .refusal = "preconditioning: relaxation is {}; it has to be finite and positive, 1.18e-38 to 3.4e+38 in single "
                "precision (0: chosen), and below 2 for sor and ssor",
     .zero_is_chosen = true},
};

constexpr OptionRow of_factors[] = {
    {.name = "fill-level",
     .at = at<preconditioning, &Pre::level>("level"),
     .range = {0, 100},
     .words = "the level of fill",
     .preconditioners = with_levels},
    {.name = "drop-tolerance",
     .at = at<preconditioning, &Pre::drop_tolerance>("drop_tolerance"),
     .range = {0.0, large},
     .words = "what is smaller than this share of its row is dropped",
     .preconditioners = with_thresholds},
    {.name = "fill",
     .at = at<preconditioning, &Pre::fill>("fill"),
     .range = {0.0, large},
     .words = "at most about so many times the nonzeros of A",
     .preconditioners = with_thresholds},
    {.name = "modified",
     .at = at<preconditioning, &Pre::modified>("modified"),
     .range = {0.0, 1.0},
     .words = "share of what is dropped that is added to the diagonal, 0 to 1",
     .preconditioners = factored_by_host},
    {.name = "shift",
     .at = at<preconditioning, &Pre::shift>("shift"),
     .range = {0.0, large},
     .words = "first shift of the diagonal for factors; grows until pivots are safe",
     .preconditioners = factored},
    {.name = "inverse-power",
     .at = at<preconditioning, &Pre::inverse_power>("inverse_power"),
     .range = {0, 8},
     .words = "p: nonzeros in the places of A^p; 0: chosen",
     .preconditioners = {P::ilu0, P::iluk, P::ilut, P::ic0, P::ick, P::ict, P::isai, P::parilu, P::fsai, P::spai}},
    {.name = "factor-block",
     .at = at<preconditioning, &Pre::factor_block>("factor_block"),
     .range = {1, 4},
     .words = "rows that stay together, and whose blocks are inverted",
     .preconditioners = {P::ilu0, P::iluk, P::ic0, P::ick}},
    {.name = "factor-sweeps",
     .at = at<preconditioning, &Pre::factor_sweeps>("factor_sweeps"),
     .range = {0, 64},
     .words = "sweeps that make the factors; 0: until they change little",
     .preconditioners = {P::parilu}},
    {.name = "apply",
     .at = at<preconditioning, &Pre::apply>("apply"),
     .words = "factors: exact by levels of rows, by sweeps (as many as the steps of the preconditioner), by "
              "approximate inverses; auto: what is measured to be best, exact for lu",
     .preconditioners = {P::ilu0, P::iluk, P::ilut, P::ic0, P::ick, P::ict, P::isai, P::parilu, P::lu}},
    {.name = "factor-order",
     .at = at<preconditioning, &Pre::order>("order"),
     .words = "rows are factored in this order; auto: as they are, amd where the diagonal has zeros",
     .preconditioners = factored},
};

constexpr OptionSection sections_of_preconditioner[] = {
    {"Of preconditioners made of sweeps and polynomials", of_sweeps},
    {"Of incomplete factors and approximate inverses", of_factors},
};

}  // namespace

constinit const std::span<const OptionSection> preconditioner_sections = sections_of_preconditioner;

}  // namespace glsolve::inline v0_1
