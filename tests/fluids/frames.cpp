// Fluids from frame to frame: which residual a frame needs, and what the pressure of the frame before is worth.
#include <cstdio>

#include "fluids/flow.hpp"

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
    double iterations = 0;       // a frame
    double before = 0, after = 0;  // divergence, root of the mean square
    int unmet = 0;               // frames that did not meet the tolerance
    Velocity last{0, 0};
};

Run run(int side, int frames, const Effort& effort) {
    Jet jet(side, effort);
    Run made;
    Rms before, after;
    for (int frame = 0; frame < frames; ++frame) {
        const glsolve::Report report = jet.frame();
        made.iterations += static_cast<double>(report.iterations) / frames;
        made.unmet += report.converged() ? 0 : 1;
        made.last = jet.velocity();
        before.add(divergence(jet.cells, {jet.flow.projected().width(), jet.flow.projected().height(),
                                          jet.flow.projected().read()}));
        after.add(divergence(jet.cells, made.last));
    }
    made.before = before.value();
    made.after = after.value();
    return made;
}

double size(const Cells& cells, const Velocity& u) { return distance(cells, u, Velocity::staggered(cells)); }

}  // namespace

TEST_CASE("tolerances", "[.table]") {
    const auto context = open_context();
    if (context == nullptr) return;
    for (const int side : {64, 128}) {
        constexpr int frames = 120;
        const Cells cells = Jet::box(side);
        const Run best = run(side, frames, {.tolerance = 1e-6, .still = 0, .iterations = 40});
        for (const double tolerance : {0.5, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5}) {
            const Run warm = run(side, frames, {.tolerance = tolerance, .still = 0, .iterations = 40});
            const Run cold = run(side, frames, {.tolerance = tolerance, .still = 0, .iterations = 40, .warm = false});
            std::printf("%d %g: warm %.2f (%d) cold %.2f (%d) before %.3g after %.2e cold %.2e | velocity %.2e cold %.2e\n",
                        side, tolerance, warm.iterations, warm.unmet, cold.iterations, cold.unmet, warm.before, warm.after, cold.after,
                        distance(cells, warm.last, best.last) / size(cells, best.last),
                        distance(cells, cold.last, best.last) / size(cells, best.last));
        }
        for (const int iterations : {1, 2, 3, 4}) {
            const Run warm = run(side, frames, {.tolerance = 1e-6, .still = 0, .iterations = iterations});
            const Run cold = run(side, frames, {.tolerance = 1e-6, .still = 0, .iterations = iterations, .warm = false});
            std::printf("%d it %d: before %.3g after %.2e cold %.2e | velocity %.2e cold %.2e\n", side,
                        iterations, warm.before, warm.after, cold.after, distance(cells, warm.last, best.last) / size(cells, best.last),
                        distance(cells, cold.last, best.last) / size(cells, best.last));
        }
    }
}
