/// The residual of a grid's operator at one cell: of one vector, or of four right-hand sides at once.
#pragma once

#include <array>
#include <utility>

#include "core/no_unknown.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

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

/// Made of the inputs of a restriction: x, b, a, cx, cy, cz. `AnyNumbers`: Numbers, or FieldNumbers.
template <class AnyNumbers>
class GridResidual {
  public:
    /// `size`: of the grid, gaps included. `constant`: as shaders/pass/grid.glsl has it.
    GridResidual(const Pass& pass, ivec4 size, bool constant, int log2_x, int log2_matrix)
        : size_(size),
          constant_(constant),
          dimensions_(size.z > 1 ? 3 : 2),
          x_(pass.in(0), log2_x),
          b_(pass.in(1), log2_x),
          a_(pass.in(2), log2_matrix),
          c_{Numbers(pass.in(3), log2_matrix), Numbers(pass.in(4), log2_matrix),
             Numbers(pass.in(5), dimensions_ == 3 ? log2_matrix : 0)} {}

    /// The sum of b - A x over the cells of a coarse one, as far as they are there: so many along each axis from
    /// `corner` on.
    auto sum(ivec4 corner, ivec4 along) const {
        Number sum(0);
        for (int p = 0; p < along.x * along.y * along.z; ++p) {
            const ivec4 part = corner + ivec4(p % along.x, p / along.x % along.y, p / (along.x * along.y), 0);
            if (part.x < size_.x && part.y < size_.y && part.z < size_.z) sum += at(part);
        }
        return sum;
    }

  private:
    using Number = decltype(std::declval<const AnyNumbers&>()[0]);

    int number(ivec4 at) const { return (at.z * size_.y + at.y) * size_.x + at.x; }

    // b_i - (a_i x_i + sum over the neighbours j of c_ij (x_i - x_j))
    Number at(ivec4 cell) const {
        const int i = number(cell);
        if (constant_ && a_[i] <= no_unknown) return Number(0);
        Number sum = a_[i] * x_[i];
        for (int axis = 0; axis < dimensions_; ++axis) {
            ivec4 low = cell, high = cell;
            --low[axis], ++high[axis];
            const bool has_low = low[axis] >= 0, has_high = high[axis] < size_[axis];
            const Numbers& c = c_[static_cast<std::size_t>(axis)];
            const float c_low = constant_ ? 1 : has_low ? c[number(low)] : 0, c_high = constant_ ? 1 : c[i];
            sum += c_low * (x_[i] - (has_low ? x_[number(low)] : Number(0)))
                   + c_high * (x_[i] - (has_high ? x_[number(high)] : Number(0)));
        }
        return b_[i] - sum;
    }

    ivec4 size_;
    bool constant_;
    int dimensions_;
    AnyNumbers x_, b_;
    Numbers a_;
    std::array<Numbers, 3> c_;
};

}  // namespace glsolve::inline v0_1::host
