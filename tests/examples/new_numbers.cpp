// docs/methods.md: new numbers in the same places. The function stands there word for word.
#include <glsolve/glsolve.hpp>

bool next_step(glsolve::Solver& solver, glsolve::CsrMatrix& J, double shift, std::span<const double> r,
               std::span<double> dx) {
    for (glsolve::Index i = 0; i < J.rows; ++i) {
        for (auto [j, a] : J.row(i)) {  // the entries of row i; a refers to the number in J
            if (j == i) a += shift;
        }
    }
    solver.update_values(J.value);  // the places stay
    return solver.solve(r, dx).converged();
}

int main() {
    glsolve::CsrMatrix J = glsolve::poisson2d(12);
    glsolve::Device device = glsolve::Device::open({.backend = glsolve::BackendKind::host});
    glsolve::Solver solver(device, J);
    const std::vector<double> r(J.rows, 1.0);
    std::vector<double> dx(J.rows, 0.0);
    if (!next_step(solver, J, 0.5, r, dx)) return 1;
    double worst = 0;
    for (glsolve::Index i = 0; i < J.rows; ++i) {
        double sum = -r[i];
        for (const auto [j, a] : J.row(i)) sum += a * dx[j];
        worst = sum > worst ? sum : -sum > worst ? -sum : worst;
    }
    return worst < 1e-6 ? 0 : 2;
}
