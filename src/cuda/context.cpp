#include "cuda/context.hpp"

#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::cuda {
namespace {

FoundDevice describe(const Driver& driver, int ordinal) {
    FoundDevice found;
    driver.check(driver.DeviceGet(&found.device, ordinal), "cuDeviceGet");
    std::array<char, 256> name{};
    driver.DeviceGetName(name.data(), static_cast<int>(name.size()) - 1, found.device);
    found.name = name.data();
    const auto attribute = [&](DeviceAttribute which) {
        int value = 0;
        driver.DeviceGetAttribute(&value, which, found.device);
        return value;
    };
    found.pci_address = fmt::format("{:04x}:{:02x}:{:02x}.0", attribute(pci_domain_id), attribute(pci_bus_id),
                                    attribute(pci_device_id));
    found.architecture = 10 * attribute(compute_capability_major) + attribute(compute_capability_minor);
    std::size_t bytes = 0;
    driver.DeviceTotalMem(&bytes, found.device);
    found.memory_bytes = static_cast<std::int64_t>(bytes);
    return found;
}

}  // namespace

std::vector<FoundDevice> find_devices(const Driver& driver) {
    if (const CUresult result = driver.Init(0); result != success)
        throw NoDevice(fmt::format("CUDA: the driver does not start: {} (error {})", driver.words(result), result));
    int count = 0;
    if (driver.DeviceGetCount(&count) != success || count == 0) throw NoDevice("CUDA: the driver knows no device");
    std::vector<FoundDevice> found;
    for (int i = 0; i < count; ++i) found.push_back(describe(driver, i));
    return found;
}

Context::Context(const Driver& driver, const FoundDevice& device) : driver_(driver), device_(device) {
    const auto check = [&](CUresult result, std::string_view what) {
        if (result == success) return;
        throw NoDevice(fmt::format("CUDA ({}): {}: {} (error {})", device.name, what, driver.words(result), result));
    };
    check(driver.DevicePrimaryCtxRetain(&context_, device.device), "no context");
    try {
        const Current current(*this);
        check(driver.StreamCreate(&stream_, stream_non_blocking), "no stream");
    } catch (...) {
        driver.DevicePrimaryCtxRelease(device.device);
        throw;
    }
}

Context::~Context() {
    {
        const CurrentIfPossible current(*this);
        driver_.StreamDestroy(stream_);
    }
    driver_.DevicePrimaryCtxRelease(device_.device);
}

}  // namespace glsolve::inline v0_1::cuda
