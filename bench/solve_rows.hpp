/// Whole solves of systems with a known answer by several solvers, timed alike, as rows of a table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <exception>
#include <glsolve/csr.hpp>
#include <limits>
#include <string>
#include <vector>

#include "stopwatch.hpp"

namespace glsolve::bench {

/// b = A x* with a random x*.
struct TestSystem {
    std::string name;
    CsrMatrix A;
    std::vector<double> b = {};
    /// Symmetric with a positive diagonal. Taken as positive definite: conjugate gradients and Cholesky's factors.
    bool definite = false;
};
TestSystem test_system(std::string name, CsrMatrix A);
/// Those of files, and of folders of them, that are square and real. What is left out is printed.
std::vector<TestSystem> test_systems(const std::vector<std::string>& files_and_folders);

/// |b - A x| / |b| in double precision; |b - A x| where b = 0.
double true_residual(CsrView A, const std::vector<double>& b, const std::vector<double>& x);

/// What all solvers are asked for.
struct Aim {
    double tolerance = 1e-6;          ///< of the true residual, relative to |b|
    std::int64_t max_iterations = 0;  ///< 0: as each program limits itself
    double seconds = 60;              ///< after which a solve is given up, where a solver can be stopped
    int rounds = 3;
};

/// What a solver did: times of the round with the least total.
struct SolveRow {
    std::string solver;
    double setup = 0, solve = 0;  ///< seconds
    double first = 0;             ///< seconds of the first round in all: programs are compiled and loaded there
    std::int64_t iterations = 0;
    double residual = std::numeric_limits<double>::infinity();  ///< the true one
    bool reached = false;                                       ///< the tolerance
    bool failed = false;  ///< with an exception, whose text is the remark: nothing else is known then
    std::string remark = {};

    double total() const { return setup + solve; }
};

/// Rounds of  auto solver = make();  iterations = solver->solve(b, x, remark).  An exception becomes the remark.
template <class Make>
SolveRow least_row(std::string name, const TestSystem& system, const Aim& aim, const Make& make) {
    SolveRow row{.solver = std::move(name)};
    std::vector<double> x(system.b.size());
    for (int round = 0; round < aim.rounds; ++round) {
        SolveRow once{.solver = row.solver};
        std::ranges::fill(x, 0.0);
        try {
            const auto begin = Clock::now();
            const auto solver = make();
            once.setup = seconds_since(begin);
            const auto ready = Clock::now();
            once.iterations = solver->solve(system.b, x, once.remark);
            once.solve = seconds_since(ready);
        } catch (const std::exception& failed) {
            row.failed = true, row.reached = false;
            row.remark = failed.what();
            return row;
        }
        once.residual = true_residual(system.A, system.b, x);
        once.reached = once.residual <= aim.tolerance;
        once.first = round == 0 ? once.total() : row.first;
        if (round == 0 || once.total() < row.total()) row = std::move(once);
        if (!row.reached || row.first > aim.seconds / 3) break;  // another round would say the same
    }
    return row;
}

std::string milliseconds(double seconds);

/// Prints the head of the table of rows, and a row, at once.
void print_head();
void print_row(const std::string& matrix, const SolveRow& row);

}  // namespace glsolve::bench
