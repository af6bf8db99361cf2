/// A system as the commands read it, and one solve of it.
#pragma once

#include <filesystem>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/device.hpp>
#include <glsolve/matrix_market.hpp>
#include <optional>
#include <span>
#include <vector>

#include "cli/arguments.hpp"
#include "cli/solution.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {

/// The system as read, with known answers where no right-hand side was given. Right-hand sides and answers are columns,
/// one behind the other.
struct Problem {
    CsrMatrix A;
    int columns = 1;
    std::vector<double> b, known;
    std::vector<double> guess;  ///< empty: zeros
};

/// Reads A, and b where there is a file of it, of one column or of several; else b = A x* with `columns` known random
/// x*; and where to begin. Notes in `solution` what was read.
/// Throws InvalidInput for a b or a guess of another size.
Problem read_problem(const SystemFiles& files, ProgressLine& progress, Solution& solution, int columns = 1);

/// Shows how much of a file has been read, as long as `progress` lives.
ReadProgress show_reading(ProgressLine& progress, std::string name);

/// Rigid-body modes for points read from a file, if any. Throws InvalidInput where there are not as many as `rows`
/// need. Adds to `remarks` what the reader remarks.
void take_coordinates(const std::optional<std::filesystem::path>& file, Index rows, AmgOptions& amg,
                      std::vector<std::string>& remarks);

/// Leaves jacobi out of the solution's options where the method takes no preconditioner; also, with a remark, where
/// nobody has asked for it and it would divide by a zero on the diagonal.
void leave_out_preconditioner(CsrView A, bool asked, Solution& solution);

/// Solves with solution.options from the guess on, and notes there what came out. Returns x. `A` is the problem's
/// matrix, which may have been moved out of it. Throws what Solver throws.
std::vector<double> solve_problem(Device& device, CsrMatrix A, const Problem& problem, Solution& solution);

/// The same for all of the problem's right-hand sides: a solution for each, which begins as a copy of `common`. Their
/// answers go into x, columns one behind the other. `set_up` is called when the solver is there and work on x begins.
std::vector<Solution> solve_columns(Device& device, CsrMatrix A, const Problem& problem, Solution common,
                                    std::vector<double>& x, const std::function<void()>& set_up = {});

/// Measures x against a reference answer of A x = b, or says why there can be none.
Accuracy measure_accuracy(CsrView A, std::span<const double> b, std::span<const double> x);

}  // namespace glsolve::cli
