#include "smoothers/polynomial.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

Polynomial::Polynomial(const AssembledSystem& system, CsrView A, const ChebyshevOptions& bounds)
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
    const Vector* d = system_.diagonal();
    if (steps > 1) {
        system_.A.relax_twice(x, b, d, w[0], w[1]);
        relax(x, b, w.subspan(2), {});
    } else if (d != nullptr) {
        hadamard(x, *d, b, scalar_arg(w[0]));  // x_1 <- w_1 d b
    } else {
        scale(x, scalar_arg(w[0]), b);  // x_1 <- w_1 b
    }
}

void Polynomial::smooth_from_first(Vector& x, const Vector& b, int steps) {
    relax(x, b, weights(steps).subspan(1), {});
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
