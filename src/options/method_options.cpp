// Options of some methods.
#include "options/limits.hpp"
#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

using M = Method;
using O = Options;

constexpr auto gmres = group_of<&Options::gmres>("gmres");
constexpr auto idr = group_of<&Options::idr>("idr");
constexpr auto direct = group_of<&Options::direct>("direct");
constexpr auto chebyshev = group_of<&Options::chebyshev>("chebyshev");

constexpr Kinds<M> stationary{M::richardson, M::jacobi, M::cf_jacobi, M::gauss_seidel, M::sor, M::ssor},
    chebyshev_methods{M::chebyshev, M::bicgstab_chebyshev},
    at_intervals{M::richardson, M::jacobi, M::cf_jacobi, M::gauss_seidel,
                 M::sor,        M::ssor,   M::chebyshev, M::bicgstab_chebyshev},
    gmres_methods{M::gmres, M::fgmres};

constexpr OptionRow of_gmres[] = {
    {.name = "restart",
     .at = at<gmres, &GmresOptions::restart>("restart"),
     .range = {1, 1024},
     .words = "steps between restarts",
     .methods = gmres_methods,
     .in_report = "({})"},
    {.name = "orthogonalisation",
     .at = at<gmres, &GmresOptions::orthogonalisation>("orthogonalisation"),
     .words = "classical Gram-Schmidt twice, or the modified process",
     .other_names = "orthogonalization",
     .methods = gmres_methods,
     .in_report = ", {}"},
    {.name = "least-squares",
     .at = at<gmres, &GmresOptions::least_squares>("least_squares"),
     .words = "where the small problem is solved",
     .methods = gmres_methods,
     .in_report = ", least squares on the {}"},
};

constexpr OptionRow of_idr[] = {
    {.name = "idr-s",
     .at = at<idr, &IdrOptions::s>("s"),
     .range = {1, 8},  // two texels hold what belongs to them
     .words = "shadow vectors: an iteration takes one product more",
     .methods = {M::idr},
     .in_report = "({})"},
};

constexpr OptionRow of_direct[] = {
    {.name = "direct-form",
     .at = at<direct, &DirectOptions::form>("form"),
     .words = "sparse factors on the host, or the inverse on the device; auto: what is predicted to take less time",
     .methods = {M::direct}},
    {.name = "memory",
     .at = at<whole, &O::memory>("memory"),
     .range = {0.0, infinite},
     .words = "of the host, in MB, that sparse factors may take; 0: half of what there is"},
};

constexpr std::string_view bounds_refusal = "chebyshev: bounds must be finite, not negative, and smallest < largest";

constexpr OptionRow of_iterations_without_inner_products[] = {
    {.name = "chebyshev-form",
     .at = at<chebyshev, &ChebyshevOptions::form>("form"),
     .words = "steps are one pass each; as published, one operation after the other; or chaotic, several in a pass "
              "that do not wait for one another, with results that differ from run to run",
     .methods = chebyshev_methods},
    {.name = "chaotic-steps",
     .at = at<chebyshev, &ChebyshevOptions::chaotic_steps>("chaotic_steps"),
     .range = {1, most_steps_of_chaotic},
     .words = "steps of the chaotic form in a pass, 1 to 16",
     .methods = chebyshev_methods},
    {.name = "smallest",
     .at = at<chebyshev, &ChebyshevOptions::smallest>("smallest"),
     .words = "lower bound of the spectrum; 0: estimated by Lanczos",
     .methods = chebyshev_methods,
     .refusal = bounds_refusal},
    {.name = "largest",
     .at = at<chebyshev, &ChebyshevOptions::largest>("largest"),
     .words = "upper bound of the spectrum; 0: estimated by Lanczos",
     .methods = chebyshev_methods,
     .refusal = bounds_refusal},
    {.name = "lanczos-steps",
     .at = at<chebyshev, &ChebyshevOptions::lanczos_steps>("lanczos_steps"),
     .range = {1, 1 << 12},
     .words = "of the estimate of these bounds",
     .in_program = false,
     .methods = chebyshev_methods},
    {.name = "test-every",
     .at = at<whole, &O::test_every>("test_every"),
     .range = {1, 1 << 16},
     .words = "steps from one look at the residual to the next",
     .methods = at_intervals},
    {.name = "relaxation",
     .at = at<whole, &O::relaxation>("relaxation"),
     .range = {smallest_single, largest_single},
     .words = "weight of a step",
     .methods = stationary,
     .refusal = "relaxation is {}; it has to be finite and positive, 1.18e-38 to 3.4e+38 in single precision (0: "
                "chosen), and below 2 for sor and ssor",
     .zero_is_chosen = true},
};

constexpr OptionSection sections_of_method[] = {
    {"Of gmres and fgmres", of_gmres},
    {"Of idr", of_idr},
    {"Of the direct method", of_direct},
    {"Of chebyshev and stationary methods", of_iterations_without_inner_products},
};

}  // namespace

constinit const std::span<const OptionSection> method_sections = sections_of_method;

}  // namespace glsolve::inline v0_1
