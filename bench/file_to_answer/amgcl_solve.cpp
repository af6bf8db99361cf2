// Solves a system from Matrix Market files with AMGCL, for measure.py:
//
//   amgcl_solve amg-cg|mixed-amg-cg|amg-bicgstab|ilu0-bicgstab A.mtx b.mtx x.mtx
//
// Prints the seconds of reading, set-up, solve and writing.
// g++ -std=c++17 -O3 -march=native -fopenmp -DAMGCL_NO_BOOST -I AMGCL amgcl_solve.cpp -o amgcl_solve
#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/io/mm.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/as_preconditioner.hpp>
#include <amgcl/relaxation/ilu0.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/bicgstab.hpp>
#include <amgcl/solver/cg.hpp>
#include <cstdio>
#include <exception>
#include <string>
#include <tuple>
#include <vector>

#include "lap.hpp"

namespace {

using Backend = amgcl::backend::builtin<double>;
template <class Backend>
using MultigridOn = amgcl::amg<Backend, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>;
using Multigrid = MultigridOn<Backend>;
using MultigridInFloats = MultigridOn<amgcl::backend::builtin<float>>;
using Factors = amgcl::relaxation::as_preconditioner<Backend, amgcl::relaxation::ilu0>;

struct System {
    std::ptrdiff_t rows = 0;
    std::vector<std::ptrdiff_t> offsets, columns;
    std::vector<double> values, b, x;
};

template <class Solver>
void solve(System& s, typename Solver::params parameters) {
    parameters.solver.tol = 1e-8;
    parameters.solver.maxiter = 10000;
    const auto A = std::tie(s.rows, s.offsets, s.columns, s.values);
    const Solver solver(A, parameters);
    std::printf("set-up %.4f s, ", lap());
    s.x.assign(s.b.size(), 0.0);
    const auto [iterations, residual] = solver(s.b, s.x);
    std::printf("solve %.4f s, %d iterations to %.1e, ", lap(), static_cast<int>(iterations), residual);
}

template <template <class, class> class Method, class Cycle = Multigrid>
void solve_with_multigrid(System& s) {
    using Solver = amgcl::make_solver<Cycle, Method<Backend, amgcl::solver::detail::default_inner_product>>;
    solve<Solver>(s, {});
}

int run(const std::vector<std::string>& words) {
    if (words.size() < 4) {
        std::fprintf(stderr, "amgcl_solve METHOD A.mtx b.mtx x.mtx\n");
        return 2;
    }
    lap();
    System s;
    std::size_t columns = 0;
    std::tie(s.rows, columns) = amgcl::io::mm_reader(words[1])(s.offsets, s.columns, s.values);
    amgcl::io::mm_reader{words[2]}(s.b);
    std::printf("read %.3f s, ", lap());
    if (words[0] == "amg-cg") {
        solve_with_multigrid<amgcl::solver::cg>(s);
    } else if (words[0] == "mixed-amg-cg") {
        solve_with_multigrid<amgcl::solver::cg, MultigridInFloats>(s);
    } else if (words[0] == "amg-bicgstab") {
        solve_with_multigrid<amgcl::solver::bicgstab>(s);
    } else if (words[0] == "ilu0-bicgstab") {
        solve<amgcl::make_solver<Factors, amgcl::solver::bicgstab<Backend>>>(s, {});
    } else {
        std::fprintf(stderr, "%s: amg-cg, mixed-amg-cg, amg-bicgstab or ilu0-bicgstab\n", words[0].c_str());
        return 2;
    }
    amgcl::io::mm_write(words[3], s.x.data(), s.x.size());
    std::printf("write %.3f s\n", lap());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(std::vector<std::string>(argv + 1, argv + argc));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "amgcl_solve: %s\n", error.what());
        return 1;
    }
}
