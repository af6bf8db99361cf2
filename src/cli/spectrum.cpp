#include "cli/spectrum.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>

#include "core/csr_entries.hpp"

namespace glsolve::cli {
namespace {

constexpr int lanczos_steps = 64;

}  // namespace

SpectrumReport find_spectrum(const CsrMatrix& A) {
    SpectrumReport report{.symmetric = is_symmetric(A), .plain = {}, .jacobi = {}, .why_not = {}};
    Device host = Device::open({.backend = BackendKind::host});
    const auto of = [&](PreconditionerKind preconditioner) -> std::optional<Spectrum> {
        try {
            return Solver(host, A, {.preconditioner = preconditioner}).spectrum(lanczos_steps);
        } catch (const InvalidInput& unfit) {
            report.why_not = unfit.what();
            return {};
        }
    };
    report.plain = of(PreconditionerKind::none);
    report.jacobi = of(PreconditionerKind::jacobi);
    return report;
}

std::string in_words(const Spectrum& s, bool symmetric) {
    const std::string gershgorin = fmt::format("at most {:.4g} in size (Gershgorin)", s.gershgorin);
    if (!symmetric) return gershgorin + "; Lanczos needs a symmetric matrix";
    if (!s.definite) {
        return fmt::format("{}; (p,Ap) <= 0 in step {} of Lanczos: not positive definite", gershgorin, s.steps + 1);
    }
    return fmt::format("{:.4g} to {:.4g} after {} steps of Lanczos; {}; condition {:.2g} or more", s.smallest,
                       s.largest, s.steps, gershgorin, s.largest / s.smallest);
}

}  // namespace glsolve::cli
