/// Suspends the host's OpenGL state around one public call and gives it back unchanged.
#pragma once

#include <array>
#include <cstdint>
#include <glsolve/device.hpp>
#include <string_view>
#include <vector>

#include "opengl/functions.hpp"
#include "opengl/texture_units.hpp"

namespace glsolve::inline v0_1::opengl {

/// What the passes touch, as counts: texture units [0, textures) and, where passes use images, image units
/// [0, images). Counts beyond the context's own limits are cut to them.
struct GuardedUnits {
    int textures = texture_units;
    int images = 4;
};

/// Saves what full-screen passes, compute passes, uploads and reads touch or suffer from, and puts a baseline in its
/// place: every test, blend and mask off (of viewport 0 and of the draw buffers that passes draw to), pixel store and
/// pixel transfer at OpenGL's defaults, no pixel buffer bound, no clamping, texture unit 0 active. What passes bind
/// themselves (framebuffer, viewport, program, vertex array, textures, samplers, images) is saved and restored, but
/// left as it is in between.
///
/// What cannot be asked for is a precondition: no conditional rendering, no query of the host's that would count our
/// draws, no transform feedback running in a context that cannot tell (OpenGL 3.3 without ARB_transform_feedback2), and
/// no call between glBegin and glEnd.
///
/// It belongs to the context that was current when it was made. Nothing is allocated after construction.
class StateGuard {
  public:
    /// `gl` must outlive the guard. The context's limits are asked for here, once.
    StateGuard(const Functions& gl, const Features& features, GuardedUnits units,
               StatePolicy policy = StatePolicy::restore);

    /// Saves the host's state (where the host resets some, all but that), then sets the baseline. Throws Error where
    /// that state could not be restored later or where the host is in a mode in which nothing can be drawn; nothing has
    /// been changed then. After enter_to_collect it saves what is left to be saved.
    void enter();
    /// Saves only what taking read-backs touches: the pixel buffer that is bound for reading.
    void enter_to_collect();

    /// Restores exactly what was saved.
    void leave() noexcept;

    /// Since the last `enter`, or only since `enter_to_collect`?
    bool is_working() const { return inside_ == Inside::working; }

  private:
    /// One capability of glEnable; of glEnablei where it has an index.
    struct Switch {
        GLenum capability;
        GLint index;
        bool on;
        bool kept_by_host = false;  ///< it is left off
    };
    struct PixelStore {
        GLenum parameter;
        GLint baseline, saved;
    };
    struct PixelTransfer {
        GLenum parameter;
        GLfloat baseline, saved;
    };
    struct TextureUnit {
        GLint texture, rectangle, sampler;
    };
    struct ImageUnit {
        GLint texture, level, layered, layer, access, format;
    };
    struct Bindings {
        GLint draw_framebuffer, read_framebuffer, program, vertex_array, active_texture, pack_buffer, unpack_buffer;
    };
    using ColorMask = std::array<GLboolean, 4>;
    using Viewport = std::array<GLfloat, 4>;

    enum class Inside : std::uint8_t { nothing, collecting, working };

    GLint integer(GLenum name) const;
    bool host_resets() const { return policy_ == StatePolicy::host_resets; }
    GLenum texture_unit(std::size_t index) const { return GL_TEXTURE0 + static_cast<GLenum>(index); }

    void list_switches();
    void list_pixel_parameters(bool pack_invert);

    void refuse_modes() const;
    void refuse_program() const;
    void refuse_deleted_buffer(GLint id, std::string_view target) const;
    void refuse_deleted_objects() const;

    void save_fragment_state();
    void save_masks_and_viewport();
    void save_pixel_state();
    void save_bindings();
    void save_units();

    void set_switch(GLenum capability, GLint index, bool on) const noexcept;
    bool has_own_clip_control() const;  // of the host
    void set_baseline();

    void restore_fragment_state() noexcept;
    void restore_masks_and_viewport() noexcept;
    void restore_pixel_state() noexcept;
    void restore_units() noexcept;
    void restore_bindings() const noexcept;

    const Functions& gl_;
    StatePolicy policy_;
    bool core_;
    bool rectangles_;  // textures are bound as rectangles, too
    bool viewport_array_;
    bool clip_control_;  // llvmpipe's kernels are told where they are by the vertex shader
    bool transform_feedback_known_;

    std::vector<Switch> switches_;
    std::vector<ColorMask> color_masks_;  ///< per draw buffer that passes draw to
    Viewport viewport_{};                 ///< the first one: passes leave the others alone
    std::array<GLint, 2> polygon_mode_{GL_FILL, GL_FILL};
    GLint clip_origin_ = GL_LOWER_LEFT, clip_depth_mode_ = GL_NEGATIVE_ONE_TO_ONE;
    GLint clamp_read_color_ = 0, clamp_fragment_color_ = 0;

    std::vector<PixelStore> pixel_store_;
    std::vector<PixelTransfer> pixel_transfer_;  ///< empty in core profiles

    Inside inside_ = Inside::nothing;
    std::vector<TextureUnit> textures_;
    GLint layers_ = 0, space_ = 0;   ///< GL_TEXTURE_2D_ARRAY and GL_TEXTURE_3D of unit 0: the caller's are read there
    std::vector<ImageUnit> images_;  ///< empty where passes use none
    Bindings bindings_{};
};

}  // namespace glsolve::inline v0_1::opengl
