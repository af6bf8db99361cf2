#include "opengl/outside_textures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1::opengl {
namespace {

struct Format {
    GLenum internal;
    std::string_view name;
    int components;
    GLenum image;  // of the bits of its texels; 0: it does not hold what a pass makes
};
constexpr std::array formats{Format{GL_R32F, "R32F", 1, GL_R32UI},
                             Format{GL_RG32F, "RG32F", 2, GL_RG32UI},
                             Format{GL_RGBA32F, "RGBA32F", 4, GL_RGBA32UI},
                             Format{GL_R16F, "R16F", 1, 0},
                             Format{GL_RG16F, "RG16F", 2, 0},
                             Format{GL_RGB16F, "RGB16F", 3, 0},
                             Format{GL_RGBA16F, "RGBA16F", 4, 0},
                             Format{GL_RGB32F, "RGB32F", 3, 0}};

struct Parameter {
    GLenum parameter;
    std::string_view name;
    GLint wanted;
    std::string_view wanted_name;
};
constexpr std::array parameters{Parameter{GL_TEXTURE_BASE_LEVEL, "GL_TEXTURE_BASE_LEVEL", 0, "0"},
                                Parameter{GL_TEXTURE_SWIZZLE_R, "GL_TEXTURE_SWIZZLE_R", GL_RED, "GL_RED"},
                                Parameter{GL_TEXTURE_SWIZZLE_G, "GL_TEXTURE_SWIZZLE_G", GL_GREEN, "GL_GREEN"},
                                Parameter{GL_TEXTURE_SWIZZLE_B, "GL_TEXTURE_SWIZZLE_B", GL_BLUE, "GL_BLUE"},
                                Parameter{GL_TEXTURE_SWIZZLE_A, "GL_TEXTURE_SWIZZLE_A", GL_ALPHA, "GL_ALPHA"}};

}  // namespace

OutsideTextures::Seen OutsideTextures::look(GLuint texture, TextureUse use, std::string_view role) {
    const auto refuse = [&](std::string_view why) {
        throw InvalidInput(fmt::format("{}: texture {} {}", role, texture, why));
    };
    if (texture == 0 || gl_.IsTexture(texture) == GL_FALSE) refuse("is none of this context's");
    for (int i = 0; i < 16 && gl_.GetError() != GL_NO_ERROR; ++i) {  // an older error must not be taken for this one's
    }
    bindings_.bind_outside(0, texture);
    if (gl_.GetError() != GL_NO_ERROR) refuse("is no GL_TEXTURE_2D");
    const auto level = [&](GLenum what) {
        GLint value = 0;
        gl_.GetTexLevelParameteriv(GL_TEXTURE_2D, 0, what, &value);
        return value;
    };
    const Extent extent{level(GL_TEXTURE_WIDTH), level(GL_TEXTURE_HEIGHT)};
    if (extent.texels() == 0) refuse("has no texels at level 0");
    const auto internal = static_cast<GLenum>(level(GL_TEXTURE_INTERNAL_FORMAT));
    const auto* const format = std::ranges::find(formats, internal, &Format::internal);
    const bool written = use == TextureUse::written;
    if (format == formats.end() || (written && format->image == 0)) {
        refuse(fmt::format("is of format {}; {}",
                           format == formats.end() ? fmt::format("{:#x}", internal) : format->name,
                           written ? "a solution takes R32F, RG32F or RGBA32F"
                                   : "numbers are read from R, RG, RGB or RGBA in 32F or 16F"));
    }
    for (const Parameter& p : parameters) {
        GLint value = p.wanted;
        gl_.GetTexParameteriv(GL_TEXTURE_2D, p.parameter, &value);
        if (value != p.wanted) refuse(fmt::format("has {} {:#x}; it has to be {}", p.name, value, p.wanted_name));
    }
    if (written) {  // the stage may be either
        attach(texture);
        const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
        attach(0);
        if (status != GL_FRAMEBUFFER_COMPLETE) {
            refuse(fmt::format("of format {} cannot be drawn into on this driver (framebuffer status {:#x})",
                               format->name, status));
        }
    }
    return {{extent, format->components}, written && is_surely_complete() ? format->image : 0};
}

/// Of the texture that is bound: are stores not in vain? One whose filter asks for levels that are not there is good
/// enough to be drawn into; of images some drivers say so, others do not. (Levels of its own are not looked for.)
bool OutsideTextures::is_surely_complete() const {
    GLint filter = 0, has_all_levels = 0;
    gl_.GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, &filter);
    if (filter == GL_NEAREST || filter == GL_LINEAR) return true;
    if (features_.at_least(4, 2)) gl_.GetTexParameteriv(GL_TEXTURE_2D, GL_TEXTURE_IMMUTABLE_FORMAT, &has_all_levels);
    return has_all_levels != 0;
}

void OutsideTextures::begin_drawing(GLuint texture, std::int32_t components) {
    attach(texture);
    const auto has = [&](int bit) -> GLboolean { return (components >> bit & 1) != 0 ? GL_TRUE : GL_FALSE; };
    gl_.ColorMask(has(0), has(1), has(2), has(3));
}

void OutsideTextures::end_drawing() {
    gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    attach(0);  // so that the caller's texture dies when the caller deletes it
}

void OutsideTextures::attach(GLuint texture) {
    if (!framebuffer_) framebuffer_ = generate<Framebuffer>(gl_, gl_.GenFramebuffers);
    bindings_.bind_framebuffer(framebuffer_.name());
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
}

}  // namespace glsolve::inline v0_1::opengl
