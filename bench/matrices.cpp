// Solves every symmetric positive definite matrix of a folder on every device there is, and writes the table of
// docs/measurements/matrices-*.md to standard output:   bench_matrices FOLDER --tolerance 1e-10 --seconds 220
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <Eigen/SparseCholesky>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>

namespace {

using namespace glsolve;
namespace fs = std::filesystem;

/// Symmetric, with a Cholesky factor in double precision; matrices too large to factor are judged by their diagonal.
bool is_positive_definite(CsrView A) {
    if (A.rows != A.columns || asymmetry(A) != 0) return false;
    for (const double d : diagonal(A)) {
        if (d <= 0) return false;
    }
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (auto k = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
            entries.emplace_back(i, A.column[k], A.value[k]);
        }
    }
    Eigen::SparseMatrix<double> matrix(A.rows, A.columns);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return Eigen::SimplicialLLT<Eigen::SparseMatrix<double>>(matrix).info() == Eigen::Success;
}

struct Named {
    std::string name;
    Device device;
};

std::vector<Named> devices() {
    std::vector<Named> all;
    all.push_back({"host", Device::host()});
    for (const Stage stage : {Stage::fragment, Stage::compute}) {
        try {
            all.push_back({std::string(name(stage)), Device::open({.backend = BackendKind::opengl, .stage = stage})});
        } catch (const NoDevice& missing) {
            fmt::print(stderr, "{}: {}\n", name(stage), missing.what());
        }
    }
    return all;
}

/// One line of the table. Fills in why it was not solved, where it was not.
std::string row(const std::string& matrix, CsrView A, Named& on, double tolerance, double seconds,
                std::string& unsolved) {
    const std::vector<double> known = known_answer(A.rows);
    std::vector<double> b(known.size()), x(known.size(), 0.0);
    multiply(A, known, b);
    const auto begin = std::chrono::steady_clock::now();
    Options options{.tolerance = tolerance, .zero_guess = true};
    options.observer = [&](const Progress&) {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() < seconds;
    };
    const std::string size = fmt::format("| {} | {} | {} | {}", matrix, A.rows, A.nonzeros(), on.name);
    try {
        Solver solver(on.device, A, options);
        const Report r = solver.solve(b, x);
        if (!r.converged()) unsolved += fmt::format("- {} on {}: {}: {}\n", matrix, on.name, name(r.outcome), r.reason);
        return fmt::format("{} | {} | {} | {} | {} | {:.1e} | {:.2f} |\n", size, name(solver.format().format),
                           r.iterations, r.corrections, name(r.outcome), r.relative_residual, r.solve_seconds);
    } catch (const InvalidInput& refused) {
        unsolved += fmt::format("- {} on {}: refused: {}\n", matrix, on.name, refused.what());
        return fmt::format("{} | - | - | - | refused | - | - |\n", size);
    }
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("A table of what becomes of every symmetric positive definite matrix of a folder");
    fs::path folder;
    double tolerance = 1e-10, seconds = 120;
    app.add_option("folder", folder, "Matrix Market files, .mtx or .mtx.gz")->required()->check(CLI::ExistingDirectory);
    app.add_option("--tolerance", tolerance, "true relative residual")->capture_default_str();
    app.add_option("--seconds", seconds, "after which a solve is cancelled")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string file = entry.path().filename().string();
        if (file.find(".mtx") != std::string::npos) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());

    std::vector<Named> on = devices();
    std::string table, unsolved;
    for (const fs::path& file : files) {
        CsrMatrix A;
        try {
            A = read_matrix_market(file);
        } catch (const InvalidInput& unreadable) {
            fmt::print(stderr, "{}\n", unreadable.what());
            continue;
        }
        if (!is_positive_definite(A)) continue;
        const std::string matrix = file.filename().string().substr(0, file.filename().string().find(".mtx"));
        for (Named& device : on) {
            table += row(matrix, A, device, tolerance, seconds, unsolved);
            fmt::print(stderr, "{}: {}\n", matrix, device.name);
        }
    }
    fmt::print(
        "# Real matrices\n\nMade by `bench_matrices FOLDER --tolerance {} --seconds {}`: every matrix of the folder "
        "that is symmetric and has a Cholesky factor in double\nprecision, with b = A x* for a known random x*, "
        "conjugate gradients and Jacobi, {:%Y-%m-%d}. `cancelled`: the time was up. Residuals are true ones: in double "
        "precision, from the original "
        "matrix.\n\n",
        tolerance, seconds, fmt::localtime(std::time(nullptr)));
    for (const Named& device : on) {
        const DeviceInfo& info = device.device.info();
        fmt::print("- {}: {}, {}\n", device.name, info.renderer, info.version);
    }
    fmt::print(
        "\n| matrix | rows | nonzeros | device | format | iterations | corrections | status | residual | seconds |\n"
        "|---|---:|---:|---|---|---:|---:|---|---:|---:|\n{}",
        table);
    if (!unsolved.empty()) fmt::print("\nNot solved, and why:\n\n{}", unsolved);
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_matrices: {}\n", error.what());
    return 2;
}
