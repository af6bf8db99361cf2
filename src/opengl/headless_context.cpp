// Contexts of our own: which ways there are, and the first that works.
#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>
#include <string>

#include "opengl/context.hpp"
#if defined(GLSOLVE_HAS_EGL)
#include "opengl/egl_context.hpp"
#endif
#if defined(GLSOLVE_HAS_GLFW)
#include "opengl/glfw_context.hpp"
#endif

namespace glsolve::inline v0_1::opengl {
namespace {

struct Way {
    std::string_view platform;
    std::unique_ptr<Context> (*open)(bool debug, int number);  // null: left out of this build ...
    std::string_view option;                                   // ... by this option
};

constexpr std::array<Way, 3> ways{{
#if defined(GLSOLVE_HAS_EGL)
    {"egl-device", [](bool debug, int number) { return open_egl_context(EglPlatform::device, debug, number); }, ""},
    {"egl-surfaceless", [](bool debug, int) { return open_egl_context(EglPlatform::surfaceless, debug); }, ""},
#else
    {"egl-device", nullptr, "GLSOLVE_WITH_EGL"},
    {"egl-surfaceless", nullptr, "GLSOLVE_WITH_EGL"},
#endif
#if defined(GLSOLVE_HAS_GLFW)
    {"glfw", [](bool debug, int) { return open_glfw_context(debug); }, ""},
#else
    {"glfw", nullptr, "GLSOLVE_WITH_GLFW"},
#endif
}};

std::unique_ptr<Context> open(const Way& way, bool debug, int number) {
    if (way.open == nullptr) throw NoDevice(fmt::format("this glsolve was built with {}=OFF", way.option));
    return way.open(debug, number);
}

}  // namespace

int count_headless_devices() {
#if defined(GLSOLVE_HAS_EGL)
    try {
        return count_egl_devices();
    } catch (const NoDevice&) {
    }
#endif
    return 0;
}

std::unique_ptr<Context> open_headless_device(int number) { return open(ways.front(), false, number); }

std::unique_ptr<Context> open_headless_context(std::string_view platform, bool debug, int number) {
    if (number >= 0 && platform.empty()) platform = "egl-device";
    if (number >= 0 && platform != "egl-device")
        throw InvalidInput(fmt::format("a device can be chosen on the platform egl-device only, not on {}", platform));
    std::string reasons, names;
    for (const Way& way : ways) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", way.platform);
        if (!platform.empty() && platform != way.platform) continue;
        try {
            return open(way, debug, number);
        } catch (const NoDevice& failure) {
            reasons += fmt::format("\n  {}: {}", way.platform, failure.what());
        }
    }
    if (reasons.empty())
        throw InvalidInput(fmt::format("OpenGL platform '{}' is not known; there are {}", platform, names));
    throw NoDevice("no headless OpenGL context could be opened:" + reasons);
}

}  // namespace glsolve::inline v0_1::opengl
