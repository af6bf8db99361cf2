#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <new>
#include <optional>
#include <tuple>

#include "cli/commands.hpp"
#include "cli/comparison.hpp"
#include "cli/convergence_plot.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "cli/interruption.hpp"
#include "cli/open_device.hpp"
#include "cli/problem.hpp"
#include "cli/solve_progress.hpp"
#include "cli/switches.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

/// All combinations, each once; those of one place together, so that its device is opened once.
std::vector<Run> combinations(const CompareArguments& a, CsrView A, const Solution& problem) {
    std::vector<Run> runs;
    const auto choices = [](const Run& run) {
        const Options& o = run.asked;
        return std::tuple(o.method, o.preconditioner, o.format, run.place.backend, run.place.stage);
    };
    for (const Place& place : a.places) {
        for (const FormatKind format : a.formats) {
            for (const PreconditionerKind preconditioner : a.preconditioners) {
                for (const Method method : a.methods) {
                    Options options = problem.options;
                    options.method = method;
                    options.preconditioner = preconditioner;
                    options.format = format;
                    if (!takes_preconditioner(method)) options.preconditioner = PreconditionerKind::none;  // once
                    Run run{.place = place, .asked = options, .solution = problem, .failure = {}};
                    run.solution.options = options;
                    leave_out_preconditioner(A, a.asks_for_preconditioners, run.solution);
                    if (std::none_of(runs.begin(), runs.end(),
                                     [&](const Run& other) { return choices(other) == choices(run); })) {
                        runs.push_back(std::move(run));
                    }
                }
            }
        }
    }
    return runs;
}

/// Opens the devices and does the runs, one after the other.
class Runner {
  public:
    Runner(const CompareArguments& arguments, const Problem& problem, const Interruption& interruption,
           ProgressLine& progress)
        : a_(arguments), problem_(problem), interruption_(interruption), progress_(progress) {}

    /// The fastest of as many solves as are wanted. `where` says which run it is, for the progress line.
    Run measure(const Run& run, const std::string& where) {
        Run fastest = once(run, where);
        for (int k = 1; k < a_.repeat && fastest.converged() && interruption_.signal() == 0; ++k) {
            Run again = once(run, where);
            if (again.converged() && again.seconds() < fastest.seconds()) fastest = std::move(again);
        }
        return fastest;
    }

  private:
    Run once(Run run, const std::string& where);

    Device& open(const Place& place) {
        if (device_ && place == opened_) return *device_;
        device_.reset();  // one at a time
        opened_ = place;
        const bool chosen = place.backend != BackendKind::host;  // which is one device
        return device_.emplace(open_device({.backend = place.backend, .stage = place.stage},
                                           chosen ? a_.device_name : std::string_view()));
    }

    const CompareArguments& a_;
    const Problem& problem_;
    const Interruption& interruption_;
    ProgressLine& progress_;
    std::optional<Device> device_;
    Place opened_;
};

Run Runner::once(Run run, const std::string& where) {
    Solution& s = run.solution;
    const std::string what = fmt::format("{}: {}", where, run.label());
    progress_.show(what, true);
    const auto fail = [&](const char* failure, const std::string& reason) {
        run.failure = failure;
        s.report = {};
        s.report.reason = reason;
    };
    try {
        Device& device = open(run.place);
        SolveProgress solving;
        s.options.observer = [&](const Progress& now) {
            const std::string far = solving.text(now);
            progress_.show(far.empty() ? what : fmt::format("{}: {}", what, far));
            return interruption_.signal() == 0;
        };
        solve_problem(device, problem_.A, problem_, s);
    } catch (const InvalidInput& unfit) {
        fail("refused", in_switches(unfit.what()));
    } catch (const NoDevice& missing) {
        fail("no_device", missing.what());
    } catch (const Error& broken) {
        fail("failed", broken.what());
        device_.reset();  // the next run shall not suffer from it
    } catch (const std::bad_alloc&) {
        fail("failed", "out of memory");
        device_.reset();
    }
    s.options.observer = {};  // it refers to what ends here
    return run;
}

void sort_by_time(std::vector<Run>& runs) {
    const auto rank = [](const Run& run) {
        return std::tuple(run.converged() ? 0 : run.failure.empty() ? 1 : 2, run.seconds());
    };
    std::stable_sort(runs.begin(), runs.end(), [&](const Run& x, const Run& y) { return rank(x) < rank(y); });
}

}  // namespace

int compare(const CompareArguments& a) {
    if (a.plot) require_gnuplot();
    const Files inputs{a.system.matrix, a.system.right_hand_side, a.system.initial_guess, a.coordinates};
    check_inputs(inputs);
    check_outputs({a.json, a.plot}, inputs);
    ProgressLine progress(a.quiet);
    Comparison c{.problem = {}, .runs = {}};
    const Problem problem = read_problem(a.system, progress, c.problem);
    if (problem.columns > 1) {
        throw InvalidInput(fmt::format("{}: {} columns; compare takes one right-hand side, solve takes several",
                                       name_of_input(*a.system.right_hand_side), problem.columns));
    }
    c.problem.options = a.options;
    take_coordinates(a.coordinates, problem.A.rows, c.problem.options.amg, c.problem.read_remarks);
    const std::vector<Run> wanted = combinations(a, problem.A, c.problem);
    const Interruption interruption;
    {
        Runner runner(a, problem, interruption, progress);
        for (const Run& run : wanted) {
            if (interruption.signal() != 0) break;
            c.runs.push_back(runner.measure(run, fmt::format("{} of {}", c.runs.size() + 1, wanted.size())));
        }
    }
    progress.clear();
    c.left = wanted.size() - c.runs.size();
    sort_by_time(c.runs);

    if (!a.quiet && !is_standard(a.json)) print_text(c);
    Attempts attempts;
    if (a.plot) attempts.make([&] { plot_convergence(*a.plot, c); });
    if (a.json) attempts.make([&] { write_text(*a.json, to_json(c)); });
    attempts.finish();
    if (interruption.signal() != 0) return exit_interrupted + interruption.signal();
    return std::any_of(c.runs.begin(), c.runs.end(), [](const Run& run) { return run.converged(); })
               ? exit_converged
               : exit_not_converged;
}

}  // namespace glsolve::cli
