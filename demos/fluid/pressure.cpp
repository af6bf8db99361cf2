#include "pressure.hpp"

namespace fluid {
namespace {

glsolve::Options options_of(Method method, bool profile) {
    glsolve::Options options = glsolve::GridSolver::usual_options();  // conjugate gradients with multigrid
    if (method != Method::multigrid) options.preconditioner = glsolve::PreconditionerKind::jacobi;
    if (method == Method::jacobi) {
        options.method = glsolve::Method::richardson;  // x <- x + w D^-1 (b - A x) ...
        options.relaxation = 1;                        // ... undamped: Jacobi's own
    }
    options.precision = glsolve::Precision::single;
    options.tolerance = 1e-4;
    options.profile = profile;
    return options;
}

}  // namespace

Pressure::Pressure(const Simulation& simulation, Method method, const Work& work)
    : simulation_(simulation), method_(method), work_(work) {
    choose(method);
}

void Pressure::choose(Method method) {
    glsolve::GridSolver& chosen = solvers_[static_cast<std::size_t>(method)];
    if (!chosen) {
        chosen = glsolve::GridSolver(device_, {.width = simulation_.side(), .height = simulation_.side()},
                                     options_of(method, work_.profile));
        chosen.set_cells_from({.texture = simulation_.cells().texture});
        chosen.warm_up({.texture = simulation_.right_side().texture}, {.texture = simulation_.pressure().texture});
    }
    method_ = method;
}

std::string Pressure::iteration() const { return method_ == Method::jacobi ? "richardson" : "cg"; }

std::string Pressure::preconditioner() const { return method_ == Method::multigrid ? "multigrid" : "jacobi"; }

int Pressure::iterations() const {
    if (work_.iterations > 0) return work_.iterations;
    return method_ == Method::multigrid ? 4 : 20;
}

void Pressure::enqueue() {
    solver().set_cells_from({.texture = simulation_.cells().texture});
    // The last frame's pressure is the guess, and becomes this frame's.
    solver().enqueue({.texture = simulation_.right_side().texture}, {.texture = simulation_.pressure().texture},
                     {.iterations = iterations(), .milliseconds = work_.milliseconds, .history = true});
}

}  // namespace fluid
