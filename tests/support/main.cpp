// Runs the tests of one device. Returns 4, which CTest shows as a skip, when the device is absent, unless
// GLSOLVE_REQUIRE forbids that.
#include <cstdlib>
#include <glsolve/error.hpp>
#include <iostream>
#include <string>

#include "support/device.hpp"
#include "support/run_tests.hpp"

int main(int argc, char** argv) {
    using namespace glsolve;
    const char* wanted = std::getenv("GLSOLVE_TEST_DEVICE");
    const char* required = std::getenv("GLSOLVE_REQUIRE");
    try {
        const DeviceInfo& info = test::device_under_test().info();
        std::cout << "device: " << info.renderer << ", " << info.version << "\n";
    } catch (const NoDevice& absent) {
        const bool forbidden =
            required != nullptr && wanted != nullptr && std::string(required).find(wanted) != std::string::npos;
        std::cout << (forbidden ? "FAILED" : "SKIPPED") << ": device " << (wanted != nullptr ? wanted : "host")
                  << " is absent: " << absent.what() << "\n";
        return forbidden ? 1 : 4;
    }
    const bool passed = test::run_tests(argc, argv) == 0;  // the number of failures: four of them are no skip
    test::close_devices();
    return passed ? 0 : 1;
}
