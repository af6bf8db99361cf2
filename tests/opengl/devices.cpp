// Opening devices: what is there is described, what is not is named.
#include <algorithm>
#include <array>
#include <atomic>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/loaded_library.hpp"
#include "device/backend.hpp"
#include "opengl/functions.hpp"
#include "opengl/hostile_host.hpp"
#include "support/catch.hpp"
#ifdef GLSOLVE_HAS_EGL
#include "support/egl_contexts.hpp"
#endif

namespace tests_of_devices {

using namespace glsolve;

namespace {

/// Opens a device, or reports why there is none.
std::optional<Device> open(const DeviceOptions& options) {
    try {
        return Device::open(options);
    } catch (const NoDevice& absent) {
        state_guard_test::report_absence(absent.what());
        return std::nullopt;
    }
}

}  // namespace

TEST_CASE("an open OpenGL device describes itself, and measures its stages when asked", "[opengl]") {
    const auto device = open({.backend = BackendKind::opengl, .measure = true});
    if (!device) return;
    const DeviceInfo& info = device->info();
    CHECK(info.backend == BackendKind::opengl);
    CHECK_FALSE(info.renderer.empty());
    CHECK_FALSE(info.version.empty());
    CHECK_FALSE(info.choice.empty());
    CHECK(info.max_texture_size >= 1024);
    REQUIRE(info.stages.size() == 2);
    for (const StageInfo& stage : info.stages) {
        if (stage.available) {
            CHECK(stage.update_bytes_per_second > 0);
            CHECK(stage.reduction_seconds > 0);
            CHECK(stage.pass_seconds > 0);
        } else {
            CHECK_FALSE(stage.missing.empty());
        }
    }
    CHECK((info.stage == Stage::fragment || info.stage == Stage::compute));
}

TEST_CASE("the stage that is asked for is the stage in use, or an error that names what is missing", "[opengl]") {
    const auto probe = open({.backend = BackendKind::opengl, .stage = Stage::fragment});
    if (!probe) return;
    CHECK(probe->info().stage == Stage::fragment);
    CHECK(probe->info().choice.empty());  // nothing was left to choose
    const DeviceOptions compute{.backend = BackendKind::opengl, .stage = Stage::compute};
    if (probe->info().stages[1].available) {
        CHECK(Device::open(compute).info().stage == Stage::compute);
    } else {
        CHECK_THROWS_WITH(Device::open(compute), ContainsSubstring("compute"));
        CHECK_THROWS_AS(Device::open(compute), NoDevice);
    }
}

TEST_CASE("names of extensions that a tracer answers with null are left out", "[opengl]") {
    const auto session = state_guard_test::open_session<state_guard_test::CoreSession>();
    if (session == nullptr) return;
    static opengl::Functions real;
    real = opengl::load_functions();
    opengl::Functions traced = real;
    traced.GetStringi = [](GLenum what, GLuint i) -> const GLubyte* {
        return i % 3 == 1 ? nullptr : real.GetStringi(what, i);
    };
    traced.GetString = [](GLenum) -> const GLubyte* { return nullptr; };
    const auto names = opengl::extension_names(real), told = opengl::extension_names(traced);
    CHECK(told.size() > names.size() / 2);
    CHECK(told.size() < names.size());
    CHECK(std::ranges::includes(names, told));
    CHECK_FALSE(told.contains(""));
    CHECK(opengl::query_features(traced).major == opengl::query_features(real).major);
    CHECK_NOTHROW(opengl::ask_for_parallel_compilation(traced, opengl::query_features(traced)));
}

#ifdef GLSOLVE_HAS_EGL
/// CTest runs it with MESA_GL_VERSION_OVERRIDE=2.1.
TEST_CASE("a context that is too old is refused, and no error is left in it", "[.][old]") {
    const auto context = test::EglTestContext::make_with({});
    if (!context) return state_guard_test::report_absence("no context of any version");
    REQUIRE_THAT(reinterpret_cast<const char*>(glGetString(GL_VERSION)), StartsWith("2.1"));
    REQUIRE(glGetError() == GL_NO_ERROR);
    CHECK_THROWS_AS(Device::adopt_current_opengl(), NoDevice);
    CHECK(glGetError() == GL_NO_ERROR);
    CHECK_THROWS_WITH(Device::adopt_current_opengl(), ContainsSubstring("OpenGL 3.3 is needed; this context has 2.1"));
    CHECK(glGetError() == GL_NO_ERROR);
}
#endif

TEST_CASE("each way to a headless context works, or says why not", "[opengl]") {
    const std::string platform = GENERATE("egl-device", "egl-surfaceless");
    try {
        const Device device =
            Device::open({.backend = BackendKind::opengl, .stage = Stage::fragment, .platform = platform});
        CHECK(device.info().context == (platform == "egl-device" ? "EGL device" : "EGL surfaceless"));
    } catch (const NoDevice& absent) {
        CHECK_THAT(absent.what(), ContainsSubstring(platform));
        WARN("skipped: " << absent.what());
    }
}

TEST_CASE("opening a device leaves no context current, and may be done twice", "[opengl]") {
    auto first = open({.backend = BackendKind::opengl, .stage = Stage::fragment});
    if (!first) return;
    CHECK(glGetString(GL_VERSION) == nullptr);
    auto second = open({.backend = BackendKind::opengl, .stage = Stage::fragment});
    first.reset();
    CHECK(glGetString(GL_VERSION) == nullptr);
    CHECK(second->info().backend == BackendKind::opengl);
}

TEST_CASE("devices are opened in many threads at once", "[opengl]") {
    if (!open({.backend = BackendKind::opengl})) return;
    std::array<std::string, 6> failures;
    std::vector<std::thread> threads;
    for (std::string& failure : failures) {
        threads.emplace_back([&failure] {
            try {
                const Device device = Device::open({.backend = BackendKind::opengl, .stage = Stage::fragment});
            } catch (const std::exception& error) {
                failure = error.what();
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (const std::string& failure : failures) CHECK(failure.empty());
}

TEST_CASE("each driver is asked once to compile in parallel, with the number of threads that it names", "[opengl]") {
    static const char* vendor = nullptr;
    static std::atomic<int> calls, allowed, number;
    opengl::Functions gl;
    gl.GetString = [](GLenum) { return reinterpret_cast<const GLubyte*>(vendor); };
    gl.GetIntegerv = [](GLenum, GLint* value) { *value = allowed; };
    gl.MaxShaderCompilerThreadsKHR = [](GLuint threads) {
        ++calls;
        number = static_cast<int>(threads);
    };
    opengl::Features features;
    features.parallel_compile = true;
    const auto ask = [&](const char* of, int threads) {
        vendor = of;
        allowed = threads;
        calls = number = 0;
        std::vector<std::thread> contexts;
        for (int i = 0; i < 6; ++i) contexts.emplace_back([&] { opengl::ask_for_parallel_compilation(gl, features); });
        for (std::thread& context : contexts) context.join();
        return calls.load();
    };
    CHECK(ask("a vendor", 0) == 0);  // its owner wants no threads
    CHECK(ask("a vendor", -1) == 1);
    CHECK(number == -1);
    CHECK(ask("a vendor", 5) == 0);
    CHECK(ask("another vendor", 5) == 1);
    CHECK(number == 5);

    gl.MaxShaderCompilerThreadsARB = std::exchange(gl.MaxShaderCompilerThreadsKHR, nullptr);
    CHECK(ask("a third vendor", 5) == 1);
    gl.MaxShaderCompilerThreadsARB = nullptr;
    CHECK(ask("a fourth vendor", 5) == 0);
    features.parallel_compile = false;
    CHECK(ask("a fifth vendor", 5) == 0);
}

TEST_CASE("what does not exist is refused by name", "[opengl]") {
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::opengl, .platform = "vulkan"}),
                      ContainsSubstring("vulkan") && ContainsSubstring("glfw"));
    CHECK_THROWS_WITH(Device::open({.backend = BackendKind::host, .stage = Stage::compute}),
                      ContainsSubstring("no stages"));
}

TEST_CASE("a hidden GLFW window is refused with GLFW's reason where there is no display, and works where there is one",
          "[opengl]") {
    const char* display = std::getenv("DISPLAY");
    if (display != nullptr) {
        const auto device = open({.backend = BackendKind::opengl, .stage = Stage::fragment, .platform = "glfw"});
        if (device) CHECK(device->info().context == "hidden GLFW window");
    } else if (std::getenv("WAYLAND_DISPLAY") == nullptr) {
        CHECK_THROWS_WITH(Device::open({.backend = BackendKind::opengl, .platform = "glfw"}),
                          ContainsSubstring("GLFW: ") || ContainsSubstring("cannot be loaded"));
    }
}

TEST_CASE("the host is always there", "[host]") {
    const Device device = Device::host();
    CHECK(device.info().backend == BackendKind::host);
    CHECK(device.info().choice.empty());
}

TEST_CASE("a library that is not there, and a function that is not in it, are told by name", "[opengl]") {
    using glsolve::LoadedLibrary;
    CHECK_THROWS_AS(LoadedLibrary("libglsolve-nowhere.so.7"), NoDevice);
    CHECK_THROWS_WITH(LoadedLibrary("libglsolve-nowhere.so.7"),
                      ContainsSubstring("cannot be loaded") && ContainsSubstring("libglsolve-nowhere.so.7"));
    const LoadedLibrary mathematics("libm.so.6", OwnNames::first);
    double (*cosine)(double) = nullptr;
    mathematics.find(cosine, "cos");
    CHECK(cosine(0) == 1);
    CHECK_THROWS_AS(mathematics.find(cosine, "glsolve_cosine"), NoDevice);
    CHECK_THROWS_WITH(mathematics.find(cosine, "glsolve_cosine"),
                      ContainsSubstring("libm.so.6") && ContainsSubstring("glsolve_cosine"));
}

TEST_CASE("the list of devices ends with the host, and numbers each backend's own", "[opengl]") {
    const std::vector<DeviceEntry> entries = Device::list();
    REQUIRE_FALSE(entries.empty());
    CHECK(entries.back().backend == BackendKind::host);
    for (const BackendKind backend : {BackendKind::opengl, BackendKind::cuda, BackendKind::host}) {
        int expected = 0;
        for (const DeviceEntry& entry : entries) {
            if (entry.backend != backend) continue;
            CHECK(entry.number == expected++);
            CHECK_FALSE(entry.name.empty());
        }
    }
}

}  // namespace tests_of_devices
