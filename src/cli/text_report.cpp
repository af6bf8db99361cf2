#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "cli/hierarchy.hpp"
#include "cli/solution.hpp"
#include "cli/terminal.hpp"
#include "options/option_table.hpp"

namespace glsolve::cli {
namespace {

std::string method_of(const Options& options) {
    std::string said(name(options.method));
    each_option([&](const OptionRow& row) {
        if (row.in_report.empty() || !row.methods.contains(options.method)) return;
        said += fmt::format(fmt::runtime(row.in_report), text_of(row, options));
    });
    return said;
}

void print_accuracy(std::FILE* to, const Accuracy& a) {
    if (!a.refused.empty()) {
        print_line(to, "reference", a.refused);
        return;
    }
    print_line(to, "reference",
               fmt::format("sparse LU on the host, {} corrections: true residual {:.1e}, good to {:.1e} of its largest "
                           "component",
                           a.reference.corrections, a.reference.relative_residual, a.reference.uncertainty));
    print_line(to, "",
               fmt::format("from it, componentwise: {:.1e} at most, {:.1e} in the median (of its largest component)",
                           a.largest, a.median));
}

}  // namespace

void print_matrix(std::FILE* to, const Solution& s) {
    print_line(to, "matrix", fmt::format("{}: {} x {}, {} nonzeros", s.file, s.rows, s.columns, s.nonzeros));
    for (const std::string& remark : s.read_remarks) print_line(to, "", remark);
}

std::string device_text(const DeviceInfo& device) {
    if (device.backend == BackendKind::cuda) return fmt::format("cuda: {}, {}", device.renderer, device.version);
    if (device.backend != BackendKind::opengl) return device.renderer;
    return fmt::format("opengl, {} stage: {}, {} ({})", name(device.stage), device.renderer, device.version,
                       device.context);
}

namespace {

/// The first clause: the format, and why.
std::string in_short(const std::string& reason) {
    const std::size_t end = std::min(reason.find("; "), reason.find(" ("));
    return reason.substr(0, end);
}

/// What was solved, where and how.
void print_head(std::FILE* to, const Solution& s) {
    print_matrix(to, s);
    print_line(to, "format", s.verbose ? s.format.reason : in_short(s.format.reason));
    print_line(to, "device", device_text(s.device));
    if (!s.device.choice.empty()) print_line(to, "", s.device.choice);
    print_line(to, "method",
               fmt::format("{}, preconditioner {}", method_of(s.options), name(s.options.preconditioner)));
    if (!s.preconditioner_remark.empty()) print_line(to, "", s.preconditioner_remark);
    if (!s.method_reason.empty())
        print_line(to, "",
                   s.method_reason.starts_with("as asked") ? s.method_reason : "chosen by auto: " + s.method_reason);
    if (!s.guess.empty()) print_line(to, "guess", s.guess);
    if (!s.hierarchy.levels.empty()) print_hierarchy(to, s.hierarchy);
}

void print_profile(std::FILE* to, const Report& r) {
    fmt::print(to, "\n{:<20} {:>9} {:>12} {:>12} {:>9}\n", "pass", "calls", "total ms", "us a call", "GB/s");
    for (const PassReport& pass : r.profile) {
        fmt::print(to, "{:<20} {:>9} {:>12.2f} {:>12.1f} {:>9.2f}\n", pass.name, pass.calls, pass.seconds * 1e3,
                   pass.seconds * 1e6 / static_cast<double>(pass.calls), pass.bytes_per_second * 1e-9);
    }
}

}  // namespace

void print_text(std::FILE* to, std::span<const Solution> solutions) {
    const Solution& first = solutions.front();
    print_head(to, first);
    print_line(to, "tolerance", fmt::format("{:.1e}, of true relative residuals", first.options.tolerance));
    const bool known = first.error_infinity.has_value();
    fmt::print(to, "\n{:>15} {:<15} {:>10} {:>11} {:>10}{}\n", "right-hand side", "status", "iterations", "corrections",
               "residual", known ? "      error" : "");
    for (std::size_t k = 0; k < solutions.size(); ++k) {
        const Report& r = solutions[k].report;
        fmt::print(to, "{:>15} {:<15} {:>10} {:>11} {:>10.3e}{}\n", k + 1, name(r.outcome), r.iterations, r.corrections,
                   r.relative_residual, known ? fmt::format(" {:>10.3e}", *solutions[k].error_infinity) : "");
    }
    for (std::size_t k = 0; k < solutions.size(); ++k) {
        const Report& r = solutions[k].report;
        if (!r.converged()) fmt::print(to, "{:>15} {}\n", k + 1, r.reason);
    }
}

void print_text(std::FILE* to, const Solution& s) {
    const Report& r = s.report;
    print_head(to, s);
    print_line(to, "status", fmt::format("{}: {}", name(r.outcome), r.reason));
    print_line(to, "iterations", fmt::format("{}, with {} corrections: {}", r.iterations, r.corrections, r.residuals));
    if (!r.remarks.empty()) print_line(to, "remarks", r.remarks);
    print_line(to, "residual",
               fmt::format("{:.3e} (true, relative; tolerance {:.1e})", r.relative_residual, s.options.tolerance));
    if (s.options.method == Method::cgnr) {
        print_line(to, "", fmt::format("{:.3e} (true, |A^T r| / (|A| |r|))", r.normal_residual));
    }
    if (s.error_infinity)
        print_line(to, "error", fmt::format("{:.3e} (largest |x - x*|, known answer)", *s.error_infinity));
    if (s.accuracy) print_accuracy(to, *s.accuracy);
    print_line(
        to, "time",
        fmt::format("read {:.3f} s, set-up {:.3f} s, solve {:.3f} s{}", s.read_seconds, r.setup_seconds,
                    r.solve_seconds, s.options.seconds > 0 ? fmt::format(" (limit {:g} s)", s.options.seconds) : ""));
    if (!s.phases.empty()) print_line(to, "", in_words(s.phases));
    print_line(to, "work",
               fmt::format("{} passes, {} reads, {:.1f} MB on the device", r.passes, r.reads,
                           static_cast<double>(r.device_bytes) * 1e-6));
    if (!s.options.profile) return;
    const double csr = 12.0 * static_cast<double>(s.nonzeros) + 8.0 * s.rows;
    print_line(
        to, "memory",
        fmt::format(
            "device: {:.1f} MB = the matrix's {:.1f} MB + as much as {:.1f} vectors of {:.2f} MB, the history among it",
            static_cast<double>(r.device_bytes) * 1e-6, static_cast<double>(r.matrix_bytes) * 1e-6,
            static_cast<double>(r.device_bytes - r.matrix_bytes) / static_cast<double>(r.vector_bytes),
            static_cast<double>(r.vector_bytes) * 1e-6));
    print_line(
        to, "reading",
        fmt::format("{:.1f} MB of file at {:.0f} MB/s; up to {:.1f} MB of memory, {:.1f} times the matrix in CSR",
                    static_cast<double>(s.file_bytes) * 1e-6, static_cast<double>(s.file_bytes) * 1e-6 / s.read_seconds,
                    static_cast<double>(s.read_memory_bytes) * 1e-6, static_cast<double>(s.read_memory_bytes) / csr));
    print_profile(to, r);
}

}  // namespace glsolve::cli
