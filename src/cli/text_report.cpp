#include <fmt/format.h>

#include "cli/solution.hpp"

namespace glsolve::cli {
namespace {

std::string method_of(const Options& options) {
    const std::string method(name(options.method));
    if (!is_gmres(options.method)) return method;
    const GmresOptions& g = options.gmres;
    return fmt::format("{}({}), {}, least squares on the {}", method, g.restart, name(g.orthogonalisation),
                       name(g.least_squares));
}

}  // namespace

void print_text(const Solution& s) {
    const Report& r = s.report;
    const auto line = [](std::string_view what, std::string_view text) { fmt::print("{:<12} {}\n", what, text); };
    line("matrix", fmt::format("{}: {} x {}, {} nonzeros", s.file, s.rows, s.columns, s.nonzeros));
    line("format", s.format.reason);
    if (s.device.backend == BackendKind::opengl) {
        line("device", fmt::format("opengl, {} stage: {}, {} ({})", name(s.device.stage), s.device.renderer,
                                   s.device.version, s.device.context));
    } else {
        line("device", s.device.renderer);
    }
    if (!s.device.choice.empty()) line("", s.device.choice);
    line("method", fmt::format("{}, preconditioner {}", method_of(s.options), name(s.options.preconditioner)));
    line("status", fmt::format("{}: {}", name(r.status), r.reason));
    line("iterations", fmt::format("{}, with {} corrections: {}", r.iterations, r.corrections, r.residuals));
    if (!r.remarks.empty()) line("remarks", r.remarks);
    line("residual",
         fmt::format("{:.3e} (true, relative; tolerance {:.1e})", r.relative_residual, s.options.tolerance));
    if (s.error_infinity) line("error", fmt::format("{:.3e} (largest |x - x*|, known answer)", *s.error_infinity));
    line("time", fmt::format("read {:.3f} s, set-up {:.3f} s, solve {:.3f} s", s.read_seconds, r.setup_seconds,
                             r.solve_seconds));
    line("work", fmt::format("{} passes, {} reads, {:.1f} MB on the device", r.passes, r.reads,
                             static_cast<double>(r.device_bytes) * 1e-6));
    if (!s.options.profile) return;
    const double csr = 12.0 * static_cast<double>(s.nonzeros) + 8.0 * s.rows;
    line(
        "memory",
        fmt::format(
            "device: {:.1f} MB = the matrix's {:.1f} MB + as much as {:.1f} vectors of {:.2f} MB, the history among it",
            static_cast<double>(r.device_bytes) * 1e-6, static_cast<double>(r.matrix_bytes) * 1e-6,
            static_cast<double>(r.device_bytes - r.matrix_bytes) / static_cast<double>(r.vector_bytes),
            static_cast<double>(r.vector_bytes) * 1e-6));
    line(
        "reading",
        fmt::format("{:.1f} MB of file at {:.0f} MB/s; up to {:.1f} MB of memory, {:.1f} times the matrix in CSR",
                    static_cast<double>(s.file_bytes) * 1e-6, static_cast<double>(s.file_bytes) * 1e-6 / s.read_seconds,
                    static_cast<double>(s.read_memory_bytes) * 1e-6, static_cast<double>(s.read_memory_bytes) / csr));
    fmt::print("\n{:<20} {:>9} {:>12} {:>12} {:>9}\n", "pass", "calls", "total ms", "us a call", "GB/s");
    for (const PassReport& pass : r.profile) {
        fmt::print("{:<20} {:>9} {:>12.2f} {:>12.1f} {:>9.2f}\n", pass.name, pass.calls, pass.seconds * 1e3,
                   pass.seconds * 1e6 / static_cast<double>(pass.calls), pass.bytes_per_second * 1e-9);
    }
}

}  // namespace glsolve::cli
