#include "support/device.hpp"

#include <cstdlib>
#include <glsolve/error.hpp>
#include <string>

namespace glsolve::test {
namespace {

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : otherwise;
}

Device open() {
    const std::string wanted = environment("GLSOLVE_TEST_DEVICE", "host");
    if (wanted == "host" || wanted == "host-doubles") return Device::host();
    if (wanted == "cuda" || wanted == "cuda-doubles") {
        const std::string cache = environment("GLSOLVE_TEST_CACHE", "");
        return Device::open({.backend = BackendKind::cuda, .program_cache = cache});
    }
    if (wanted != "fragment" && wanted != "compute")
        throw InvalidInput("GLSOLVE_TEST_DEVICE: host, host-doubles, fragment, compute, cuda or cuda-doubles");
    Device device = Device::open({.backend = BackendKind::opengl,
                                  .stage = wanted == "compute" ? Stage::compute : Stage::fragment,
                                  .debug = true});
    const std::string driver = environment("GLSOLVE_TEST_DRIVER", "");
    if (device.info().renderer.find(driver) == std::string::npos) {
        throw NoDevice("the driver is " + device.info().renderer + ", not " + driver);
    }
    return device;
}

Device& under_test() {
    static Device device;
    return device;
}

}  // namespace

Device& device_under_test() {
    Device& device = under_test();
    if (!device) device = open();
    return device;
}

Backend& backend_under_test() {
    Backend& backend = device_under_test().backend();
    return precision_under_test() == Precision::doubles ? *backend.in_doubles() : backend;
}

Precision precision_under_test() {
    return environment("GLSOLVE_TEST_DEVICE", "host").ends_with("-doubles") ? Precision::doubles : Precision::automatic;
}

bool is_slow() { return device_under_test().info().renderer.find("softpipe") != std::string::npos; }

void close_devices() { under_test() = {}; }

}  // namespace glsolve::test
