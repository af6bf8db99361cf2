// Fluids from frame to frame: which residual a frame needs, and what the pressure of the frame before is worth.
#include <cstdio>

#include "fluids/flow.hpp"

namespace tests_of_frames {

using namespace fluids;

namespace {

constexpr double dt = 1.0 / 60;

/// The fluid carries its own velocity (Stam 1999), and a jet in the middle drives it. What walls and solids hold stays.
const std::string advect = faces + R"(
uniform float dt;
uniform float push;
out vec2 carried;

// Along an axis, at a place in cells from the lower left corner.
float at(vec2 place, int axis) {
    vec2 texel = place - (axis == 0 ? vec2(0.0, 0.5) : vec2(0.5, 0.0));
    texel = clamp(texel, vec2(0.0), vec2(textureSize(velocity, 0) - 1 - ivec2(1 - axis, axis)));
    ivec2 low = ivec2(texel), high = min(low + 1, textureSize(velocity, 0) - 1 - ivec2(1 - axis, axis));
    vec2 t = texel - vec2(low);
    return mix(mix(texelFetch(velocity, low, 0)[axis], texelFetch(velocity, ivec2(high.x, low.y), 0)[axis], t.x),
               mix(texelFetch(velocity, ivec2(low.x, high.y), 0)[axis], texelFetch(velocity, high, 0)[axis], t.x), t.y);
}

float on_face(ivec2 cell, int axis) {
    ivec2 low = cell - (axis == 0 ? ivec2(1, 0) : ivec2(0, 1));
    if (closed(low, cell)) return texelFetch(velocity, cell, 0)[axis];
    vec2 here = vec2(cell) + (axis == 0 ? vec2(0.0, 0.5) : vec2(0.5, 0.0));
    vec2 middle = here - 0.5 * dt / h * vec2(at(here, 0), at(here, 1));
    vec2 from = here - dt / h * vec2(at(middle, 0), at(middle, 1));
    vec2 away = here * h - vec2(0.5, 0.2);
    float force = axis == 1 ? push * exp(-dot(away, away) / 0.01) : 0.0;
    return at(from, axis) + dt * force;
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    carried = vec2(on_face(cell, 0), on_face(cell, 1));
}
)";

/// A jet that meets a solid in a closed box.
struct Jet {
    Cells cells;
    Projection projection;
    Flow flow;
    Pass carry{advect};

    Jet(int side, const Effort& effort)
        : cells(box(side)),
          projection(staggered_projection(cells, effort)),
          flow(cells, projection, Velocity::staggered(cells)) {
        carry.set("h", static_cast<float>(cells.h));
        carry.set("dt", static_cast<float>(dt));
        carry.set("push", 8);
    }
    static Cells box(int side) {
        Cells cells = Cells::square(side);
        each_cell(cells, [&](int i, int j) {
            if (std::hypot((i + 0.5) * cells.h - 0.5, (j + 0.5) * cells.h - 0.6) < 0.12) cells.at(i, j) = 0;
        });
        return cells;
    }

    Velocity velocity() { return {flow.velocity().width(), flow.velocity().height(), flow.velocity().read()}; }
    /// Advection and projection; of the latter what has become.
    glsolve::Report frame() {
        carry.draw(flow.projected(), {{"cells", flow.kinds().texture()}, {"velocity", flow.velocity().texture()}});
        flow.go_on();
        flow.project();
        flow.go_on();
        const auto report = projection.outcome();
        REQUIRE(report.has_value());
        return *report;
    }
};

/// What a run of frames has cost and left.
struct Run {
    double iterations = 0;  // a frame
    double left = 0;        // of the divergence, at most ...
    double left_last = 0;   // ... and in the last frame
    bool met = true;        // was the tolerance, in each frame?
    Velocity last{0, 0};
};

Run run(int side, int frames, const Effort& effort) {
    Jet jet(side, effort);
    Run made;
    for (int frame = 0; frame < frames; ++frame) {
        const glsolve::Report report = jet.frame();
        made.iterations += static_cast<double>(report.iterations) / frames;
        made.met = made.met && report.converged();
        made.last = jet.velocity();
        const Target& carried = jet.flow.projected();  // they have changed places
        const double before = divergence(jet.cells, {carried.width(), carried.height(), carried.read()});
        made.left_last = divergence(jet.cells, made.last) / before;
        made.left = std::max(made.left, made.left_last);
    }
    return made;
}

/// How far two runs have come apart, of the velocity.
double apart(int side, const Run& a, const Run& b) {
    const Cells cells = Jet::box(side);
    return distance(cells, a.last, b.last) / distance(cells, b.last, Velocity::staggered(cells));
}

Effort until(double tolerance, bool warm = true) {
    return {.tolerance = tolerance, .still = 0, .iterations = 6, .warm = warm};
}

}  // namespace

TEST_CASE("A frame leaves of the divergence what its tolerance says, and the flow follows", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    constexpr int side = 32, frames = 12;
    const Run best = run(side, frames, until(1e-5));
    CHECK(best.met);
    for (const double tolerance : {1e-1, 1e-2, 1e-3}) {
        CAPTURE(tolerance);
        const Run warm = run(side, frames, until(tolerance)), cold = run(side, frames, until(tolerance, false));
        CHECK(warm.met);
        CHECK(cold.met);
        CHECK(warm.left < 1.01 * tolerance + 1e-5);
        CHECK(cold.left < 1.01 * tolerance + 1e-5);
        CHECK(apart(side, warm, best) < tolerance);
        CHECK(warm.iterations < cold.iterations);  // the frame before is worth something
        CHECK(warm.iterations > 0);
    }
    // Where there is no time for more than one iteration it is worth most.
    Effort one = until(1e-5);
    one.iterations = 1;
    const Run hurried = run(side, frames, one);
    one.warm = false;
    CHECK(hurried.left_last < run(side, frames, one).left_last / 2);
    CHECK(apart(side, hurried, best) < 0.01);
}

TEST_CASE("A fluid at rest costs no iterations, and stays at rest", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Jet jet(32, {});
    for (int frame = 0; frame < 4; ++frame) jet.frame();
    CHECK(divergence(jet.cells, jet.velocity()) > 0);  // of what moves something is left
    jet.carry.set("push", 0);
    jet.flow.velocity().write(Velocity::staggered(jet.cells).texels);
    jet.frame();  // the pressure is no longer what it was
    for (int frame = 0; frame < 4; ++frame) {
        const glsolve::Report report = jet.frame();
        CHECK(report.converged());
        CHECK(report.iterations == 0);
        CHECK(divergence(jet.cells, jet.velocity()) < 2 * Effort().still);
    }
}

TEST_CASE("Where more is asked for than single precision can do, the constant of a closed box's pressure stays",
          "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Jet jet(32, until(1e-6));
    const auto most = [&] {
        double size = 0;
        for (const float p : jet.projection.pressure().read()) size = std::max(size, std::abs(static_cast<double>(p)));
        return size;
    };
    jet.frame();
    const double first = most();
    for (int frame = 1; frame < 24; ++frame) jet.frame();
    CHECK(first > 0);
    CHECK(most() < 100 * first);  // it grows with the jet, fourfold or so
}

// The table of docs/measurements/fluids-residuals.md: fluid_tests "[table]"
TEST_CASE("Tolerances of a frame, and what they cost", "[.][table]") {
    const auto context = open_context();
    if (context == nullptr) return;
    constexpr int frames = 120;
    std::printf(
        "| cells | tolerance | iterations | from zero | divergence left | velocity apart "
        "|\n|---|---|---:|---:|---:|---:|\n");
    for (const int side : {64, 128}) {
        const Run best = run(side, frames, until(1e-5));
        for (const double tolerance : {0.5, 1e-1, 1e-2, 1e-3, 1e-4}) {
            const Run warm = run(side, frames, until(tolerance)), cold = run(side, frames, until(tolerance, false));
            CHECK(warm.met);
            std::printf("| %d x %d | %g | %.1f | %.1f | %.1e | %.1e |\n", side, side, tolerance, warm.iterations,
                        cold.iterations, warm.left, apart(side, warm, best));
            std::fflush(stdout);
        }
    }
}

}  // namespace tests_of_frames
