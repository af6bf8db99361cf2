// Sources of the usual stencils.
#include <fmt/format.h>

#include <cstdlib>
#include <glsolve/operator.hpp>

namespace glsolve::inline v0_1 {
namespace {

/// 1 over what couples an unknown with those so many steps along the axes away, since a third is no number in floats;
/// nothing: 0.
using Divisors = int (*)(int steps);

int along_axes(int steps) { return steps == 1 ? 1 : 0; }
int bilinear(int steps) { return steps > 0 ? 3 : 0; }
int trilinear(int steps) { return steps == 2 ? 6 : steps == 3 ? 12 : 0; }

/// One term for each neighbour:  sum <- sum + c (x_i - x_j) / divisor, with x_j = 0 outside.
std::string source(const StencilOptions& options, int dimensions, Divisors divisor) {
    std::string text;
    if (options.coefficients) {
        text +=
            "// The harmonic mean, and 0 where one of them is.\n"
            "vec4 between(vec4 a, vec4 b) { return 2.0 * a * b / max(a + b, vec4(1.0e-30)); }\n";
    }
    text += "vec4 coupling(ivec2 at, ivec3 to) {\n    vec4 c = vec4(1.0);\n";
    if (options.coefficients) {
        // Outside the grid there is no coefficient: there it is that of the unknown itself.
        text += options.border == StencilBorder::zero
                    ? "    c *= between(k(at), mix(k(at), k(at, to), inside(at, to)));\n"
                    : "    c *= between(k(at), k(at, to));\n";
    }
    if (options.masked) {
        text += options.border == StencilBorder::zero
                    ? "    c *= mask(at) * mix(vec4(1.0), mask(at, to), inside(at, to));\n"
                    : "    c *= mask(at) * mask(at, to);\n";
    }
    if (options.border == StencilBorder::closed) text += "    c *= inside(at, to);\n";
    text += "    return c;\n}\n";
    std::string sums, diagonals;
    for (int z = dimensions == 3 ? -1 : 0; z <= (dimensions == 3 ? 1 : 0); ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const int by = divisor(std::abs(x) + std::abs(y) + std::abs(z));
                if (by == 0) continue;
                const std::string to = fmt::format("ivec3({}, {}, {})", x, y, z);
                const std::string share = by == 1 ? "" : fmt::format(" / {}.0", by);
                sums += fmt::format("    sum += coupling(at, {0}) * (x(at) - x(at, {0})){1};\n", to, share);
                diagonals += fmt::format("    sum += coupling(at, {}){};\n", to, share);
            }
        }
    }
    /// Where there is no unknown, the identity.
    const auto ended = [&](const char* identity) {
        return options.masked ? fmt::format("    return mix({}, sum, mask(at));\n}}\n", identity)
                              : std::string("    return sum;\n}\n");
    };
    const std::string shift = options.shift != 0 ? "shift" : "0.0";
    text += fmt::format("vec4 apply(ivec2 at) {{\n    vec4 sum = {} * x(at);\n{}{}", shift, sums, ended("x(at)"));
    text +=
        fmt::format("vec4 diagonal(ivec2 at) {{\n    vec4 sum = vec4({});\n{}{}", shift, diagonals, ended("vec4(1.0)"));
    return text;
}

GlslOperator stencil(Index width, Index height, Index depth, const StencilOptions& options, int dimensions,
                     Divisors divisor) {
    GlslOperator made{.width = width, .height = height, .depth = depth, .source = source(options, dimensions, divisor)};
    const auto ones = [&] {
        return std::vector<float>(
            static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * static_cast<std::size_t>(depth), 1.0f);
    };
    if (options.coefficients) made.inputs.push_back({"k", ones()});
    if (options.masked) made.inputs.push_back({"mask", ones()});
    if (options.shift != 0) made.constants.push_back({"shift", options.shift});
    return made;
}

}  // namespace

GlslOperator five_point(Index width, Index height, const StencilOptions& options) {
    return stencil(width, height, 1, options, 2, along_axes);
}

GlslOperator seven_point(Index width, Index height, Index depth, const StencilOptions& options) {
    return stencil(width, height, depth, options, 3, along_axes);
}

GlslOperator nine_point(Index width, Index height, const StencilOptions& options) {
    return stencil(width, height, 1, options, 2, bilinear);
}

GlslOperator twenty_seven_point(Index width, Index height, Index depth, const StencilOptions& options) {
    return stencil(width, height, depth, options, 3, trilinear);
}

}  // namespace glsolve::inline v0_1
