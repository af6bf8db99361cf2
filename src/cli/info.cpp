#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/version.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"

namespace glsolve::cli {
namespace {

using nlohmann::ordered_json;

double sum_rate(const StageInfo& stage) {
    return 32 * static_cast<double>(stage.update_texels) / stage.reduction_seconds;
}

void print_stage(const StageInfo& stage) {
    if (!stage.available) {
        fmt::print("  {:<10} missing: {}\n", name(stage.stage), stage.missing);
        return;
    }
    if (stage.update_texels == 0) {
        fmt::print("  {:<10} not measured\n", name(stage.stage));
        return;
    }
    fmt::print("  {:<10} update {:.2f} GB/s, sum {:.2f} GB/s (of {:.1f} MB), dependent pass {:.1f} us\n",
               name(stage.stage), stage.update_bytes_per_second * 1e-9, sum_rate(stage) * 1e-9,
               16e-6 * static_cast<double>(stage.update_texels), stage.pass_seconds * 1e6);
}

struct OpenGl {
    std::optional<DeviceInfo> device;
    std::string missing;  ///< why there is none
};

OpenGl look_for_opengl() {
    try {
        return {.device = Device::open({.backend = BackendKind::opengl, .measure = true}).info(), .missing = {}};
    } catch (const Error& missing) {
        return {.device = {}, .missing = missing.what()};
    }
}

void print_opengl(const OpenGl& opengl) {
    if (!opengl.device) {
        fmt::print("opengl\n  missing: {}\n", opengl.missing);
        return;
    }
    const DeviceInfo& d = *opengl.device;
    fmt::print("opengl\n  renderer   {}\n  vendor     {}\n  version    {}\n  context    {}\n", d.renderer, d.vendor,
               d.version, d.context);
    if (!d.fault.empty()) fmt::print("  fault      {}\n", d.fault);
    for (const StageInfo& stage : d.stages) print_stage(stage);
    fmt::print("  stage      {}\n", d.choice);
    fmt::print("  two floats {}\n", d.two_float_fault.empty() ? "trusted: corrections are made on the device"
                                                              : "not trusted: " + d.two_float_fault);
    fmt::print("  limits     textures of {0} x {0} texels (4 numbers each), {1} inputs and {2} outputs a pass\n",
               d.max_texture_size, d.max_inputs, d.max_outputs);
}

ordered_json to_json(const StageInfo& stage) {
    ordered_json json{{"stage", name(stage.stage)}, {"available", stage.available}};
    if (!stage.available) {
        json["missing"] = stage.missing;
        return json;
    }
    if (stage.update_texels == 0) return json;
    json["update_bytes_per_second"] = stage.update_bytes_per_second;
    json["sum_bytes_per_second"] = sum_rate(stage);
    json["measured_bytes"] = 16 * stage.update_texels;
    json["pass_seconds"] = stage.pass_seconds;
    return json;
}

/// The keys are kept stable.
std::string to_json(const OpenGl& opengl, const DeviceInfo& host) {
    ordered_json json{{"glsolve", GLSOLVE_VERSION}, {"opengl", {{"available", opengl.device.has_value()}}}};
    ordered_json& gl = json["opengl"];
    if (opengl.device) {
        const DeviceInfo& d = *opengl.device;
        gl["renderer"] = d.renderer;
        gl["vendor"] = d.vendor;
        gl["version"] = d.version;
        gl["context"] = d.context;
        if (!d.fault.empty()) gl["fault"] = d.fault;
        gl["stages"] = ordered_json::array();
        for (const StageInfo& stage : d.stages) gl["stages"].push_back(to_json(stage));
        gl["stage"] = name(d.stage);
        gl["stage_reason"] = d.choice;
        gl["two_floats"] = {{"trusted", d.two_float_fault.empty()}};
        if (!d.two_float_fault.empty()) gl["two_floats"]["fault"] = d.two_float_fault;
        gl["limits"] = {{"texture_size", d.max_texture_size}, {"inputs", d.max_inputs}, {"outputs", d.max_outputs}};
    } else {
        gl["missing"] = opengl.missing;
    }
    json["host"] = {{"available", true}, {"renderer", host.renderer}, {"version", host.version}};
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

int info(const InfoArguments& arguments) {
    if (arguments.report) return driver_report();
    check_outputs({arguments.json});
    const OpenGl opengl = look_for_opengl();
    const DeviceInfo host = Device::host().info();
    if (!is_standard(arguments.json)) {
        fmt::print("glsolve {}\n\n", GLSOLVE_VERSION);
        print_opengl(opengl);
        fmt::print("\nhost\n  {}, {}\n", host.renderer, host.version);
    }
    if (arguments.json) write_text(*arguments.json, to_json(opengl, host));
    return exit_converged;
}

}  // namespace glsolve::cli
