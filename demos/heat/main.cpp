// Heat in a square plate: implicit steps (I + dt L) u_new = u_old, solved on whatever OpenGL is there, printed as a
// picture of characters. The matrix goes to the device once; each step is one solve that starts from the last
// temperatures.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/glsolve.hpp>
#include <string_view>

namespace {

constexpr glsolve::Index side = 64;
constexpr double dt = 2.0;

/// I + dt L with the 5-point Laplacian L; the rim is kept at 0.
glsolve::CsrMatrix heat_matrix() {
    glsolve::CsrMatrix A = glsolve::poisson2d(side);
    for (glsolve::Index i = 0; i < A.rows; ++i) {
        for (auto k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            double& value = A.value[static_cast<std::size_t>(k)];
            value = dt * value + (A.column[static_cast<std::size_t>(k)] == i ? 1.0 : 0.0);
        }
    }
    return A;
}

/// Two hot spots.
std::vector<double> initial_temperature() {
    std::vector<double> u(static_cast<std::size_t>(side) * side);
    for (glsolve::Index y = 0; y < side; ++y) {
        for (glsolve::Index x = 0; x < side; ++x) {
            const double a = std::hypot(x - 20.0, y - 22.0), b = std::hypot(x - 44.0, y - 40.0);
            u[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)] =
                (a < 8 ? 1.0 : 0.0) + (b < 5 ? 1.0 : 0.0);
        }
    }
    return u;
}

void draw(const std::vector<double>& u) {
    constexpr std::string_view shades = " .:-=+*#%@";
    for (glsolve::Index y = 0; y < side; y += 4) {
        for (glsolve::Index x = 0; x < side; x += 2) {
            const double value = u[static_cast<std::size_t>(y) * side + static_cast<std::size_t>(x)];
            fmt::print("{}", shades[static_cast<std::size_t>(std::clamp(value, 0.0, 0.99) * 10)]);
        }
        fmt::print("\n");
    }
}

}  // namespace

int main() {
    glsolve::Device device = glsolve::Device::open();
    glsolve::Solver solver(device, heat_matrix(), {.tolerance = 1e-6});
    fmt::print("{} ({})\n", device.info().renderer, solver.format().reason);

    std::vector<double> u = initial_temperature();
    draw(u);
    std::int64_t iterations = 0;
    for (int step = 0; step < 20; ++step) {
        const std::vector<double> before = u;
        const glsolve::Report report = solver.solve(before, u);  // starts from u as it is
        iterations += report.iterations;
        if (!report.converged()) {
            fmt::print("step {}: {}: {}\n", step, glsolve::name(report.status), report.reason);
            return 1;
        }
    }
    draw(u);
    fmt::print("20 steps, {:.1f} iterations each\n", static_cast<double>(iterations) / 20);
}
