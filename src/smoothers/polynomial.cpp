#include "smoothers/polynomial.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {

Polynomial::Polynomial(const AssembledSystem& system, const CsrMatrix& A, const ChebyshevOptions& bounds)
    : system_(system), bounds_(system, A, bounds) {
    if (!bounds_.usable()) {
        throw InvalidInput(fmt::format("preconditioner chebyshev: {}", bounds_.why_not()));
    }
}

Polynomial::Polynomial(const AssembledSystem& system, double smallest, double largest)
    : system_(system), bounds_(system, smallest, largest) {}

void Polynomial::smooth(Vector& x, const Vector& b, int steps, StorageId status) {
    relax(x, b, weights(steps), status);
}

void Polynomial::smooth_from_zero(Vector& x, const Vector& b, int steps) {
    const std::span<const float> w = weights(steps);
    if (const Vector* d = system_.diagonal()) {
        multiply(x, *d, b, scalar_arg(w[0]));  // x_1 <- w_1 d b
        relax(x, b, w.subspan(1), {});
    } else if (steps == 1) {
        scale(x, scalar_arg(w[0]), b);  // x_1 <- w_1 b
    } else {
        // x_1 need not be made: with it  x_1 + w_2 (b - A x_1)  is this much of b and of b - A b.
        system_.A.relax(x, b, b, nullptr, {.share = w[0] + w[1] - w[0] * w[1], .weight = w[0] * w[1]}, {});
        relax(x, b, w.subspan(2), {});
    }
}

/// x <- x + w_k d (b - A x)  for each of the weights
void Polynomial::relax(Vector& x, const Vector& b, std::span<const float> weights, StorageId status) {
    for (const float w : weights) system_.A.relax(x, b, system_.diagonal(), w, status);
}

std::span<const float> Polynomial::weights(int steps) {
    if (std::ssize(weights_) != steps) weights_ = bounds_.relaxations(steps);
    return weights_;
}

}  // namespace glsolve::inline v0_1
