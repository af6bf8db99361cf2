// docs/textures.md: several right-hand sides. The function stands there word for word.
#include <glsolve/glsolve.hpp>

#include <algorithm>
#include <cmath>

// The x, y and z of a mesh, columns one behind the other, moved by the same matrix: one product serves all three.
bool smooth(glsolve::Solver& solver, std::span<const double> positions, std::span<double> smoothed) {
    const std::vector<glsolve::Report> reports = solver.solve_several(positions, smoothed, 3);
    return std::all_of(reports.begin(), reports.end(), [](const glsolve::Report& r) { return r.converged(); });
}

int main() {
    const glsolve::CsrMatrix A = glsolve::poisson2d(20);
    std::vector<double> positions(3 * static_cast<std::size_t>(A.rows)), smoothed(positions.size(), 0.0);
    for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = std::sin(0.1 * static_cast<double>(i));
    glsolve::Device device = glsolve::Device::open();
    glsolve::Solver solver(device, A);
    return smooth(solver, positions, smoothed) ? 0 : 1;
}
