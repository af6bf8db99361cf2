#include "solvers/choose_method.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/csr_entries.hpp"
#include "core/layout.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index small = 512;             // rows: an inverse is made before an iteration has found its pace
constexpr double most_basis = 1u << 31;  // bytes of a Krylov basis

MethodChoice for_unsymmetric(const CsrMatrix& A, Options& options, double skew) {
    const std::string what = fmt::format("not symmetric (by {:.1e} of its largest entry)", skew);
    // Whoever asks for another preconditioner than the usual one wants it applied.
    const bool usual =
        options.preconditioner == PreconditionerKind::none || options.preconditioner == PreconditionerKind::jacobi;
    if (usual && A.rows <= small) return {Method::direct, fmt::format("{}, and of {} rows only", what, A.rows)};
    const std::vector<double> d = diagonal(A);
    std::string without;
    if (options.preconditioner == PreconditionerKind::jacobi && std::find(d.begin(), d.end(), 0.0) != d.end()) {
        options.preconditioner = PreconditionerKind::none;
        without = "; no preconditioner, since there are zeros on the diagonal";
    }
    const double basis = 16.0 * static_cast<double>(layout_of(A.rows).extent().texels()) * (options.gmres.restart + 1);
    if (basis <= most_basis) return {Method::gmres, what + without};
    return {Method::bicgstab, fmt::format("{}, and the {} vectors of gmres would take {:.1f} GB{}", what,
                                          options.gmres.restart + 1, basis * 1e-9, without)};
}

}  // namespace

MethodChoice choose_method(const CsrMatrix& A, Options& options) {
    if (A.rows != A.columns) {
        return {Method::cgnr, fmt::format("{} x {}: what can be had is the smallest |b - A x|", A.rows, A.columns)};
    }
    if (const double skew = asymmetry(A); skew > tolerated_asymmetry) return for_unsymmetric(A, options, skew);
    const std::vector<double> d = diagonal(A);
    const auto row = std::find_if(d.begin(), d.end(), [](double value) { return !(value > 0); });
    if (row == d.end()) return {Method::cg, "symmetric, with a positive diagonal"};
    return {Method::minres, fmt::format("symmetric, and not positive definite: row {} has {:.3g} on the diagonal",
                                        row - d.begin() + 1, *row)};
}

MethodChoice choose_method(const MethodChoice& before, const Spectrum& found) {
    if (!found.definite) {
        return {Method::minres, fmt::format("symmetric, and not positive definite: (p,Ap) <= 0 in step {} of Lanczos",
                                            found.steps + 1)};
    }
    return {before.method,
            fmt::format("{}; {} steps of Lanczos found nothing against positive definite", before.reason, found.steps)};
}

}  // namespace glsolve::inline v0_1
