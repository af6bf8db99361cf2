#include "our_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <glsolve/error.hpp>
#include <memory>

namespace glsolve::bench {
namespace {

DeviceOptions options_of(const std::string& name) {
    if (name == "host") return {.backend = BackendKind::host};
    if (name == "cuda") return {.backend = BackendKind::cuda};
    if (name == "opengl-fragment") return {.backend = BackendKind::opengl, .stage = Stage::fragment};
    if (name == "opengl-compute") return {.backend = BackendKind::opengl, .stage = Stage::compute};
    throw InvalidInput(fmt::format("backend {}: there are opengl-fragment, opengl-compute, cuda and host", name));
}

/// A solver, and what it says when it has solved.
struct OurSolver {
    OurSolver(Device& device, const CsrMatrix& A, const Options& options, bool with_remarks)
        : solver(device, A, options), remarks(with_remarks) {}

    std::int64_t solve(const std::vector<double>& b, std::vector<double>& x, std::string& remark) {
        const Report report = solver.solve(b, x);
        remark = std::string(name(solver.format().format));
        if (!report.converged()) remark += fmt::format("; {}: {}", name(report.outcome), report.reason);
        if (remarks) {
            remark += fmt::format("; {} passes, {} reads, {} corrections; {} {}", report.passes, report.reads,
                                  report.corrections, solver.preconditioner_remark(), report.remarks);
        }
        std::ranges::replace(remark, '|', '/');
        return report.iterations;
    }
    Solver solver;
    bool remarks;
};

}  // namespace

std::vector<NamedDevice> open_devices(const std::vector<std::string>& names) {
    std::vector<NamedDevice> devices;
    for (const std::string& each : names) {
        try {
            devices.push_back({each, Device::open(options_of(each))});
            const DeviceInfo& info = devices.back().device.info();
            fmt::print("- {}: {} {}\n", each, info.renderer, info.version);
        } catch (const NoDevice& missing) {
            fmt::print("- {} is left out: {}\n", each, missing.what());
        }
    }
    return devices;
}

SolveRow our_row(const std::string& title, NamedDevice& on, const TestSystem& system, const Aim& aim, Options options,
                 bool remarks) {
    options.tolerance = aim.tolerance;
    options.max_iterations = aim.max_iterations;
    options.zero_guess = true;
    Clock::time_point begin;
    options.observer = [&](const Progress&) { return seconds_since(begin) < aim.seconds; };
    return least_row(title, system, aim, [&] {
        begin = Clock::now();
        return std::make_unique<OurSolver>(on.device, system.A, options, remarks);
    });
}

}  // namespace glsolve::bench
