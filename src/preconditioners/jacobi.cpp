#include "preconditioners/jacobi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "base/parallel.hpp"
#include "device/verbs.hpp"
#include "matrix/empty_lines.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "preconditioners/smoothing.hpp"

namespace glsolve::inline v0_1 {

Jacobi::Jacobi(Backend& backend, const CsrMatrix& A, std::span<const double> scale, std::string_view wanted_by)
    : reciprocal_(backend, A.rows, "reciprocal diagonal") {
    const std::vector<double> d = divisors(A, scale);
    if (parallel_any(d.size(), [&](std::size_t i) { return d[i] == 0; })) {
        throw InvalidInput(
            fmt::format("{}: row {} has a zero on the diagonal, by which it divides; gmres, bicgstab and minres with "
                        "preconditioner none and the direct method do not",
                        wanted_by, std::find(d.begin(), d.end(), 0.0) - d.begin() + 1));
    }
    std::vector<float> reciprocal(d.size());
    parallel_each(d.size(), [&](std::size_t i) { reciprocal[i] = static_cast<float>(1 / d[i]); });
    if (!reciprocal.empty()) first_ = static_cast<double>(reciprocal[0]);
    constant_ = !parallel_any(d.size(), [&](std::size_t i) { return reciprocal[i] != reciprocal[0]; });
    reciprocal_.upload(reciprocal);
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
    made.diagonal =
        std::make_unique<Jacobi>(input.system.backend, input.A, input.system.scale, what_divides(input.options));
    if (made.diagonal->constant()) {
        made.unit = made.diagonal->first();
        made.diagonal.reset();
    }
    input.system.M = made.diagonal.get();
    input.system.unit = made.unit;
    return made;
}

constinit const PreconditionerRow jacobi_preconditioner{PreconditionerKind::jacobi, "jacobi", make_jacobi};

}  // namespace glsolve::inline v0_1
