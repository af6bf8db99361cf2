// The reference of the way to a coarser grid and back for four right-hand sides. See
// shaders/pass/{grid_restrict_residual,grid_prolong,grid_columns}_field.glsl.
#include "host/grid_residual.hpp"

namespace glsolve::inline v0_1::host {
namespace {

ivec4 along_of(int joined) { return {1 + (joined & 1), 1 + (joined >> 1 & 1), 1 + (joined >> 2 & 1), 1}; }

}  // namespace

// y <- T^T (b - A x),  x <- weight d * y
void grid_restrict_residual_field(const Pass& pass) {
    const int log2_field = pass.integer(0), pitch = 4 * pass.integer(4), rows = pass.integer(5);
    const ivec4 along = along_of(pass.integer(9));
    const GridResidual<FieldNumbers> residual(pass, {4 * pass.integer(6), pass.integer(7), pass.integer(8), 1},
                                              pass.integer(10) != 0, pass.integer(2), pass.integer(3));
    const Numbers d(pass.in(6), pass.integer(1));
    pass.each([&](ivec2 at) {
        const int cell = (at.y << log2_field) + at.x, line = cell / pitch;
        const vec4 sum = residual.sum({cell % pitch * along.x, line % rows * along.y, line / rows * along.z, 0}, along);
        pass.out(0)(at) = sum;
        pass.out(1)(at) = pass.constant(0) * d[cell] * sum;
    });
}

// y <- y + T x
void grid_prolong_field(const Pass& pass) {
    const int log2_field = pass.integer(0), pitch = 4 * pass.integer(3), rows = pass.integer(4),
              pitch_x = 4 * pass.integer(5), rows_x = pass.integer(6), length = pass.integer(8);
    const ivec4 along = along_of(pass.integer(7));
    const FieldNumbers x(pass.in(1), pass.integer(2));
    const Numbers d(pass.in(2), pass.integer(1));
    pass.each([&](ivec2 at) {
        const int cell = (at.y << log2_field) + at.x, line = cell / pitch;
        vec4 y = pass.in(0)(at);
        if (cell < length && d[cell] != 0) {
            const int row = line / rows / along.z * rows_x + line % rows / along.y;
            y += x[row * pitch_x + cell % pitch / along.x];
        }
        pass.out(0)(at) = y;
    });
}

// y <- X b, the columns of X one behind the other
void grid_columns_field(const Pass& pass) {
    const int log2_field = pass.integer(0), count = 4 * pass.integer(2), columns = pass.integer(3);
    const Numbers X(pass.in(0), pass.integer(1));
    const FieldNumbers b(pass.in(1), log2_field);
    pass.each([&](ivec2 at) {
        const int cell = (at.y << log2_field) + at.x;
        vec4 sum(0);
        for (int j = 0; cell < count && j < columns; ++j) sum += X[j * count + cell] * b[j];
        pass.out(0)(at) = sum;
    });
}

}  // namespace glsolve::inline v0_1::host
