// The reference of the way to a coarser grid and back for four right-hand sides. See
// shaders/pass/{grid_restrict_residual,grid_prolong,grid_columns}_field.glsl.
#include "core/no_unknown.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// A Field read number by number: the i-th of all right-hand sides; what is outside is zero.
class FieldNumbers {
  public:
    FieldNumbers(const In& in, int log2_width) : in_(in), log2_width_(log2_width) {}

    vec4 operator[](int i) const {
        if (i < 0 || i >> log2_width_ >= in_.height()) return vec4(0);
        return in_({i & ((1 << log2_width_) - 1), i >> log2_width_});
    }

  private:
    In in_;
    int log2_width_;
};

ivec4 along_of(int joined) { return {1 + (joined & 1), 1 + (joined >> 1 & 1), 1 + (joined >> 2 & 1), 1}; }

}  // namespace

// y <- T^T (b - A x),  x <- weight d * y
void grid_restrict_residual_field(const Pass& pass) {
    const int log2_field = pass.integer(0), log2_width = pass.integer(1), log2_field_x = pass.integer(2),
              log2_x = pass.integer(3), pitch = 4 * pass.integer(4), rows = pass.integer(5), depth_x = pass.integer(8);
    const ivec4 size(4 * pass.integer(6), pass.integer(7), depth_x, 1), along = along_of(pass.integer(9));
    const bool constant = pass.integer(10) != 0;
    const int dimensions = depth_x > 1 ? 3 : 2;
    const FieldNumbers x(pass.in(0), log2_field_x), b(pass.in(1), log2_field_x);
    const Numbers a(pass.in(2), log2_x), d(pass.in(6), log2_width);
    const std::array<Numbers, 3> c{Numbers(pass.in(3), log2_x), Numbers(pass.in(4), log2_x),
                                   Numbers(pass.in(5), dimensions == 3 ? log2_x : 0)};
    const auto number = [&](ivec4 at) { return (at.z * size.y + at.y) * size.x + at.x; };
    const auto residual = [&](ivec4 at) {
        const int i = number(at);
        if (constant && a[i] <= no_unknown) return vec4(0);
        vec4 sum = a[i] * x[i];
        for (int axis = 0; axis < dimensions; ++axis) {
            ivec4 low = at, high = at;
            --low[axis], ++high[axis];
            const bool has_low = low[axis] >= 0, has_high = high[axis] < size[axis];
            const Numbers& along_axis = c[static_cast<std::size_t>(axis)];
            const float c_low = constant  ? 1
                                : has_low ? along_axis[number(low)]
                                          : 0,
                        c_high = constant ? 1 : along_axis[i];
            sum += c_low * (x[i] - (has_low ? x[number(low)] : vec4(0)))
                   + c_high * (x[i] - (has_high ? x[number(high)] : vec4(0)));
        }
        return b[i] - sum;
    };
    pass.each([&](ivec2 at) {
        const int cell = (at.y << log2_field) + at.x, line = cell / pitch;
        const ivec4 corner(cell % pitch * along.x, line % rows * along.y, line / rows * along.z, 0);
        vec4 sum(0);
        for (int p = 0; p < along.x * along.y * along.z; ++p) {
            const ivec4 part = corner + ivec4(p % along.x, p / along.x % along.y, p / (along.x * along.y), 0);
            if (part.x < size.x && part.y < size.y && part.z < size.z) sum += residual(part);
        }
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
