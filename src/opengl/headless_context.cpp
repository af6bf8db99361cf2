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
    std::unique_ptr<Context> (*open)(bool debug);  // null: left out of this build ...
    std::string_view option;                       // ... by this option
};

constexpr std::array<Way, 3> ways{{
#if defined(GLSOLVE_HAS_EGL)
    {"egl-device", [](bool debug) { return open_egl_context(EglPlatform::device, debug); }, ""},
    {"egl-surfaceless", [](bool debug) { return open_egl_context(EglPlatform::surfaceless, debug); }, ""},
#else
    {"egl-device", nullptr, "GLSOLVE_WITH_EGL"},
    {"egl-surfaceless", nullptr, "GLSOLVE_WITH_EGL"},
#endif
#if defined(GLSOLVE_HAS_GLFW)
    {"glfw", open_glfw_context, ""},
#else
    {"glfw", nullptr, "GLSOLVE_WITH_GLFW"},
#endif
}};

std::unique_ptr<Context> open(const Way& way, bool debug) {
    if (way.open == nullptr) throw NoDevice(fmt::format("this glsolve was built with {}=OFF", way.option));
    return way.open(debug);
}

}  // namespace

std::unique_ptr<Context> open_headless_context(std::string_view platform, bool debug) {
    std::string reasons, names;
    for (const Way& way : ways) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", way.platform);
        if (!platform.empty() && platform != way.platform) continue;
        try {
            return open(way, debug);
        } catch (const NoDevice& failure) {
            reasons += fmt::format("\n  {}: {}", way.platform, failure.what());
        }
    }
    if (reasons.empty())
        throw InvalidInput(fmt::format("OpenGL platform '{}' is not known; there are {}", platform, names));
    throw NoDevice("no headless OpenGL context could be opened:" + reasons);
}

}  // namespace glsolve::inline v0_1::opengl
