#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/version.hpp>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/open_device.hpp"

namespace glsolve::cli {
namespace {

using nlohmann::ordered_json;

double sum_rate(const StageInfo& stage) {
    return 32 * static_cast<double>(stage.update_texels) / stage.reduction_seconds;
}

void print_rates(std::string_view label, const StageInfo& stage) {
    if (!stage.available) {
        fmt::print("  {:<10} missing: {}\n", label, stage.missing);
        return;
    }
    if (stage.update_texels == 0) {
        fmt::print("  {:<10} not measured\n", label);
        return;
    }
    fmt::print("  {:<10} update {:.2f} GB/s, sum {:.2f} GB/s (of {:.1f} MB), dependent pass {:.1f} us\n", label,
               stage.update_bytes_per_second * 1e-9, sum_rate(stage) * 1e-9,
               16e-6 * static_cast<double>(stage.update_texels), stage.pass_seconds * 1e6);
}

/// A backend's device, or why there is none.
struct Found {
    std::optional<DeviceInfo> device;
    std::string missing;
};

Found look_for(BackendKind backend) {
    try {
        return {.device = open_device({.backend = backend, .measure = true}, "").info(), .missing = {}};
    } catch (const Error& missing) {
        return {.device = {}, .missing = missing.what()};
    }
}

void print_limits(const DeviceInfo& d) {
    fmt::print("  limits     textures of {0} x {0} texels (4 numbers each), {1} inputs and {2} outputs a pass\n",
               d.max_texture_size, d.max_inputs, d.max_outputs);
}

void print_opengl(const DeviceInfo& d) {
    fmt::print("  renderer   {}\n  vendor     {}\n  version    {}\n  context    {}\n", d.renderer, d.vendor, d.version,
               d.context);
    if (!d.fault.empty()) fmt::print("  fault      {}\n", d.fault);
    for (const StageInfo& stage : d.stages) print_rates(name(stage.stage), stage);
    fmt::print("  stage      {}\n", d.choice);
    fmt::print("  two floats {}\n", d.two_float_fault.empty() ? "trusted: corrections are made on the device"
                                                              : "not trusted: " + d.two_float_fault);
    print_limits(d);
}

void print_cuda(const DeviceInfo& d) {
    fmt::print("  device     {}\n  version    {}\n", d.renderer, d.version);
    for (const StageInfo& stage : d.stages) print_rates("rates", stage);
}

void print_found(std::string_view backend, const Found& found, void (*print)(const DeviceInfo&)) {
    fmt::print("{}\n", backend);
    found.device ? print(*found.device) : fmt::print("  missing: {}\n", found.missing);
}

/// What `--device` takes.
void print_devices(const std::vector<DeviceEntry>& entries) {
    fmt::print("\ndevices\n");
    for (const DeviceEntry& e : entries) {
        fmt::print("  {:<6} {}  {}{}{}{}\n", name(e.backend), e.number, e.name,
                   e.pci_address.empty() ? "" : ", PCI " + e.pci_address,
                   e.memory_bytes == 0 ? "" : fmt::format(", {:.1f} GB", static_cast<double>(e.memory_bytes) * 1e-9),
                   e.missing.empty() ? "" : fmt::format(" (cannot be opened: {})", e.missing));
    }
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

ordered_json opengl_to_json(const DeviceInfo& d) {
    ordered_json gl;
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
    return gl;
}

ordered_json cuda_to_json(const DeviceInfo& d) {
    ordered_json cuda{{"renderer", d.renderer}, {"version", d.version}};
    for (const StageInfo& stage : d.stages) {
        cuda["rates"] = to_json(stage);
        cuda["rates"].erase("stage");
    }
    return cuda;
}

ordered_json to_json(const Found& found, ordered_json (*describe)(const DeviceInfo&)) {
    ordered_json json{{"available", found.device.has_value()}};
    if (found.device) {
        json.update(describe(*found.device));
    } else {
        json["missing"] = found.missing;
    }
    return json;
}

ordered_json to_json(const std::vector<DeviceEntry>& entries) {
    ordered_json list = ordered_json::array();
    for (const DeviceEntry& e : entries) {
        ordered_json& json =
            list.emplace_back(ordered_json{{"backend", name(e.backend)}, {"number", e.number}, {"name", e.name}});
        if (!e.pci_address.empty()) json["pci_address"] = e.pci_address;
        if (e.memory_bytes != 0) json["memory_bytes"] = e.memory_bytes;
        if (!e.missing.empty()) json["missing"] = e.missing;
    }
    return list;
}

}  // namespace

int info(const InfoArguments& arguments) {
    if (arguments.report) return driver_report();
    check_outputs({arguments.json});
    const Found opengl = look_for(BackendKind::opengl), cuda = look_for(BackendKind::cuda);
    const DeviceInfo host = Device::host().info();
    const std::vector<DeviceEntry> entries = Device::list();
    if (!is_standard(arguments.json)) {
        fmt::print("glsolve {}\n\n", GLSOLVE_VERSION);
        print_found("opengl", opengl, print_opengl);
        print_found("\ncuda", cuda, print_cuda);
        fmt::print("\nhost\n  {}, {}\n", host.renderer, host.version);
        print_devices(entries);
    }
    if (arguments.json) {  // the keys are kept stable
        ordered_json json{{"glsolve", GLSOLVE_VERSION}};
        json["opengl"] = to_json(opengl, opengl_to_json);
        json["cuda"] = to_json(cuda, cuda_to_json);
        json["host"] = {{"available", true}, {"renderer", host.renderer}, {"version", host.version}};
        json["devices"] = to_json(entries);
        write_text(*arguments.json, json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n");
    }
    return exit_converged;
}

}  // namespace glsolve::cli
