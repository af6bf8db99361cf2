/// Flows on grids, and what tests ask of them, in double precision.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glsolve/error.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "fluids/projection.hpp"
#include "opengl/context.hpp"
#include "support/catch.hpp"

namespace fluids {

inline constexpr double pi = 3.14159265358979323846;

/// A context without a window, as a program that uses glsolve would have made one; none where there is no OpenGL: a
/// failure where that is required, else a visible skip.
inline std::unique_ptr<glsolve::opengl::Context> open_context() {
    try {
        auto context = glsolve::opengl::open_headless_context("", false);
        context->make_current();
        glsolve::Device::adopt_current_opengl(glsolve::Stage::fragment);  // loads GLEW
        return context;
    } catch (const glsolve::NoDevice& absent) {
        const char* required = std::getenv("GLSOLVE_REQUIRE");
        if (required != nullptr && std::string_view(required).find("opengl") != std::string_view::npos)
            FAIL(absent.what());
        WARN("skipped: " << absent.what());
        return nullptr;
    }
}

/// Cells of a grid, `h` apart, and what they are: 1 fluid, 0 solid, -1 open. Beside it is all solid.
struct Cells {
    int width, height;
    double h;
    std::vector<float> kinds = std::vector<float>(static_cast<std::size_t>(width * height), 1.0f);

    /// The unit square.
    static Cells square(int side) { return {side, side, 1.0 / side}; }

    float& at(int i, int j) { return kinds[static_cast<std::size_t>(j * width + i)]; }
    float kind(int i, int j) const {
        return i < 0 || j < 0 || i >= width || j >= height ? 0 : kinds[static_cast<std::size_t>(j * width + i)];
    }
    bool fluid(int i, int j) const { return kind(i, j) > 0; }
    /// Is the face of cell (i, j) on the low side of the axis one of a wall or of a solid?
    bool closed(int i, int j, int axis) const {
        return kind(i, j) == 0 || kind(axis == 0 ? i - 1 : i, axis == 0 ? j : j - 1) == 0;
    }
};

/// Two numbers a texel: staggered velocities have a row and a column more than there are cells.
struct Velocity {
    int width, height;
    std::vector<float> texels = std::vector<float>(static_cast<std::size_t>(2 * width * height), 0.0f);

    static Velocity staggered(const Cells& cells) { return {cells.width + 1, cells.height + 1}; }
    static Velocity collocated(const Cells& cells) { return {cells.width, cells.height}; }

    float& at(int i, int j, int axis) { return texels[static_cast<std::size_t>(2 * (j * width + i) + axis)]; }
    double operator()(int i, int j, int axis) const {
        return static_cast<double>(texels[static_cast<std::size_t>(2 * (j * width + i) + axis)]);
    }
};

/// f(i, j, axis) for each face between two cells, and on walls if these count, too.
template <class Function>
void each_face(const Cells& cells, bool walls, const Function& f) {
    for (int axis = 0; axis < 2; ++axis) {
        for (int j = 0; j < cells.height + axis; ++j) {
            for (int i = 0; i < cells.width + 1 - axis; ++i) {
                const int along = axis == 0 ? i : j, last = axis == 0 ? cells.width : cells.height;
                if (walls || (along > 0 && along < last)) f(i, j, axis);
            }
        }
    }
}

template <class Function>
void each_cell(const Cells& cells, const Function& f) {
    for (int j = 0; j < cells.height; ++j) {
        for (int i = 0; i < cells.width; ++i) f(i, j);
    }
}

/// Sets the velocity through faces from u(x, y, axis) in their middle.
template <class Function>
Velocity on_faces(const Cells& cells, const Function& u) {
    Velocity made = Velocity::staggered(cells);
    each_face(cells, true, [&](int i, int j, int axis) {
        const double x = (i + 0.5 * axis) * cells.h, y = (j + 0.5 * (1 - axis)) * cells.h;
        made.at(i, j, axis) = static_cast<float>(u(x, y, axis));
    });
    return made;
}

/// Sets the velocity in the middle of cells.
template <class Function>
Velocity in_cells(const Cells& cells, const Function& u) {
    Velocity made = Velocity::collocated(cells);
    each_cell(cells, [&](int i, int j) {
        for (int axis = 0; axis < 2; ++axis)
            made.at(i, j, axis) = static_cast<float>(u((i + 0.5) * cells.h, (j + 0.5) * cells.h, axis));
    });
    return made;
}

/// The velocity on the faces between collocated ones; solids and walls are at rest.
inline Velocity means_on_faces(const Cells& cells, const Velocity& u) {
    Velocity made = Velocity::staggered(cells);
    each_face(cells, false, [&](int i, int j, int axis) {
        if (cells.closed(i, j, axis)) return;
        made.at(i, j, axis) =
            static_cast<float>((u(i, j, axis) + (axis == 0 ? u(i - 1, j, axis) : u(i, j - 1, axis))) / 2);
    });
    return made;
}

/// The root of the mean square of some numbers.
class Rms {
  public:
    void add(double number) { sum_ += number * number, count_ += 1; }
    double value() const { return std::sqrt(sum_ / count_); }

  private:
    double sum_ = 0, count_ = 0;
};

/// Of the fluid cells' divergence, by what flows through their faces.
inline double divergence(const Cells& cells, const Velocity& u) {
    Rms rms;
    each_cell(cells, [&](int i, int j) {
        if (cells.fluid(i, j)) rms.add((u(i + 1, j, 0) - u(i, j, 0) + u(i, j + 1, 1) - u(i, j, 1)) / cells.h);
    });
    return rms.value();
}

/// How far apart two velocities are on the faces between two cells.
inline double distance(const Cells& cells, const Velocity& u, const Velocity& v) {
    Rms rms;
    each_face(cells, false, [&](int i, int j, int axis) { rms.add(u(i, j, axis) - v(i, j, axis)); });
    return rms.value();
}

/// A velocity and its projection in textures.
class Flow {
  public:
    Flow(const Cells& cells, Projection& projection, const Velocity& start)
        : kinds_(cells.width, cells.height, 1),
          velocity_(start.width, start.height, 2),
          projected_(start.width, start.height, 2),
          projection_(projection) {
        kinds_.write(cells.kinds);
        velocity_.write(start.texels);
        projection.set_cells(kinds_);
    }

    /// Once, from the pressure that is there.
    Velocity project() {
        projection_.project(velocity_, projected_);
        return {projected_.width(), projected_.height(), projected_.read()};
    }
    /// Until the pressure meets its tolerance.
    Velocity project_well() {
        for (int frame = 0; frame < 8; ++frame) {
            Velocity found = project();
            const auto report = projection_.outcome();  // after a read it has arrived
            if (report && report->converged()) return found;
        }
        FAIL("the pressure does not meet its tolerance");
        return {0, 0};
    }
    /// The projected velocity is projected again, and again; as with each frame of a fluid on which nothing else acts.
    void go_on() { velocity_.swap(projected_); }

    Target& velocity() { return velocity_; }
    Target& projected() { return projected_; }
    const Target& kinds() const { return kinds_; }

  private:
    Target kinds_, velocity_, projected_;
    Projection& projection_;
};

inline Projection staggered_projection(const Cells& cells, const Effort& effort) {
    return {cells.width, cells.height, static_cast<float>(cells.h), staggered_right_side, staggered_subtract_gradient,
            effort};
}

inline Projection collocated_projection(const Cells& cells, const Effort& effort) {
    return {cells.width, cells.height, static_cast<float>(cells.h), collocated_right_side, collocated_subtract_gradient,
            effort};
}

inline constexpr Effort exact{.tolerance = 1e-6, .still = 0, .iterations = 6};

}  // namespace fluids
