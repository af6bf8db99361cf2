#include "cli/problem.hpp"

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

namespace glsolve::cli {
namespace {

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The most memory the program has had so far; 0 where the system does not say.
std::int64_t peak_memory() {
#if defined(__linux__)
    rusage usage{};
    if (getrusage(RUSAGE_SELF, &usage) == 0) return std::int64_t{usage.ru_maxrss} * 1024;
#endif
    return 0;
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

Problem read_problem(const std::filesystem::path& matrix, const std::optional<std::filesystem::path>& right_hand_side,
                     ProgressLine& progress, Solution& s) {
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t memory = peak_memory();
    Problem p;
    p.A = read_matrix_market(matrix, [&](double share) {
        progress.show(fmt::format("reading {}: {:.0f} %", matrix.string(), 100 * share));
    });
    s.file = matrix.string();
    s.rows = p.A.rows;
    s.columns = p.A.columns;
    s.nonzeros = p.A.nonzeros();
    s.read_seconds = seconds_since(begin);
    s.read_memory_bytes = peak_memory() - memory;
    std::error_code unknown;
    s.file_bytes = std::filesystem::file_size(matrix, unknown);
    if (unknown) s.file_bytes = 0;
    if (right_hand_side) {
        p.b = read_matrix_market_vector(*right_hand_side);
        if (p.b.size() != static_cast<std::size_t>(p.A.rows)) {
            throw InvalidInput(fmt::format("{}: {} elements, but the matrix {} has {} rows", right_hand_side->string(),
                                           p.b.size(), matrix.string(), p.A.rows));
        }
    } else {
        p.known = known_answer(p.A.columns);
        p.b.resize(static_cast<std::size_t>(p.A.rows));
        multiply(p.A, p.known, p.b);
    }
    return p;
}

Options without_what_is_not_taken(Options options) {
    if (options.method == Method::direct && options.preconditioner == Options{}.preconditioner) {
        options.preconditioner = PreconditionerKind::none;
    }
    return options;
}

std::vector<double> solve_problem(Device& device, CsrMatrix A, const Problem& problem, Solution& s) {
    std::vector<double> x(static_cast<std::size_t>(s.columns), 0.0);
    s.device = device.info();
    s.options.zero_guess = true;
    Solver solver(device, std::move(A), s.options);
    s.format = solver.format();
    if (s.options.method == Method::automatic) s.method_reason = solver.method().reason;
    s.options.method = solver.method().method;
    s.report = solver.solve(problem.b, x);
    const bool unique = s.rows >= s.columns;  // with fewer rows there are many answers
    if (!problem.known.empty() && unique) s.error_infinity = largest_difference(x, problem.known);
    return x;
}

Accuracy measure_accuracy(const CsrMatrix& A, std::span<const double> b, std::span<const double> x) {
    Accuracy accuracy;
    if (!std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); })) {
        accuracy.refused = "the answer is not finite";
        return accuracy;
    }
    try {
        accuracy.reference = reference_answer(A, b);
        accuracy.errors = componentwise_errors(x, accuracy.reference);
    } catch (const InvalidInput& unfit) {
        accuracy.refused = unfit.what();
        return accuracy;
    }
    std::vector<double> sorted = accuracy.errors;
    std::sort(sorted.begin(), sorted.end());
    accuracy.median = (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
    accuracy.largest = sorted.back();
    return accuracy;
}

}  // namespace glsolve::cli
