/// Right-hand sides and solutions in textures of the program that uses the library: nothing goes through the processor.
/// No OpenGL header is needed here; names of textures are numbers.
///
///     glsolve::Device device = glsolve::Device::adopt_current_opengl();
///     glsolve::Solver solver(device, A, {.precision = glsolve::Precision::single, .tolerance = 1e-4});
///     solver.enqueue({.texture = b}, {.texture = x}, {.iterations = 20});       // each frame; returns at once
///     if (const auto report = solver.poll()) show(report->relative_residual);   // of an earlier frame; never waits
#pragma once

#include <cstdint>

namespace glsolve::inline v0_1 {

/// How many unknowns a texel holds.
enum class Texel : std::uint8_t {
    one,  ///< in one of its components
    four  ///< one after the other in all four
};

/// A rectangle of a GL_TEXTURE_2D, or of a layer of a GL_TEXTURE_2D_ARRAY or a slice of a GL_TEXTURE_3D, as a vector:
/// unknowns lie row after row, from the row at `y` upwards.
///
/// Read are R, RG, RGB and RGBA in 32F or 16F; written R, RG and RGBA in 32F, and in 16F where the driver draws into
/// these: each number becomes a half next to it, which is off by 2^-11 of it or less where the driver rounds to the
/// nearest, by 2^-10 where it does not, and infinite beyond 65504. Cells of grids and inputs of operators may also be
/// R, RG, RGB or RGBA in 8 bits (0 to 1), and R, RG or RGBA in 8UI (0 stays 0, other numbers become 1).
///
/// It is level 0 that is read and written; other levels stay as they are, and mipmaps are the caller's to make anew.
/// The texture is neither resized nor given other parameters, and of what is written only the unknowns' own components
/// change. Filters, wrap modes and samplers do not matter; a base level or a swizzle of its own is refused.
struct TextureView {
    std::uint32_t texture = 0;  ///< OpenGL's name
    int x = 0, y = 0;           ///< the rectangle's first texel
    int width = 0, height = 0;  ///< in texels; 0: up to the end of the texture
    Texel texel = Texel::one;
    int component = 0;         ///< of Texel::one: 0 red ... 3 alpha
    int right_hand_sides = 1;  ///< of Texel::one: up to four, in this component and those behind it
    int layer = -1;            ///< of an array, or slice of a texture in space, from 0 on; -1: it is a GL_TEXTURE_2D
};

/// How much work a frame's solve may be. What has met its tolerance earlier stays as it is.
struct Budget {
    std::int64_t iterations = 0;  ///< at most; 0: as many as the milliseconds allow, or 32
    double milliseconds = 0;      ///< of the device's time, as earlier frames took it; 0: any
    bool zero_guess = false;      ///< x is taken as 0 whatever it holds; saves a product
    /// Copies the outcome, 64 bytes, for `poll`. Without, nothing is read back at all.
    bool report = true;
    /// With the report come the residuals of the iterations, of the first right-hand side, as far as the method knows
    /// them on the device: a pass over a texel for each iteration, and 16 kB more to copy. Of several that are solved
    /// together until all are done: one that has stopped stays where it is.
    bool history = false;
};

}  // namespace glsolve::inline v0_1
