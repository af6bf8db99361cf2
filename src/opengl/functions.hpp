/// The one table through which OpenGL is called. Tests count and exchange its entries; two contexts may have two
/// tables. Only this file and its source see GLEW.
#pragma once

#include <GL/glew.h>

#include <functional>
#include <set>
#include <string>

namespace glsolve::inline v0_1::opengl {

// clang-format off
/// OpenGL 1.1: plain symbols of the GL library.
#define GLSOLVE_GL_1_1(X) \
    X(BindTexture) X(ColorMask) X(DeleteTextures) X(Disable) X(DrawArrays) X(Enable) \
    X(Finish) X(Flush) X(GenTextures) X(GetError) X(GetFloatv) X(GetIntegerv) X(GetString) \
    X(GetTexLevelParameteriv) X(GetTexParameteriv) X(IsEnabled) X(IsTexture) X(PixelStorei) X(PixelTransferf) X(PolygonMode) \
    X(ReadBuffer) X(ReadPixels) X(TexImage2D) X(TexParameteri) X(TexSubImage2D) X(Viewport)

/// OpenGL 3.3: needed; a context without one of them is refused by name.
#define GLSOLVE_GL_3_3(X) \
    X(ActiveTexture) X(AttachShader) X(BindBuffer) X(BindFramebuffer) X(BindSampler) \
    X(BindVertexArray) X(BufferData) X(CheckFramebufferStatus) X(ClampColor) X(ClearBufferfv) X(ClientWaitSync) \
    X(ColorMaski) X(CompileShader) X(CreateProgram) X(CreateShader) X(DeleteBuffers) X(DeleteFramebuffers) \
    X(DeleteProgram) X(DeleteQueries) X(DeleteSamplers) X(DeleteShader) X(DeleteSync) X(DeleteVertexArrays) X(Disablei) X(DrawBuffers) \
    X(Enablei) X(FenceSync) X(FramebufferTexture2D) X(FramebufferTextureLayer) X(GenBuffers) X(GenFramebuffers) X(GenQueries) X(GenSamplers) \
    X(GenVertexArrays) X(GetBooleani_v) X(GetIntegeri_v) X(GetProgramInfoLog) X(GetProgramiv) \
    X(GetQueryObjectiv) X(GetQueryObjectui64v) X(GetShaderInfoLog) X(GetShaderiv) X(GetStringi) X(GetUniformLocation) X(GetVertexAttribiv) X(IsBuffer) X(IsEnabledi) X(IsSampler) \
    X(IsVertexArray) X(LinkProgram) X(MapBufferRange) X(QueryCounter) X(SamplerParameteri) X(ShaderSource) X(Uniform1f) X(Uniform1i) X(Uniform2fv) \
    X(Uniform4iv) X(UnmapBuffer) X(UseProgram) X(VertexAttribDivisor)

/// Later versions and extensions: null where the context has none; whoever calls them asks first.
#define GLSOLVE_GL_OPTIONAL(X) \
    X(BindImageTexture) X(BindImageTextures) X(BindTextures) X(BindTextureUnit) X(ClipControl) X(DebugMessageCallback) X(DispatchCompute) X(GetFloati_v) \
    X(GetGraphicsResetStatus) X(GetProgramBinary) X(MaxShaderCompilerThreadsARB) X(MaxShaderCompilerThreadsKHR) X(MemoryBarrier) \
    X(ObjectLabel) X(ProgramBinary) X(ProgramParameteri) X(ViewportIndexedf)
// clang-format on

// The macros declare members: their argument is a name.
// NOLINTBEGIN(bugprone-macro-parentheses)
struct Functions {
#define GLSOLVE_MEMBER(name) decltype(&::gl##name) name = nullptr;
    GLSOLVE_GL_1_1(GLSOLVE_MEMBER)
#undef GLSOLVE_MEMBER
#define GLSOLVE_MEMBER(name) decltype(__glew##name) name = nullptr;
    GLSOLVE_GL_3_3(GLSOLVE_MEMBER)
    GLSOLVE_GL_OPTIONAL(GLSOLVE_MEMBER)
#undef GLSOLVE_MEMBER
};
// NOLINTEND(bugprone-macro-parentheses)

/// What the context that is current has. Asked of the context itself: GLEW's own flags are global.
struct Features {
    int major = 0, minor = 0;
    bool core = false;              ///< core profile: no compatibility state
    bool compute = false;           ///< compute shaders and image stores
    std::string compute_missing;    ///< why not
    bool viewport_array = false;    ///< OpenGL 4.1 or ARB_viewport_array
    bool clip_control = false;      ///< OpenGL 4.5 or ARB_clip_control
    bool binds_by_unit = false;     ///< textures of any kind: OpenGL 4.5 or ARB_direct_state_access
    bool binds_several = false;     ///< in one call: OpenGL 4.4 or ARB_multi_bind
    bool raises_errors = true;      ///< false: KHR_no_error
    bool debug = false;             ///< KHR_debug
    bool program_binaries = false;  ///< OpenGL 4.1 or ARB_get_program_binary, with a format
    bool software = false;          ///< a renderer that runs on the processor: Mesa's
    bool branches = true;      ///< what shaders leave out takes no time: Mesa's software renderers leave out nothing
    bool image_loads = false;  ///< fragment shaders read from images faster than from textures
    bool parallel_compile = false;  ///< KHR_parallel_shader_compile: the driver compiles while others are being begun
    bool doubles = false;           ///< shaders have double precision ...
    bool fast_doubles = false;      ///< shaders have double precision, at half the rate of single or better
    bool tells_memory = false;      ///< NVX_gpu_memory_info
    /// Of our textures. Software renderers fetch from rectangle textures, whose coordinates count texels, in nine
    /// tenths of the time.
    GLenum texture_target = GL_TEXTURE_2D;

    bool at_least(int wanted_major, int wanted_minor) const {
        return major > wanted_major || (major == wanted_major && minor >= wanted_minor);
    }
};

/// Fills the table from the current context. A host's GLEW is not initialised again. Throws NoDevice that names what is
/// missing: a context, OpenGL 3.3, a function.
Functions load_functions();

/// Of the current context. Tracers of calls answer with null for extensions that they know nothing of: those are left
/// out.
std::set<std::string, std::less<>> extension_names(const Functions& gl);
Features query_features(const Functions& gl);

/// NVIDIA's driver (580) compiles in parallel only after it was told how many threads it may take, be it what it says
/// itself: so it is told that, which changes no state. Once in the process for each driver, whatever the context:
/// every further call waits 0.1 ... 0.2 s, and calls in several threads at once end in a segmentation fault in there.
/// A context whose owner allows no thread is left alone.
void ask_for_parallel_compilation(const Functions& gl, const Features& features);

/// Throws DeviceError when the context was lost, where it can tell (OpenGL 4.5).
void throw_if_lost(const Functions& gl);

}  // namespace glsolve::inline v0_1::opengl
