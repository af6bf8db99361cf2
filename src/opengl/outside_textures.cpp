#include "opengl/outside_textures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>

#include "opengl/gl_names.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// What may be done with textures of a format.
enum class Serves : std::uint8_t { mask, reading, writing };

struct Format {
    GLenum internal;
    int components;
    Serves most;         // and what stands before it
    GLenum image = 0;    // of the bits of its texels, where they are those of what a pass makes
    bool whole = false;  // integers
};
constexpr std::array formats{
    Format{GL_R32F, 1, Serves::writing, GL_R32UI},
    Format{GL_RG32F, 2, Serves::writing, GL_RG32UI},
    Format{GL_RGBA32F, 4, Serves::writing, GL_RGBA32UI},
    Format{GL_RGB32F, 3, Serves::reading},
    Format{GL_R16F, 1, Serves::writing},
    Format{GL_RG16F, 2, Serves::writing},
    Format{GL_RGBA16F, 4, Serves::writing},
    Format{GL_RGB16F, 3, Serves::reading},
    Format{GL_R8, 1, Serves::mask},
    Format{GL_RG8, 2, Serves::mask},
    Format{GL_RGB8, 3, Serves::mask},
    Format{GL_RGBA8, 4, Serves::mask},
    Format{GL_R8UI, 1, Serves::mask, 0, true},
    Format{GL_RG8UI, 2, Serves::mask, 0, true},
    Format{GL_RGBA8UI, 4, Serves::mask, 0, true},
};

Serves needed(TextureUse use) {
    return use == TextureUse::written ? Serves::writing : use == TextureUse::mask ? Serves::mask : Serves::reading;
}

std::string_view accepted(TextureUse use) {
    switch (use) {
        case TextureUse::written:
            return "a solution takes R, RG or RGBA in 32F or 16F";
        case TextureUse::read:
            return "numbers are read from R, RG, RGB or RGBA in 32F or 16F";
        case TextureUse::mask:
            break;
    }
    return "these are read from R, RG, RGB or RGBA in 32F, 16F or 8 bits, or R, RG or RGBA in 8UI";
}

struct Swizzle {
    GLenum parameter;
    std::string_view name;
    GLenum wanted;
};
constexpr std::array swizzles{Swizzle{GL_TEXTURE_SWIZZLE_R, "GL_TEXTURE_SWIZZLE_R", GL_RED},
                              Swizzle{GL_TEXTURE_SWIZZLE_G, "GL_TEXTURE_SWIZZLE_G", GL_GREEN},
                              Swizzle{GL_TEXTURE_SWIZZLE_B, "GL_TEXTURE_SWIZZLE_B", GL_BLUE},
                              Swizzle{GL_TEXTURE_SWIZZLE_A, "GL_TEXTURE_SWIZZLE_A", GL_ALPHA}};

struct Target {
    GLenum target, binding;
};
constexpr std::array usable{Target{GL_TEXTURE_2D, GL_TEXTURE_BINDING_2D},
                            Target{GL_TEXTURE_2D_ARRAY, GL_TEXTURE_BINDING_2D_ARRAY},
                            Target{GL_TEXTURE_3D, GL_TEXTURE_BINDING_3D}};
/// Others, which the guard does not save; the last one came with OpenGL 4.0.
constexpr std::array unguarded{Target{GL_TEXTURE_1D, GL_TEXTURE_BINDING_1D},
                               Target{GL_TEXTURE_1D_ARRAY, GL_TEXTURE_BINDING_1D_ARRAY},
                               Target{GL_TEXTURE_RECTANGLE, GL_TEXTURE_BINDING_RECTANGLE},
                               Target{GL_TEXTURE_CUBE_MAP, GL_TEXTURE_BINDING_CUBE_MAP},
                               Target{GL_TEXTURE_BUFFER, GL_TEXTURE_BINDING_BUFFER},
                               Target{GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_BINDING_2D_MULTISAMPLE},
                               Target{GL_TEXTURE_2D_MULTISAMPLE_ARRAY, GL_TEXTURE_BINDING_2D_MULTISAMPLE_ARRAY},
                               Target{GL_TEXTURE_CUBE_MAP_ARRAY, GL_TEXTURE_BINDING_CUBE_MAP_ARRAY}};

bool has_layers(GLenum target) { return target == GL_TEXTURE_2D_ARRAY || target == GL_TEXTURE_3D; }

/// Why a texture of this kind cannot be used, with this layer (-1: none); empty: it can.
std::string why_not(GLenum target, int layer) {
    const std::string kind = target != 0 ? "is a " + target_name(target) : "is of another kind";
    if (layer < 0 && has_layers(target)) return kind + "; TextureView::layer says which of its layers is meant";
    if (layer < 0 && target != GL_TEXTURE_2D) {
        return kind + ", no GL_TEXTURE_2D; GL_TEXTURE_2D_ARRAY and GL_TEXTURE_3D can be used with TextureView::layer";
    }
    if (layer < 0 || has_layers(target)) return "";
    return fmt::format("{} and has no layer {}; GL_TEXTURE_2D_ARRAY and GL_TEXTURE_3D have layers", kind, layer);
}

}  // namespace

OutsideTextures::Seen OutsideTextures::look(GLuint texture, int layer, TextureUse use, std::string_view role) {
    const auto refuse = [&](std::string_view why) {
        throw InvalidInput(fmt::format("{}: texture {} {}", role, texture, why));
    };
    if (texture == 0 || gl_.IsTexture(texture) == GL_FALSE) refuse("is none of this context's");
    if (!features_.binds_by_unit && !features_.raises_errors) {
        refuse(
            "may be of any kind: a context without errors (KHR_no_error) tells which only with OpenGL 4.5 or "
            "GL_ARB_direct_state_access; make one that raises errors");
    }
    const GLenum target = target_of(texture, layer < 0 ? GL_TEXTURE_2D : GL_TEXTURE_2D_ARRAY);
    if (const std::string why = why_not(target, layer); !why.empty()) refuse(why);
    if (use == TextureUse::written) make_framebuffer();
    bindings_.bind_outside(0, {.name = texture, .target = target});
    const auto level = [&](GLenum what) {
        GLint value = 0;
        gl_.GetTexLevelParameteriv(target, 0, what, &value);
        return value;
    };
    const Extent extent{level(GL_TEXTURE_WIDTH), level(GL_TEXTURE_HEIGHT)};
    if (extent.texels() == 0) refuse("has no texels at level 0");
    if (layer >= 0 && layer >= level(GL_TEXTURE_DEPTH)) {
        refuse(fmt::format("has {} layers, counted from 0; there is no layer {}", level(GL_TEXTURE_DEPTH), layer));
    }
    const auto internal = static_cast<GLenum>(level(GL_TEXTURE_INTERNAL_FORMAT));
    const auto* const format = std::ranges::find(formats, internal, &Format::internal);
    if (format == formats.end() || format->most < needed(use)) {
        refuse(fmt::format("is of format {}; {}", format_name(internal), accepted(use)));
    }
    GLint base = 0;
    gl_.GetTexParameteriv(target, GL_TEXTURE_BASE_LEVEL, &base);
    if (base != 0)
        refuse(fmt::format("has GL_TEXTURE_BASE_LEVEL {}; level 0 is what is used, so it has to be 0", base));
    for (const Swizzle& s : swizzles) {
        GLint value = 0;
        gl_.GetTexParameteriv(target, s.parameter, &value);
        if (static_cast<GLenum>(value) != s.wanted) {
            refuse(fmt::format("has {} {}; it has to be {}", s.name, swizzle_name(static_cast<GLenum>(value)),
                               swizzle_name(s.wanted)));
        }
    }
    OutsideTexture seen{.name = texture, .target = target, .layer = std::max(layer, 0), .whole = format->whole};
    if (use == TextureUse::written) {  // the stage may be either
        attach(seen);
        const GLenum status = gl_.CheckFramebufferStatus(GL_FRAMEBUFFER);
        detach();
        if (status != GL_FRAMEBUFFER_COMPLETE) {
            refuse(fmt::format("of format {} cannot be drawn into on this driver ({})", format_name(internal),
                               framebuffer_status_name(status)));
        }
        if (is_surely_complete(target)) seen.image = format->image;
    }
    return {{extent, format->components}, seen};
}

/// A texture that is bound to a unit is bound to its own target there, of which one can ask.
GLenum OutsideTextures::target_of(GLuint texture, GLenum expected) const {
    if (!features_.binds_by_unit) return target_by_errors(texture, expected);
    const auto bound = [&](GLenum binding) {
        GLint name = 0;
        gl_.GetIntegerv(binding, &name);
        return static_cast<GLuint>(name);
    };
    gl_.ActiveTexture(GL_TEXTURE0);
    std::array<GLuint, unguarded.size()> before{};
    const std::size_t kinds = features_.at_least(4, 0) ? unguarded.size() : unguarded.size() - 1;
    for (std::size_t i = 0; i < kinds; ++i) before[i] = bound(unguarded[i].binding);
    bindings_.bind_unit(0, texture);
    for (const Target& t : usable) {
        if (bound(t.binding) == texture) return t.target;
    }
    for (std::size_t i = 0; i < kinds; ++i) {
        if (bound(unguarded[i].binding) != texture) continue;
        gl_.BindTexture(unguarded[i].target, before[i]);
        return unguarded[i].target;
    }
    return 0;
}

/// Where textures are not bound by unit (OpenGL before 4.5, without ARB_direct_state_access) nothing but an error says
/// that a texture is of another kind.
GLenum OutsideTextures::target_by_errors(GLuint texture, GLenum expected) const {
    const auto is = [&](GLenum target) {
        for (int i = 0; i < 16 && gl_.GetError() != GL_NO_ERROR; ++i) {  // an older error is not this one's
        }
        bindings_.bind_outside(0, {.name = texture, .target = target});
        return gl_.GetError() == GL_NO_ERROR;
    };
    if (is(expected)) return expected;
    for (const Target& t : usable) {
        if (t.target != expected && is(t.target)) return t.target;
    }
    return 0;
}

/// Of the texture that is bound: are stores not in vain? One whose filter asks for levels that are not there is good
/// enough to be drawn into; of images some drivers say so, others do not. (Levels of its own are not looked for.)
bool OutsideTextures::is_surely_complete(GLenum target) const {
    GLint filter = 0, has_all_levels = 0;
    gl_.GetTexParameteriv(target, GL_TEXTURE_MIN_FILTER, &filter);
    if (filter == GL_NEAREST || filter == GL_LINEAR) return true;
    if (features_.at_least(4, 2)) gl_.GetTexParameteriv(target, GL_TEXTURE_IMMUTABLE_FORMAT, &has_all_levels);
    return has_all_levels != 0;
}

void OutsideTextures::begin_drawing(const OutsideTexture& texture, std::int32_t components) {
    attach(texture);
    const auto has = [&](int bit) -> GLboolean { return (components >> bit & 1) != 0 ? GL_TRUE : GL_FALSE; };
    gl_.ColorMaski(0, has(0), has(1), has(2), has(3));
}

void OutsideTextures::end_drawing() {
    gl_.ColorMaski(0, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    detach();
}

void OutsideTextures::make_framebuffer() {
    if (framebuffer_) return;
    own_ = textures_.make({1, 1}, Element::real, "nobody draws here");
    framebuffer_ = generate<Framebuffer>(gl_, gl_.GenFramebuffers);
}

void OutsideTextures::attach(const OutsideTexture& texture) {
    bindings_.bind_framebuffer(framebuffer_.name());
    if (texture.target == GL_TEXTURE_2D) {
        gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture.name, 0);
    } else {
        gl_.FramebufferTextureLayer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, texture.name, 0, texture.layer);
    }
}

/// So that the caller's texture dies when the caller deletes it. A framebuffer that stays bound must not be without
/// any: drivers complain, whoever looks at it next.
void OutsideTextures::detach() {
    gl_.FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, features_.texture_target, own_.name(), 0);
}

}  // namespace glsolve::inline v0_1::opengl
