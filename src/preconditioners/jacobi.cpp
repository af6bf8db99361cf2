#include "preconditioners/jacobi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {

Jacobi::Jacobi(Backend& backend, const CsrMatrix& A, std::span<const double> scale)
    : reciprocal_(backend, A.rows, "reciprocal diagonal") {
    const std::vector<double> d = glsolve::diagonal(A);
    std::vector<float> reciprocal(d.size());
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] == 0) {
            throw InvalidInput(fmt::format(
                "preconditioner jacobi: row {} has a zero on the diagonal; --preconditioner none needs none", i + 1));
        }
        reciprocal[i] = static_cast<float>(1 / (scale[i] * d[i] * scale[i]));
    }
    if (!reciprocal.empty()) first_ = static_cast<double>(reciprocal[0]);
    constant_ = std::all_of(reciprocal.begin(), reciprocal.end(), [&](float v) { return v == reciprocal[0]; });
    reciprocal_.upload(reciprocal);
}

void Jacobi::apply(Vector& z, const Vector& r) { multiply(z, reciprocal_, r); }

}  // namespace glsolve::inline v0_1
