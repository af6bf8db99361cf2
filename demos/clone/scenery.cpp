// The pictures that there are without files: a balloon on a bright day, and an evening at the sea.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>

#include "clone/inputs.hpp"

namespace cloning {
namespace {

struct Colour {
    double r = 0, g = 0, b = 0;
};

Colour operator*(double factor, const Colour& c) { return {factor * c.r, factor * c.g, factor * c.b}; }
Colour operator+(const Colour& a, const Colour& b) { return {a.r + b.r, a.g + b.g, a.b + b.b}; }
Colour mix(const Colour& a, const Colour& b, double t) { return (1 - t) * a + t * b; }

/// 0 below `from`, 1 above `to`, smooth between.
double step(double from, double to, double x) {
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

/// A number from 0 to 1 for each point of a lattice.
double lattice(std::int32_t x, std::int32_t y) {
    std::uint32_t h = static_cast<std::uint32_t>(x) * 0x8da6b343u ^ static_cast<std::uint32_t>(y) * 0xd8163841u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return static_cast<double>((h ^ (h >> 15)) & 0xffffffu) / 0xffffffu;
}

/// Smooth between lattice points.
double noise(double x, double y) {
    const double floor_x = std::floor(x), floor_y = std::floor(y);
    const auto i = static_cast<std::int32_t>(floor_x), j = static_cast<std::int32_t>(floor_y);
    const double u = step(0, 1, x - floor_x), v = step(0, 1, y - floor_y);
    return std::lerp(std::lerp(lattice(i, j), lattice(i + 1, j), u),
                     std::lerp(lattice(i, j + 1), lattice(i + 1, j + 1), u), v);
}

/// Noise of several sizes, each half as strong as the one before, 0 to 1.
double clouds(double x, double y, int octaves) {
    double sum = 0, strength = 0.5, all = 0;
    for (int k = 0; k < octaves; ++k) {
        sum += strength * noise(x, y);
        all += strength;
        strength *= 0.5;
        const double turned = 1.6 * x - 1.2 * y + 17.3;  // the lattices do not show if they are turned
        y = 1.2 * x + 1.6 * y - 5.1;
        x = turned;
    }
    return sum / all;
}

/// Colours of the evening sky, from the horizon upwards.
Colour evening_sky(double up) {
    struct Stop {
        double at;
        Colour colour;
    };
    static constexpr std::array<Stop, 6> stops{{{0.0, {0.99, 0.72, 0.44}},
                                                {0.12, {0.94, 0.56, 0.40}},
                                                {0.32, {0.74, 0.44, 0.47}},
                                                {0.55, {0.47, 0.35, 0.50}},
                                                {0.80, {0.27, 0.26, 0.45}},
                                                {1.0, {0.17, 0.19, 0.38}}}};
    std::size_t k = 0;
    while (k + 2 < stops.size() && up > stops[k + 1].at) ++k;
    return mix(stops[k].colour, stops[k + 1].colour,
               std::clamp((up - stops[k].at) / (stops[k + 1].at - stops[k].at), 0.0, 1.0));
}

constexpr double horizon = 0.2, sun_x = 0.24, sun_y = 0.045;  // in units of the height and the width; sun above horizon

/// Sky with sun and clouds; x in units of the height, up from the horizon, 0 to 1.
Colour evening(double x, double up, double sun) {
    Colour colour = evening_sky(up);
    const double away = std::hypot(x - sun, 1.25 * (up - sun_y));
    colour = colour + (0.55 * std::exp(-away * 6.0)) * Colour{1.0, 0.62, 0.25};
    // Clouds lie in a layer above: the nearer to the horizon, the farther away and the flatter.
    const double distance = 1 / (up + 0.22);
    const double density = clouds(1.1 * x * distance + 3, 2.6 * distance, 6);
    const double cover = step(0.50, 0.78, density) * step(0.02, 0.16, up) * (1 - 0.55 * step(0.6, 1.0, up));
    const Colour lit = mix({1.0, 0.66, 0.42}, {0.78, 0.47, 0.53}, step(0.05, 0.6, up));
    const Colour shaded = mix({0.62, 0.36, 0.38}, {0.27, 0.23, 0.40}, step(0.05, 0.6, up));
    const double thick = step(0.60, 0.86, density);
    colour = mix(colour, mix(lit, shaded, thick), 0.62 * cover);
    return mix(colour, {1.0, 0.93, 0.72}, 1 - step(0.030, 0.036, std::hypot(x - sun, up - sun_y)));
}

Colour sea(double x, double down, double sun) {
    // Waves become smaller and closer towards the horizon.
    const double distance = 0.045 / (down + 0.012);
    const double wave = clouds(9 * x * (0.5 + distance), 34 * distance, 4) - 0.5;
    const double up = std::clamp(0.9 * down + 0.22 * wave + 0.03, 0.0, 1.0);
    Colour colour = mix(0.62 * evening_sky(up), {0.09, 0.11, 0.22}, 0.30 + 0.45 * step(0, 0.2, down));
    const double path = std::exp(-std::pow((x - sun) / (0.035 + 0.55 * down), 2));
    const double glitter = path * step(0.02, 0.20, wave + 0.10) * (1 - 1.8 * down);
    return colour + (0.75 * std::max(0.0, glitter)) * Colour{1.0, 0.68, 0.36};
}

struct Balloon {
    static constexpr double radius = 0.275, centre = 0.135, tangent = 0.72;  // angle below the equator
    static constexpr double mouth = -0.212;

    /// Half its width at this height: a sphere, and a cone that touches it.
    static double half_width(double y) {
        const double touches = centre - radius * std::sin(tangent);
        if (y >= touches) return std::sqrt(std::max(0.0, radius * radius - (y - centre) * (y - centre)));
        return radius * std::cos(tangent) + std::tan(tangent) * (y - touches);
    }

    static Colour envelope(double x, double y) {
        static constexpr std::array<Colour, 4> cloth{
            {{0.88, 0.40, 0.36}, {0.97, 0.94, 0.86}, {0.95, 0.68, 0.36}, {0.97, 0.94, 0.86}}};
        const double across = std::clamp(x / std::max(1e-6, half_width(y)), -1.0, 1.0);
        const double gore = (std::asin(across) / std::numbers::pi + 0.5) * 9;
        const auto index = static_cast<std::size_t>(std::clamp(gore, 0.0, 8.999));
        Colour colour = cloth[index % cloth.size()];
        const double zigzag = 0.018 * std::abs(2 * (gore - std::floor(gore)) - 1);
        if (std::abs(y - centre - 0.01 + zigzag) < 0.030) colour = {0.26, 0.52, 0.66};
        // Light from the left above; each gore bulges between its seams.
        const double normal_y = std::clamp((y - centre) / radius, -0.75, 1.0);
        const double level = std::sqrt(1 - normal_y * normal_y);
        const double light =
            std::max(0.0, -0.50 * across * level + 0.42 * normal_y + 0.75 * level * std::sqrt(1 - across * across));
        const double bulge = std::sin(std::numbers::pi * (gore - std::floor(gore)));
        return (0.50 + 0.56 * light) * (0.88 + 0.12 * bulge) * colour;
    }
};

/// What is at a point of the day's picture; coordinates -0.5 to 0.5, `pixel` wide.
Colour day(double x, double y, double pixel) {
    Colour colour = mix({0.76, 0.82, 0.82}, {0.36, 0.56, 0.76}, step(-0.5, 0.6, y));
    colour = mix(colour, {0.93, 0.96, 0.98}, 0.35 * step(0.52, 0.80, clouds(2.2 * x + 9, 4.5 * y + 2, 5)));
    const auto cover = [&](double distance) { return std::clamp(0.5 - distance / pixel, 0.0, 1.0); };
    // Ropes, basket, mouth, envelope.
    for (const double side : {-1.0, -0.33, 0.33, 1.0}) {
        const double t = (y + 0.318) / (Balloon::mouth + 0.318);
        if (t < 0 || t > 1) continue;
        const double rope = std::abs(x - side * std::lerp(0.030, 0.042, t)) - 0.0022;
        colour = mix(colour, {0.34, 0.32, 0.34}, 0.9 * cover(rope));
    }
    const double basket = std::max(std::abs(x) - 0.036 - 0.05 * (y + 0.345), std::abs(y + 0.345) - 0.028);
    const double weave = 0.85 + 0.15 * std::sin(260 * y) * std::sin(200 * x);
    colour = mix(colour, weave * (0.75 - 4 * x) * Colour{0.62, 0.50, 0.42}, cover(basket));
    colour = mix(colour, {0.40, 0.33, 0.30}, cover(std::max(std::abs(x) - 0.040, std::abs(y + 0.317) - 0.005)));
    if (y > Balloon::mouth - pixel) {
        const double sideways = y < Balloon::centre ? std::cos(Balloon::tangent) : 1;
        const double distance = y > Balloon::centre
                                    ? std::hypot(x, y - Balloon::centre) - Balloon::radius
                                    : std::max(sideways * (std::abs(x) - Balloon::half_width(y)), Balloon::mouth - y);
        colour = mix(colour, Balloon::envelope(x, y), cover(distance));
        const double rim = std::max(distance, y - Balloon::mouth - 0.012);
        colour = mix(colour, {0.42, 0.28, 0.28}, cover(rim));
    }
    return colour;
}

/// Four samples a pixel.
template <typename At>
demo::Picture picture_of(int width, int height, const At& at) {
    demo::Picture picture{.width = width, .height = height, .texels = {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            Colour sum;
            for (const double j : {0.25, 0.75}) {
                for (const double i : {0.25, 0.75}) sum = sum + 0.25 * at(x + i, y + j);
            }
            // Bytes, as a file has them.
            for (const double value : {sum.r, sum.g, sum.b}) {
                picture.texels.push_back(static_cast<float>(std::lround(255 * std::clamp(value, 0.0, 1.0))) / 255.0f);
            }
            picture.texels.push_back(1.0f);
        }
    }
    return picture;
}

}  // namespace

demo::Picture day_picture(int side) {
    return picture_of(side, side, [&](double x, double y) { return day(x / side - 0.5, y / side - 0.5, 1.0 / side); });
}

demo::Picture evening_picture(int width, int height) {
    const double sun = sun_x * width / height;
    return picture_of(width, height, [&](double x, double y) {
        const double across = x / height, up = y / height - horizon;
        const Colour above = evening(across, std::max(0.0, up / (1 - horizon)), sun);
        const Colour below = sea(across, std::max(0.0, -up), sun);
        return mix(below, above, std::clamp(up * height + 0.5, 0.0, 1.0));
    });
}

}  // namespace cloning
