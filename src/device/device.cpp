#include <glsolve/device.hpp>

#include <fmt/format.h>

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

Device Device::open(const DeviceOptions& options) { return Device(open_backend(options)); }

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
