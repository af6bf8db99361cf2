#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <optional>

#include "base/parallel.hpp"
#include "cli/commands.hpp"
#include "cli/convergence_plot.hpp"
#include "cli/error_plot.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "cli/interruption.hpp"
#include "cli/open_ahead.hpp"
#include "cli/phases.hpp"
#include "cli/problem.hpp"
#include "cli/solve_progress.hpp"
#include "cli/switches.hpp"
#include "cli/terminal.hpp"
#include "matrix/csr_entries.hpp"
#include "options/names.hpp"

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

/// All that was asked for and can be written. Reports come behind what they tell the time of, and standard output comes
/// last: who reads it may stop early.
void write_all(const SolveArguments& a, std::span<Solution> solutions, const Phases& phases, std::span<const double> x,
               Index columns) {
    Attempts attempts;
    Solution& s = solutions.front();
    const auto write_solution = [&] {
        write_columns(*a.solution, x, fmt::format("solution of {}: {}", s.file, statuses(solutions)), columns);
    };
    if (a.solution && !is_standard(a.solution)) attempts.make(write_solution);
    if (a.plot) attempts.make([&] { plot_convergence(*a.plot, s); });
    if (a.plot_error && s.accuracy) {
        attempts.make([&] {
            if (const std::string& why = s.accuracy->refused; !why.empty()) {
                throw InvalidInput(fmt::format("{}: not drawn: {}", a.plot_error->string(), why));
            }
            plot_errors(*a.plot_error, s, *s.accuracy);
        });
    }
    s.phases = phases.parts(s.report);
    if (!a.quiet && !is_standard(a.json)) {
        std::FILE* const to = is_standard(a.solution) ? stderr : stdout;
        attempts.make([&] { solutions.size() > 1 ? print_text(to, solutions) : print_text(to, s); });
    }
    if (a.json) attempts.make([&] { write_text(*a.json, solutions.size() > 1 ? to_json(solutions) : to_json(s)); });
    if (is_standard(a.solution)) attempts.make(write_solution);
    attempts.finish();
}

}  // namespace

int solve(const SolveArguments& a) {
    Phases phases;
    const ThreadLimit limit(a.device.threads);
    if (a.plot || a.plot_error) require_gnuplot();
    const Files inputs{a.system.matrix, a.system.right_hand_side, a.system.initial_guess, a.coordinates};
    check_inputs(inputs);
    check_outputs({a.solution, a.json, a.plot, a.plot_error}, inputs);
    ProgressLine progress(a.quiet);
    Solution s;
    OpenAhead ahead(a.system.matrix, a.device, a.device_name);
    phases.begin(Phase::read);
    Problem p = read_problem(a.system, progress, s, a.columns);
    const bool several = p.columns > 1;
    if (several && (a.plot || a.plot_error)) {
        throw InvalidInput(fmt::format("{}: pictures are of one right-hand side, and there are {}",
                                       (a.plot ? *a.plot : *a.plot_error).string(), p.columns));
    }
    s.options = a.options;
    s.verbose = a.verbose;
    leave_out_preconditioner(p.A, true, s);
    take_coordinates(a.coordinates, p.A.rows, s.options.amg, s.read_remarks);
    // Before the solver is set up nothing is lost: a signal then ends the program at once.
    std::optional<Interruption> interruption;
    SolveProgress solving;
    const auto signal = [&] { return interruption ? interruption->signal() : 0; };
    s.options.observer = [&](const Progress& now) {
        if (const std::string far = solving.text(now); !far.empty())
            progress.show(fmt::format("{}; {}", far, phases.ended()));
        return signal() == 0;
    };
    s.options.on_choice = [&](const MethodChoice& choice) {
        progress.note(fmt::format("{}: {}", in_words(choice.method, choice.preconditioner), choice.reason));
    };
    const bool tells_of_skew = is_cg(a.options.method) && !a.quiet && s.rows == s.columns;
    if (const double skew = tells_of_skew ? asymmetry(p.A) : 0; skew > tolerated_asymmetry) {
        fmt::print(stderr,
                   "glsolve: the matrix is not symmetric (by {:.1e} of its largest entry); conjugate gradients need "
                   "a symmetric one and may fail; --method gmres and direct do not\n",
                   skew);
    }

    phases.begin(Phase::open);
    progress.show(phases.ended() + "opening the device", true);
    // It is never closed: that would keep the answer waiting, and the process ends behind it.
    static OpenedDevice* const opened = new OpenedDevice(ahead.take(p.A, s.options));
    auto& [device, choice] = *opened;
    phases.begin(Phase::set_up);
    progress.show(phases.ended() + "setting up", true);
    std::vector<double> x;
    std::vector<Solution> solutions;
    try {
        solutions = solve_columns(device, a.plot_error ? p.A : std::move(p.A), p, s, x, [&] {
            interruption.emplace();
            phases.begin(Phase::solve);
            progress.show(phases.ended() + "solving", true);
            solving = {};
        });
    } catch (const InvalidInput& unfit) {
        throw InvalidInput(fmt::format("{}: {}", s.file, in_switches(unfit.what())));
    }
    const bool converged =
        std::all_of(solutions.begin(), solutions.end(), [](const Solution& one) { return one.report.converged(); });
    phases.begin(Phase::write);
    for (Solution& solution : solutions) solution.device.choice = choice;
    if (a.plot_error && signal() == 0) {
        progress.show(phases.ended() + "computing a reference answer", true);
        solutions.front().accuracy = measure_accuracy(p.A, p.b, x);
    }
    progress.clear();
    write_all(a, solutions, phases, x, p.columns);
    if (signal() != 0) return exit_interrupted + signal();
    return converged ? exit_converged : exit_not_converged;
}

}  // namespace glsolve::cli
