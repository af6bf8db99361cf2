#include "solve_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <random>

#include "matrix_files.hpp"

namespace glsolve::bench {
namespace {

bool is_definite(CsrView A) {
    return asymmetry(A) == 0 && std::ranges::all_of(diagonal(A), [](double d) { return d > 0; });
}

}  // namespace

TestSystem test_system(std::string name, CsrMatrix A) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> number;
    std::vector<double> answer(static_cast<std::size_t>(A.columns)), b(static_cast<std::size_t>(A.rows));
    for (double& x : answer) x = number(random);
    multiply(A, answer, b);
    const bool definite = is_definite(A);
    return {std::move(name), std::move(A), std::move(b), definite};
}

std::vector<TestSystem> test_systems(const std::vector<std::string>& files_and_folders) {
    std::vector<TestSystem> systems;
    for (const std::filesystem::path& path : matrix_files(files_and_folders)) {
        try {
            CsrMatrix A = read_matrix_market(path);
            if (A.rows != A.columns) throw InvalidInput(fmt::format("{} rows, {} columns", A.rows, A.columns));
            systems.push_back(test_system(matrix_name(path), std::move(A)));
        } catch (const InvalidInput& refused) {
            fmt::print("{} is left out: {}\n", path.filename().string(), refused.what());
        }
    }
    return systems;
}

double true_residual(CsrView A, const std::vector<double>& b, const std::vector<double>& x) {
    std::vector<double> product(b.size());
    multiply(A, x, product);
    double of_r = 0, of_b = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        of_r += (b[i] - product[i]) * (b[i] - product[i]);
        of_b += b[i] * b[i];
    }
    return of_b > 0 ? std::sqrt(of_r / of_b) : std::sqrt(of_r);
}

std::string milliseconds(double seconds) { return fmt::format("{:.4g}", seconds * 1e3); }

void print_head() {
    fmt::print(
        "\n| matrix | solver | set-up, ms | solve, ms | total, ms | first total, ms | iterations | residual | "
        "remark |\n|---|---|---:|---:|---:|---:|---:|---:|---|\n");
}

void print_row(const std::string& matrix, const SolveRow& row) {
    if (row.failed) {
        fmt::print("| {} | {} | | | | | | | failed: {} |\n", matrix, row.solver, row.remark);
    } else {
        fmt::print("| {} | {} | {} | {} | {} | {} | {} | {:.1e} | {}{} |\n", matrix, row.solver,
                   milliseconds(row.setup), milliseconds(row.solve), milliseconds(row.total()), milliseconds(row.first),
                   row.iterations, std::abs(row.residual), row.reached ? "" : "not reached; ", row.remark);
    }
    std::fflush(stdout);
}

}  // namespace glsolve::bench
