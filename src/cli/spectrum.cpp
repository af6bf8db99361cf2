#include "cli/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>
#include <utility>

#include "matrix/csr_entries.hpp"

namespace glsolve::cli {
namespace {

constexpr int lanczos_steps = 64;

/// Only then can A be negative definite.
bool has_negative_diagonal(const CsrMatrix& A) {
    const std::vector<double> d = diagonal(A);
    return !d.empty() && std::all_of(d.begin(), d.end(), [](double number) { return number < 0; });
}

CsrMatrix negated(CsrMatrix A) {
    for (double& value : A.value) value = -value;
    return A;
}

Spectrum mirrored(Spectrum s) {
    std::swap(s.smallest, s.largest);
    s.smallest = -s.smallest;
    s.largest = -s.largest;
    s.definite = false;
    return s;
}

}  // namespace

SpectrumReport find_spectrum(const CsrMatrix& A) {
    SpectrumReport report;
    if (A.rows != A.columns || A.rows == 0) {
        const std::string why = A.rows != A.columns ? "it is not square" : "it is empty";
        report.plain.why_not = report.jacobi.why_not = why;
        return report;
    }
    const auto empty = std::adjacent_find(A.offsets.begin(), A.offsets.end());
    if (empty != A.offsets.end()) {
        report.plain.why_not = report.jacobi.why_not =
            fmt::format("row {} of the matrix is empty", empty - A.offsets.begin() + 1);
        return report;
    }
    report.symmetric = is_symmetric(A);
    // Conjugate gradients, which Lanczos comes from, need a positive definite matrix. D^-1 A is (-D)^-1 (-A).
    const bool negative = report.symmetric && has_negative_diagonal(A);
    const CsrMatrix B = negative ? negated(A) : A;
    Device host = Device::open({.backend = BackendKind::host});
    const auto of = [&](PreconditionerKind preconditioner) -> Eigenvalues {
        Eigenvalues e{.found = {}, .of_negated = negative, .negative_definite = false, .why_not = {}};
        try {
            e.found = Solver(host, B, {.method = Method::cg, .preconditioner = preconditioner}).spectrum(lanczos_steps);
        } catch (const InvalidInput& unfit) {
            e.why_not = unfit.what();
        }
        return e;
    };
    report.plain = of(PreconditionerKind::none);
    if (negative && report.plain.found) {
        report.plain.negative_definite = report.plain.found->definite;
        report.plain.found = mirrored(*report.plain.found);
    }
    report.jacobi = of(PreconditionerKind::jacobi);
    return report;
}

std::string in_words(const Eigenvalues& e, bool symmetric) {
    if (!e.found) return "none: " + e.why_not;
    const Spectrum& s = *e.found;
    const std::string gershgorin = fmt::format("at most {:.4g} in size (Gershgorin)", s.gershgorin);
    if (!symmetric) return gershgorin + "; Lanczos needs a symmetric matrix";
    if (!s.definite && !e.negative_definite) {
        return e.of_negated ? fmt::format(
                   "{}; the diagonal is negative, and (p,Ap) >= 0 in step {} of Lanczos: neither "
                   "positive nor negative definite",
                   gershgorin, s.steps + 1)
                            : fmt::format("{}; (p,Ap) <= 0 in step {} of Lanczos: not positive definite", gershgorin,
                                          s.steps + 1);
    }
    const double condition = e.negative_definite ? s.smallest / s.largest : s.largest / s.smallest;
    return fmt::format("{:.4g} to {:.4g} after {} steps of Lanczos{}; {}; condition {:.2g} or more", s.smallest,
                       s.largest, s.steps, e.negative_definite ? ": negative definite" : "", gershgorin, condition);
}

}  // namespace glsolve::cli
