#include "smoothers/polynomial.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {

Polynomial::Polynomial(const AssembledSystem& system, const CsrMatrix& A, const ChebyshevOptions& bounds)
    : system_(system), bounds_(system, A, bounds), p_(system.backend, system.size, "p of the polynomial") {
    if (!bounds_.usable()) {
        throw InvalidInput(fmt::format("preconditioner chebyshev: {}", bounds_.why_not()));
    }
}

Polynomial::Polynomial(const AssembledSystem& system, double smallest, double largest)
    : system_(system), bounds_(system, smallest, largest), p_(system.backend, system.size, "p of the polynomial") {}

void Polynomial::smooth(Vector& x, const Vector& b, int steps, StorageId status) {
    bounds_.begin();
    if (!std::exchange(p_is_made_of_b_, false)) fill(p_, 0);  // 0 p: whatever is finite will do
    go_on(x, b, steps, status);
}

/// p <- d b,  x <- alpha p
void Polynomial::smooth_from_zero(Vector& x, const Vector& b, int steps) {
    bounds_.begin();
    if (const Vector* d = system_.diagonal()) {
        multiply(p_, *d, b);
    } else {
        copy(p_, b);
    }
    scale(x, scalar_arg(bounds_.next().alpha), p_);
    p_is_made_of_b_ = true;
    go_on(x, b, steps - 1, {});
}

/// p <- d (b - A x) + beta p,  x <- x + alpha p
void Polynomial::go_on(Vector& x, const Vector& b, int steps, StorageId status) {
    for (int k = 0; k < steps; ++k) {
        system_.A.chebyshev(x, p_, b, system_.diagonal(), bounds_.next(), status, nullptr);
    }
}

}  // namespace glsolve::inline v0_1
