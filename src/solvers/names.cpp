// The names of what can be chosen, and of what comes out.
#include <glsolve/solver.hpp>

namespace glsolve::inline v0_1 {

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
        case Method::minres:
            return "minres";
        case Method::bicgstab:
            return "bicgstab";
        case Method::gmres:
            return "gmres";
        case Method::fgmres:
            return "fgmres";
        case Method::direct:
            return "direct";
    }
    return "";
}

std::string_view name(Orthogonalisation orthogonalisation) {
    return orthogonalisation == Orthogonalisation::modified ? "mgs" : "cgs2";
}

std::string_view name(LeastSquares least_squares) { return least_squares == LeastSquares::host ? "host" : "device"; }

std::string_view name(PreconditionerKind preconditioner) {
    return preconditioner == PreconditionerKind::none ? "none" : "jacobi";
}

std::string_view name(Status status) {
    switch (status) {
        case Status::converged:
            return "converged";
        case Status::met_on_device:
            return "met_on_device";
        case Status::max_iterations:
            return "max_iterations";
        case Status::stagnated:
            return "stagnated";
        case Status::diverged:
            return "diverged";
        case Status::breakdown:
            return "breakdown";
        case Status::not_finite:
            return "not_finite";
        case Status::precision_limit:
            return "precision_limit";
        case Status::cancelled:
            return "cancelled";
    }
    return "";
}

}  // namespace glsolve::inline v0_1
