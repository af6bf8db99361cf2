/// What the opaque handles of the C interface hold.
#pragma once

#include <glsolve/glsolve.h>

#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>
#include <string>
#include <variant>
#include <vector>

struct glsolve_device {
    glsolve::Device device;
};

struct glsolve_matrix {
    glsolve::CsrMatrix A;
};

namespace glsolve::c {

/// A report, and its history as C has it.
struct ReportForC {
    Report report;
    std::vector<glsolve_history_entry> history;
};

}  // namespace glsolve::c

struct glsolve_solver {
    glsolve::CsrMatrix converted;  ///< arrays whose types the library does not read in place
    std::variant<glsolve::Solver, glsolve::GridSolver> solver;  ///< the first may read `converted`
    std::int64_t rows = 0, columns = 0;
    std::string grid_method, grid_preconditioner;  ///< names; of a matrix its solver knows them
    std::vector<glsolve::c::ReportForC> reports;
    std::string method, method_reason, preconditioner, preconditioner_remark, format, format_reason;
};

namespace glsolve::c {

/// The solver of a matrix, or of a grid. Throw InvalidInput where it is one of the other kind, or null.
Solver& matrix_solver(glsolve_solver* solver);
GridSolver& grid_solver(glsolve_solver* solver);

/// The options that settings name, added to those that are usual.
Options options_of(const glsolve_settings& settings, Options usual, std::int64_t rows);

/// A matrix of the caller's. Arrays of types that are not read in place go to `converted`; with `copies` all do. Throws
/// InvalidInput where it is none.
CsrView view_of(const glsolve_csr* given, CsrMatrix& converted, bool copies);

/// Keeps the reports in the solver, and tells the caller; `to` may be null.
void tell(glsolve_solver& solver, std::vector<Report> reports, glsolve_report* to);

}  // namespace glsolve::c
