#include "multigrid/cycle.hpp"

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {
Cycle::Gradients::Gradients(Backend& backend, Index size)
    : c(backend, size, "c"),
      d(backend, size, "d"),
      v(backend, size, "A c"),
      w(backend, size, "A d"),
      rho1(backend, "(c,A c)"),
      alpha1(backend, "(c,r)"),
      gamma(backend, "(d,A c)"),
      rho2(backend, "(d,A d)"),
      alpha2(backend, "(d,r)"),
      partial(backend, d.layout().extent()),
      reductions(backend, size) {}

Cycle::Cycle(std::vector<Level> levels, std::unique_ptr<CoarseSolver> coarsest, MultigridCycle kind, int steps,
             Part part)
    : levels_(std::move(levels)), coarsest_(std::move(coarsest)), kind_(kind), steps_(steps) {
    if (kind_ != MultigridCycle::k) return;
    gradients_.resize(levels_.size());
    for (std::size_t k = part == Part::lower ? 0 : 1; k + 1 < levels_.size(); ++k) {
        gradients_[k] = std::make_unique<Gradients>(levels_[k].system.backend, levels_[k].system.size);
    }
}

void Cycle::apply(Vector& x, const Vector& b) { cycle(0, x, b, Start::zero); }

void Cycle::cycle(std::size_t k, Vector& x, const Vector& b, Start start) {
    if (k + 1 == levels_.size()) return solve_coarsest(x, b);
    Level& level = levels_[k];
    switch (start) {
        case Start::zero:
            level.smoother->smooth_from_zero(x, b, steps_);
            break;
        case Start::first_step:
            level.smoother->smooth_from_first(x, b, steps_);
            break;
        case Start::guess:
            level.smoother->smooth(x, b, steps_);
            break;
    }
    correct(k, x, b);
    level.smoother->smooth_adjoint(x, b, steps_);
}

/// b_c <- P^T (b - A x),  x_c <- what the cycles below make of it,  x <- x + P x_c
void Cycle::correct(std::size_t k, Vector& x, const Vector& b) {
    Level& fine = levels_[k];
    Level& coarse = levels_[k + 1];
    fine.transfer->restrict_residual(coarse.b, coarse.x, b, x);
    visit(k + 1, coarse.x, coarse.b, fine.transfer->begins() ? Start::first_step : Start::zero);
    fine.transfer->prolong(x, coarse.x);
}

/// x <- what the cycle of the finer level makes of b, which is used up.
void Cycle::visit(std::size_t k, Vector& x, Vector& b, Start start) {
    const bool solved = k + 1 == levels_.size();  // once is enough
    if (kind_ == MultigridCycle::k && !solved) {
        two_gradients(k, x, b);
    } else {
        cycle(k, x, b, start);
        if (kind_ == MultigridCycle::w && !solved) cycle(k, x, b, Start::guess);
    }
}

void Cycle::solve_coarsest(Vector& x, const Vector& b) {
    if (coarsest_) {
        coarsest_->solve(x, b);
    } else {
        levels_.back().smoother->smooth_from_zero(x, b, steps_without_inverse);
        levels_.back().smoother->smooth_adjoint(x, b, steps_without_inverse);
    }
}

/// Two steps of conjugate gradients for A x = b from zero, the cycle B from this level on their preconditioner. b is
/// used up.
void Cycle::two_gradients(std::size_t k, Vector& x, Vector& b) {
    Level& level = levels_[k];
    Gradients& g = *gradients_[k];
    cycle(k, g.c, b, Start::zero);                     // c <- B b
    level.system.A.multiply_dot(g.v, g.c, g.partial);  // v <- A c
    sum(g.rho1, g.partial, Finish::add_components);    // rho_1 <- (c, v)
    g.reductions.dot(g.alpha1, g.c, b);                // alpha_1 <- (c, b)
    axpy(b, scalar_arg(g.alpha1, g.rho1, -1), g.v);    // b <- b - alpha_1 / rho_1 v
    cycle(k, g.d, b, Start::zero);                     // d <- B b
    g.reductions.dot(g.gamma, g.d, g.v);               // gamma <- (d, v)
    axpy(g.d, scalar_arg(g.gamma, g.rho1, -1), g.c);   // d <- d - gamma / rho_1 c
    level.system.A.multiply_dot(g.w, g.d, g.partial);  // w <- A d
    sum(g.rho2, g.partial, Finish::add_components);    // rho_2 <- (d, w)
    g.reductions.dot(g.alpha2, g.d, b);                // alpha_2 <- (d, b)
    scale(x, scalar_arg(g.alpha1, g.rho1), g.c);       // x <- alpha_1 / rho_1 c
    axpy(x, scalar_arg(g.alpha2, g.rho2), g.d);        //      + alpha_2 / rho_2 d
}

}  // namespace glsolve::inline v0_1
