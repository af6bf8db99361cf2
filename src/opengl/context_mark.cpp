#include "opengl/context_mark.hpp"

#include <glsolve/error.hpp>
#include <random>

namespace glsolve::inline v0_1::opengl {

// Divisors of instanced attributes are the only numbers of 32 bits that a vertex array keeps without a buffer. The
// attributes are not enabled, and nothing is drawn with this vertex array.
ContextMark::ContextMark(const Functions& gl) : gl_(gl), vertices_(generate<VertexArray>(gl, gl.GenVertexArrays)) {
    std::random_device random;
    with_vertices_bound([&] {
        for (GLuint i = 0; i < bits_.size(); ++i) gl_.VertexAttribDivisor(i, random());
    });
    bits_ = read();  // as the driver keeps them
    if (bits_ == Bits{}) {
        throw NoDevice("OpenGL: this driver does not keep the divisors of attributes (glVertexAttribDivisor)");
    }
}

bool ContextMark::is_here() const { return gl_.IsVertexArray(vertices_.name()) != GL_FALSE && read() == bits_; }

bool ContextMark::is_lost() const {
    return gl_.GetGraphicsResetStatus != nullptr && gl_.GetGraphicsResetStatus() != GL_NO_ERROR;
}

bool ContextMark::is_answered() const {
    GLint size = 0;
    gl_.GetIntegerv(GL_MAX_TEXTURE_SIZE, &size);
    return size > 0;
}

template <class Use>
void ContextMark::with_vertices_bound(const Use& use) const {
    GLint bound = 0;
    gl_.GetIntegerv(GL_VERTEX_ARRAY_BINDING, &bound);
    gl_.BindVertexArray(vertices_.name());
    use();
    gl_.BindVertexArray(static_cast<GLuint>(bound));
}

ContextMark::Bits ContextMark::read() const {
    Bits found{};
    with_vertices_bound([&] {
        for (GLuint i = 0; i < found.size(); ++i) {
            GLint divisor = 0;
            gl_.GetVertexAttribiv(i, GL_VERTEX_ATTRIB_ARRAY_DIVISOR, &divisor);
            found[i] = static_cast<GLuint>(divisor);
        }
    });
    return found;
}

}  // namespace glsolve::inline v0_1::opengl
