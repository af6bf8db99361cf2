// Which device a word names, and where compiled programs are kept.
#include <cstdlib>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>

#include "device/choose_device.hpp"
#include "support/catch.hpp"

namespace tests_of_devices {

using namespace glsolve;

TEST_CASE("a device is named by number, PCI address or a part of its name", "[core][devices]") {
    const std::vector<DeviceEntry> entries{
        {.backend = BackendKind::cuda, .number = 0, .name = "NVIDIA H200", .pci_address = "0000:3b:00.0"},
        {.backend = BackendKind::cuda, .number = 1, .name = "NVIDIA RTX 4090", .pci_address = "0000:AF:00.0"}};
    CHECK(chosen_device(entries, "") == 0);
    CHECK(chosen_device(entries, "1") == 1);
    CHECK(chosen_device(entries, "0000:af:00.0") == 1);
    CHECK(chosen_device(entries, "rtx") == 1);
    CHECK(chosen_device(entries, "nvidia") == 0);  // the first of them
    CHECK_THROWS_WITH(chosen_device(entries, "2"),
                      ContainsSubstring("'2'") && ContainsSubstring("1 (NVIDIA RTX 4090)"));
    CHECK_THROWS_AS(chosen_device(entries, "radeon"), InvalidInput);
    CHECK_THROWS_WITH(chosen_device({}, "0"), ContainsSubstring("none"));
}

TEST_CASE("a number needs a backend, and the host is one device", "[core][devices]") {
    CHECK_THROWS_WITH(Device::open({.device = "0"}), ContainsSubstring("name the backend"));
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::host, .device = "0"}), ContainsSubstring("one device"));
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::cuda, .stage = Stage::compute}), ContainsSubstring("CUDA"));
}

TEST_CASE("programs are kept where the XDG base directories say", "[core][devices]") {
    const auto value = [](const char* name) { return std::getenv(name) != nullptr ? std::getenv(name) : ""; };
    const std::string cache = value("XDG_CACHE_HOME"), home = value("HOME");
    const std::string expected = cache.starts_with("/")  ? cache + "/glsolve"
                                 : home.starts_with("/") ? home + "/.cache/glsolve"
                                                         : "";
    CHECK(default_program_cache() == expected);
}

}  // namespace tests_of_devices
