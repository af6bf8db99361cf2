#include <glsolve/device.hpp>

#include <fmt/format.h>

#include <cstdlib>

#include <glsolve/error.hpp>

#include "base/require_made.hpp"
#include "device/backend.hpp"
#include "device/open_backend.hpp"

namespace glsolve::inline v0_1 {

Device::Device(std::shared_ptr<Backend> backend) : backend_(std::move(backend)) {}
Device::Device() noexcept = default;
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

Backend& Device::backend() const {
    return require_made(backend_, "Device", "Device::open, host or adopt_current_opengl");
}

const DeviceInfo& Device::info() const { return backend().info(); }

void Device::trim() {
    const Session inside(backend());
    backend().trim();
}

Device Device::open(const DeviceOptions& options) { return Device(open_backend(options)); }

std::vector<DeviceEntry> Device::list() { return list_devices(); }

std::string default_program_cache() {
    const auto folder = [](const char* variable) -> std::string {
        const char* value = std::getenv(variable);
        return value != nullptr && *value == '/' ? value : "";  // others are to be ignored, as XDG has it
    };
    if (const std::string cache = folder("XDG_CACHE_HOME"); !cache.empty()) return cache + "/glsolve";
    if (const std::string home = folder("HOME"); !home.empty()) return home + "/.cache/glsolve";
    return {};
}

Device Device::host() { return open({.backend = BackendKind::host}); }

Device Device::adopt_current_opengl(Stage stage, StatePolicy state, std::function<void(const std::string&)> warn) {
    return open(
        {.backend = BackendKind::opengl, .stage = stage, .current = true, .state = state, .warn = std::move(warn)});
}

std::string_view name(BackendKind kind) {
    switch (kind) {
        case BackendKind::automatic:
            return "auto";
        case BackendKind::opengl:
            return "opengl";
        case BackendKind::cuda:
            return "cuda";
        case BackendKind::host:
            return "host";
    }
    return "";
}

std::string_view name(Stage stage) {
    switch (stage) {
        case Stage::automatic:
            return "auto";
        case Stage::fragment:
            return "fragment";
        case Stage::compute:
            return "compute";
    }
    return "";
}

}  // namespace glsolve::inline v0_1
