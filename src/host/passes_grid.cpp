// The reference of what a grid's operator is made of, and of the way to a coarser grid and back. See
// shaders/pass/{grid_couplings,grid_diagonal,grid_coarsen,grid_restrict,grid_restrict_residual,grid_prolong,grid_pitch,
// grid_columns}.glsl.
#include "core/no_unknown.hpp"
#include "host/grid_residual.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

float harmonic(float k, float other) { return k + other == 0 ? 0 : 2 * k * (other / (k + other)); }

}  // namespace

// c_ij <- weight 2 k_i k_j / (k_i + k_j),  e_i <- the same towards open cells, and weight wall k_i towards walls
void grid_couplings(const Pass& pass) {
    const int log2_width = pass.integer(0), pitch = 4 * pass.integer(1), rows = pass.integer(2), axis = pass.integer(6),
              stride = pass.integer(7), dirichlet = pass.integer(8), halved = pass.integer(9);
    const ivec4 size(pass.integer(3), pass.integer(4), pass.integer(5), 1);
    const float weight = pass.constant(0), wall = pass.constant(1);
    const bool alike = pass.constant(2) != 0;
    const Numbers cells(pass.in(0), log2_width);
    const auto coefficient = [&](int cell) { return alike ? glm::sign(cells[cell]) : cells[cell]; };
    pass.each([&](ivec2 at) {
        vec4 c(0), e(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane, line = cell / pitch;
            const ivec4 place(cell % pitch, line % rows, line / rows, 0);
            const bool on_grid = place.x < size.x && place.y < size.y && place.z < size.z;
            const float k = coefficient(cell);
            if (!on_grid || k <= 0) continue;
            float share = 1;
            for (int a = 0; a < 3; ++a) {
                if (a != axis && place[a] == 0 && (halved >> (2 * a) & 1) != 0) share *= 0.5f;
                if (a != axis && place[a] == size[a] - 1 && (halved >> (2 * a + 1) & 1) != 0) share *= 0.5f;
            }
            if (axis == 3) {
                e[lane] = share * weight;
                continue;
            }
            const bool first = place[axis] == 0, last = place[axis] == size[axis] - 1;
            const float next = last ? 0 : coefficient(cell + stride), previous = first ? 0 : coefficient(cell - stride);
            c[lane] = weight * harmonic(k, std::max(next, 0.0f));
            e[lane] = weight * (harmonic(k, std::max(-next, 0.0f)) + harmonic(k, std::max(-previous, 0.0f)));
            if (first && (dirichlet & 1) != 0) e[lane] += weight * wall * k;
            if (last && (dirichlet & 2) != 0) e[lane] += weight * wall * k;
            c[lane] *= share;
            e[lane] *= share;
        }
        pass.out(0)(at) = c;
        pass.out(1)(at) = e;
    });
}

// a <- e_x + e_y + e_z + mass [+ couplings that are counted but not there],  d <- 1 / diagonal
void grid_diagonal(const Pass& pass) {
    const int log2_width = pass.integer(0), dimensions = pass.integer(3);
    const std::array<int, 3> stride{1, 4 * pass.integer(1), 4 * pass.integer(2)};
    const bool constant = pass.integer(4) != 0;
    pass.each([&](ivec2 at) {
        vec4 around(0), missing(0), excess(0);
        for (int axis = 0; axis < dimensions; ++axis) {
            const Numbers c(pass.in(axis), log2_width);
            const float weight = pass.constant(axis);
            for (int lane = 0; lane < 4; ++lane) {
                const int i = 4 * ((at.y << log2_width) + at.x) + lane;
                const float next = c[i], previous = c[i - stride[static_cast<std::size_t>(axis)]];
                around[lane] += next + previous;
                missing[lane] += (next - weight) + (previous - weight);
            }
            excess += pass.in(3 + axis)(at);
        }
        excess += pass.in(6)(at);
        const vec4 diagonal = excess + around;
        const vec4 corrected = glm::mix(vec4(sum_of_none), excess + missing, glm::greaterThan(diagonal, vec4(0)));
        pass.out(0)(at) = constant ? corrected : excess;
        pass.out(1)(at) = quotient(vec4(1), diagonal);
    });
}

namespace {

// Copies of the coarse grid may lie one behind the other: which of its cells that one is, times what is joined; below
// zero where there is none.
ivec4 corner_of(int cell, int pitch, int rows, int depth, int planes, ivec4 along) {
    const int line = cell / pitch, plane = line / rows;
    if (plane >= planes) return ivec4(-1);
    return {cell % pitch * along.x, line % rows * along.y, plane % depth * along.z, 0};
}

// Along an axis:
// c <- 1 / (1 / c_out + 1 / (2 c_in) + 1 / (2 c_next)),  e <- 1 / (1 / e_i + 1 / (2 c_in)), bounded and summed over
// parts
void coarsen(const Pass& pass, int axis, int input, int output) {
    const int log2_width = pass.integer(0), pitch = 4 * pass.integer(2), rows = pass.integer(3),
              pitch_x = 4 * pass.integer(4), rows_x = pass.integer(5), depth_x = pass.integer(6);
    const ivec4 along(pass.integer(7), pass.integer(8), pass.integer(9), 1);
    const Numbers c_of(pass.in(input), pass.integer(1)), e_of(pass.in(input + 1), pass.integer(1));
    ivec4 unit(0), across = along;
    unit[axis] = across[axis] = 1;
    const auto part = [&](const Numbers& numbers, ivec4 at) {
        if (at.x >= pitch_x || at.y >= rows_x || at.z >= depth_x) return 0.0f;
        return numbers[(at.z * rows_x + at.y) * pitch_x + at.x];
    };
    const auto half_a_part = [](float c, float within) { return within == 0 ? 0 : 0.5f * c / within; };
    pass.each([&](ivec2 at) {
        vec4 c(0), e(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane;
            const ivec4 corner = corner_of(cell, pitch, rows, pass.integer(10), pass.integer(11), along);
            if (corner.x < 0) continue;
            for (int p = 0; p < across.x * across.y * across.z; ++p) {
                const ivec4 first = corner + ivec4(p % across.x, p / across.x % across.y, p / (across.x * across.y), 0);
                const float own = part(c_of, first), e_own = part(e_of, first);
                if (along[axis] == 1) {
                    c[lane] += own;
                    e[lane] += e_own;
                    continue;
                }
                const float beyond = part(c_of, first + unit), next = part(c_of, first + 2 * unit),
                            e_second = part(e_of, first + unit);
                c[lane] +=
                    beyond / (1 + std::min(half_a_part(beyond, own), 0.5f) + std::min(half_a_part(beyond, next), 0.5f));
                e[lane] += e_own / (1 + std::min(half_a_part(e_own, own), 1.0f));
                e[lane] += e_second / (1 + std::min(half_a_part(e_second, own), 1.0f));
            }
        }
        pass.out(output)(at) = c;
        pass.out(output + 1)(at) = e;
    });
}

}  // namespace

void grid_coarsen(const Pass& pass) { coarsen(pass, 2, 0, 0); }
void grid_coarsen_two(const Pass& pass) {
    coarsen(pass, 0, 0, 0);
    coarsen(pass, 1, 2, 2);
}

// y <- T^T x
void grid_restrict(const Pass& pass) {
    const int log2_width = pass.integer(0), pitch = 4 * pass.integer(2), rows = pass.integer(3),
              pitch_x = 4 * pass.integer(4), rows_x = pass.integer(5), depth_x = pass.integer(6);
    const ivec4 along(pass.integer(7), pass.integer(8), pass.integer(9), 1);
    const Numbers x(pass.in(0), pass.integer(1));
    pass.each([&](ivec2 at) {
        vec4 sum(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane;
            const ivec4 corner = corner_of(cell, pitch, rows, pass.integer(10), pass.integer(11), along);
            if (corner.x < 0) continue;
            for (int k = corner.z; k < std::min(corner.z + along.z, depth_x); ++k) {
                for (int j = corner.y; j < std::min(corner.y + along.y, rows_x); ++j) {
                    for (int i = corner.x; i < std::min(corner.x + along.x, pitch_x); ++i) {
                        sum[lane] += x[(k * rows_x + j) * pitch_x + i];
                    }
                }
            }
        }
        pass.out(0)(at) = sum;
    });
}

// y <- T^T (b - A x),  x <- weight d * y
void grid_restrict_residual(const Pass& pass) {
    const int log2_width = pass.integer(0), log2_x = pass.integer(1), pitch = 4 * pass.integer(2),
              rows = pass.integer(3);
    const ivec4 along(pass.integer(7), pass.integer(8), pass.integer(9), 1);
    const GridResidual<Numbers> residual(pass, {4 * pass.integer(4), pass.integer(5), pass.integer(6), 1},
                                         pass.integer(10) != 0, log2_x, log2_x);
    pass.each([&](ivec2 at) {
        vec4 sum(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane, line = cell / pitch;
            sum[lane] = residual.sum({cell % pitch * along.x, line % rows * along.y, line / rows * along.z, 0}, along);
        }
        pass.out(0)(at) = sum;
        pass.out(1)(at) = pass.constant(0) * pass.in(6)(at)*sum;
    });
}

// y <- y + T x
void grid_prolong(const Pass& pass) {
    const int log2_width = pass.integer(0), pitch = 4 * pass.integer(2), rows = pass.integer(3),
              pitch_x = 4 * pass.integer(4), rows_x = pass.integer(5);
    const ivec4 along(pass.integer(6), pass.integer(7), pass.integer(8), 1);
    const Numbers x(pass.in(1), pass.integer(1));
    pass.each([&](ivec2 at) {
        vec4 y = pass.in(0)(at);
        const vec4 d = pass.in(2)(at);
        for (int lane = 0; lane < 4; ++lane) {
            if (d[lane] == 0) continue;
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane, line = cell / pitch;
            const int row = line / rows / along.z * rows_x + line % rows / along.y;
            y[lane] += x[row * pitch_x + cell % pitch / along.x];
        }
        pass.out(0)(at) = y;
    });
}

// y <- x, rows of so many numbers at another distance from each other
void grid_pitch(const Pass& pass) {
    const int log2_width = pass.integer(0), width = pass.integer(2), lines = pass.integer(3), pitch = pass.integer(4),
              pitch_x = pass.integer(5);
    const Numbers x(pass.in(0), pass.integer(1));
    pass.each([&](ivec2 at) {
        vec4 y(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int cell = 4 * ((at.y << log2_width) + at.x) + lane, line = cell / pitch, column = cell % pitch;
            if (column < width && line < lines) y[lane] = x[line * pitch_x + column];
        }
        pass.out(0)(at) = y;
    });
}

// y <- X b, the columns of X one behind the other
void grid_columns(const Pass& pass) {
    const int log2_width = pass.integer(0), count = 4 * pass.integer(3), columns = pass.integer(4);
    const Numbers X(pass.in(0), pass.integer(1)), b(pass.in(1), pass.integer(2));
    pass.each([&](ivec2 at) {
        vec4 sum(0);
        for (int lane = 0; lane < 4; ++lane) {
            const int i = 4 * ((at.y << log2_width) + at.x) + lane;
            for (int j = 0; i < count && j < columns; ++j) sum[lane] += X[j * count + i] * b[j];
        }
        pass.out(0)(at) = sum;
    });
}

}  // namespace glsolve::inline v0_1::host
