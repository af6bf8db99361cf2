#include <fmt/format.h>

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

namespace glsolve::cli {

int solve(const SolveArguments& a) {
    if (a.plot || a.plot_error) require_gnuplot();
    check_outputs({a.solution, a.json, a.plot, a.plot_error}, {a.matrix, a.right_hand_side});
    ProgressLine progress(a.quiet);
    Solution s;
    Problem p = read_problem(a.matrix, a.right_hand_side, progress, s);
    s.options = without_what_is_not_taken(a.options);
    const Interruption interruption;
    s.options.observer = [&](const Progress& now) {
        progress.show(fmt::format("iteration {}, residual {:.2e}, {} corrections", now.iteration, now.relative_residual,
                                  now.corrections));
        return interruption.signal() == 0;
    };
    if (const double skew = asymmetry(p.A);
        s.rows == s.columns && skew > 1e-10 && a.options.method == Method::cg && !a.quiet) {
        fmt::print(stderr,
                   "glsolve: the matrix is not symmetric (by {:.1e} of its largest entry); conjugate gradients need "
                   "a symmetric one and may fail; --method gmres and direct do not\n",
                   skew);
    }

    progress.show("opening the device", true);
    Device device = Device::open(a.device);
    progress.show("setting up", true);
    std::vector<double> x;
    try {
        x = solve_problem(device, a.plot_error ? p.A : std::move(p.A), p, s);
    } catch (const InvalidInput& unfit) {
        throw InvalidInput(fmt::format("{}: {}", s.file, unfit.what()));
    }
    if (a.plot_error && interruption.signal() == 0) {
        progress.show("computing a reference answer", true);
        s.accuracy = measure_accuracy(p.A, p.b, x);
    }
    progress.clear();
    if (!a.quiet && !(a.json && *a.json == "-")) print_text(s);
    if (a.solution) {
        write_matrix_market(*a.solution, std::span<const double>(x),
                            fmt::format("solution of {}: {}", s.file, name(s.report.status)));
    }
    if (a.json) write_text(*a.json, to_json(s));
    if (a.plot) plot_convergence(*a.plot, s);
    if (a.plot_error && s.accuracy) {
        if (const std::string& why = s.accuracy->refused; !why.empty()) {
            throw InvalidInput(fmt::format("{}: not drawn: {}", a.plot_error->string(), why));
        }
        plot_errors(*a.plot_error, s, *s.accuracy);
    }
    if (interruption.signal() != 0) return exit_interrupted + interruption.signal();
    return s.report.converged() ? exit_converged : exit_not_converged;
}

}  // namespace glsolve::cli
