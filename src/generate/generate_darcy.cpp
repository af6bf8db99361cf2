#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <string_view>

#include "base/random.hpp"
#include "base/require_range.hpp"
#include "generate/row_writer.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// 1 / k of each cell, k log-normal: ln k = ln(contrast) ((g - least g) / (largest g - least g) - 1/2), g normal.
std::vector<double> resistances(Index cells, double contrast, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> values(static_cast<std::size_t>(cells));
    std::generate(values.begin(), values.end(), [&] { return random.normal(); });
    const auto [least, largest] = std::minmax_element(values.begin(), values.end());
    const double first = *least, width = *largest - *least;
    for (double& value : values) {
        value = width > 0 ? std::exp(-std::log(contrast) * ((value - first) / width - 0.5)) : 1;
    }
    return values;
}

}  // namespace

CsrMatrix darcy2d(Index N, double contrast, MassMatrix mass, std::uint64_t seed) {
    constexpr std::string_view name = "darcy2d";
    // 3 N^2 rows
    require_range(name, "N", N, Index{1}, Index{26754});
    require_range(name, "contrast", contrast, 1.0, 1e12);
    const std::vector<double> resistance = resistances(N * N, contrast, seed);
    // x(i, j) flows from cell (i-1, j) to (i, j), y(i, j) from cell (i, j-1) to (i, j).
    const auto x = [&](Index i, Index j) { return i + (N + 1) * j; };
    const auto y = [&](Index i, Index j) { return (N + 1) * N + i + N * (j - 1); };
    const auto p = [&](Index i, Index j) { return 2 * N * N + i + N * j; };
    // 1/k, and 0 outside.
    const auto r = [&](Index i, Index j) {
        const bool inside = i >= 0 && i < N && j >= 0 && j < N;
        return inside ? resistance[static_cast<std::size_t>(i + N * j)] : 0;
    };
    // In a cell the flux varies linearly from one face to the one opposite: its square has the integral
    // 1/k (q1^2 + q1 q2 + q2^2) / 3, which the trapezoidal rule makes 1/k (q1^2 + q2^2) / 2.
    const bool lumped = mass == MassMatrix::lumped;
    const double own = lumped ? 1.0 / 2 : 1.0 / 3, opposite = 1.0 / 6;

    RowWriter S(3 * N * N, Offset{3 + 2 + 2} * 2 * N * N);
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i <= N; ++i) {
            const double left = r(i - 1, j), right = r(i, j);
            S.add_if(!lumped && i > 0, x(i - 1, j), left * opposite);
            S.add(x(i, j), (left + right) * own);
            S.add_if(!lumped && i < N, x(i + 1, j), right * opposite);
            S.add_if(i > 0, p(i - 1, j), -1);
            S.add_if(i < N, p(i, j), 1);
            S.end_row();
        }
    }
    for (Index j = 1; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            const double below = r(i, j - 1), above = r(i, j);
            S.add_if(!lumped && j > 1, y(i, j - 1), below * opposite);
            S.add(y(i, j), (below + above) * own);
            S.add_if(!lumped && j < N - 1, y(i, j + 1), above * opposite);
            S.add(p(i, j - 1), -1);
            S.add(p(i, j), 1);
            S.end_row();
        }
    }
    // B = -div: what flows in, less what flows out.
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            S.add(x(i, j), 1);
            S.add(x(i + 1, j), -1);
            S.add_if(j > 0, y(i, j), 1);
            S.add_if(j < N - 1, y(i, j + 1), -1);
            S.end_row();
        }
    }
    return S.take();
}

}  // namespace glsolve::inline v0_1
