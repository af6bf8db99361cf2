#include <glsolve/generate.hpp>

#include "base/require_range.hpp"
#include "generate/row_writer.hpp"

namespace glsolve::inline v0_1 {

CsrMatrix stokes2d(Index N) {
    // 3 N^2 - 2 N - 1 rows
    require_range("stokes2d", "N", N, Index{2}, Index{26755});
    const Index faces = (N - 1) * N;  // that have a velocity, of each direction
    // u(i, j) flows from cell (i-1, j) to (i, j), v(i, j) from cell (i, j-1) to (i, j).
    const auto u = [&](Index i, Index j) { return i - 1 + (N - 1) * j; };
    const auto v = [&](Index i, Index j) { return faces + i + N * (j - 1); };
    const auto p = [&](Index i, Index j) { return 2 * faces + i + N * j; };
    // The pressure of the last cell is 0 and left out, as is its row of B: the others add up to its negative.
    const Index rows = 2 * faces + N * N - 1;

    RowWriter S(rows, Offset{9} * 2 * faces);
    // The gradient: -1 before the face, 1 behind it.
    const auto add_gradient = [&](Index before, Index behind) {
        S.add(before, -1);
        S.add_if(behind < rows, behind, 1);
    };
    // -h^2 Laplace(u). A wall along the flow is h/2 away: the velocity behind it is -u, which adds 1 to the diagonal.
    for (Index j = 0; j < N; ++j) {
        for (Index i = 1; i < N; ++i) {
            S.add_if(j > 0, u(i, j - 1), -1);
            S.add_if(i > 1, u(i - 1, j), -1);
            S.add(u(i, j), 4 + (j == 0 ? 1 : 0) + (j == N - 1 ? 1 : 0));
            S.add_if(i < N - 1, u(i + 1, j), -1);
            S.add_if(j < N - 1, u(i, j + 1), -1);
            add_gradient(p(i - 1, j), p(i, j));
            S.end_row();
        }
    }
    for (Index j = 1; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            S.add_if(j > 1, v(i, j - 1), -1);
            S.add_if(i > 0, v(i - 1, j), -1);
            S.add(v(i, j), 4 + (i == 0 ? 1 : 0) + (i == N - 1 ? 1 : 0));
            S.add_if(i < N - 1, v(i + 1, j), -1);
            S.add_if(j < N - 1, v(i, j + 1), -1);
            add_gradient(p(i, j - 1), p(i, j));
            S.end_row();
        }
    }
    // B = -h div. No flow through walls.
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            if (p(i, j) == rows) break;
            S.add_if(i > 0, u(i, j), 1);
            S.add_if(i < N - 1, u(i + 1, j), -1);
            S.add_if(j > 0, v(i, j), 1);
            S.add_if(j < N - 1, v(i, j + 1), -1);
            S.end_row();
        }
    }
    return S.take();
}

}  // namespace glsolve::inline v0_1
