#include "smoothers/polynomial.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {

Polynomial::Polynomial(const AssembledSystem& system, const CsrMatrix& A, const ChebyshevOptions& bounds)
    : system_(system), bounds_(system, A, bounds), before_(system.backend, system.size, "x before") {
    if (!bounds_.usable()) {
        throw InvalidInput(fmt::format("preconditioner chebyshev: {}", bounds_.why_not()));
    }
}

Polynomial::Polynomial(const AssembledSystem& system, double smallest, double largest)
    : system_(system), bounds_(system, smallest, largest), before_(system.backend, system.size, "x before") {}

void Polynomial::smooth(Vector& x, const Vector& b, int steps, StorageId status) {
    begin();
    go_on(x, b, x, 0, steps, status);
}

void Polynomial::smooth_from_zero(Vector& x, const Vector& b, int steps) {
    begin();
    next_momentum();
    if (const Vector* d = system_.diagonal()) {
        multiply(x, *d, b, scalar_arg(weight_));  // x_1 <- alpha_1 d b
        go_on(x, b, x, 0, steps - 1, {});
    } else if (steps == 1) {
        scale(x, scalar_arg(weight_), b);  // x_1 <- alpha_1 b
    } else {
        // x_1 need not be made: with it  (1 + g) x_1 + alpha_2 (b - A x_1)  is this much of b and of b - A b.
        const float first = weight_;
        const float g = next_momentum();
        const float share = (1 + g) * first + weight_ * (1 - first);
        system_.A.three_term(x, b, b, b, nullptr, {share, first * weight_, 0}, {});
        go_on(x, b, b, first, steps - 2, {});  // x_1 is alpha_1 b
    }
}

/// x_k+1 <- x_k + alpha_k d (b - A x_k) + g (x_k - x_k-1) with g = alpha_k beta_k / alpha_k-1, where x_k-1 is `factor`
/// times a vector at first
void Polynomial::go_on(Vector& x, const Vector& b, const Vector& first, float factor, int steps, StorageId status) {
    for (int k = 0; k < steps; ++k) {
        const float g = next_momentum();
        const float of_first = k == 0 ? factor : 1;
        const Vector& v = k == 0 ? first : before_;
        system_.A.three_term(before_, x, b, v, system_.diagonal(), {1 + g, weight_, -g * of_first}, status);
        std::swap(x, before_);
    }
}

void Polynomial::begin() {
    bounds_.begin();
    weight_ = 1;  // of no step: the first one's beta is zero
}

float Polynomial::next_momentum() {
    const AssembledMatrix::Step step = bounds_.next();
    const float before = std::exchange(weight_, step.alpha);
    return step.alpha * step.beta / before;
}

}  // namespace glsolve::inline v0_1
