/// Puts the texts of shaders together: prelude, declarations derived from the pass's row, the kernel, and the wrapper
/// of the stage. Knows no OpenGL, so that the tests can hand every text to a compiler of their own.
#pragma once

#include <array>
#include <cstdint>
#include <glsolve/device.hpp>
#include <string>
#include <string_view>

#include "device/layout.hpp"
#include "device/pass_table.hpp"
#include "device/reduction_plan.hpp"

namespace glsolve::inline v0_1 {

/// How inputs are read. Measured: llvmpipe reads at the fragment's own position by a nearest sampler a fifth faster
/// than by texelFetch, and a little faster still from an image; at computed positions from an image twice as fast as by
/// both.
enum class Fetch : std::uint8_t { sampled, texel, image };

/// Parts of a scalar argument, factor * n / d, in the order of their texture units.
inline constexpr std::array<std::string_view, 2> scalar_part_names{"n", "d"};

/// What a text depends on of the textures that it is used with.
struct ImageFormats {
    std::uint32_t half_inputs = 0;  ///< bit i: input i has half floats
    std::string_view outside = {};  ///< of a texture of the caller's that is stored into; empty: it is drawn into
    std::string_view sampler = {};  ///< of one that is read: "usampler3D", say; empty: "sampler2D"

    friend auto operator<=>(const ImageFormats&, const ImageFormats&) = default;
};

/// What a text is made for.
struct Dialect {
    std::string_view version = "330 core";
    bool embedded = false;           ///< GLSL ES: precisions are declared
    bool compute_extension = false;  ///< compute shaders by extension
    Fetch fetch = Fetch::sampled;
    bool rectangles = false;  ///< textures are rectangles, whose coordinates count texels
    Extent group{16, 16};     ///< invocations of a work group
    ImageFormats formats;
    bool linear = false;        ///< numbers lie one behind the other, and may be read one by one: in_x_number(i)
    bool words = true;          ///< arguments stand in one array (argument_words.hpp); else each kind has its own
    bool precise = false;       ///< the language has `precise` (GLSL 4.00)
    bool doubles = false;       ///< what is in two floats may be carried in double precision
    bool double_reals = false;  ///< all numbers are doubles: `float` is one in this language
    int team = 1;               ///< invocations that share the work of a texel
    int repeats = 1;  ///< texels that an invocation makes, one below the other at the distance of the group's height
};

/// Evaluates the scalar arguments and the guard at the three corners of the triangle that covers the domain: once for
/// the pass rather than once for each texel.
std::string vertex_source(const PassRow& row, const Dialect& dialect);

/// `definitions`: one definition a line, without #define. `source`: text of the caller's, where the row has such; else
/// the identity stands for it.
std::string fragment_source(const PassRow& row, std::string_view definitions, const Dialect& dialect,
                            std::string_view source = {});
std::string compute_source(const PassRow& row, std::string_view definitions, const Dialect& dialect,
                           std::string_view source = {});

/// Does the pass have a text of its own for the compute stage? Then one work group makes one texel of its output.
bool has_compute_text(const PassRow& row);

/// Reductions at once: their image units, behind those of the outputs.
inline constexpr int left_unit = 2, finished_unit = 3;
/// Asynchronous passes: the unit of y's other image, behind y and p.
inline constexpr int other_unit = 2;

/// The text of shaders/`file`, embedded when the library was built; empty when there is none.
std::string_view shader_file(std::string_view file);

}  // namespace glsolve::inline v0_1
