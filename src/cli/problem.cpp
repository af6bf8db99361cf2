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

constexpr std::uint64_t known_seed = 7;  // of the first known answer, as `generate` makes it

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

/// The columns of a file, one behind the other.
std::vector<double> columns_of(const CsrMatrix& B) {
    const auto rows = static_cast<std::size_t>(B.rows);
    std::vector<double> values(rows * static_cast<std::size_t>(B.columns), 0.0);
    for (std::size_t i = 0; i < rows; ++i) {
        for (Offset k = B.offsets[i]; k < B.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            values[static_cast<std::size_t>(B.column[e]) * rows + i] = B.value[e];
        }
    }
    return values;
}

}  // namespace

Problem read_problem(const std::filesystem::path& matrix, const std::optional<std::filesystem::path>& right_hand_side,
                     ProgressLine& progress, Solution& s, int columns) {
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
        const CsrMatrix B = read_matrix_market(*right_hand_side);
        if (B.rows != p.A.rows || B.columns < 1) {
            throw InvalidInput(fmt::format("{}: {} elements in each of {} columns, but the matrix {} has {} rows",
                                           right_hand_side->string(), B.rows, B.columns, matrix.string(), p.A.rows));
        }
        p.columns = B.columns;
        p.b = columns_of(B);
        return p;
    }
    p.columns = columns;
    std::vector<double> b(static_cast<std::size_t>(p.A.rows));
    for (int k = 0; k < columns; ++k) {
        const std::vector<double> x = known_answer(p.A.columns, known_seed + static_cast<std::uint64_t>(k));
        multiply(p.A, x, b);
        p.known.insert(p.known.end(), x.begin(), x.end());
        p.b.insert(p.b.end(), b.begin(), b.end());
    }
    return p;
}

void take_coordinates(const std::optional<std::filesystem::path>& file, Index rows, AmgOptions& amg) {
    if (!file) return;
    const CsrMatrix points = read_matrix_market(*file);
    const Index dimension = points.columns;
    if (dimension < 2 || dimension > 3 || std::int64_t{points.rows} * dimension != rows) {
        throw InvalidInput(
            fmt::format("{}: {} points with {} coordinates; {} rows need 2 or 3 columns with as many "
                        "numbers altogether",
                        file->string(), points.rows, dimension, rows));
    }
    amg.near_null_space = rigid_body_modes(columns_of(points), dimension);
    amg.near_null_vectors = dimension == 2 ? 3 : 6;
    amg.unknowns_a_point = dimension;
}

Options without_what_is_not_taken(Options options) {
    if (options.method == Method::direct && options.preconditioner == Options{}.preconditioner) {
        options.preconditioner = PreconditionerKind::none;
    }
    return options;
}

std::vector<double> solve_problem(Device& device, CsrMatrix A, const Problem& problem, Solution& s) {
    std::vector<double> x;
    s = std::move(solve_columns(device, std::move(A), problem, std::move(s), x).front());
    return x;
}

std::vector<Solution> solve_columns(Device& device, CsrMatrix A, const Problem& problem, Solution common,
                                    std::vector<double>& x) {
    const auto n = static_cast<std::size_t>(common.columns);
    x.assign(n * static_cast<std::size_t>(problem.columns), 0.0);
    common.device = device.info();
    common.options.zero_guess = true;
    Solver solver(device, std::move(A), common.options);
    common.format = solver.format();
    common.hierarchy = solver.hierarchy();
    if (common.options.method == Method::automatic) common.method_reason = solver.method().reason;
    common.options.method = solver.method().method;
    std::vector<Solution> solutions;
    const bool unique = common.rows >= common.columns;  // with fewer rows there are many answers
    for (Report& report : solver.solve_several(problem.b, x, problem.columns)) {
        Solution s = common;
        s.report = std::move(report);
        const std::size_t begin = solutions.size() * n;
        if (!problem.known.empty() && unique) {
            s.error_infinity =
                largest_difference(std::span(x).subspan(begin, n), std::span(problem.known).subspan(begin, n));
        }
        solutions.push_back(std::move(s));
    }
    return solutions;
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
