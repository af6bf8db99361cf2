#include "preconditioners/jacobi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "core/empty_lines.hpp"
#include "core/parallel.hpp"
#include "core/verbs.hpp"

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

void Jacobi::apply(Vector& z, const Vector& r) { multiply(z, reciprocal_, r); }

}  // namespace glsolve::inline v0_1
