#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/version.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace glsolve::cli {
namespace {

void print_stage(const StageInfo& stage) {
    if (!stage.available) {
        fmt::print("  {:<10} missing: {}\n", name(stage.stage), stage.missing);
        return;
    }
    fmt::print("  {:<10} update {:.2f} GB/s, sum {:.2f} GB/s (of {:.1f} MB), dependent pass {:.1f} us\n",
               name(stage.stage), stage.update_bytes_per_second * 1e-9,
               32e-9 * static_cast<double>(stage.update_texels) / stage.reduction_seconds,
               16e-6 * static_cast<double>(stage.update_texels), stage.pass_seconds * 1e6);
}

void print_opengl() {
    try {
        const Device device = Device::open({.backend = BackendKind::opengl, .measure = true});
        const DeviceInfo& d = device.info();
        fmt::print("opengl\n  renderer   {}\n  vendor     {}\n  version    {}\n  context    {}\n", d.renderer, d.vendor,
                   d.version, d.context);
        for (const StageInfo& stage : d.stages) print_stage(stage);
        fmt::print("  stage      {}\n", d.choice);
        fmt::print("  two floats {}\n", d.two_float_fault.empty() ? "trusted: corrections are made on the device"
                                                                  : "not trusted: " + d.two_float_fault);
        fmt::print("  limits     textures of {0} x {0} texels (4 numbers each), {1} inputs and {2} outputs a pass\n",
                   d.max_texture_size, d.max_inputs, d.max_outputs);
    } catch (const Error& missing) {
        fmt::print("opengl\n  missing: {}\n", missing.what());
    }
}

}  // namespace

int info(const InfoArguments& arguments) {
    if (arguments.report) return driver_report();
    fmt::print("glsolve {}\n\n", GLSOLVE_VERSION);
    print_opengl();
    const Device host = Device::host();
    fmt::print("\nhost\n  {}, {}\n", host.info().renderer, host.info().version);
    return exit_converged;
}

}  // namespace glsolve::cli
