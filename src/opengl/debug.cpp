#include "opengl/debug.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

namespace glsolve::inline v0_1::opengl {
namespace {

void GLAPIENTRY remember_error(GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* message,
                               const void* user) {
    if (type != GL_DEBUG_TYPE_ERROR) return;
    auto& error = *static_cast<std::string*>(const_cast<void*>(user));
    if (error.empty()) error.assign(message, static_cast<std::size_t>(length));
}

}  // namespace

DebugOutput::DebugOutput(const Functions& gl, const Features& features) : gl_(gl) {
    if (!features.debug) throw NoDevice("OpenGL: a debug context needs OpenGL 4.3 or GL_KHR_debug");
    gl_.Enable(GL_DEBUG_OUTPUT);
    gl_.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    gl_.DebugMessageCallback(remember_error, &error_);
}

DebugOutput::~DebugOutput() { gl_.DebugMessageCallback(nullptr, nullptr); }

void DebugOutput::throw_if_error(std::string_view what) {
    if (error_.empty()) return;
    throw DeviceError(fmt::format("OpenGL error in {}: {}", what, std::exchange(error_, {})));
}

}  // namespace glsolve::inline v0_1::opengl
