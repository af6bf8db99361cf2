#include <glsolve/device.hpp>

#include "core/backend.hpp"
#include "host/host_backend.hpp"

namespace glsolve::inline v0_1 {

Device::Device(std::unique_ptr<Backend> backend) : backend_(std::move(backend)) {}
Device::Device(Device&&) noexcept = default;
Device& Device::operator=(Device&&) noexcept = default;
Device::~Device() = default;

const DeviceInfo& Device::info() const { return backend_->info(); }

Device Device::host() { return Device(make_host_backend()); }

}  // namespace glsolve::inline v0_1
