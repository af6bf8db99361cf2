// CG + Jacobi on the 5-point Poisson matrix: glsolve on OpenGL against Eigen's double-precision ConjugateGradient on
// the CPU, in turn, the median of some rounds. Both must reach the tolerance by the true residual.
#include <CLI/CLI.hpp>
#include <glsolve/generate.hpp>

#include "beside_eigen.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;
using Sparse = Eigen::SparseMatrix<double, Eigen::RowMajor>;

void run_eigen(const Sparse& A, const std::vector<double>& b, double tolerance, int threads, Times& times) {
    Eigen::setNbThreads(threads);
    const Eigen::Map<const Eigen::VectorXd> right(b.data(), static_cast<Eigen::Index>(b.size()));
    Eigen::ConjugateGradient<Sparse, Eigen::Lower | Eigen::Upper> cg;
    cg.setTolerance(tolerance);
    cg.setMaxIterations(20 * A.rows());
    cg.compute(A);
    const auto begin = Clock::now();
    const Eigen::VectorXd x = cg.solve(right);
    times.seconds.push_back(seconds_since(begin));
    times.iterations = cg.iterations();
    times.residual = (right - A * x).norm() / right.norm();
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("CG + Jacobi against Eigen, in one run");
    Index size = 1024;
    int rounds = 3, threads = 2;
    double tolerance = 1e-8;
    app.add_option("--size", size, "unknowns a side")->capture_default_str();
    app.add_option("--rounds", rounds, "solves of each, in turn")->capture_default_str();
    app.add_option("--threads", threads, "of Eigen, beside 1")->capture_default_str();
    app.add_option("--tolerance", tolerance, "")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    const CsrMatrix A = poisson2d(size);
    const Sparse eigen = to_eigen<double>(A);
    Device device = Device::open({.backend = BackendKind::opengl});
    Solver solver(device, A, {.tolerance = tolerance, .zero_guess = true});
    fmt::print("poisson2d {}, tolerance {:.0e}, median of {}\n{}, {} stage; {}\n", size, tolerance, rounds,
               device.info().renderer, name(device.info().stage), solver.format().reason);
    for (const bool ones : {true, false}) {
        const std::vector<double> b = ones ? std::vector<double>(static_cast<std::size_t>(A.rows), 1.0)
                                           : normal(static_cast<std::size_t>(A.rows));
        Times one, many, ours;
        for (int round = 0; round < rounds; ++round) {
            run_eigen(eigen, b, tolerance, threads, many);
            run_glsolve(solver, b, ours);
            if (round == 0 || median(one.seconds) < 1.1 * median(many.seconds)) run_eigen(eigen, b, tolerance, 1, one);
        }
        const double reference = std::min(median(one.seconds), median(many.seconds));
        fmt::print("\n{:<22} {:>11} {:>9} {:>9} {:>12} {:>12}\n", ones ? "b = 1" : "b normal, fixed seed", "median",
                   "ratio", "its", "a step", "residual");
        print("Eigen, 1 thread", one, reference);
        print(fmt::format("Eigen, {} threads", threads), many, reference);
        print("glsolve", ours, reference);
    }
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_cg: {}\n", error.what());
    return 2;
}
