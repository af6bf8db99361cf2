// Contexts without a window. Of EGL only the headers are needed to build.
#include "opengl/egl_context.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <glsolve/error.hpp>
#include <system_error>
#include <utility>
#include <vector>

#include "base/loaded_library.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// What of EGL is used.
struct Egl {
    explicit Egl(const LoadedLibrary& library) {
        library.find(get_error, "eglGetError");
        library.find(get_proc_address, "eglGetProcAddress");
        library.find(query_string, "eglQueryString");
        library.find(create_context, "eglCreateContext");
        library.find(initialize, "eglInitialize");
        library.find(query_api, "eglQueryAPI");
        library.find(bind_api, "eglBindAPI");
        library.find(get_current_context, "eglGetCurrentContext");
        library.find(make_current, "eglMakeCurrent");
        library.find(destroy_context, "eglDestroyContext");
        library.find(get_current_display, "eglGetCurrentDisplay");
        library.find(get_current_surface, "eglGetCurrentSurface");
    }

    decltype(eglGetError)* get_error;
    decltype(eglGetProcAddress)* get_proc_address;
    decltype(eglQueryString)* query_string;
    decltype(eglCreateContext)* create_context;
    decltype(eglInitialize)* initialize;
    decltype(eglQueryAPI)* query_api;
    decltype(eglBindAPI)* bind_api;
    decltype(eglGetCurrentContext)* get_current_context;
    decltype(eglMakeCurrent)* make_current;
    decltype(eglDestroyContext)* destroy_context;
    decltype(eglGetCurrentDisplay)* get_current_display;
    decltype(eglGetCurrentSurface)* get_current_surface;
};

/// Throws NoDevice where there is no EGL; the next call tries again.
const Egl& egl() {
    static const Egl loaded{LoadedLibrary(egl_library)};
    return loaded;
}

std::string egl_error(std::string_view call) {
    return fmt::format("{} failed (EGL error {:#06x})", call, egl().get_error());
}

bool has_extension(const char* extensions, std::string_view wanted) {
    return extensions != nullptr
           && (' ' + std::string(extensions) + ' ').find(fmt::format(" {} ", wanted)) != std::string::npos;
}

template <class Function>
Function egl_function(const char* name) {
    return reinterpret_cast<Function>(egl().get_proc_address(name));
}

const char* device_extensions(EGLDeviceEXT device) {
    const auto query = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    return device != EGL_NO_DEVICE_EXT && query != nullptr ? query(device, EGL_EXTENSIONS) : nullptr;
}

int cuda_number_of(EGLDeviceEXT device) {
    const auto query = egl_function<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
    if (query == nullptr || !has_extension(device_extensions(device), "EGL_NV_device_cuda")) return -1;
    EGLAttrib number = -1;
    return query(device, EGL_CUDA_DEVICE_NV, &number) ? static_cast<int>(number) : -1;
}

/// By the file that Linux has for it.
std::string bus_address_of(EGLDeviceEXT device) {
    if (!has_extension(device_extensions(device), "EGL_EXT_device_drm")) return {};
    const auto query = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
    const char* const file = query(device, EGL_DRM_DEVICE_FILE_EXT);
    if (file == nullptr) return {};
    std::error_code error;
    const std::filesystem::path name = std::filesystem::path(file).filename();
    const std::filesystem::path target = std::filesystem::canonical("/sys/class/drm" / name / "device", error);
    return error ? std::string() : target.filename().string();
}

/// A display to try, and the device that it is of.
struct Display {
    EGLDisplay display;
    int number = -1;
    EGLDeviceEXT device = EGL_NO_DEVICE_EXT;
};

const char* client_extensions() {
    const char* client = egl().query_string(EGL_NO_DISPLAY, EGL_EXTENSIONS);
    if (!has_extension(client, "EGL_EXT_platform_base")) throw NoDevice("this EGL has no EGL_EXT_platform_base");
    return client;
}

/// EGL's devices, hardware or not, best first.
std::vector<EGLDeviceEXT> devices() {
    const auto query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
    if (!has_extension(client_extensions(), "EGL_EXT_platform_device") || query_devices == nullptr)
        throw NoDevice("this EGL has no EGL_EXT_platform_device");
    std::array<EGLDeviceEXT, 16> found{};
    EGLint count = 0;
    if (!query_devices(static_cast<EGLint>(found.size()), found.data(), &count) || count == 0)
        throw NoDevice("EGL lists no device");
    return std::vector<EGLDeviceEXT>(found.begin(), found.begin() + count);  // braces would list two iterators
}

/// Each EGL device, or Mesa's surfaceless platform.
std::vector<Display> displays(EglPlatform platform) {
    const auto get_display = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
    if (get_display == nullptr) throw NoDevice("this EGL has no eglGetPlatformDisplayEXT");
    if (platform == EglPlatform::surfaceless) {
        if (!has_extension(client_extensions(), "EGL_MESA_platform_surfaceless"))
            throw NoDevice("this EGL has no EGL_MESA_platform_surfaceless");
        return {{get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)}};
    }
    std::vector<Display> found;
    for (EGLDeviceEXT device : devices()) {
        found.push_back(
            {get_display(EGL_PLATFORM_DEVICE_EXT, device, nullptr), static_cast<int>(found.size()), device});
    }
    return found;
}

/// The newest context that can be had; where possible one that says when it was lost. EGL 1.4 knows debug contexts by
/// another attribute than 1.5.
EGLContext create_context(EGLDisplay display, bool debug) {
    constexpr std::array<std::pair<EGLint, EGLint>, 5> versions{{{4, 6}, {4, 5}, {4, 3}, {4, 1}, {3, 3}}};
    const bool can_tell =
        has_extension(egl().query_string(display, EGL_EXTENSIONS), "EGL_EXT_create_context_robustness");
    for (const auto& [major, minor] : versions) {
        for (const bool tells : {can_tell, false}) {
            std::vector<EGLint> attributes{
                EGL_CONTEXT_MAJOR_VERSION_KHR,       major,
                EGL_CONTEXT_MINOR_VERSION_KHR,       minor,
                EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR};
            if (debug) attributes.insert(attributes.end(), {EGL_CONTEXT_FLAGS_KHR, EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR});
            if (tells) {
                attributes.insert(attributes.end(),
                                  {EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR, EGL_LOSE_CONTEXT_ON_RESET_KHR});
            }
            attributes.push_back(EGL_NONE);
            EGLContext context = egl().create_context(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
            if (context != EGL_NO_CONTEXT) return context;
        }
    }
    return EGL_NO_CONTEXT;
}

class EglContext final : public Context {
  public:
    EglContext(EglPlatform platform, const Display& display, bool debug)
        : platform_(platform), display_(display.display), number_(display.number), device_(display.device) {
        EGLint major = 0, minor = 0;
        if (display_ == EGL_NO_DISPLAY || !egl().initialize(display_, &major, &minor))
            throw NoDevice(egl_error("eglInitialize"));
        const char* extensions = egl().query_string(display_, EGL_EXTENSIONS);
        if (!has_extension(extensions, "EGL_KHR_surfaceless_context")
            || !has_extension(extensions, "EGL_KHR_no_config_context")) {
            throw NoDevice(
                "this EGL display cannot work without a surface (EGL_KHR_surfaceless_context, "
                "EGL_KHR_no_config_context)");
        }
        const EGLenum api = egl().query_api();
        if (!egl().bind_api(EGL_OPENGL_API)) throw NoDevice("this EGL display has no OpenGL, only OpenGL ES");
        context_ = create_context(display_, debug);
        const std::string failure = context_ == EGL_NO_CONTEXT ? egl_error("eglCreateContext for OpenGL 3.3 core") : "";
        egl().bind_api(api);
        if (!failure.empty()) throw NoDevice(failure);
    }

    ~EglContext() override {
        if (is_gone()) return;  // somebody has ended the display, and the handle is another context's now
        if (egl().get_current_context() == context_)
            egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        egl().destroy_context(display_, context_);
        // The display is shared by the whole process: eglTerminate would take it from others.
    }

    std::string_view description() const override {
        return platform_ == EglPlatform::device ? "EGL device" : "EGL surfaceless";
    }

    int device_number() const override { return number_; }
    std::string pci_address() const override { return bus_address_of(device_); }
    int cuda_device() const override { return cuda_number_of(device_); }

    bool is_current() const override { return egl().get_current_context() == context_; }

    void make_current() override {
        previous_context_ = egl().get_current_context();
        if (previous_context_ == context_) return;
        previous_display_ = egl().get_current_display();
        previous_draw_ = egl().get_current_surface(EGL_DRAW);
        previous_read_ = egl().get_current_surface(EGL_READ);
        previous_api_ = egl().query_api();
        egl().bind_api(EGL_OPENGL_API);
        if (!egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) {
            const std::string failure = egl_error("eglMakeCurrent");
            egl().bind_api(previous_api_);
            throw NoDevice(failure + "; if another window system's context is current on this thread (GLX, say), adopt it "
                                     "with Device::adopt_current_opengl(), or release it first");
        }
    }

    void restore() noexcept override {
        if (previous_context_ == context_) return;
        if (previous_context_ == EGL_NO_CONTEXT) {
            egl().make_current(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        } else {
            egl().make_current(previous_display_, previous_draw_, previous_read_, previous_context_);
        }
        egl().bind_api(previous_api_);
    }

  private:
    EglPlatform platform_;
    EGLDisplay display_;
    int number_;
    EGLDeviceEXT device_;
    EGLContext context_ = EGL_NO_CONTEXT;
    EGLContext previous_context_ = EGL_NO_CONTEXT;
    EGLDisplay previous_display_ = EGL_NO_DISPLAY;
    EGLSurface previous_draw_ = EGL_NO_SURFACE, previous_read_ = EGL_NO_SURFACE;
    EGLenum previous_api_ = EGL_OPENGL_ES_API;
};

}  // namespace

int count_egl_devices() { return static_cast<int>(devices().size()); }

std::unique_ptr<Context> open_egl_context(EglPlatform platform, bool debug, int number) {
    std::string reasons;
    for (const Display& display : displays(platform)) {
        if (number >= 0 && display.number != number) continue;
        try {
            return std::make_unique<EglContext>(platform, display, debug);
        } catch (const NoDevice& failure) {
            reasons += fmt::format("{}{}", reasons.empty() ? "" : "; ", failure.what());
        }
    }
    if (reasons.empty()) reasons = fmt::format("there is no EGL device {}", number);
    throw NoDevice(reasons);
}

}  // namespace glsolve::inline v0_1::opengl
