// A plugin with the library in it. It works on several cores.
#include <cstdlib>
#include <glsolve/device.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <vector>

#include "base/parallel.hpp"

#define PLUGIN_API extern "C" __attribute__((visibility("default")))

/// Do its solves work?
PLUGIN_API bool plugin_work() {
    glsolve::Device device = glsolve::Device::host();
    glsolve::CsrMatrix A = glsolve::poisson2d(300);
    std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0), x(b.size(), 0.0);
    glsolve::Solver solver(device, std::move(A), {.tolerance = 1e-2});
    return solver.solve(b, x).converged();
}

/// How many threads work at a time.
PLUGIN_API int plugin_threads() { return glsolve::parallel_ranges(1 << 20, 1); }

/// Ends the process from one of these threads, or from the caller's.
PLUGIN_API void plugin_exit_at_work(int in_thread) {
    glsolve::parallel_for(1 << 20, 1, [&](int range, glsolve::Offset, glsolve::Offset) {
        if (range == in_thread) std::exit(0);
    });
}
