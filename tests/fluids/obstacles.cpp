// Walls, solids, inlets and outlets by cells, as docs/fluids.md has them.
#include "fluids/flow.hpp"

namespace tests_of_obstacles {

using namespace fluids;

namespace {

/// A channel whose left wall lets fluid in at speed 1 and whose last column is open. The fluid is at rest.
struct Channel {
    Cells cells{48, 24, 1.0 / 24};
    Velocity start = Velocity::staggered(cells);

    Channel() {
        for (int j = 0; j < cells.height; ++j) {
            start.at(0, j, 0) = 1;
            cells.at(cells.width - 1, j) = -1;
        }
    }
};

/// The largest velocity through faces of walls and solids, beside what they have themselves.
double through_closed_faces(const Cells& cells, const Velocity& found, const Velocity& held) {
    double largest = 0;
    each_face(cells, true, [&](int i, int j, int axis) {
        if (cells.closed(i, j, axis)) largest = std::max(largest, std::abs(found(i, j, axis) - held(i, j, axis)));
    });
    return largest;
}

/// What flows through a column of faces.
double flux(const Cells& cells, const Velocity& u, int i) {
    double sum = 0;
    for (int j = 0; j < cells.height; ++j) sum += cells.h * u(i, j, 0);
    return sum;
}

/// The stream function of the potential flow round a cylinder of radius 0.2 in the middle of the unit square.
double round_cylinder(double x, double y) {
    const double dx = x - 0.5, dy = y - 0.5;
    return dy * (1 - 0.04 / (dx * dx + dy * dy));
}

/// Velocities through faces from a stream function at their ends: free of divergence to the last digit.
Velocity of_stream(const Cells& cells, double (*psi)(double, double)) {
    Velocity made = Velocity::staggered(cells);
    each_face(cells, true, [&](int i, int j, int axis) {
        const double x = i * cells.h, y = j * cells.h;
        made.at(i, j, axis) = static_cast<float>(axis == 0 ? (psi(x, y + cells.h) - psi(x, y)) / cells.h
                                                           : (psi(x, y) - psi(x + cells.h, y)) / cells.h);
    });
    return made;
}

}  // namespace

TEST_CASE("An empty channel comes to flow uniformly at once", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Channel channel;
    Projection projection = staggered_projection(channel.cells, exact);
    Flow flow(channel.cells, projection, channel.start);
    const Velocity found = flow.project_well();
    double from_uniform = 0;
    each_cell(channel.cells, [&](int i, int j) {
        from_uniform = std::max({from_uniform, std::abs(found(i, j, 0) - 1), std::abs(found(i, j, 1))});
    });
    CHECK(from_uniform < 1e-4);
}

TEST_CASE("Nothing flows through a solid, and as much past it as comes in", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Channel channel;
    Cells& cells = channel.cells;
    for (int j = 7; j < 15; ++j) {
        for (int i = 14; i < 20; ++i) cells.at(i, j) = 0;
    }
    Projection projection = staggered_projection(cells, exact);
    Flow flow(cells, projection, channel.start);
    const Velocity found = flow.project_well();
    CHECK(through_closed_faces(cells, found, channel.start) == 0);
    CHECK(divergence(cells, found) < 1e-5 * divergence(cells, channel.start) + 1e-3);
    for (int i = 0; i < cells.width; ++i) {
        CAPTURE(i);
        CHECK(flux(cells, found, i) == Approx(1).epsilon(1e-4));
    }
    CHECK(found(17, 3, 0) > 1.2);  // it is quicker where there is less room
}

TEST_CASE("A solid that moves pushes the fluid round itself", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Cells cells = Cells::square(32);
    Velocity start = Velocity::staggered(cells);
    for (int j = 12; j < 20; ++j) {
        for (int i = 12; i < 20; ++i) cells.at(i, j) = 0;
        for (const int face : {12, 20}) start.at(face, j, 0) = 0.5f;  // its own velocity, on the faces that it has
    }
    Projection projection = staggered_projection(cells, exact);
    Flow flow(cells, projection, start);
    const Velocity found = flow.project_well();
    CHECK(through_closed_faces(cells, found, start) == 0);
    CHECK(divergence(cells, found) < 1e-4 * divergence(cells, start));
    // What it displaces flows back above and below it: nothing flows through a column of the closed box in all.
    double back = 0;
    for (int j = 0; j < 32; ++j) {
        if (j < 12 || j >= 20) back += cells.h * found(16, j, 0);
    }
    CHECK(back == Approx(-0.5 * 8 * cells.h).epsilon(1e-3));
}

TEST_CASE("Round a cylinder of cells flows what should, to first order", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    std::vector<double> errors;
    for (const int side : {16, 32, 64}) {
        CAPTURE(side);
        Cells cells = Cells::square(side);
        each_cell(cells, [&](int i, int j) {
            const double x = (i + 0.5) * cells.h - 0.5, y = (j + 0.5) * cells.h - 0.5;
            if (std::hypot(x, y) < 0.2) cells.at(i, j) = 0;
        });
        const Velocity right = of_stream(cells, round_cylinder);
        Velocity start = Velocity::staggered(cells);
        each_face(cells, true, [&](int i, int j, int axis) {  // sides that let in and out, and all else at rest
            const int along = axis == 0 ? i : j;
            if (along == 0 || along == side) start.at(i, j, axis) = static_cast<float>(right(i, j, axis));
        });
        Projection projection = staggered_projection(cells, exact);
        Flow flow(cells, projection, start);
        const Velocity found = flow.project_well();
        CHECK(through_closed_faces(cells, found, start) == 0);
        Rms error;
        each_face(cells, false, [&](int i, int j, int axis) {
            const double x = (i + 0.5 * axis) * cells.h - 0.5, y = (j + 0.5 * (1 - axis)) * cells.h - 0.5;
            if (std::hypot(x, y) > 0.3) error.add(found(i, j, axis) - right(i, j, axis));
        });
        errors.push_back(error.value());
    }
    CAPTURE(errors);
    CHECK(errors[0] / errors[2] > 2.5);  // 4 on average: stairs are a cylinder of a size of their own
    CHECK(errors[2] < 0.02);
}

TEST_CASE("A collocated projection keeps flow out of solids, by the means on their faces", "[fluids]") {
    const auto context = open_context();
    if (context == nullptr) return;
    Cells cells = Cells::square(32);
    for (int j = 10; j < 20; ++j) {
        for (int i = 12; i < 18; ++i) cells.at(i, j) = 0;
    }
    const Velocity start = in_cells(cells, [](double x, double y, int axis) {
        return axis == 0 ? std::sin(pi * x) * std::cos(pi * y) : std::sin(pi * x) * std::sin(2 * pi * y);
    });
    Projection projection = collocated_projection(cells, exact);
    Flow flow(cells, projection, start);
    std::vector<double> left{divergence(cells, means_on_faces(cells, start))};
    for (int frame = 0; frame < 3; ++frame) {
        left.push_back(divergence(cells, means_on_faces(cells, flow.project_well())));
        flow.go_on();
    }
    CAPTURE(left);
    CHECK(left[1] < left[0] / 3);
    CHECK(left[3] < left[1]);         // a further projection takes off some of what is left ...
    CHECK(left[3] > 1e-3 * left[0]);  // ... but never all of it
}

}  // namespace tests_of_obstacles
