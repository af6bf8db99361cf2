#include <array>
#include <glsolve/generate.hpp>
#include <string_view>

#include "generate/grid_operator.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view helmholtz_name = "helmholtz2d";

/// k h = 2 pi / (points a wavelength).
double wave_number_times_h(double points_per_wavelength) {
    require_range(helmholtz_name, "points_per_wavelength", points_per_wavelength, 3.0, 1e6);
    return 6.283185307179586 / points_per_wavelength;
}

}  // namespace

CsrMatrix helmholtz2d(Index N, double points_per_wavelength) {
    const double kh = wave_number_times_h(points_per_wavelength);
    const Stencil<2> stencil{{-1, -1}, {-1, -1}, 4 - kh * kh};
    return grid_operator<2>(helmholtz_name, N, [&](const auto&) { return stencil; });
}

CsrMatrix helmholtz2d_absorbing(Index N, double points_per_wavelength) {
    // 2 N^2 rows
    require_range(helmholtz_name, "N", N, Index{2}, Index{32767});
    const double kh = wave_number_times_h(points_per_wavelength);
    const auto edge = [&](Index i) { return i == 0 || i == N - 1; };
    // The width of the box around a point, in h.
    const auto width = [&](Index i) { return edge(i) ? 0.5 : 1.0; };
    const auto point = [&](Index i, Index j) { return i + N * j; };

    RowWriter A(2 * N * N, Offset{2} * (Offset{5} * N * N - 4 * N) + Offset{8} * (N - 1));
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            // The flux to a neighbour crosses a side of the box; across the boundary it is -i k u times the length.
            const double across_x = width(j), across_y = width(i);
            const double neighbours = across_x * (edge(i) ? 1 : 2) + across_y * (edge(j) ? 1 : 2);
            const double real = neighbours - kh * kh * width(i) * width(j);
            const double imaginary = -kh * ((edge(i) ? across_x : 0) + (edge(j) ? across_y : 0));
            // Row 0 of the blocks is the real part, row 1 the imaginary part: [re -im; im re].
            for (const Index part : {0, 1}) {
                const auto unknown = [&](Index at_i, Index at_j) { return 2 * point(at_i, at_j) + part; };
                const bool absorbs = imaginary != 0;
                A.add_if(j > 0, unknown(i, j - 1), -across_y);
                A.add_if(i > 0, unknown(i - 1, j), -across_x);
                A.add_if(absorbs && part == 1, 2 * point(i, j), imaginary);
                A.add(unknown(i, j), real);
                A.add_if(absorbs && part == 0, 2 * point(i, j) + 1, -imaginary);
                A.add_if(i < N - 1, unknown(i + 1, j), -across_x);
                A.add_if(j < N - 1, unknown(i, j + 1), -across_y);
                A.end_row();
            }
        }
    }
    return A.take();
}

}  // namespace glsolve::inline v0_1
