#include "cli/open_device.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <string>

#include "matrix/csr_entries.hpp"
#include "matrix/factor_plan.hpp"

namespace glsolve::cli {
namespace {

/// Do factors on the host solve it before a GPU is opened?
bool is_soon_factored(CsrView A, const Options& solve) {
    constexpr double soon = 0.15, most_bytes = 1e9;
    const bool is_free = solve.method == Method::automatic && solve.preconditioner == PreconditionerKind::automatic;
    if (!is_free || A.rows != A.columns || seconds_to_plan(A, true) > soon) return false;
    const FactorPlan plan = plan_factors(A, may_be_definite(A), most_bytes);
    return plan.possible() && plan.cost.seconds() <= soon;
}

}  // namespace

bool is_free(const DeviceOptions& options, std::string_view device) {
    return options.backend == BackendKind::automatic && options.stage == Stage::automatic && device.empty();
}

/// To open a GPU takes 0.3 to 0.5 s. Symmetric matrices with some 10^5 nonzeros take less, and so do almost all of
/// 1,200 rows (docs/measurements/host-2026-11-29.md).
bool is_small(CsrView A, const Options& solve) {
    constexpr Index few_rows = 1200;
    constexpr Offset few_nonzeros = 120'000;
    if (A.rows <= few_rows || is_soon_factored(A, solve)) return true;
    return A.nonzeros() <= few_nonzeros && may_be_definite(A);
}

Device open_device(DeviceOptions options, std::string_view device) {
    const std::string cache = default_program_cache();
    options.device = device;
    options.program_cache = cache;
    options.compiler_program = "/proc/self/exe";
    options.warn = [](const std::string& message) { fmt::print(stderr, "{}\n", message); };
    return Device::open(options);
}

OpenedDevice open_device_for(CsrView A, const Options& solve, DeviceOptions options, std::string_view device) {
    if (!is_free(options, device) || !is_small(A, solve)) {
        Device opened = open_device(options, device);
        std::string choice = opened.info().choice;
        return {std::move(opened), std::move(choice)};
    }
    options.backend = BackendKind::host;
    return {open_device(options, device), "host: it solves a system of this size before a GPU is opened"};
}

}  // namespace glsolve::cli
