/// Runs one pass: a draw, a dispatch, or, where zeros are all that it makes, a clear.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "device/backend.hpp"
#include "opengl/named_textures.hpp"
#include "opengl/outside_textures.hpp"
#include "opengl/program_cache.hpp"
#include "opengl/texture_units.hpp"

namespace glsolve::inline v0_1::opengl {

class PassRunner {
  public:
    /// Makes a texture: inside a session only. All arguments must outlive the object.
    PassRunner(const Functions& gl, const Features& features, Barriers& barriers, Bindings& bindings,
               Textures& textures, NamedTextures& storages, OutsideTextures& outside, ProgramCache& programs);

    /// Runs it over `domain`. Returns how many draws, dispatches or clears that took.
    std::uint64_t run(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage,
                      Extent domain);

    /// Dispatches a work group of each pass instead of all, and draws a texel of each that comes to a target for the
    /// first time; of what belongs to the caller, beside it (stores nothing). Clears nothing (Backend::rehearse).
    void rehearse(bool on) {
        rehearses_ = on;
        rehearsed_.clear();
    }
    /// The textures that fill up targets: made anew when they are needed again.
    void give_back_unread();
    /// Begins with the program of each pass, and runs none (Backend::begin_programs).
    void begin_programs(bool on) { begins_only_ = on; }

  private:
    bool loads_images(Stage stage) const { return features_.image_loads && stage == Stage::fragment; }
    std::size_t fill_up(std::span<GLuint> targets, const PassRow& row, Stage stage, Extent extent);
    std::uint32_t half_inputs(const PassCall& call, const PassRow& row) const;
    const OutsideTexture* outside_input(const PassCall& call, const PassRow& row) const;
    void bind_inputs(const PassCall& call, const PassRow& row, Stage stage);
    void set_arguments(PassProgram& program, const PassCall& call, const PassRow& row, Extent domain);
    std::span<const GLuint> fetched(const PassCall& call, const PassRow& row);
    void exchange(const PassCall& call, const PassRow& row);

    bool is_rehearsed(const PassProgram& program, GLuint framebuffer);
    void clear(GLuint texture);
    void draw(std::array<GLint, 2> origin, Extent domain, std::span<const GLuint> targets);
    void draw_triangle(std::array<GLint, 2> origin, Extent domain);

    void dispatch(const PassCall& call, const PassRow& row, Extent domain, std::span<const GLuint> targets);
    void make_scratch();

    const Functions& gl_;
    const Features& features_;
    Barriers& barriers_;
    Bindings& bindings_;
    Textures& textures_;
    NamedTextures& storages_;
    OutsideTextures& outside_;
    ProgramCache& programs_;
    Texture zero_, one_;       // a texel of zeros, and one of ones
    Texture left_, finished_;  // of reductions at once: what groups leave, and how many have finished
    std::vector<GLuint> fetched_;
    std::map<std::pair<int, int>, Texture> unread_;  // by width and height (fill_up)
    std::set<std::pair<GLuint, GLuint>> rehearsed_;  // programs, and where they have drawn
    bool rehearses_ = false, begins_only_ = false;
};

}  // namespace glsolve::inline v0_1::opengl
