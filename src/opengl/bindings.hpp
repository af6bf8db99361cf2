/// What is bound, so that nothing is bound twice.
#pragma once

#include <array>
#include <glsolve/device.hpp>
#include <span>

#include "opengl/objects.hpp"
#include "opengl/texture_units.hpp"

namespace glsolve::inline v0_1::opengl {

/// A texture of the caller's, or a layer of it.
struct OutsideTexture {
    GLuint name = 0;
    GLenum target = GL_TEXTURE_2D;  ///< or GL_TEXTURE_2D_ARRAY, GL_TEXTURE_3D
    GLint layer = 0;
    bool whole = false;  ///< of integers
    GLenum image = 0;  ///< what is written may be stored in an image of this format, bit by bit; 0: it has to be drawn
};

class Bindings {
  public:
    /// Makes the vertex array and the sampler that all passes share; binds nothing.
    Bindings(const Functions& gl, const Features& features, StatePolicy policy);

    /// A public call begins: binds what all passes have in common, and knows of nothing else that is bound. The guard
    /// has put everything else to its default.
    void begin();
    /// Textures and framebuffers are about to be bound or deleted without this class.
    void forget();

    void use_program(GLuint program);
    void bind_texture(int unit, GLuint texture);
    void bind_image(int unit, GLuint texture, GLenum access, GLenum format = GL_RGBA32F, GLint layer = 0);
    /// To units first, first + 1, ...: in one call where OpenGL has that.
    void bind_textures(int first, std::span<const GLuint> textures);
    /// The same of images that are only read, each in the format of its texture.
    void bind_images_to_read(std::span<const GLuint> textures, std::span<const GLenum> formats);
    /// Bound to unit 0, which is the active one then.
    void bind_texture_for_upload(GLuint texture);
    /// A texture of any kind, to its own target.
    void bind_unit(int unit, GLuint texture);
    /// One of the caller's, whatever ours are.
    void bind_outside(int unit, const OutsideTexture& texture);
    void bind_framebuffer(GLuint framebuffer);
    void set_viewport(const std::array<GLint, 4>& viewport);

  private:
    const Functions& gl_;
    GLenum texture_target_;
    bool binds_by_unit_;  // in one call, without the active unit
    bool binds_several_;
    bool keeps_viewports_;  // glViewport changes all of them
    VertexArray vertices_;
    Sampler sampler_;

    struct Image {
        GLuint texture;
        GLenum access, format;
        GLint layer;
        friend bool operator==(const Image&, const Image&) = default;
    };

    std::array<GLuint, texture_units> textures_{};
    std::array<Image, image_units> images_{};
    GLuint program_ = 0, framebuffer_ = 0;
    std::array<GLint, 4> viewport_{};
};

}  // namespace glsolve::inline v0_1::opengl
