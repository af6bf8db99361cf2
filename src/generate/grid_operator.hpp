/// Operators on square and cubic grids, given by the stencil at each place.
#pragma once

#include <array>
#include <cstddef>
#include <limits>
#include <string_view>

#include "base/require_range.hpp"
#include "generate/row_writer.hpp"

namespace glsolve::inline v0_1 {

/// The largest N for which N^axes rows can be counted.
constexpr Index largest_side(std::size_t axes) {
    static_assert(std::numeric_limits<Index>::max() == 2147483647);
    return axes == 2 ? 46340 : 1290;
}

/// One row of a grid operator.
template <std::size_t axes>
struct Stencil {
    std::array<double, axes> before, behind;  ///< the neighbours' coefficients along each axis
    double centre;
};

/// The operator on N^axes unknowns whose row at the place `at` (N of them along each axis, the first the fastest) is
/// stencil_at(at). Neighbours outside the grid are zero: Dirichlet.
template <std::size_t axes, typename StencilAt>
CsrMatrix grid_operator(std::string_view kind, Index N, const StencilAt& stencil_at) {
    require_range(kind, "N", N, Index{1}, largest_side(axes));
    std::array<Index, axes> stride{};
    Index rows = 1;
    for (Index& each : stride) {
        each = rows;
        rows *= N;
    }
    RowWriter A(rows, rows + 2 * static_cast<Offset>(axes) * (rows - rows / N));
    std::array<Index, axes> at{};
    for (Index i = 0; i < rows; ++i) {
        const Stencil<axes> stencil = stencil_at(at);
        for (std::size_t d = axes; d-- > 0;) A.add_if(at[d] > 0, i - stride[d], stencil.before[d]);
        A.add(i, stencil.centre);
        for (std::size_t d = 0; d < axes; ++d) A.add_if(at[d] < N - 1, i + stride[d], stencil.behind[d]);
        A.end_row();
        for (std::size_t d = 0; d < axes && ++at[d] == N; ++d) at[d] = 0;
    }
    return A.take();
}

}  // namespace glsolve::inline v0_1
