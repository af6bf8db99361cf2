/// Textures of the caller's: looked at before anything is written, drawn into (or stored into, by dispatches), and
/// never kept, resized or given other parameters.
#pragma once

#include <cstdint>
#include <string_view>

#include "device/backend.hpp"
#include "opengl/bindings.hpp"
#include "opengl/objects.hpp"
#include "opengl/textures.hpp"

namespace glsolve::inline v0_1::opengl {

class OutsideTextures {
  public:
    /// All arguments must outlive the object.
    OutsideTextures(const Functions& gl, const Features& features, Bindings& bindings, Textures& textures)
        : gl_(gl), features_(features), bindings_(bindings), textures_(textures) {}

    struct Seen {
        OutsideShape shape;
        OutsideTexture texture;
    };
    /// Size and format of a texture, or of a layer (-1: it has none). Throws InvalidInput, which begins with `role`,
    /// where it is none that passes can use so: none of this context, no such layer, no floats, parameters that would
    /// make texels others.
    Seen look(GLuint texture, int layer, TextureUse use, std::string_view role);

    /// What is drawn from here on goes into these components of it, until `end_drawing`.
    void begin_drawing(const OutsideTexture& texture, std::int32_t components);
    void end_drawing();

  private:
    /// What kind of texture it is; 0: of one that cannot be used, and no query says which.
    GLenum target_of(GLuint texture, GLenum expected) const;
    GLenum target_by_errors(GLuint texture, GLenum expected) const;
    void make_framebuffer();
    void attach(const OutsideTexture& texture);
    void detach();
    bool is_surely_complete(GLenum target) const;

    const Functions& gl_;
    const Features& features_;
    Bindings& bindings_;
    Textures& textures_;
    Framebuffer framebuffer_;
    Texture own_;  // attached while none of the caller's is
};

}  // namespace glsolve::inline v0_1::opengl
