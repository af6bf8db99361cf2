#include "opengl/state_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <string_view>
#include <utility>

namespace glsolve::inline v0_1::opengl {
namespace {

constexpr GLint not_indexed = -1;

/// Capabilities that change what a pass writes (GL_POLYGON_SMOOTH: alpha is multiplied by coverage). Clip distances and
/// those with an index per draw buffer or per viewport are added as the context's limits have it.
constexpr GLenum switches[] = {
    GL_CULL_FACE,
    GL_RASTERIZER_DISCARD,
    GL_POLYGON_SMOOTH,
    GL_DEPTH_TEST,
    GL_STENCIL_TEST,
    GL_COLOR_LOGIC_OP,
    GL_DITHER,
    GL_FRAMEBUFFER_SRGB,
    GL_SAMPLE_MASK,
    GL_SAMPLE_COVERAGE,
    GL_SAMPLE_ALPHA_TO_COVERAGE,
    GL_SAMPLE_ALPHA_TO_ONE,
};
constexpr GLenum compatibility_switches[] = {GL_ALPHA_TEST, GL_POLYGON_STIPPLE};

/// What each engine with a cache of its own keeps track of; device.hpp lists it.
constexpr GLenum kept_by_hosts[] = {GL_BLEND, GL_CULL_FACE, GL_DEPTH_TEST, GL_SCISSOR_TEST, GL_STENCIL_TEST};

struct PixelDefault {
    GLenum parameter;
    GLint value;
};
constexpr PixelDefault pixel_store_defaults[] = {
    {GL_PACK_SWAP_BYTES, GL_FALSE},  {GL_PACK_LSB_FIRST, GL_FALSE}, {GL_PACK_ROW_LENGTH, 0},
    {GL_PACK_IMAGE_HEIGHT, 0},       {GL_PACK_SKIP_ROWS, 0},        {GL_PACK_SKIP_PIXELS, 0},
    {GL_PACK_SKIP_IMAGES, 0},        {GL_PACK_ALIGNMENT, 4},        {GL_UNPACK_SWAP_BYTES, GL_FALSE},
    {GL_UNPACK_LSB_FIRST, GL_FALSE}, {GL_UNPACK_ROW_LENGTH, 0},     {GL_UNPACK_IMAGE_HEIGHT, 0},
    {GL_UNPACK_SKIP_ROWS, 0},        {GL_UNPACK_SKIP_PIXELS, 0},    {GL_UNPACK_SKIP_IMAGES, 0},
    {GL_UNPACK_ALIGNMENT, 4},
};
constexpr PixelDefault pixel_transfer_defaults[] = {
    {GL_MAP_COLOR, GL_FALSE}, {GL_RED_SCALE, 1},  {GL_GREEN_SCALE, 1}, {GL_BLUE_SCALE, 1}, {GL_ALPHA_SCALE, 1},
    {GL_RED_BIAS, 0},         {GL_GREEN_BIAS, 0}, {GL_BLUE_BIAS, 0},   {GL_ALPHA_BIAS, 0},
};

constexpr std::array<GLboolean, 4> all_components{GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE};
constexpr std::array<GLint, 2> filled{GL_FILL, GL_FILL};

/// OpenGL's names are unsigned, its queries answer with signed integers.
GLuint as_unsigned(GLint value) { return static_cast<GLuint>(value); }

[[noreturn]] void refuse_deleted(std::string_view object, GLint id, std::string_view place) {
    throw Error(
        fmt::format("OpenGL: {} {} is bound to {} but has been deleted in another context, so it could not be "
                    "bound again afterwards; unbind it before calling glsolve",
                    object, id, place));
}

}  // namespace

StateGuard::StateGuard(const Functions& gl, const Features& features, GuardedUnits units, StatePolicy policy)
    : gl_(gl),
      policy_(policy),
      core_(features.core),
      rectangles_(features.texture_target == GL_TEXTURE_RECTANGLE),
      viewport_array_(features.viewport_array),
      clip_control_(features.clip_control),
      transform_feedback_known_(features.at_least(4, 0)
                                || extension_names(gl_).contains("GL_ARB_transform_feedback2")) {
    const auto count = [&](int wanted, GLenum limit) {
        return static_cast<std::size_t>(std::clamp(wanted, 0, static_cast<int>(integer(limit))));
    };
    color_masks_.resize(count(max_outputs, GL_MAX_DRAW_BUFFERS));
    textures_.resize(count(units.textures, GL_MAX_COMBINED_TEXTURE_IMAGE_UNITS));
    if (features.compute || features.image_loads) images_.resize(count(units.images, GL_MAX_IMAGE_UNITS));
    list_switches();
    list_pixel_parameters(extension_names(gl_).contains("GL_MESA_pack_invert"));
}

void StateGuard::enter() {
    if (inside_ == Inside::collecting) leave();
    // First of all: while a display list is compiled, even glActiveTexture would go into the list.
    refuse_modes();
    refuse_program();
    save_bindings();
    save_units();
    refuse_deleted_objects();
    save_fragment_state();
    save_pixel_state();
    set_baseline();
    inside_ = Inside::working;
}

void StateGuard::enter_to_collect() {
    bindings_.pack_buffer = integer(GL_PIXEL_PACK_BUFFER_BINDING);
    refuse_deleted_buffer(bindings_.pack_buffer, "GL_PIXEL_PACK_BUFFER");
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    inside_ = Inside::collecting;
}

void StateGuard::leave() noexcept {
    switch (std::exchange(inside_, Inside::nothing)) {
        case Inside::nothing:
            return;
        case Inside::collecting:
            return gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, as_unsigned(bindings_.pack_buffer));
        case Inside::working:
            break;
    }
    restore_fragment_state();
    restore_pixel_state();
    restore_units();
    restore_bindings();
}

GLint StateGuard::integer(GLenum name) const {
    GLint value = 0;
    gl_.GetIntegerv(name, &value);
    return value;
}

void StateGuard::list_switches() {
    const auto add = [this](GLenum capability, GLint index) {
        const bool kept = std::ranges::find(kept_by_hosts, capability) != std::end(kept_by_hosts);
        switches_.push_back({capability, index, false, host_resets() && kept});
    };
    for (const GLenum capability : switches) add(capability, not_indexed);
    if (!core_) {
        for (const GLenum capability : compatibility_switches) add(capability, not_indexed);
    }
    const GLint clip_distances = integer(GL_MAX_CLIP_DISTANCES);
    for (GLint i = 0; i < clip_distances; ++i) add(GL_CLIP_DISTANCE0 + as_unsigned(i), not_indexed);
    for (std::size_t i = 0; i < color_masks_.size(); ++i) add(GL_BLEND, static_cast<GLint>(i));
    add(GL_SCISSOR_TEST, viewport_array_ ? 0 : not_indexed);
}

void StateGuard::list_pixel_parameters(bool pack_invert) {
    for (const auto& [parameter, value] : pixel_store_defaults) pixel_store_.push_back({parameter, value, value});
    if (pack_invert) pixel_store_.push_back({GL_PACK_INVERT_MESA, GL_FALSE, GL_FALSE});
    if (core_) return;
    for (const auto& [parameter, value] : pixel_transfer_defaults) {
        pixel_transfer_.push_back({parameter, static_cast<GLfloat>(value), static_cast<GLfloat>(value)});
    }
}

void StateGuard::refuse_modes() const {
    if (!core_ && integer(GL_LIST_INDEX) != 0) {
        throw Error("OpenGL: a display list is being compiled; call glEndList before calling glsolve");
    }
    if (!core_ && integer(GL_RENDER_MODE) != GL_RENDER) {
        throw Error(
            "OpenGL: the render mode is selection or feedback, in which nothing is drawn; call "
            "glRenderMode(GL_RENDER) before calling glsolve");
    }
    if (transform_feedback_known_ && integer(GL_TRANSFORM_FEEDBACK_ACTIVE) != 0
        && integer(GL_TRANSFORM_FEEDBACK_PAUSED) == 0) {
        throw Error(
            "OpenGL: transform feedback is active and would record glsolve's passes; pause or end it before "
            "calling glsolve");
    }
}

void StateGuard::refuse_program() const {
    const GLint program = integer(GL_CURRENT_PROGRAM);
    if (program == 0) return;
    const auto refuse_if = [&](bool hopeless, std::string_view state) {
        if (!hopeless) return;
        throw Error(
            fmt::format("OpenGL: the current program {} {}, so it could not be made current again afterwards; "
                        "make another one current, or none, before calling glsolve",
                        program, state));
    };
    GLint flagged = GL_FALSE, linked = GL_TRUE;
    gl_.GetProgramiv(as_unsigned(program), GL_DELETE_STATUS, &flagged);
    gl_.GetProgramiv(as_unsigned(program), GL_LINK_STATUS, &linked);
    refuse_if(flagged != GL_FALSE, "is flagged for deletion");
    refuse_if(linked == GL_FALSE, "has failed its last link");
}

void StateGuard::refuse_deleted_buffer(GLint id, std::string_view target) const {
    if (id != 0 && !gl_.IsBuffer(as_unsigned(id))) refuse_deleted("buffer", id, target);
}

/// Deletion in another context of the share group leaves an object bound here, but takes its name away.
void StateGuard::refuse_deleted_objects() const {
    refuse_deleted_buffer(bindings_.pack_buffer, "GL_PIXEL_PACK_BUFFER");
    refuse_deleted_buffer(bindings_.unpack_buffer, "GL_PIXEL_UNPACK_BUFFER");
    for (const GLint name : {layers_, space_}) {
        if (name != 0 && !gl_.IsTexture(as_unsigned(name))) refuse_deleted("texture", name, "unit 0");
    }
    for (std::size_t i = 0; i < textures_.size(); ++i) {
        const auto [texture, rectangle, sampler] = textures_[i];
        for (const GLint name : {texture, rectangle}) {
            if (name != 0 && !gl_.IsTexture(as_unsigned(name))) {
                refuse_deleted("texture", name, fmt::format("unit {}", i));
            }
        }
        if (sampler != 0 && !gl_.IsSampler(as_unsigned(sampler)))
            refuse_deleted("sampler", sampler, fmt::format("unit {}", i));
    }
    for (std::size_t i = 0; i < images_.size(); ++i) {
        const GLint texture = images_[i].texture;
        if (texture != 0 && !gl_.IsTexture(as_unsigned(texture))) {
            refuse_deleted("texture", texture, fmt::format("image unit {}", i));
        }
    }
}

void StateGuard::save_bindings() {
    bindings_ = {.draw_framebuffer = host_resets() ? 0 : integer(GL_DRAW_FRAMEBUFFER_BINDING),
                 .read_framebuffer = host_resets() ? 0 : integer(GL_READ_FRAMEBUFFER_BINDING),
                 .program = integer(GL_CURRENT_PROGRAM),
                 .vertex_array = integer(GL_VERTEX_ARRAY_BINDING),
                 .active_texture = integer(GL_ACTIVE_TEXTURE),
                 .pack_buffer = integer(GL_PIXEL_PACK_BUFFER_BINDING),
                 .unpack_buffer = integer(GL_PIXEL_UNPACK_BUFFER_BINDING)};
}

void StateGuard::save_units() {
    for (std::size_t i = 0; i < textures_.size(); ++i) {
        gl_.ActiveTexture(texture_unit(i));
        textures_[i] = {.texture = host_resets() ? 0 : integer(GL_TEXTURE_BINDING_2D),
                        .rectangle = rectangles_ ? integer(GL_TEXTURE_BINDING_RECTANGLE) : 0,
                        .sampler = integer(GL_SAMPLER_BINDING)};
    }
    gl_.ActiveTexture(GL_TEXTURE0);
    layers_ = integer(GL_TEXTURE_BINDING_2D_ARRAY);
    space_ = integer(GL_TEXTURE_BINDING_3D);
    gl_.ActiveTexture(as_unsigned(bindings_.active_texture));
    for (GLuint i = 0; i < images_.size(); ++i) {
        const auto indexed = [&](GLenum parameter) {
            GLint value = 0;
            gl_.GetIntegeri_v(parameter, i, &value);
            return value;
        };
        images_[i] = {.texture = indexed(GL_IMAGE_BINDING_NAME),
                      .level = indexed(GL_IMAGE_BINDING_LEVEL),
                      .layered = indexed(GL_IMAGE_BINDING_LAYERED),
                      .layer = indexed(GL_IMAGE_BINDING_LAYER),
                      .access = indexed(GL_IMAGE_BINDING_ACCESS),
                      .format = indexed(GL_IMAGE_BINDING_FORMAT)};
    }
}

void StateGuard::save_fragment_state() {
    for (auto& [capability, index, on, kept] : switches_) {
        if (kept) continue;
        on = (index == not_indexed ? gl_.IsEnabled(capability) : gl_.IsEnabledi(capability, as_unsigned(index)))
             != GL_FALSE;
    }
    if (!host_resets()) save_masks_and_viewport();
    gl_.GetIntegerv(GL_POLYGON_MODE, polygon_mode_.data());
    if (clip_control_) {
        clip_origin_ = integer(GL_CLIP_ORIGIN);
        clip_depth_mode_ = integer(GL_CLIP_DEPTH_MODE);
    }
    if (!core_) clamp_fragment_color_ = integer(GL_CLAMP_FRAGMENT_COLOR);
}

void StateGuard::save_masks_and_viewport() {
    for (GLuint i = 0; i < color_masks_.size(); ++i) gl_.GetBooleani_v(GL_COLOR_WRITEMASK, i, color_masks_[i].data());
    if (viewport_array_) {
        gl_.GetFloati_v(GL_VIEWPORT, 0, viewport_.data());
    } else {
        gl_.GetFloatv(GL_VIEWPORT, viewport_.data());
    }
}

void StateGuard::save_pixel_state() {
    for (PixelStore& store : pixel_store_) store.saved = integer(store.parameter);
    for (PixelTransfer& transfer : pixel_transfer_) gl_.GetFloatv(transfer.parameter, &transfer.saved);
    clamp_read_color_ = integer(GL_CLAMP_READ_COLOR);
}

void StateGuard::set_switch(GLenum capability, GLint index, bool on) const noexcept {
    if (index == not_indexed) {
        (on ? gl_.Enable : gl_.Disable)(capability);
    } else {
        (on ? gl_.Enablei : gl_.Disablei)(capability, as_unsigned(index));
    }
}

bool StateGuard::has_own_clip_control() const {
    return clip_control_ && (clip_origin_ != GL_LOWER_LEFT || clip_depth_mode_ != GL_NEGATIVE_ONE_TO_ONE);
}

void StateGuard::set_baseline() {
    for (const auto& [capability, index, on, kept] : switches_) {
        if (on) set_switch(capability, index, false);
        if (kept && index <= 0) gl_.Disable(capability);  // of an indexed one all indices: that is what hosts are told
    }
    if (host_resets()) gl_.ColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    for (GLuint i = 0; i < color_masks_.size(); ++i) {
        const bool is_other = !host_resets() && color_masks_[i] != all_components;
        if (is_other) gl_.ColorMaski(i, GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    }
    if (polygon_mode_ != filled) gl_.PolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    if (has_own_clip_control()) gl_.ClipControl(GL_LOWER_LEFT, GL_NEGATIVE_ONE_TO_ONE);
    if (!core_) gl_.ClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);

    for (const PixelStore& store : pixel_store_) {
        if (store.saved != store.baseline) gl_.PixelStorei(store.parameter, store.baseline);
    }
    for (const PixelTransfer& transfer : pixel_transfer_) gl_.PixelTransferf(transfer.parameter, transfer.baseline);
    gl_.ClampColor(GL_CLAMP_READ_COLOR, GL_FALSE);

    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, 0);
    gl_.ActiveTexture(GL_TEXTURE0);
}

void StateGuard::restore_fragment_state() noexcept {
    for (const auto& [capability, index, on, kept] : switches_) {
        if (on && !kept) set_switch(capability, index, true);
    }
    if (!host_resets()) restore_masks_and_viewport();
    if (has_own_clip_control()) gl_.ClipControl(as_unsigned(clip_origin_), as_unsigned(clip_depth_mode_));
    if (core_ && polygon_mode_ != filled) {
        gl_.PolygonMode(GL_FRONT_AND_BACK, as_unsigned(polygon_mode_[0]));
    } else if (!core_) {
        gl_.PolygonMode(GL_FRONT, as_unsigned(polygon_mode_[0]));
        gl_.PolygonMode(GL_BACK, as_unsigned(polygon_mode_[1]));
        gl_.ClampColor(GL_CLAMP_FRAGMENT_COLOR, as_unsigned(clamp_fragment_color_));
    }
}

void StateGuard::restore_masks_and_viewport() noexcept {
    for (GLuint i = 0; i < color_masks_.size(); ++i) {
        const auto [red, green, blue, alpha] = color_masks_[i];
        if (color_masks_[i] != all_components) gl_.ColorMaski(i, red, green, blue, alpha);
    }
    const auto [x, y, width, height] = viewport_;
    if (viewport_array_) {
        gl_.ViewportIndexedf(0, x, y, width, height);
    } else {
        gl_.Viewport(static_cast<GLint>(x), static_cast<GLint>(y), static_cast<GLsizei>(width),
                     static_cast<GLsizei>(height));
    }
}

void StateGuard::restore_pixel_state() noexcept {
    for (const PixelStore& store : pixel_store_) {
        if (store.saved != store.baseline) gl_.PixelStorei(store.parameter, store.saved);
    }
    for (const PixelTransfer& transfer : pixel_transfer_) gl_.PixelTransferf(transfer.parameter, transfer.saved);
    gl_.ClampColor(GL_CLAMP_READ_COLOR, as_unsigned(clamp_read_color_));
}

void StateGuard::restore_units() noexcept {
    for (std::size_t i = 0; i < textures_.size(); ++i) {
        gl_.ActiveTexture(texture_unit(i));
        gl_.BindTexture(GL_TEXTURE_2D, as_unsigned(textures_[i].texture));
        if (rectangles_) gl_.BindTexture(GL_TEXTURE_RECTANGLE, as_unsigned(textures_[i].rectangle));
        gl_.BindSampler(static_cast<GLuint>(i), as_unsigned(textures_[i].sampler));
    }
    gl_.ActiveTexture(GL_TEXTURE0);
    gl_.BindTexture(GL_TEXTURE_2D_ARRAY, as_unsigned(layers_));
    gl_.BindTexture(GL_TEXTURE_3D, as_unsigned(space_));
    for (GLuint i = 0; i < images_.size(); ++i) {
        const ImageUnit& image = images_[i];
        gl_.BindImageTexture(i, as_unsigned(image.texture), image.level, static_cast<GLboolean>(image.layered),
                             image.layer, as_unsigned(image.access), as_unsigned(image.format));
    }
}

void StateGuard::restore_bindings() const noexcept {
    gl_.BindFramebuffer(GL_DRAW_FRAMEBUFFER, as_unsigned(bindings_.draw_framebuffer));
    gl_.BindFramebuffer(GL_READ_FRAMEBUFFER, as_unsigned(bindings_.read_framebuffer));
    gl_.UseProgram(as_unsigned(bindings_.program));  // zero gives a program pipeline its turn again
    gl_.BindVertexArray(as_unsigned(bindings_.vertex_array));
    gl_.BindBuffer(GL_PIXEL_PACK_BUFFER, as_unsigned(bindings_.pack_buffer));
    gl_.BindBuffer(GL_PIXEL_UNPACK_BUFFER, as_unsigned(bindings_.unpack_buffer));
    gl_.ActiveTexture(as_unsigned(bindings_.active_texture));
}

}  // namespace glsolve::inline v0_1::opengl
