#include "opengl/functions.hpp"

#include <fmt/format.h>

#include <charconv>
#include <glsolve/error.hpp>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "device/pass_table.hpp"
#include "opengl/texture_units.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// GLEW loads its pointers once for the process; a host that uses GLEW itself has done so already. Devices may be
/// opened in several threads at once.
void initialise_glew() {
    static std::mutex one_at_a_time;
    const std::scoped_lock lock(one_at_a_time);
    if (__glewGenVertexArrays != nullptr && __glewFenceSync != nullptr) return;
    glewExperimental = GL_TRUE;  // ask for every function, whatever the version string says
    const GLenum result = glewInit();
    // Under EGL there is no GLX display; GLEW says so, but has loaded every function by then.
    constexpr GLenum no_glx_display = 4;
    if (result != GLEW_OK && result != no_glx_display) {
        throw NoDevice(fmt::format("OpenGL: GLEW cannot load its functions: {}",
                                   reinterpret_cast<const char*>(glewGetErrorString(result))));
    }
}

std::string text(const GLubyte* answer) { return answer != nullptr ? reinterpret_cast<const char*>(answer) : ""; }

void check_version(int major, int minor, const std::string& version) {
    if (major > 3 || (major == 3 && minor >= 3)) return;
    throw NoDevice(fmt::format("OpenGL 3.3 is needed; this context has {}", version));
}

/// Before OpenGL 3 there are no numbers to ask for, and asking would leave an error: the text begins with them.
std::string checked_version() {
    std::string version = text(::glGetString(GL_VERSION));
    if (version.empty()) throw NoDevice("OpenGL: no context is current on this thread");
    int major = 0, minor = 0;
    const char* const end = version.data() + version.size();
    const auto [point, error] = std::from_chars(version.data(), end, major);
    if (error == std::errc() && point != end && std::from_chars(point + 1, end, minor).ec == std::errc()) {
        check_version(major, minor, version);
    }
    return version;
}

}  // namespace

Functions load_functions() {
    const std::string version = checked_version();
    initialise_glew();
    Functions gl;
    std::string missing;
    const auto need = [&](const auto& function, std::string_view name) {
        if (function == nullptr) missing += fmt::format("{}gl{}", missing.empty() ? "" : ", ", name);
    };
#define GLSOLVE_LOAD(name) gl.name = &::gl##name;
    GLSOLVE_GL_1_1(GLSOLVE_LOAD)
#undef GLSOLVE_LOAD
#define GLSOLVE_LOAD(name)  \
    gl.name = __glew##name; \
    need(gl.name, #name);
    GLSOLVE_GL_3_3(GLSOLVE_LOAD)
#undef GLSOLVE_LOAD
#define GLSOLVE_LOAD(name) gl.name = __glew##name;
    GLSOLVE_GL_OPTIONAL(GLSOLVE_LOAD)
#undef GLSOLVE_LOAD

    GLint major = 0, minor = 0;
    gl.GetIntegerv(GL_MAJOR_VERSION, &major);
    gl.GetIntegerv(GL_MINOR_VERSION, &minor);
    check_version(major, minor, version);
    if (!missing.empty())
        throw NoDevice(fmt::format("OpenGL {} lacks functions that are needed: {}", version, missing));
    return gl;
}

namespace {

/// Why there are no compute shaders; empty: there are.
std::string what_compute_lacks(const Functions& gl, const Features& f,
                               const std::set<std::string, std::less<>>& extensions) {
    std::string missing;
    if (!f.at_least(4, 3)) {
        for (const std::string_view needed : {"GL_ARB_compute_shader", "GL_ARB_shader_image_load_store"}) {
            if (!extensions.contains(needed)) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", needed);
        }
    }
    if (!missing.empty()) {
        return fmt::format("OpenGL {}.{} without {} (4.3 has compute shaders)", f.major, f.minor, missing);
    }
    const bool has_functions =
        gl.DispatchCompute != nullptr && gl.BindImageTexture != nullptr && gl.MemoryBarrier != nullptr;
    return has_functions ? "" : "glDispatchCompute, glBindImageTexture or glMemoryBarrier is not there";
}

}  // namespace

std::set<std::string, std::less<>> extension_names(const Functions& gl) {
    std::set<std::string, std::less<>> names;
    GLint count = 0;
    gl.GetIntegerv(GL_NUM_EXTENSIONS, &count);
    for (GLint i = 0; i < count; ++i) names.insert(text(gl.GetStringi(GL_EXTENSIONS, static_cast<GLuint>(i))));
    names.erase("");
    return names;
}

Features query_features(const Functions& gl) {
    Features f;
    gl.GetIntegerv(GL_MAJOR_VERSION, &f.major);
    gl.GetIntegerv(GL_MINOR_VERSION, &f.minor);
    const auto extensions = extension_names(gl);
    const std::string name = text(gl.GetString(GL_RENDERER));
    f.software = name.starts_with("llvmpipe") || name.starts_with("softpipe");
    f.branches = !f.software;
    if (f.software) f.texture_target = GL_TEXTURE_RECTANGLE;
    const bool has_images =
        gl.BindImageTexture != nullptr && (f.at_least(4, 2) || extensions.contains("GL_ARB_shader_image_load_store"));
    if (has_images && name.starts_with("llvmpipe")) {
        const auto at_least = [&](GLenum limit, GLint wanted) {
            GLint value = 0;
            gl.GetIntegerv(limit, &value);
            return value >= wanted;
        };
        f.image_loads = at_least(GL_MAX_FRAGMENT_IMAGE_UNIFORMS, max_inputs)
                        && at_least(GL_MAX_IMAGE_UNITS, image_units)
                        && at_least(GL_MAX_COMBINED_IMAGE_UNITS_AND_FRAGMENT_OUTPUTS, max_inputs + max_outputs);
    }
    f.parallel_compile =
        extensions.contains("GL_KHR_parallel_shader_compile") || extensions.contains("GL_ARB_parallel_shader_compile");
    f.tells_memory = extensions.contains("GL_NVX_gpu_memory_info");
    f.doubles = f.at_least(4, 0) || extensions.contains("GL_ARB_gpu_shader_fp64");
    f.fast_doubles = f.software && f.doubles;
    GLint profile = 0;
    gl.GetIntegerv(GL_CONTEXT_PROFILE_MASK, &profile);
    f.core = (profile & GL_CONTEXT_CORE_PROFILE_BIT) != 0;
    f.viewport_array = (f.at_least(4, 1) || extensions.contains("GL_ARB_viewport_array"))
                       && gl.ViewportIndexedf != nullptr && gl.GetFloati_v != nullptr;
    f.clip_control = (f.at_least(4, 5) || extensions.contains("GL_ARB_clip_control")) && gl.ClipControl != nullptr;
    f.binds_by_unit =
        (f.at_least(4, 5) || extensions.contains("GL_ARB_direct_state_access")) && gl.BindTextureUnit != nullptr;
    f.binds_several = (f.at_least(4, 4) || extensions.contains("GL_ARB_multi_bind")) && gl.BindTextures != nullptr
                      && gl.BindImageTextures != nullptr;
    GLint flags = 0;
    gl.GetIntegerv(GL_CONTEXT_FLAGS, &flags);
    f.raises_errors = (flags & GL_CONTEXT_FLAG_NO_ERROR_BIT) == 0;
    f.debug = (f.at_least(4, 3) || extensions.contains("GL_KHR_debug")) && gl.DebugMessageCallback != nullptr;
    if (f.at_least(4, 1) || extensions.contains("GL_ARB_get_program_binary")) {
        GLint formats = 0;
        gl.GetIntegerv(GL_NUM_PROGRAM_BINARY_FORMATS, &formats);
        f.program_binaries = formats > 0 && gl.GetProgramBinary != nullptr && gl.ProgramBinary != nullptr
                             && gl.ProgramParameteri != nullptr;
    }
    f.compute_missing = what_compute_lacks(gl, f, extensions);
    f.compute = f.compute_missing.empty();
    return f;
}

void ask_for_parallel_compilation(const Functions& gl, const Features& features) {
    const auto allow_threads =
        gl.MaxShaderCompilerThreadsKHR != nullptr ? gl.MaxShaderCompilerThreadsKHR : gl.MaxShaderCompilerThreadsARB;
    if (!features.parallel_compile || allow_threads == nullptr) return;
    GLint threads = 0;
    gl.GetIntegerv(GL_MAX_SHADER_COMPILER_THREADS_KHR, &threads);
    if (threads == 0) return;

    static std::mutex one_at_a_time;
    static std::set<std::string> asked;  // a process may have contexts of several drivers
    const std::scoped_lock lock(one_at_a_time);
    if (!asked.insert(text(gl.GetString(GL_VENDOR))).second) return;
    allow_threads(static_cast<GLuint>(threads));  // all that there are reads as -1
}

void throw_if_lost(const Functions& gl) {
    const GLenum status = gl.GetGraphicsResetStatus != nullptr ? gl.GetGraphicsResetStatus() : GL_NO_ERROR;
    if (status == GL_NO_ERROR) return;
    throw DeviceError(
        fmt::format("OpenGL: the context was lost in a reset of the graphics processor ({}); open the device anew",
                    status == GL_GUILTY_CONTEXT_RESET     ? "work of this context caused it"
                    : status == GL_INNOCENT_CONTEXT_RESET ? "another context's work caused it"
                                                          : "its cause is unknown"));
}

}  // namespace glsolve::inline v0_1::opengl
