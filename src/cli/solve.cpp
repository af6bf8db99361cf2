#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>

#include "cli/commands.hpp"
#include "cli/convergence_plot.hpp"
#include "cli/error_plot.hpp"
#include "cli/exit_code.hpp"
#include "cli/gnuplot.hpp"
#include "cli/interruption.hpp"
#include "cli/outputs.hpp"
#include "cli/problem.hpp"
#include "cli/terminal.hpp"
#include "core/csr_entries.hpp"

namespace glsolve::cli {
namespace {

/// How they ended, one after the other.
std::string statuses(std::span<const Solution> solutions) {
    std::string list;
    for (const Solution& s : solutions) {
        if (!list.empty()) list += ", ";
        list += name(s.report.outcome);
    }
    return list;
}

}  // namespace

int solve(const SolveArguments& a) {
    if (a.plot || a.plot_error) require_gnuplot();
    check_outputs({a.solution, a.json, a.plot, a.plot_error}, {a.matrix, a.right_hand_side});
    ProgressLine progress(a.quiet);
    Solution s;
    Problem p = read_problem(a.matrix, a.right_hand_side, progress, s, a.columns);
    const bool several = p.columns > 1;
    if (several && (a.plot || a.plot_error)) {
        throw InvalidInput(fmt::format("{}: pictures are of one right-hand side, and there are {}",
                                       (a.plot ? *a.plot : *a.plot_error).string(), p.columns));
    }
    s.options = without_what_is_not_taken(a.options);
    take_coordinates(a.coordinates, p.A.rows, s.options.amg);
    const Interruption interruption;
    s.options.observer = [&](const Progress& now) {
        progress.show(fmt::format("iteration {}, residual {:.2e}, {} corrections", now.iteration, now.relative_residual,
                                  now.corrections));
        return interruption.signal() == 0;
    };
    if (const double skew = asymmetry(p.A);
        s.rows == s.columns && skew > tolerated_asymmetry && is_cg(a.options.method) && !a.quiet) {
        fmt::print(stderr,
                   "glsolve: the matrix is not symmetric (by {:.1e} of its largest entry); conjugate gradients need "
                   "a symmetric one and may fail; --method gmres and direct do not\n",
                   skew);
    }

    progress.show("opening the device", true);
    Device device = Device::open(a.device);
    progress.show("setting up", true);
    std::vector<double> x;
    std::vector<Solution> solutions;
    try {
        solutions = solve_columns(device, a.plot_error ? p.A : std::move(p.A), p, s, x);
    } catch (const InvalidInput& unfit) {
        throw InvalidInput(fmt::format("{}: {}", s.file, unfit.what()));
    }
    const bool converged =
        std::all_of(solutions.begin(), solutions.end(), [](const Solution& one) { return one.report.converged(); });
    s = solutions.front();
    if (a.plot_error && interruption.signal() == 0) {
        progress.show("computing a reference answer", true);
        s.accuracy = measure_accuracy(p.A, p.b, x);
    }
    progress.clear();
    if (!a.quiet && !(a.json && *a.json == "-")) several ? print_text(solutions) : print_text(s);
    if (a.solution) {
        write_matrix_market(*a.solution, std::span<const double>(x),
                            fmt::format("solution of {}: {}", s.file, statuses(solutions)), p.columns);
    }
    if (a.json) write_text(*a.json, several ? to_json(solutions) : to_json(s));
    if (a.plot) plot_convergence(*a.plot, s);
    if (a.plot_error && s.accuracy) {
        if (const std::string& why = s.accuracy->refused; !why.empty()) {
            throw InvalidInput(fmt::format("{}: not drawn: {}", a.plot_error->string(), why));
        }
        plot_errors(*a.plot_error, s, *s.accuracy);
    }
    if (interruption.signal() != 0) return exit_interrupted + interruption.signal();
    return converged ? exit_converged : exit_not_converged;
}

}  // namespace glsolve::cli
