/// Operators without a matrix. A is a function in GLSL; the library compiles it into its own passes.
///
///     glsolve::GlslOperator A{.width = 512, .height = 512, .source = R"(
///         vec4 apply(ivec2 at) {
///             return 4.0 * x(at) - x(at + ivec2(1, 0)) - x(at - ivec2(1, 0)) - x(at + ivec2(0, 1)) - x(at - ivec2(0,
///             1));
///         })"};
///     glsolve::Solver solver(device, A, {.preconditioner = glsolve::PreconditionerKind::none});
///
/// The unknowns are the points of a grid. `vec4 apply(ivec2 at)` returns (A x) at the position `at` = (column, line).
/// It must be linear in x. It works on four unknowns at once, or on one unknown of four right-hand sides. All values
/// that it reads and returns have four components. Write it componentwise, as for one unknown. It may use:
///
///     vec4 x(ivec2 at)                 x at `at`, and zeros outside the grid
///     vec4 x(ivec2 at, ivec3 offset)   x at `at` plus offset; needed in 3D, because `at` does not contain the plane
///     vec4 NAME(ivec2 at)              the GlslInput of that name, in the same two forms
///     NAME                             the GlslConstant of that name
///     vec4 inside(ivec2 at)            1 inside the grid, 0 outside, in the same two forms
///     vec4 column(at), line(at), plane(at)   position of the unknowns, as numbers
///
/// The source may also define `vec4 diagonal(ivec2 at)`, the diagonal of A. The device then computes the diagonal again
/// when inputs change. Without it, PreconditionerKind::jacobi takes the diagonal from probes of `apply`.
/// Use mix() and step() for case distinctions, not branches: the four components belong to different unknowns.
///
/// If the device has double precision (OpenGL 4.0), residuals are computed in it. For this, the source is compiled
/// again with dvec4 in place of vec4. Functions without a double-precision version in GLSL, such as exp() and sin(), do
/// not compile then; put their values into an input. If this compilation fails, or the device has no double precision,
/// residuals are computed in single precision only.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// An array of numbers, one for each unknown, that the function reads.
struct GlslInput {
    std::string name;
    std::vector<float> numbers = {};  ///< empty: zeros, until Solver::set_input
};

/// A number that the function reads.
struct GlslConstant {
    std::string name;
    float value = 0;
};

struct GlslOperator {
    Index width = 1, height = 1, depth = 1;  ///< unknowns per row, rows per plane, planes
    std::string source;                      ///< GLSL, with `vec4 apply(ivec2 at)`
    std::vector<GlslInput> inputs = {};      ///< at most four
    std::vector<GlslConstant> constants = {};
    int reach = 1;  ///< largest distance along an axis at which `apply` reads x, in unknowns: 1 or 2
};

/// How a ready-made stencil treats neighbours outside the grid.
enum class StencilBorder : std::uint8_t {
    zero,   ///< they are zero: a Dirichlet wall one spacing away from the outermost unknowns
    closed  ///< they do not exist: no flux, a Neumann wall
};

struct StencilOptions {
    StencilBorder border = StencilBorder::zero;
    /// Adds an input `mask`, 0 or 1. Where it is 0, there is no unknown and no flux, and A is the identity.
    bool masked = false;
    /// Adds an input `k`: a coefficient for each unknown. Two unknowns are coupled by the harmonic mean of theirs.
    bool coefficients = false;
    float shift = 0;  ///< the constant `shift`, added to the diagonal
};

// Ready-made stencils of -div (k grad x) + shift x with spacing 1. Their source may be read and changed.
/// Couples neighbours along the axes.
GLSOLVE_API GlslOperator five_point(Index width, Index height, const StencilOptions& options = {});
GLSOLVE_API GlslOperator seven_point(Index width, Index height, Index depth, const StencilOptions& options = {});
/// Couples neighbours across corners as well. 2D: bilinear elements, (8 x - 4 neighbours - 4 corner neighbours) / 3.
/// 3D: trilinear elements; 8/3 on the diagonal, -1/6 across edges (12), -1/12 across corners (8), 0 across faces.
GLSOLVE_API GlslOperator nine_point(Index width, Index height, const StencilOptions& options = {});
GLSOLVE_API GlslOperator twenty_seven_point(Index width, Index height, Index depth, const StencilOptions& options = {});

}  // namespace glsolve::inline v0_1
