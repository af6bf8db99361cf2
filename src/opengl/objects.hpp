/// The one place of RAII for OpenGL objects: move-only handles that delete what they name. They must die while their
/// context is current; the backend sees to that.
#pragma once

#include <utility>

#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

/// Owns one object name; `Deleter` has a static `destroy(const Functions&, GLuint)`.
template <class Deleter>
class Handle {
  public:
    Handle() = default;
    Handle(const Functions& gl, GLuint name) : gl_(&gl), name_(name) {}
    Handle(Handle&& other) noexcept : gl_(other.gl_), name_(std::exchange(other.name_, 0)) {}
    Handle& operator=(Handle&& other) noexcept {
        std::swap(gl_, other.gl_);
        std::swap(name_, other.name_);
        return *this;
    }
    ~Handle() {
        if (name_ != 0) Deleter::destroy(*gl_, name_);
    }

    GLuint name() const { return name_; }
    explicit operator bool() const { return name_ != 0; }

  private:
    const Functions* gl_ = nullptr;
    GLuint name_ = 0;
};

struct DeleteTexture {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteTextures(1, &name); }
};
struct DeleteFramebuffer {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteFramebuffers(1, &name); }
};
struct DeleteBuffer {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteBuffers(1, &name); }
};
struct DeleteVertexArray {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteVertexArrays(1, &name); }
};
struct DeleteSampler {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteSamplers(1, &name); }
};
struct DeleteQuery {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteQueries(1, &name); }
};
struct DeleteShader {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteShader(name); }
};
struct DeleteProgram {
    static void destroy(const Functions& gl, GLuint name) { gl.DeleteProgram(name); }
};

using Texture = Handle<DeleteTexture>;
using Framebuffer = Handle<DeleteFramebuffer>;
using Buffer = Handle<DeleteBuffer>;
using VertexArray = Handle<DeleteVertexArray>;
using Sampler = Handle<DeleteSampler>;
using Query = Handle<DeleteQuery>;
using Shader = Handle<DeleteShader>;
using Program = Handle<DeleteProgram>;

/// Makes one name with a glGen* function.
template <class Object, class Generate>
Object generate(const Functions& gl, Generate function) {
    GLuint name = 0;
    function(1, &name);
    return Object(gl, name);
}

}  // namespace glsolve::inline v0_1::opengl
