/// The table of passes. A pass is one evaluation of a *kernel* (a function of the texel position) over all texels of
/// its outputs. A row declares everything that is not arithmetic; shaders, checks and tests are derived from it. The
/// build makes the rows from the heads of the kernels (shaders/README.md). The arithmetic of row `name` is
/// shaders/pass/`file`.glsl.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "pass_ids.hpp"

namespace glsolve::inline v0_1 {

inline constexpr int pass_count = static_cast<int>(PassId::count);
inline constexpr int max_outputs = 5;
inline constexpr int max_inputs = 12;
inline constexpr int max_scalars = 2;
inline constexpr int max_integers = 12;
inline constexpr int max_constants = 4;
inline constexpr int most_steps_a_pass = 16;

/// What a pass runs over.
enum class Domain : std::uint8_t {
    output,  ///< all texels of the first output
    input,   ///< all texels of the first input (its only output is the sum)
    window,  ///< of the outputs the rectangle of `columns` x `rows` texels at `left`, `bottom`, which are the first
             ///< four integers; the other texels keep what they hold
    /// All texels of the first input. Each makes texels of the outputs that follow one another, as many as its kernel
    /// says (`range_of`); the other texels keep what they hold. Not in the fragment stage.
    ranges
};

/// One input of a pass.
struct Input {
    std::string_view name;
    bool integer = false;  ///< RGBA32I instead of RGBA32F
    bool outside = false;  ///< a texture of the caller's: of any format of floats, with coordinates of its own
};

/// What a reduction adds up: vectors, or the inner products of a vector with many.
enum class Summed : std::uint8_t { vectors, bases };

/// Does an output of this name hold partial sums?
constexpr bool is_sum(std::string_view output) { return output.starts_with("sum"); }

/// A row of the table. Outputs whose names begin with `sum`, the last ones, hold partial sums: one texel for each texel
/// of the domain, or for each piece that a work group or a thread adds up (Backend::partial_extent); passes `sum` add
/// them up.
struct PassRow {
    PassId id = PassId::count;
    std::string_view name = {};
    std::string_view file = name;   ///< shaders/pass/`file`.glsl
    std::string_view defines = {};  ///< "A B": which variant of the file this is
    std::string_view formula = {};  ///< for people
    std::span<const std::string_view> outputs = {};
    std::span<const Input> inputs = {};
    std::span<const std::string_view> scalars = {};    ///< arguments formed on the device
    std::span<const std::string_view> integers = {};   ///< arguments known to the host
    std::span<const std::string_view> constants = {};  ///< the same, real numbers
    std::span<const std::string_view> flags = {};      ///< true or false for its text: does the call define them?
    std::uint32_t integer_outputs = 0;                 ///< bit i: output i is RGBA32I instead of RGBA32F
    bool guarded = false;      ///< obeys the status: keeps the old values when the solve has stopped
    bool each_apart = false;   ///< ... of a MultiVector: the status holds one stop for each of four right-hand sides
    bool two_float = false;    ///< uses the error-free arithmetic of shaders/two_float.glsl
    bool in_parts = false;     ///< makes zones of partial products: long work for each texel
    bool elementwise = false;  ///< reads all inputs at the texel it writes, and nowhere else
    /// Makes several steps, as its last integer says, of each texel without waiting for the others. Its first output,
    /// y, is its first input as well and has two textures: step k reads one and writes the other, and what others have
    /// there at that moment (of any step) counts. All other outputs are read only where they are written. Coefficients
    /// of the steps end the table. Texels of a tile, of a work group or a thread, wait for one another. Only where
    /// Capabilities::asynchronous.
    bool asynchronous = false;
    /// Makes its output y, which is its first input as well and has one texture, in an order: each texel may read those
    /// before it that belong to another level (`first_texel` of its kernel, `level_count`). One work group makes them.
    /// Only where Capabilities::ordered.
    bool ordered = false;
    /// Its output is a texture of the caller's. Its last integer says which components are written, as bits; the others
    /// keep what they hold, and all of a texel do where the kernel ends in KEEP.
    bool writes_outside = false;
    /// Part of its text is the caller's (ShaderVariant::source), which knows no two floats: in double precision where
    /// there is any.
    bool user_glsl = false;
    Domain domain = Domain::output;
    /// Where not empty: passes with the same word here share a program, as tasks of it ("texel": those over a texel or
    /// a few, or of next to no work; others not where software renders). They have no scalars, sums, defines or
    /// variants, and what their texts define has names of its own, or is undefined at the end.
    std::string_view shares = {};
    // The texts in front of the kernel, shaders/`...`.glsl, beside those that all have.
    std::string_view places = {};   ///< "tiles", "zones": where the numbers of a matrix are
    std::string_view kind = {};     ///< "product", "reduction": what the kernels of a kind share
    std::string_view entries = {};  ///< "entries": of nonzeros that follow one another
    std::string_view ends = {};     ///< "ending": what products end in

    /// A stage of a reduction: a texel from a tile of the input, whose size belongs to the backend.
    bool reduces() const { return kind == "reduction"; }
    Summed summed() const { return defines.find("BASIS") != std::string_view::npos ? Summed::bases : Summed::vectors; }
    bool makes_integers(std::size_t output) const { return (integer_outputs >> output & 1u) != 0; }
    /// Fragments write their own texel, and real numbers.
    bool needs_compute_stage() const {
        return ordered || asynchronous || integer_outputs != 0 || domain == Domain::ranges;
    }
    bool has_sum() const { return !outputs.empty() && is_sum(outputs.back()); }
};

/// All rows, in the order of PassId.
std::span<const PassRow> pass_table();

const PassRow& row(PassId pass);

}  // namespace glsolve::inline v0_1
