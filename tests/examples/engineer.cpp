// README: the engineer with a matrix file. What stands between the lines of the README is here word for word.
#include <glsolve/glsolve.hpp>

#include <cstdio>

void solve_file(const char* file) {
    const glsolve::CsrMatrix A = glsolve::read_matrix_market(file);
    const std::vector<double> b(A.rows, 1.0);
    std::vector<double> x(A.rows, 0.0);  // the guess on entry, the answer on return

    glsolve::Device device = glsolve::Device::open();  // a GPU, else the host; it says which
    const glsolve::Report report = glsolve::solve(device, A, b, x, {.tolerance = 1e-10});
    std::printf("%s after %d iterations: %s\n", glsolve::name(report.outcome).data(), int(report.iterations),
                report.reason.c_str());
}

int main(int argc, char** argv) {
    if (argc > 1) {
        solve_file(argv[1]);
        return 0;
    }
    glsolve::write_matrix_market("engineer-example.mtx", glsolve::poisson2d(20));
    solve_file("engineer-example.mtx");
    return std::remove("engineer-example.mtx");
}
