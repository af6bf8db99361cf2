// A small system solved on the host: that headers, library and everything it links are in place.
#include <cstdio>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>
#include <glsolve/version.hpp>
#include <string>
#include <vector>

int main() {
    const glsolve::CsrMatrix A = glsolve::poisson2d(8);
    const std::vector<double> answer = glsolve::known_answer(A.rows);
    std::vector<double> b(answer.size());
    std::vector<double> x(answer.size());
    glsolve::multiply(A, answer, b);

    glsolve::Device device = glsolve::Device::host();
    const glsolve::Report report = glsolve::solve(device, A, b, x);
    const std::string status(glsolve::name(report.status));
    std::printf("glsolve %s: %s after %lld iterations\n", GLSOLVE_VERSION, status.c_str(),
                static_cast<long long>(report.iterations));

    // An exception keeps its type on the way out of a shared library.
    try {
        glsolve::parse_matrix_market("no matrix");
        return 1;
    } catch (const glsolve::InvalidInput& error) {
        std::printf("refused: %s\n", error.what());
    }
    return report.converged() ? 0 : 1;
}
