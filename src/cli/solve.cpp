#include <fmt/format.h>
#if defined(__linux__)
#include <sys/resource.h>
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>

#include "cli/commands.hpp"
#include "cli/convergence_plot.hpp"
#include "cli/exit_code.hpp"
#include "cli/gnuplot.hpp"
#include "cli/interruption.hpp"
#include "cli/outputs.hpp"
#include "cli/solution.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The system as read, with a known answer where no right-hand side was given.
struct Problem {
    CsrMatrix A;
    std::vector<double> b, known;
};

/// The most memory the program has had so far; 0 where the system does not say.
std::int64_t peak_memory() {
#if defined(__linux__)
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) return std::int64_t{usage.ru_maxrss} * 1024;
#endif
    return 0;
}

Problem read(const SolveArguments& a, ProgressLine& progress, Solution& s) {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t memory = peak_memory();
    Problem p;
    p.A = read_matrix_market(a.matrix, [&](double share) {
        progress.show(fmt::format("reading {}: {:.0f} %", a.matrix.string(), 100 * share));
    });
    s.file = a.matrix.string();
    s.rows = p.A.rows;
    s.columns = p.A.columns;
    s.nonzeros = p.A.nonzeros();
    s.read_seconds = seconds_since(begin);
    s.read_memory_bytes = peak_memory() - memory;
    std::error_code unknown;
    s.file_bytes = std::filesystem::file_size(a.matrix, unknown);
    if (unknown) s.file_bytes = 0;
    if (p.A.rows != p.A.columns) {
        throw InvalidInput(fmt::format("{}: the matrix is {} x {}; only square systems can be solved",
                                       a.matrix.string(), p.A.rows, p.A.columns));
    }
    if (a.right_hand_side) {
        p.b = read_matrix_market_vector(*a.right_hand_side);
        if (p.b.size() != static_cast<std::size_t>(p.A.rows)) {
            throw InvalidInput(fmt::format("{}: {} elements, but the matrix {} has {} rows",
                                           a.right_hand_side->string(), p.b.size(), a.matrix.string(), p.A.rows));
        }
    } else {
        p.known = known_answer(p.A.rows);
        p.b.resize(p.known.size());
        multiply(p.A, p.known, p.b);
    }
    return p;
}

double largest_difference(std::span<const double> x, std::span<const double> y) {
    double largest = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = std::abs(x[i] - y[i]);
        if (std::isnan(difference)) return difference;
        largest = std::max(largest, difference);
    }
    return largest;
}

}  // namespace

int solve(const SolveArguments& a) {
    if (a.plot) require_gnuplot();
    check_outputs({a.solution, a.json, a.plot}, {a.matrix, a.right_hand_side});
    ProgressLine progress(a.quiet);
    Solution s;
    Problem p = read(a, progress, s);
    s.options = a.options;
    if (a.options.method == Method::direct) s.options.preconditioner = PreconditionerKind::none;  // it takes none
    s.options.zero_guess = true;
    const Interruption interruption;
    s.options.observer = [&](const Progress& now) {
        progress.show(fmt::format("iteration {}, residual {:.2e}, {} corrections", now.iteration, now.relative_residual,
                                  now.corrections));
        return interruption.signal() == 0;
    };
    if (const double skew = asymmetry(p.A); skew > 1e-10 && a.options.method == Method::cg && !a.quiet) {
        fmt::print(stderr,
                   "glsolve: the matrix is not symmetric (by {:.1e} of its largest entry); conjugate gradients need "
                   "a symmetric one and may fail; --method gmres and direct do not\n",
                   skew);
    }

    progress.show("opening the device", true);
    Device device = Device::open(a.device);
    s.device = device.info();
    progress.show("setting up", true);
    std::vector<double> x(p.b.size(), 0.0);
    try {
        Solver solver(device, std::move(p.A), s.options);
        s.format = solver.format();
        s.report = solver.solve(p.b, x);
    } catch (const InvalidInput& unfit) {
        throw InvalidInput(fmt::format("{}: {}", s.file, unfit.what()));
    }
    progress.clear();
    if (!p.known.empty()) s.error_infinity = largest_difference(x, p.known);

    if (!a.quiet && !(a.json && *a.json == "-")) print_text(s);
    if (a.solution) {
        write_matrix_market(*a.solution, std::span<const double>(x),
                            fmt::format("solution of {}: {}", s.file, name(s.report.status)));
    }
    if (a.json) write_text(*a.json, to_json(s));
    if (a.plot) plot_convergence(*a.plot, s);
    if (interruption.signal() != 0) return exit_interrupted + interruption.signal();
    return s.report.converged() ? exit_converged : exit_not_converged;
}

}  // namespace glsolve::cli
