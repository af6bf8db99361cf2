#include <fmt/format.h>

#include <algorithm>

#include "cores.hpp"
#include "figures.hpp"

namespace glsolve::bench::chebyshev {

void add_bounds(Section& section, NamedDevice& device, const ChadovSystem& system) {
    section.blocks.push_back(Heading{
        fmt::format("Bounds from a few steps of conjugate gradients: {} rows, {}", system.A.rows, device.name)});
    constexpr int patience = 4;  // times the steps that the exact bounds need
    const CoreChebyshev core(system.A);
    const int exact_steps = core.run(system.b, system.rule, 1).iterations;
    section.blocks.push_back(Text{fmt::format(
        "The iteration needs bounds of the eigenvalues of D^-1 A; the paper takes them from a few steps of a "
        "conjugate-gradient method. Such steps find eigenvalues inside of the spectrum: the largest one soon, the "
        "smallest one late. If it is too large, the parts of b with smaller eigenvalues converge slowly. The b of "
        "these tables has little of such parts, so bounds of 16 or 32 steps are better for it than the exact ones. The "
        "plain recurrence (on one "
        "core) keeps its bounds; the library takes 1.1 times the largest Ritz value, at most Gershgorin's bound, and "
        "lowers the smaller one where it sees that it is slow. Exact: {:.3e} and {:.6f}, with which the plain "
        "recurrence takes {} steps. `> N`: not solved after N steps, {} times as many.",
        system.rule.l_min, system.rule.l_max, exact_steps, patience)});
    Table table{{"CG steps", "smallest", "/ exact", "largest", "plain recurrence, steps", "optimised here, steps",
                 "its bounds"}};
    for (const int steps : {4, 8, 16, 32}) {
        Options options = chadov_options(system, {.method = Method::chebyshev});
        options.chebyshev = {.lanczos_steps = steps};
        Solver solver(device.device, system.A, options);
        const Spectrum found = solver.spectrum(steps);
        std::vector<double> x(system.b.size());
        const Report report = solver.solve(system.b_doubles, x);
        PublishedChebyshevRule rule = system.rule;
        rule.l_min = found.smallest;
        rule.l_max = std::min(1.1 * found.largest, found.gershgorin);
        rule.max_iterations = patience * exact_steps;
        const CoreChebyshev::Run plain = core.run(system.b, rule, 1);
        table.rows.push_back({fmt::format("{}", found.steps), fmt::format("{:.3e}", found.smallest),
                              digits(found.smallest / system.rule.l_min), fmt::format("{:.4f}", found.largest),
                              plain.relative_residual <= rule.tolerance ? fmt::format("{}", plain.iterations)
                                                                        : fmt::format("> {}", plain.iterations),
                              fmt::format("{}{}", report.iterations, report.converged() ? "" : ", not converged"),
                              report.remarks});
    }
    section.blocks.push_back(table);
}

}  // namespace glsolve::bench::chebyshev
