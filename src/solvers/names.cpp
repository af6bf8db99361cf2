// The names of what can be chosen, and of what comes out.
#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {
namespace {

/// Every value with a name. Values count from 0, and behind the last of them `name` is empty: so the functions below
/// are the only lists there are.
template <class Choice>
std::vector<Choice> all_named() {
    std::vector<Choice> all;
    for (int value = 0; !name(static_cast<Choice>(value)).empty(); ++value) all.push_back(static_cast<Choice>(value));
    return all;
}

}  // namespace

std::string_view name(Precision precision) {
    switch (precision) {
        case Precision::automatic:
            return "auto";
        case Precision::single:
            return "single";
        case Precision::two_float:
            return "two-float";
    }
    return "";
}

std::string_view name(Method method) {
    switch (method) {
        case Method::cg:
            return "cg";
        case Method::pipelined_cg:
            return "pipelined-cg";
        case Method::minres:
            return "minres";
        case Method::bicgstab:
            return "bicgstab";
        case Method::bicgstab2:
            return "bicgstab2";
        case Method::gmres:
            return "gmres";
        case Method::fgmres:
            return "fgmres";
        case Method::chebyshev:
            return "chebyshev";
        case Method::bicgstab_chebyshev:
            return "bicgstab-chebyshev";
        case Method::richardson:
            return "richardson";
        case Method::jacobi:
            return "jacobi";
        case Method::cf_jacobi:
            return "cf-jacobi";
        case Method::gauss_seidel:
            return "gauss-seidel";
        case Method::sor:
            return "sor";
        case Method::ssor:
            return "ssor";
        case Method::direct:
            return "direct";
        case Method::cgnr:
            return "cgnr";
        case Method::automatic:
            return "auto";
    }
    return "";
}

std::string_view name(Orthogonalisation orthogonalisation) {
    return orthogonalisation == Orthogonalisation::modified ? "mgs" : "cgs2";
}

std::string_view name(LeastSquares least_squares) { return least_squares == LeastSquares::host ? "host" : "device"; }

std::string_view name(ChebyshevForm form) {
    switch (form) {
        case ChebyshevForm::fused:
            return "fused";
        case ChebyshevForm::published:
            return "published";
        case ChebyshevForm::chaotic:
            return "chaotic";
    }
    return "";
}

std::string_view name(PreconditionerKind preconditioner) {
    switch (preconditioner) {
        case PreconditionerKind::none:
            return "none";
        case PreconditionerKind::jacobi:
            return "jacobi";
        case PreconditionerKind::block_jacobi:
            return "block-jacobi";
        case PreconditionerKind::chebyshev:
            return "chebyshev";
        case PreconditionerKind::richardson:
            return "richardson";
        case PreconditionerKind::cf_jacobi:
            return "cf-jacobi";
        case PreconditionerKind::gauss_seidel:
            return "gauss-seidel";
        case PreconditionerKind::sor:
            return "sor";
        case PreconditionerKind::ssor:
            return "ssor";
        case PreconditionerKind::amg:
            return "amg";
        case PreconditionerKind::multigrid:
            return "multigrid";
    }
    return "";
}

std::string_view name(Coarsening coarsening) {
    switch (coarsening) {
        case Coarsening::smoothed_aggregation:
            return "smoothed-aggregation";
        case Coarsening::aggregation:
            return "aggregation";
        case Coarsening::ruge_stueben:
            return "ruge-stueben";
        case Coarsening::pmis:
            return "pmis";
        case Coarsening::falgout:
            return "falgout";
    }
    return "";
}

std::string_view name(Interpolation interpolation) {
    switch (interpolation) {
        case Interpolation::automatic:
            return "auto";
        case Interpolation::direct:
            return "direct";
        case Interpolation::extended:
            return "extended";
    }
    return "";
}

std::string_view name(MultigridCycle cycle) {
    switch (cycle) {
        case MultigridCycle::v:
            return "v";
        case MultigridCycle::w:
            return "w";
        case MultigridCycle::k:
            return "k";
    }
    return "";
}

std::string_view name(MultigridSmoother smoother) {
    switch (smoother) {
        case MultigridSmoother::automatic:
            return "auto";
        case MultigridSmoother::chebyshev:
            return "chebyshev";
        case MultigridSmoother::jacobi:
            return "jacobi";
        case MultigridSmoother::l1_jacobi:
            return "l1-jacobi";
        case MultigridSmoother::cf_jacobi:
            return "cf-jacobi";
        case MultigridSmoother::gauss_seidel:
            return "gauss-seidel";
    }
    return "";
}

std::vector<Coarsening> all_coarsenings() { return all_named<Coarsening>(); }
std::vector<Interpolation> all_interpolations() { return all_named<Interpolation>(); }
std::vector<MultigridCycle> all_multigrid_cycles() { return all_named<MultigridCycle>(); }
std::vector<MultigridSmoother> all_multigrid_smoothers() { return all_named<MultigridSmoother>(); }
std::vector<Method> all_methods() { return all_named<Method>(); }

std::vector<PreconditionerKind> all_preconditioners() { return all_named<PreconditionerKind>(); }

std::string_view name(Outcome status) {
    switch (status) {
        case Outcome::converged:
            return "converged";
        case Outcome::met_on_device:
            return "met_on_device";
        case Outcome::max_iterations:
            return "max_iterations";
        case Outcome::stagnated:
            return "stagnated";
        case Outcome::diverged:
            return "diverged";
        case Outcome::breakdown:
            return "breakdown";
        case Outcome::not_finite:
            return "not_finite";
        case Outcome::precision_limit:
            return "precision_limit";
        case Outcome::inconsistent:
            return "inconsistent";
        case Outcome::cancelled:
            return "cancelled";
    }
    return "";
}

}  // namespace glsolve::inline v0_1
