// A library without ways to contexts of its own: src/opengl/headless_context.cpp is compiled into this program as
// GLSOLVE_WITH_EGL=OFF and GLSOLVE_WITH_GLFW=OFF compile it.
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>

#include "support/catch.hpp"

namespace tests_of_no_contexts {

using namespace glsolve;

TEST_CASE("a way that was left out says by which option", "[opengl]") {
    const auto [platform, option] =
        GENERATE(table<std::string, std::string>({{"egl-device", "GLSOLVE_WITH_EGL=OFF"},
                                                  {"egl-surfaceless", "GLSOLVE_WITH_EGL=OFF"},
                                                  {"glfw", "GLSOLVE_WITH_GLFW=OFF"}}));
    CHECK_THROWS_AS(Device::open({.backend = BackendKind::opengl, .platform = platform}), NoDevice);
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::opengl, .platform = platform}), ContainsSubstring(option));
}

TEST_CASE("without ways to a context the library opens another device", "[opengl]") {
    CHECK(Device::open().info().backend != BackendKind::opengl);
}

}  // namespace tests_of_no_contexts
