/// Right-hand sides and solutions in textures of the calling program. No data passes through the CPU.
/// No OpenGL header is needed here: a texture is given by its OpenGL name, a number.
///
///     glsolve::Device device = glsolve::Device::adopt_current_opengl();
///     glsolve::Solver solver(device, A, {.precision = glsolve::Precision::single, .tolerance = 1e-4});
///     solver.enqueue({.texture = b}, {.texture = x}, {.iterations = 20});       // each frame; never waits
///     if (const auto report = solver.poll()) show(report->relative_residual);   // of an earlier frame; never waits
#pragma once

#include <cstdint>
#include <glsolve/export.hpp>

namespace glsolve::inline v0_1 {

/// How many unknowns a texel holds.
enum class Texel : std::uint8_t {
    one,  ///< one unknown, in one of its components
    four  ///< four consecutive unknowns, in all four components
};

/// A rectangle of a texture, used as a vector. The texture is a GL_TEXTURE_2D, a layer of a GL_TEXTURE_2D_ARRAY or a
/// slice of a GL_TEXTURE_3D. The unknowns are stored row by row, from the row at `y` upwards.
///
/// Formats that are read: R, RG, RGB and RGBA in 32F or 16F.
/// Formats that are written: R, RG and RGBA in 32F; and in 16F if the driver can render to them. In 16F, numbers are
/// converted to half precision. The relative error is at most 2^-11 if the driver rounds to nearest, otherwise at most
/// 2^-10. Numbers beyond 65504 become infinite.
/// Cells of grids and inputs of operators may also be R, RG, RGB or RGBA in 8 bits (0 to 1), and R, RG or RGBA in 8UI
/// (0 stays 0, other numbers become 1).
///
/// Only level 0 is read and written. Other levels do not change; the caller must generate mipmaps again. The texture is
/// not resized, and its parameters do not change. In a texture that is written, only the components that hold unknowns
/// change. Filters, wrap modes and samplers have no effect. A base level other than 0 or a swizzle is refused.
struct TextureView {
    std::uint32_t texture = 0;  ///< the OpenGL name
    int x = 0, y = 0;           ///< first texel of the rectangle
    int width = 0, height = 0;  ///< in texels; 0: up to the end of the texture
    Texel texel = Texel::one;
    int component = 0;         ///< for Texel::one: 0 is red ... 3 is alpha
    int right_hand_sides = 1;  ///< for Texel::one: up to four, in this component and the following ones
    int layer = -1;            ///< layer of an array or slice of a 3D texture, from 0; -1: the texture is 2D
};

/// Limits the work of one solve on textures. A solution that already meets the tolerance is not changed
/// (but in a closed box by a constant: GridSolver).
struct Budget {
    std::int64_t iterations = 0;  ///< maximum; 0: as many as `milliseconds` allows, or 32 without such a limit
    double milliseconds = 0;      ///< device time, predicted from earlier frames; 0: no limit
    bool zero_guess = false;      ///< ignores the contents of x and starts from 0; saves a product
    /// Copies the outcome (64 bytes) for `poll`. If false, nothing is read back.
    bool report = true;
    /// Adds the residuals of the iterations to the report, for the first right-hand side, if the method knows them on
    /// the device. Costs one pass over one texel per iteration, and 16 kB more to copy. Several right-hand sides may be
    /// solved together, until all have stopped. The history then stays constant once the first one has stopped.
    bool history = false;
};

}  // namespace glsolve::inline v0_1
