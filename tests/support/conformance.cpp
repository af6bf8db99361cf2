#include "support/conformance.hpp"

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

namespace glsolve::test {

bool Attempt::honest() const {
    if (!refused.empty()) return true;
    if (report.reason.empty() || !std::isfinite(true_residual)) return false;
    const double told = report.relative_residual;
    if (std::abs(told - true_residual) > 1e-6 * true_residual + 1e-15) return false;
    return !report.converged() || true_residual <= conformance_tolerance * (1 + 1e-6);
}

Attempt attempt(Device& device, const Problem& problem, const Options& options) {
    Attempt outcome;
    const std::vector<double> b = matching_right_hand_side(problem.A);
    std::vector<double> x(b.size(), 0.0);
    try {
        outcome.report = solve(device, problem.A, b, x, options);
    } catch (const InvalidInput& error) {
        outcome.refused = error.what();
        return outcome;
    }
    outcome.true_residual = true_residual(problem.A, x, b);
    return outcome;
}

bool promised(const Problem& problem, Method method, PreconditionerKind preconditioner) {
    const bool plain = preconditioner == PreconditionerKind::none || preconditioner == PreconditionerKind::jacobi;
    const bool symmetric_preconditioner =
        plain || preconditioner == PreconditionerKind::block_jacobi || preconditioner == PreconditionerKind::chebyshev
        || preconditioner == PreconditionerKind::richardson || preconditioner == PreconditionerKind::ssor
        || preconditioner == PreconditionerKind::ic0 || preconditioner == PreconditionerKind::ick
        || preconditioner == PreconditionerKind::ict || preconditioner == PreconditionerKind::fsai
        || preconditioner == PreconditionerKind::amg || preconditioner == PreconditionerKind::multigrid;
    if (preconditioner == PreconditionerKind::multigrid && !problem.grid) return false;
    if (preconditioner == PreconditionerKind::saddle) return false;  // none of the problems is one
    switch (method) {
        case Method::direct:
            return plain;
        case Method::cgnr:  // which squares the condition
            return preconditioner == PreconditionerKind::jacobi;
        case Method::minres:
            return (plain && asymmetry(problem.A) == 0) || (problem.definite && symmetric_preconditioner);
        case Method::gmres:
        case Method::fgmres:
        case Method::bicgstab:
        case Method::bicgstab2:
        case Method::idr:
            return plain || problem.definite;
        case Method::cg:
        case Method::pipelined_cg:
        case Method::chebyshev:
        case Method::bicgstab_chebyshev:
            return problem.definite && symmetric_preconditioner;
        case Method::gauss_seidel:
        case Method::sor:
        case Method::ssor:
            return problem.definite && plain;
        default:
            return false;  // slow beyond measure where the condition is bad, or not convergent at all
    }
}

}  // namespace glsolve::test
