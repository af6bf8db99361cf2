// README: the graphics programmer. Everything but main() stands in the README, word for word.
#include <glsolve/glsolve.hpp>

// One implicit step of the heat equation, (I + dt L) u = u0, inside your renderer: your context is current.
class HeatStep {
  public:
    HeatStep(const glsolve::CsrMatrix& A)
        : gpu_(glsolve::Device::adopt_current_opengl()),  // opens no window, owns no context
          solver_(gpu_, A, {.tolerance = 1e-5}) {}        // uploads, compiles, allocates: once

    glsolve::Report operator()(std::span<const double> u0, std::span<double> u) {
        return solver_.solve(u0, u);  // OpenGL's state is as you left it, whatever it was
    }

  private:
    glsolve::Device gpu_;
    glsolve::Solver solver_;
};

#include <cstdio>

#include "opengl/context.hpp"

int main() {
    std::unique_ptr<glsolve::opengl::Context> context;
    try {
        context = glsolve::opengl::open_headless_context("", false);
    } catch (const glsolve::NoDevice& absent) {
        std::puts(absent.what());
        return 4;  // CTest shows a skip
    }
    context->make_current();
    glsolve::CsrMatrix A = glsolve::poisson2d(16);
    for (double& value : A.value) value *= 0.1;
    for (glsolve::Index i = 0; i < A.rows; ++i) {
        for (auto k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            if (A.column[static_cast<std::size_t>(k)] == i) A.value[static_cast<std::size_t>(k)] += 1;
        }
    }
    HeatStep step(A);
    const std::vector<double> u0 = glsolve::known_answer(A.rows);
    std::vector<double> u(u0.size(), 0.0);
    const glsolve::Report report = step(u0, u);
    std::printf("%s after %d iterations\n", report.reason.c_str(), static_cast<int>(report.iterations));
    return report.converged() ? 0 : 1;
}
