/// Operators without a matrix: A is a function in GLSL that the library compiles into its own passes.
///
///     glsolve::GlslOperator A{.width = 512, .height = 512, .source = R"(
///         vec4 apply(ivec2 at) {
///             return 4.0 * x(at) - x(at + ivec2(1, 0)) - x(at - ivec2(1, 0)) - x(at + ivec2(0, 1)) - x(at - ivec2(0,
///             1));
///         })"};
///     glsolve::Solver solver(device, A, {.preconditioner = glsolve::PreconditionerKind::none});
///
/// Unknowns are the points of a grid. `vec4 apply(ivec2 at)` gives (A x) at the position `at` = (column, line) and must
/// be linear in x. It works on four unknowns at once, or on one in four right-hand sides: all that it reads and returns
/// are four numbers, so it is written component by component, as if there was one. There are
///
///     vec4 x(ivec2 at)                 x there, and zeros outside the grid
///     vec4 x(ivec2 at, ivec3 offset)   the same so much farther on: in space, whose planes `at` does not tell apart
///     vec4 NAME(ivec2 at)              a GlslInput of that name, in the same two forms
///     NAME                             a GlslConstant of that name
///     vec4 inside(ivec2 at)            1 inside the grid, 0 outside, in the same two forms
///     vec4 column(at), line(at), plane(at)   where the unknowns are, as numbers
///
/// and, where the source has it, `vec4 diagonal(ivec2 at)`, the diagonal of A, which the device then makes anew when
/// inputs change (else PreconditionerKind::jacobi takes it from probes of `apply`). Choose by mix() and step(), not by
/// branches: the four numbers belong to different unknowns.
///
/// Residuals are those of the function in double precision where the device has it (OpenGL 4.0), for which the source
/// is compiled once more with dvec4 for vec4; what has no double precision in GLSL, as exp() and sin(), belongs into an
/// input. Where it does not compile so, or there is no double precision, single precision is all there is.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// Numbers, one for each unknown, that a function reads.
struct GlslInput {
    std::string name;
    std::vector<float> numbers = {};  ///< empty: zeros, until Solver::set_input
};

/// A number that a function reads.
struct GlslConstant {
    std::string name;
    float value = 0;
};

struct GlslOperator {
    Index width = 1, height = 1, depth = 1;  ///< unknowns along a row, rows of a plane, planes
    std::string source;                      ///< GLSL, with `vec4 apply(ivec2 at)`
    std::vector<GlslInput> inputs = {};      ///< at most four
    std::vector<GlslConstant> constants = {};
    int reach = 1;  ///< how many unknowns away `apply` looks along each axis, at most: 1 or 2
};

/// What neighbours outside the grid are in a ready-made stencil.
enum class StencilBorder : std::uint8_t {
    zero,   ///< zeros: a Dirichlet wall a whole spacing away from the outermost unknowns
    closed  ///< not there: nothing passes, as through a Neumann wall
};

struct StencilOptions {
    StencilBorder border = StencilBorder::zero;
    /// An input `mask`: where it is 0 there is no unknown, nothing passes, and A is the identity; 1 elsewhere.
    bool masked = false;
    /// An input `k`: a coefficient for each unknown; what couples two of them is their harmonic mean.
    bool coefficients = false;
    float shift = 0;  ///< added to the diagonal; the constant `shift`
};

// Ready-made stencils, -div (k grad x) + shift x with spacing 1: read or change their source as you like.
/// Neighbours along the axes.
GLSOLVE_API GlslOperator five_point(Index width, Index height, const StencilOptions& options = {});
GLSOLVE_API GlslOperator seven_point(Index width, Index height, Index depth, const StencilOptions& options = {});
/// Those across corners as well. Plane: (8 x - 4 neighbours - 4 at corners) / 3, bilinear elements. Space: trilinear
/// ones, whose neighbours across faces do not couple: -1/6 across edges (12), -1/12 across corners (8), 8/3 itself.
GLSOLVE_API GlslOperator nine_point(Index width, Index height, const StencilOptions& options = {});
GLSOLVE_API GlslOperator twenty_seven_point(Index width, Index height, Index depth, const StencilOptions& options = {});

}  // namespace glsolve::inline v0_1
