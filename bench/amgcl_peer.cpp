#include <stdexcept>

#include "amg_peers.hpp"
#include "stopwatch.hpp"

#ifdef GLSOLVE_BENCH_AMGCL
#include <amgcl/adapter/crs_tuple.hpp>
#include <amgcl/amg.hpp>
#include <amgcl/backend/builtin.hpp>
#include <amgcl/coarsening/smoothed_aggregation.hpp>
#include <amgcl/make_solver.hpp>
#include <amgcl/relaxation/spai0.hpp>
#include <amgcl/solver/cg.hpp>
#include <tuple>
#include <vector>

namespace glsolve::bench {
namespace {

using Doubles = amgcl::backend::builtin<double>;
template <class Backend>
using Multigrid = amgcl::amg<Backend, amgcl::coarsening::smoothed_aggregation, amgcl::relaxation::spai0>;

template <class Levels>
PeerTimes run(CsrView A, std::span<const double> b, std::span<double> x, double tolerance) {
    using Solver = amgcl::make_solver<Multigrid<Levels>, amgcl::solver::cg<Doubles>>;
    typename Solver::params parameters;
    parameters.solver.tol = tolerance;
    parameters.solver.maxiter = 10000;
    const std::vector<double> right(b.begin(), b.end());
    std::vector<double> found(x.size(), 0.0);
    PeerTimes times;
    const auto begin = Clock::now();
    const Solver solver(std::tie(A.rows, A.offsets, A.column, A.value), parameters);
    times.setup = seconds_since(begin);
    const auto ready = Clock::now();
    times.iterations = static_cast<std::int64_t>(std::get<0>(solver(right, found)));
    times.solve = seconds_since(ready);
    std::copy(found.begin(), found.end(), x.begin());
    return times;
}

}  // namespace

bool has_amgcl() { return true; }

PeerTimes run_amgcl(CsrView A, std::span<const double> b, std::span<double> x, double tolerance, bool in_floats) {
    return in_floats ? run<amgcl::backend::builtin<float>>(A, b, x, tolerance) : run<Doubles>(A, b, x, tolerance);
}

}  // namespace glsolve::bench

#else

namespace glsolve::bench {

bool has_amgcl() { return false; }

PeerTimes run_amgcl(CsrView, std::span<const double>, std::span<double>, double, bool) {
    throw std::runtime_error("this program was built without AMGCL");
}

}  // namespace glsolve::bench
#endif
