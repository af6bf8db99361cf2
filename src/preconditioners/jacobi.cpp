#include "preconditioners/jacobi.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>

#include "base/parallel.hpp"
#include "device/verbs.hpp"
#include "matrix/empty_lines.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "preconditioners/smoothing.hpp"

namespace glsolve::inline v0_1 {

Jacobi::Jacobi(Backend& backend, CsrView A, std::span<const double> scale, std::string_view wanted_by)
    : reciprocal_(backend, A.rows, "reciprocal diagonal") {
    const auto n = static_cast<std::size_t>(A.rows);
    const auto is_zero = [&](std::size_t i) { return divisor(A, scale, i) == 0; };
    if (parallel_any(n, is_zero)) {
        std::size_t row = 0;
        while (!is_zero(row)) ++row;
        throw InvalidInput(
            fmt::format("{}: row {} has a zero on the diagonal, by which it divides; gmres, bicgstab and minres with "
                        "preconditioner none and the direct method do not",
                        wanted_by, row + 1));
    }
    upload_floats(reciprocal_, n, [&](std::size_t i) { return 1 / divisor(A, scale, i); });
}

std::optional<double> constant_reciprocal(CsrView A, std::span<const double> scale) {
    if (A.rows == 0) return {};
    const auto reciprocal = [&](std::size_t i) { return static_cast<float>(1 / divisor(A, scale, i)); };
    const float first = reciprocal(0);
    const auto differs = [&](std::size_t i) { return reciprocal(i) != first; };
    if (!std::isfinite(first) || parallel_any(static_cast<std::size_t>(A.rows), differs)) return {};
    return static_cast<double>(first);
}

void Jacobi::apply(Vector& z, const Vector& r) { hadamard(z, reciprocal_, r); }

namespace {

/// What needs the reciprocals of the diagonal, as it was asked for.
std::string what_divides(const Options& options) {
    const bool splits = is_stationary(options.method) && !takes_preconditioner(options.method);
    return splits ? std::string(name(options.method)) : fmt::format("preconditioner {}", name(options.preconditioner));
}

MadePreconditioner make_jacobi(const PreconditionerInput& input) {
    if (!is_diagonal(input.options)) return make_sweeps(input, Method::jacobi);
    PreconditionerInput own = input;
    return make_diagonal(own);
}

}  // namespace

MadePreconditioner make_diagonal(PreconditionerInput& input) {
    MadePreconditioner made;
    if (const auto unit = constant_reciprocal(input.A, input.system.scale)) {
        made.unit = *unit;
    } else {
        made.diagonal =
            std::make_unique<Jacobi>(input.system.backend, input.A, input.system.scale, what_divides(input.options));
    }
    input.system.M = made.diagonal.get();
    input.system.unit = made.unit;
    return made;
}

constinit const PreconditionerRow jacobi_preconditioner{PreconditionerKind::jacobi, "jacobi", make_jacobi};

}  // namespace glsolve::inline v0_1
