#include "opengl/bindings.hpp"

#include <algorithm>
#include <utility>

namespace glsolve::inline v0_1::opengl {

Bindings::Bindings(const Functions& gl, const Features& features, StatePolicy policy)
    : gl_(gl),
      texture_target_(features.texture_target),
      binds_by_unit_(features.binds_by_unit),
      binds_several_(features.binds_several),
      keeps_viewports_(features.viewport_array && policy == StatePolicy::restore),
      vertices_(generate<VertexArray>(gl, gl.GenVertexArrays)),
      sampler_(generate<Sampler>(gl, gl.GenSamplers)) {
    for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
        gl_.SamplerParameteri(sampler_.name(), filter, GL_NEAREST);
    }
    for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
        gl_.SamplerParameteri(sampler_.name(), wrap, GL_CLAMP_TO_EDGE);
    }
}

void Bindings::begin() {
    gl_.BindVertexArray(vertices_.name());
    for (GLuint unit = 0; unit < texture_units; ++unit) gl_.BindSampler(unit, sampler_.name());
    program_ = 0;
    viewport_ = {-1, -1, -1, -1};
    forget();
}

void Bindings::forget() {
    textures_.fill(~GLuint{0});
    images_.fill({~GLuint{0}, 0, 0, 0});
    framebuffer_ = 0;
}

void Bindings::use_program(GLuint program) {
    if (program_ == program) return;
    gl_.UseProgram(program);
    program_ = program;
}

void Bindings::bind_texture(int unit, GLuint texture) {
    GLuint& bound = textures_[static_cast<std::size_t>(unit)];
    if (bound == texture) return;
    bound = texture;
    if (binds_by_unit_) return gl_.BindTextureUnit(static_cast<GLuint>(unit), texture);
    gl_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    gl_.BindTexture(texture_target_, texture);
}

void Bindings::bind_image(int unit, GLuint texture, GLenum access, GLenum format, GLint layer) {
    Image& bound = images_[static_cast<std::size_t>(unit)];
    const Image wanted{texture, access, format, layer};
    if (bound == wanted) return;
    gl_.BindImageTexture(static_cast<GLuint>(unit), texture, 0, GL_FALSE, layer, access, format);
    bound = wanted;
}

namespace {

/// The units [first, last] whose binding is another one; last < first: none.
template <class IsOther>
std::pair<int, int> others(std::size_t count, const IsOther& is_other) {
    std::pair<int, int> found{0, -1};
    for (int i = 0; i < static_cast<int>(count); ++i) {
        if (!is_other(static_cast<std::size_t>(i))) continue;
        if (found.second < 0) found.first = i;
        found.second = i;
    }
    return found;
}

}  // namespace

void Bindings::bind_textures(int first, std::span<const GLuint> textures) {
    const auto unit = [&](std::size_t i) { return static_cast<std::size_t>(first) + i; };
    const auto [from, to] = others(textures.size(), [&](std::size_t i) { return textures_[unit(i)] != textures[i]; });
    if (!binds_several_ || to <= from) {
        for (int i = from; i <= to; ++i) bind_texture(first + i, textures[static_cast<std::size_t>(i)]);
        return;
    }
    const auto part = textures.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from + 1));
    gl_.BindTextures(static_cast<GLuint>(first + from), static_cast<GLsizei>(part.size()), part.data());
    std::ranges::copy(textures, textures_.begin() + first);
}

void Bindings::bind_images_to_read(std::span<const GLuint> textures, std::span<const GLenum> formats) {
    const auto wanted = [&](std::size_t i) { return Image{textures[i], GL_READ_ONLY, formats[i], 0}; };
    const auto [from, to] = others(textures.size(), [&](std::size_t i) { return images_[i] != wanted(i); });
    if (!binds_several_ || to <= from) {
        for (int i = from; i <= to; ++i) {
            bind_image(i, textures[static_cast<std::size_t>(i)], GL_READ_ONLY, formats[static_cast<std::size_t>(i)]);
        }
        return;
    }
    const auto part = textures.subspan(static_cast<std::size_t>(from), static_cast<std::size_t>(to - from + 1));
    gl_.BindImageTextures(static_cast<GLuint>(from), static_cast<GLsizei>(part.size()), part.data());
    for (std::size_t i = 0; i < textures.size(); ++i) images_[i] = wanted(i);
}

void Bindings::bind_texture_for_upload(GLuint texture) {
    bind_texture(0, texture);
    gl_.ActiveTexture(GL_TEXTURE0);
}

void Bindings::bind_outside(int unit, const OutsideTexture& texture) {
    gl_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
    gl_.BindTexture(texture.target, texture.name);
    textures_[static_cast<std::size_t>(unit)] = ~GLuint{0};
}

void Bindings::bind_unit(int unit, GLuint texture) {
    gl_.BindTextureUnit(static_cast<GLuint>(unit), texture);
    textures_[static_cast<std::size_t>(unit)] = ~GLuint{0};
}

void Bindings::bind_framebuffer(GLuint framebuffer) {
    if (framebuffer_ == framebuffer) return;
    gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    framebuffer_ = framebuffer;
}

void Bindings::set_viewport(const std::array<GLint, 4>& viewport) {
    if (viewport_ == viewport) return;
    if (keeps_viewports_) {  // all but the first one
        const auto at = [&](std::size_t i) { return static_cast<GLfloat>(viewport[i]); };
        gl_.ViewportIndexedf(0, at(0), at(1), at(2), at(3));
    } else {
        gl_.Viewport(viewport[0], viewport[1], viewport[2], viewport[3]);
    }
    viewport_ = viewport;
}

}  // namespace glsolve::inline v0_1::opengl
