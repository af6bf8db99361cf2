#include <fmt/format.h>

#include <cstdio>
#include <glsolve/error.hpp>

#include "base/memory.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/output_names.hpp"
#include "cli/problem.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

/// With all numbers, not only those that are not zero.
void write_dense(const ConvertArguments& a, CsrView A) {
    const double needed = 8.0 * A.rows * A.columns, most = static_cast<double>(memory_limit());
    if (needed > most) {
        throw InvalidInput(
            fmt::format("{}: an array of {} x {} numbers takes {:.3g} GB; {:.3g} can be had. A .npz file "
                        "holds what is not zero",
                        a.output.string(), A.rows, A.columns, 1e-9 * needed, 1e-9 * most));
    }
    write_columns(a.output, columns_of(A), "", A.columns);
}

}  // namespace

int convert(const ConvertArguments& a) {
    check_inputs({a.input});
    check_outputs({a.output}, {a.input});
    std::vector<std::string> remarks;
    ProgressLine progress(false);
    const CsrMatrix A = read_matrix(a.input, remarks, show_reading(progress, name_of_input(a.input)));
    progress.clear();
    for (const std::string& remark : remarks) fmt::print(stderr, "{}\n", remark);
    if (is_npy(a.output) && A.columns == 0) {
        throw InvalidInput(fmt::format("{}: the matrix has no columns; an array has one at least", a.output.string()));
    }
    const bool is_full = A.nonzeros() == Offset{A.rows} * A.columns;
    const bool is_dense = is_npy(a.output) || (!is_npz(a.output) && A.columns > 0 && (A.columns == 1 || is_full));
    if (is_dense) {
        write_dense(a, A);
    } else {
        write_matrix(a.output, A, "");
    }
    if (!is_standard(a.output)) {
        fmt::print("{}: {} x {}{}\n", a.output.string(), A.rows, A.columns,
                   is_dense ? ", an array" : fmt::format(", {} nonzeros", A.nonzeros()));
    }
    return exit_converged;
}

}  // namespace glsolve::cli
