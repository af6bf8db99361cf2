// GMRES(m), ten restarts and no test, as in table 3 of Y. Liu, H. Yin and E. Wu (2011): glsolve on OpenGL against
// Eigen's GMRES (unsupported module, one core), in turn, the median of some rounds; and glsolve's own variants beside
// each other.
#include <CLI/CLI.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <limits>
#include <unsupported/Eigen/IterativeSolvers>

#include "beside_eigen.hpp"
#include "stage_option.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

constexpr int restarts = 10;
constexpr double unreachable = 1e-10;  // in ten restarts; less would take corrections to the host
constexpr double quick = 5;            // seconds of Eigen's that may be repeated

template <class Number>
void run_eigen(CsrView A, const std::vector<double>& b, int restart, Times& times) {
    using Sparse = Eigen::SparseMatrix<Number, Eigen::RowMajor>;
    using Vector = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
    Eigen::setNbThreads(1);
    const Sparse matrix = to_eigen<Number>(A);
    const Vector right =
        Eigen::Map<const Eigen::VectorXd>(b.data(), static_cast<Eigen::Index>(b.size())).cast<Number>();
    Eigen::GMRES<Sparse, Eigen::IdentityPreconditioner> gmres;
    gmres.set_restart(restart);
    gmres.setMaxIterations(restarts * restart);
    gmres.setTolerance(std::numeric_limits<Number>::min());
    gmres.compute(matrix);
    const auto begin = Clock::now();
    const Vector x = gmres.solve(right);
    times.seconds.push_back(seconds_since(begin));
    times.iterations = gmres.iterations();
    times.residual = static_cast<double>((right - matrix * x).norm() / right.norm());
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("GMRES against Eigen, in one run");
    Index size = 1265;
    int rounds = 3;
    std::string file;
    std::vector<int> lengths{8, 16, 32};
    Stage stage = Stage::automatic;
    app.add_option("--size", size, "unknowns a side of the 5-point Poisson matrix")->capture_default_str();
    app.add_option("--matrix", file, "a Matrix Market file in its place");
    app.add_option("--rounds", rounds, "solves of each, in turn")->capture_default_str();
    app.add_option("--restart", lengths, "steps of a cycle")->delimiter(',')->capture_default_str();
    add_stage_option(app, stage);
    CLI11_PARSE(app, argc, argv);

    const CsrMatrix A = file.empty() ? poisson2d(size) : read_matrix_market(file);
    const std::vector<double> b = normal(static_cast<std::size_t>(A.rows));
    Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
    fmt::print("{} rows, {} nonzeros, {} restarts, median of {}\n{}, {} stage\n", A.rows, A.value.size(), restarts,
               rounds, device.info().renderer, name(device.info().stage));
    for (const int restart : lengths) {
        Options options{.method = Method::gmres,
                        .preconditioner = PreconditionerKind::none,
                        .gmres = {.restart = restart},
                        .tolerance = unreachable,
                        .max_iterations = restarts * restart,
                        .zero_guess = true};
        Solver ours(device, A, options);
        options.gmres.least_squares = LeastSquares::host;
        Solver host_least_squares(device, A, options);
        options.gmres = {.restart = restart, .orthogonalisation = Orthogonalisation::modified};
        Solver modified(device, A, options);
        Times in_double, in_float, of_ours, of_host, of_modified;
        for (int round = 0; round < rounds; ++round) {
            run_glsolve(ours, b, of_ours);
            run_glsolve(host_least_squares, b, of_host);
            run_glsolve(modified, b, of_modified);
            if (round > 0 && median(in_double.seconds) > quick) continue;
            run_eigen<double>(A, b, restart, in_double);
            run_eigen<float>(A, b, restart, in_float);
        }
        const double reference = median(in_double.seconds);
        fmt::print("\n{:<22} {:>11} {:>9} {:>9} {:>12} {:>12}\n", fmt::format("GMRES({})", restart), "median", "ratio",
                   "its", "a step", "residual");
        print("Eigen, double", in_double, reference);
        print("Eigen, float", in_float, reference);
        print("glsolve", of_ours, reference);
        print("... least squares host", of_host, reference);
        print("... modified process", of_modified, reference);
    }
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_gmres: {}\n", error.what());
    return 2;
}
