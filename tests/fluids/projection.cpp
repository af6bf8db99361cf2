// What docs/fluids.md says of projections, against flows that are known.
#include "fluids/flow.hpp"

namespace tests_of_projection {

using namespace fluids;

namespace {

/// Taylor and Green's vortex in the unit square: without divergence, and nothing through the walls.
double vortex(double x, double y, int axis) {
    return axis == 0 ? std::sin(pi * x) * std::cos(pi * y) : -std::cos(pi * x) * std::sin(pi * y);
}

/// grad of cos(a pi x) cos(b pi y) / pi, which does not run into the walls.
double wave(double x, double y, int axis, int a, int b) {
    return axis == 0 ? -a * std::sin(a * pi * x) * std::cos(b * pi * y)
                     : -b * std::cos(a * pi * x) * std::sin(b * pi * y);
}

/// grad of sin(2 x + y), which does.
double onto_walls(double x, double y, int axis) { return (axis == 0 ? 2 : 1) * std::cos(2 * x + y); }

/// What rounding p to single precision may add to the divergence of a cell.
double rounding(const Cells& cells, const Projection& projection) {
    double largest = 0;
    for (const float p : projection.pressure().read()) largest = std::max(largest, std::abs(static_cast<double>(p)));
    return std::ldexp(8 * largest / (cells.h * cells.h), -24);
}

void is_a_quarter(double error, double of) {
    CAPTURE(error, of);
    CHECK(of / error > 3.6);
    CHECK(of / error < 4.4);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), by);
}

}  // namespace

TEST_CASE("A staggered projection leaves the vortex, to second order, and no divergence", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    double coarser = 0;
    for (const int side : {16, 32, 64}) {
        CAPTURE(side);
        const Cells cells = Cells::square(side);
        const Velocity right = on_faces(cells, vortex);
        Velocity start = on_faces(cells, [](double x, double y, int axis) {
            return vortex(x, y, axis) + wave(x, y, axis, 1, 2) + onto_walls(x, y, axis);
        });
        each_face(cells, true, [&](int i, int j, int axis) {  // walls are at rest, whatever runs onto them
            if (cells.closed(i, j, axis)) start.at(i, j, axis) = 0;
        });
        Projection projection = staggered_projection(cells, exact);
        Flow flow(cells, projection, start);
        const Velocity found = flow.project_well();
        const double before = divergence(cells, start), after = divergence(cells, found);
        CAPTURE(before, after);
        CHECK(before > 10);
        CHECK(after <= exact.tolerance * before + rounding(cells, projection));
        const double error = distance(cells, found, right);
        CHECK(error > 1e-6);  // of the grid, not of rounding
        if (coarser > 0) is_a_quarter(error, coarser);
        coarser = error;
        CHECK(glGetError() == GL_NO_ERROR);
    }
    CHECK(coarser < 1e-3);
}

TEST_CASE("A collocated projection leaves the vortex, to second order", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    double coarser_error = 0, coarser_left = 0;
    for (const int side : {16, 32, 64}) {
        CAPTURE(side);
        const Cells cells = Cells::square(side);
        const Velocity start =
            in_cells(cells, [](double x, double y, int axis) { return vortex(x, y, axis) + wave(x, y, axis, 1, 2); });
        Projection projection = collocated_projection(cells, exact);
        Flow flow(cells, projection, start);
        const Velocity found = flow.project_well();
        Rms error;
        each_cell(cells, [&](int i, int j) {
            for (int axis = 0; axis < 2; ++axis)
                error.add(found(i, j, axis) - vortex((i + 0.5) * cells.h, (j + 0.5) * cells.h, axis));
        });
        const double left = divergence(cells, means_on_faces(cells, found));
        if (coarser_error > 0) {
            is_a_quarter(error.value(), coarser_error);
            is_a_quarter(left, coarser_left);
        }
        coarser_error = error.value();
        coarser_left = left;
    }
    CHECK(coarser_error < 2e-3);
}

TEST_CASE("A collocated projection keeps divergence, the more the shorter the waves", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    constexpr int side = 32;
    const Cells cells = Cells::square(side);
    const auto left_of = [&](int a, int b, const Effort& effort) {
        const Velocity start = in_cells(cells, [&](double x, double y, int axis) { return wave(x, y, axis, a, b); });
        Projection projection = collocated_projection(cells, effort);
        Flow flow(cells, projection, start);
        return divergence(cells, means_on_faces(cells, flow.project_well()))
               / divergence(cells, means_on_faces(cells, start));
    };
    // grad and div over two cells each see (2 / h)^2 s (1 - s) of a wave, s = sin^2(k h / 2), where the equation solved
    // has (2 / h)^2 s.
    const auto expected = [&](int a, int b) {
        const double s = std::pow(std::sin(a * pi / side / 2), 2), t = std::pow(std::sin(b * pi / side / 2), 2);
        return (s * s + t * t) / (s + t);
    };
    for (const auto& [a, b] : {std::pair(2, 2), {4, 4}, {8, 8}, {16, 16}, {16, 3}, {24, 24}}) {
        CAPTURE(a, b);
        CHECK(left_of(a, b, exact) == Approx(expected(a, b)).epsilon(0.01));
    }
    CHECK(left_of(16, 16, {.tolerance = 1e-3, .still = 0})
          == Approx(0.5).epsilon(0.01));  // a better pressure does not help

    // Of the shortest waves it sees nothing.
    Velocity board = Velocity::collocated(cells);
    each_cell(cells, [&](int i, int j) { board.at(i, j, 0) = board.at(i, j, 1) = (i + j) % 2 == 0 ? 1.0f : -1.0f; });
    for (int k = 0; k < side; ++k) {  // it does see what runs onto a wall
        for (const int end : {0, side - 1}) board.at(end, k, 0) = board.at(k, end, 1) = 0;
    }
    Projection projection = collocated_projection(cells, exact);
    Flow flow(cells, projection, board);
    const Velocity found = flow.project();
    Rms kept;
    for (int j = 6; j < side - 6; ++j) {
        for (int i = 6; i < side - 6; ++i) kept.add(found(i, j, 0));
    }
    CHECK(kept.value() > 0.9);
}

TEST_CASE("The staggered projection sees each of these waves", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    constexpr int side = 32;
    const Cells cells = Cells::square(side);
    for (const int waves : {2, 8, 16, 31}) {
        CAPTURE(waves);
        const Velocity start =
            on_faces(cells, [&](double x, double y, int axis) { return wave(x, y, axis, waves, waves); });
        Projection projection = staggered_projection(cells, exact);
        Flow flow(cells, projection, start);
        const double before = divergence(cells, start);
        CHECK(divergence(cells, flow.project_well()) <= 2e-6 * before + rounding(cells, projection));
    }
}

TEST_CASE("With another sign, or another spacing, the divergence grows from frame to frame", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    constexpr int frames = 4;
    const Cells cells = Cells::square(32);
    const auto h = static_cast<float>(cells.h);
    const Velocity start =
        on_faces(cells, [](double x, double y, int axis) { return vortex(x, y, axis) + wave(x, y, axis, 3, 2); });
    const double before = divergence(cells, start);
    // How many times as much divergence there is after each frame, of a fluid on which nothing else acts.
    const auto growth = [&](const std::string& right_side, float spacing) {
        Projection projection(
            cells.width, cells.height, spacing, right_side, staggered_subtract_gradient,
            {.tolerance = 1e-5, .still = 1e-5 * before * cells.h / static_cast<double>(spacing), .iterations = 8});
        Flow flow(cells, projection, start);
        std::vector<double> found;
        for (int frame = 0; frame < frames; ++frame) {
            found.push_back(divergence(cells, flow.project()) / before);
            flow.go_on();
        }
        return found;
    };
    const auto grows = [](const std::vector<double>& found, double by) {
        for (std::size_t frame = 0; frame < found.size(); ++frame) {
            CAPTURE(frame);
            CHECK(found[frame] == Approx(std::pow(by, frame + 1)).epsilon(0.01));
        }
    };
    for (const double left : growth(staggered_right_side, h)) CHECK(left < 2e-5);
    // b = div u: the gradient is added instead of taken off.
    grows(growth(replaced(staggered_right_side, "b = -(", "b = ("), h), 2);
    // A spacing in one pass that is a quarter of the grid's: four times the gradient is taken off.
    grows(growth(replaced(staggered_right_side, "uniform float h; ", "const float h = 1.0 / 128.0;"), h), 3);
    // Another spacing in all three places does no harm: only the pressure is another one.
    for (const double left : growth(staggered_right_side, 1)) CHECK(left < 2e-5);
}

}  // namespace tests_of_projection
