/// Textures of the caller's: looked at before anything is written, drawn into (or stored into, by dispatches), and
/// never kept, resized or given other parameters.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/backend.hpp"
#include "opengl/bindings.hpp"
#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class OutsideTextures {
  public:
    /// All arguments must outlive the object.
    OutsideTextures(const Functions& gl, const Features& features, Bindings& bindings)
        : gl_(gl), features_(features), bindings_(bindings) {}

    struct Seen {
        OutsideShape shape;
        /// What is written may be stored in an image of this format, bit by bit; 0: it has to be drawn.
        GLenum image = 0;
    };
    /// Size and format of a texture. Throws InvalidInput, which begins with `role`, where it is none that passes can
    /// use so: no GL_TEXTURE_2D of this context, no floats, parameters that would make texels others.
    Seen look(GLuint texture, TextureUse use, std::string_view role);

    /// What is drawn from here on goes into these components of it, until `end_drawing`.
    void begin_drawing(GLuint texture, std::int32_t components);
    void end_drawing();

  private:
    void attach(GLuint texture);
    bool is_surely_complete() const;

    const Functions& gl_;
    const Features& features_;
    Bindings& bindings_;
    Framebuffer framebuffer_;
};

}  // namespace glsolve::inline v0_1::opengl
