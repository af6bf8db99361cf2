#include "cli/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <utility>

#include "base/memory.hpp"
#include "cli/files.hpp"
#include "matrix/empty_lines.hpp"

namespace glsolve::cli {
namespace {

constexpr std::uint64_t known_seed = 7;  // of the first known answer, as `generate` makes it

double seconds_since(std::chrono::steady_clock::time_point begin) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
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

/// Before they are tried: b, x* and x of so many right-hand sides, and a report of each, have to fit into memory.
void check_room(CsrView A, int columns) {
    const double numbers = static_cast<double>(A.rows) + 2.0 * A.columns,
                 needed = columns * (numbers * sizeof(double) + sizeof(Solution)),
                 most = static_cast<double>(memory_limit());
    if (needed > most) {
        throw InvalidInput(
            fmt::format("{} right-hand sides need {:.0f} bytes of memory, for them, their answers and their reports; "
                        "{:.0f} bytes can be had at most",
                        columns, needed, most));
    }
}

/// b from its file, or A x* for known x*.
void take_right_hand_sides(const SystemFiles& files, int columns, Problem& p, Solution& s) {
    if (files.right_hand_side) {
        const CsrMatrix B = read_matrix(*files.right_hand_side, s.read_remarks);
        if (B.rows != p.A.rows || B.columns < 1) {
            throw InvalidInput(fmt::format("{}: {} elements in each of {} columns, but the matrix {} has {} rows",
                                           name_of_input(*files.right_hand_side), B.rows, B.columns,
                                           name_of_input(files.matrix), p.A.rows));
        }
        p.columns = B.columns;
        p.b = columns_of(B);
        return;
    }
    check_room(p.A, columns);
    p.columns = columns;
    std::vector<double> b(static_cast<std::size_t>(p.A.rows));
    for (int k = 0; k < columns; ++k) {
        const std::vector<double> x = known_answer(p.A.columns, known_seed + static_cast<std::uint64_t>(k));
        multiply(p.A, x, b);
        p.known.insert(p.known.end(), x.begin(), x.end());
        p.b.insert(p.b.end(), b.begin(), b.end());
    }
}

/// The guess from its file: a column for each right-hand side, or one for all of them.
void take_guess(const SystemFiles& files, Problem& p, Solution& s) {
    if (!files.initial_guess) return;
    const CsrMatrix X = read_matrix(*files.initial_guess, s.read_remarks);
    if (X.rows != p.A.columns || (X.columns != p.columns && X.columns != 1)) {
        throw InvalidInput(fmt::format(
            "{}: {} elements in each of {} columns, but the matrix {} has {} columns and there are {} right-hand "
            "sides; an element for each column of the matrix is needed, and a column for each right-hand side or one "
            "for all",
            name_of_input(*files.initial_guess), X.rows, X.columns, name_of_input(files.matrix), p.A.columns,
            p.columns));
    }
    const std::vector<double> given = columns_of(X);
    while (p.guess.size() < static_cast<std::size_t>(p.A.columns) * static_cast<std::size_t>(p.columns)) {
        p.guess.insert(p.guess.end(), given.begin(), given.end());
    }
}

/// An answer that is not finite helps nobody, and no file could hold it.
void refuse_what_is_not_finite(std::span<double> x, Report& report) {
    if (std::all_of(x.begin(), x.end(), [](double v) { return std::isfinite(v); })) return;
    std::fill(x.begin(), x.end(), 0.0);
    report.remarks += report.remarks.empty() ? "" : "; ";
    report.remarks += "the answer was not finite: zeros stand in its place";
}

}  // namespace

ReadProgress show_reading(ProgressLine& progress, std::string name) {
    return [&progress, name = std::move(name)](double share) {
        // What comes through a pipe does not say how much there is.
        progress.show(share > 0 ? fmt::format("reading {}: {:.0f} %", name, 100 * share) : "reading " + name);
    };
}

Problem read_problem(const SystemFiles& files, ProgressLine& progress, Solution& s, int columns) {
    const std::string matrix = name_of_input(files.matrix);
    const auto begin = std::chrono::steady_clock::now();
    const std::int64_t before = peak_memory();
    Problem p{.A = read_matrix(files.matrix, s.read_remarks, show_reading(progress, matrix)),
              .b = {},
              .known = {},
              .guess = {}};
    s.file = matrix;
    s.rows = p.A.rows;
    s.columns = p.A.columns;
    s.nonzeros = p.A.nonzeros();
    s.read_seconds = seconds_since(begin);
    s.read_memory_bytes = peak_memory() - before;
    std::error_code unknown;
    s.file_bytes = std::filesystem::file_size(files.matrix, unknown);
    if (unknown || is_standard(files.matrix)) s.file_bytes = 0;
    take_right_hand_sides(files, columns, p, s);
    take_guess(files, p, s);
    if (files.initial_guess) s.guess = name_of_input(*files.initial_guess);
    return p;
}

void take_coordinates(const std::optional<std::filesystem::path>& file, Index rows, AmgOptions& amg,
                      std::vector<std::string>& remarks) {
    if (!file) return;
    const CsrMatrix points = read_matrix(*file, remarks);
    const Index dimension = points.columns;
    if (dimension < 2 || dimension > 3 || std::int64_t{points.rows} * dimension != rows) {
        throw InvalidInput(
            fmt::format("{}: {} points with {} coordinates; {} rows need 2 or 3 columns with as many "
                        "numbers altogether",
                        name_of_input(*file), points.rows, dimension, rows));
    }
    amg.near_null_space = rigid_body_modes(columns_of(points), dimension);
    amg.near_null_vectors = dimension == 2 ? 3 : 6;
    amg.unknowns_a_point = dimension;
}

void leave_out_preconditioner(CsrView A, bool asked, Solution& s) {
    const Method method = s.options.method;
    PreconditionerKind& preconditioner = s.options.preconditioner;
    if (preconditioner != PreconditionerKind::jacobi) return;
    if (!takes_preconditioner(method)) preconditioner = PreconditionerKind::none;
    // `automatic` sees to it itself; minres and cgnr take jacobi for a scaling; what needs a positive definite matrix
    // has none here, and the solver says so.
    const bool by_itself = method == Method::automatic || method == Method::minres || method == Method::cgnr;
    const bool divides = takes_preconditioner(method) && !by_itself && !is_cg(method) && !is_chebyshev(method);
    const std::optional<Index> row = divides && !asked ? row_without_divisor(A) : std::nullopt;
    if (!row) return;
    preconditioner = PreconditionerKind::none;
    s.preconditioner_remark = fmt::format(
        "no preconditioner, since row {} has a zero on the diagonal, by which jacobi would divide", *row + 1);
}

std::vector<double> solve_problem(Device& device, CsrMatrix A, const Problem& problem, Solution& s) {
    std::vector<double> x;
    s = std::move(solve_columns(device, std::move(A), problem, std::move(s), x).front());
    return x;
}

std::vector<Solution> solve_columns(Device& device, CsrMatrix A, const Problem& problem, Solution common,
                                    std::vector<double>& x, const std::function<void()>& set_up) {
    const auto n = static_cast<std::size_t>(common.columns);
    x = problem.guess;
    x.resize(n * static_cast<std::size_t>(problem.columns), 0.0);
    common.device = device.info();
    common.options.zero_guess = problem.guess.empty();
    Solver solver(device, std::move(A), common.options);
    common.format = solver.format();
    common.hierarchy = solver.hierarchy();
    if (!solver.preconditioner_remark().empty()) common.preconditioner_remark = solver.preconditioner_remark();
    if (set_up) set_up();
    std::vector<Solution> solutions;
    const bool unique = common.rows >= common.columns;  // with fewer rows there are many answers
    for (Report& report : solver.solve_several(problem.b, x, problem.columns)) {
        Solution s = common;
        const bool is_chosen = common.options.method == Method::automatic
                               || common.options.preconditioner == PreconditionerKind::automatic;
        if (is_chosen) s.method_reason = solver.method().reason;
        s.options.method = solver.method().method;
        s.options.preconditioner = solver.method().preconditioner;
        s.report = std::move(report);
        const std::size_t begin = solutions.size() * n;
        refuse_what_is_not_finite(std::span(x).subspan(begin, n), s.report);
        if (!problem.known.empty() && unique) {
            s.error_infinity =
                largest_difference(std::span(x).subspan(begin, n), std::span(problem.known).subspan(begin, n));
        }
        solutions.push_back(std::move(s));
    }
    return solutions;
}

Accuracy measure_accuracy(CsrView A, std::span<const double> b, std::span<const double> x) {
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
