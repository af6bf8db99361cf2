// Solvers of the C interface, with right-hand sides in memory.
#include <fmt/format.h>

#include <glsolve/names.hpp>
#include <memory>

#include "c/guarded.hpp"
#include "c/handles.hpp"

namespace glsolve::c {

Options options_of(const glsolve_settings& settings, Options options, std::int64_t unknowns) {
    set_options(options, text_or_empty(settings.options));
    if (settings.near_null_vectors < 0 || settings.near_null_vectors > 64) {
        throw InvalidInput(
            fmt::format("near_null_vectors is {}; it has to be from 0 to 64", settings.near_null_vectors));
    }
    if (settings.near_null_vectors > 0) {
        // Here vector after vector, as languages have them; there all numbers of a row together.
        const double* const vectors = &required(settings.near_null_space, "near_null_space");
        const auto rows = static_cast<std::size_t>(unknowns),
                   count = static_cast<std::size_t>(settings.near_null_vectors);
        options.amg.near_null_vectors = static_cast<int>(count);
        options.amg.near_null_space.resize(rows * count);
        for (std::size_t v = 0; v < count; ++v) {
            for (std::size_t i = 0; i < rows; ++i) options.amg.near_null_space[i * count + v] = vectors[v * rows + i];
        }
    }
    if (settings.observer != nullptr) {
        options.observer = [observer = settings.observer, context = settings.context](const Progress& seen) {
            const glsolve_progress progress{.size = sizeof progress,
                                            .iteration = seen.iteration,
                                            .corrections = seen.corrections,
                                            .relative_residual = seen.relative_residual};
            return observer(&progress, context) != 0;
        };
    }
    return options;
}

namespace {

glsolve_report for_c(const ReportForC& kept) {
    const Report& of = kept.report;
    return {.size = sizeof(glsolve_report),
            .converged = of.converged() ? 1 : 0,
            .outcome = name(of.outcome).data(),
            .reason = of.reason.c_str(),
            .remarks = of.remarks.c_str(),
            .residuals = of.residuals.c_str(),
            .iterations = of.iterations,
            .corrections = of.corrections,
            .corrections_on_device = of.corrections_on_device,
            .relative_residual = of.relative_residual,
            .normal_residual = of.normal_residual,
            .setup_seconds = of.setup_seconds,
            .solve_seconds = of.solve_seconds,
            .device_seconds = of.device_seconds,
            .compile_seconds = of.setup_compile_seconds + of.solve_compile_seconds,
            .passes = of.passes,
            .reads = of.reads,
            .device_bytes = of.device_bytes,
            .matrix_bytes = of.matrix_bytes,
            .vector_bytes = of.vector_bytes,
            .history = kept.history.data(),
            .history_size = kept.history.size()};
}

/// `count` vectors of so many numbers.
template <class Number>
std::span<Number> numbers(Number* first, std::int64_t size, std::int32_t count, std::string_view name) {
    if (size > 0) required(first, name);
    return {first, static_cast<std::size_t>(size * count)};
}

}  // namespace

Solver& matrix_solver(glsolve_solver* solver) {
    if (Solver* const made = std::get_if<Solver>(&required(solver, "solver").solver)) return *made;
    throw InvalidInput("this solver is one of a grid; the call is for matrices");
}

void tell(glsolve_solver& solver, std::vector<Report> reports, glsolve_report* to) {
    solver.reports.clear();
    solver.reports.reserve(reports.size());
    for (Report& report : reports) {
        ReportForC kept{std::move(report), {}};
        for (const HistoryEntry& entry : kept.report.history)
            kept.history.push_back({entry.iteration, entry.relative_residual, entry.corrected ? 1 : 0});
        solver.reports.push_back(std::move(kept));
    }
    for (std::size_t k = 0; to != nullptr && k < solver.reports.size(); ++k)
        give(for_c(solver.reports[k]), element_of(to, k), "report");
}

}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

int glsolve_solver_create(glsolve_device* device, const glsolve_csr* matrix, const glsolve_settings* settings,
                          glsolve_solver** solver) {
    return guarded([&] {
        glsolve_solver*& to = required(solver, "solver");
        Device& on = required(device, "device").device;
        const glsolve_settings how = taken_if_any(settings, "settings");
        auto made = std::make_unique<glsolve_solver>();
        const CsrView A = view_of(matrix, made->converted, how.copies != 0);
        made->solver = Solver(on, A, options_of(how, {}, A.rows));
        made->rows = A.rows;
        made->columns = A.columns;
        to = made.release();
    });
}

void glsolve_solver_free(glsolve_solver* solver) { delete solver; }

int glsolve_solve(glsolve_solver* solver, const double* b, double* x, int32_t count, glsolve_report* reports) {
    return guarded([&] {
        glsolve_solver& of = required(solver, "solver");
        if (count < 1) throw InvalidInput(fmt::format("count is {}; at least 1 right-hand side is needed", count));
        for (std::int32_t k = 0; reports != nullptr && k < count; ++k)
            taken(element_of(reports, static_cast<std::size_t>(k)), "report");
        const auto right = numbers(b, of.rows, count, "b");
        const auto left = numbers(x, of.columns, count, "x");
        std::vector<Report> found;
        if (Solver* const made = std::get_if<Solver>(&of.solver); made != nullptr && count > 1) {
            found = made->solve_several(right, left, count);
        } else {
            const auto rows = static_cast<std::size_t>(of.rows), columns = static_cast<std::size_t>(of.columns);
            for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k) {
                std::visit(
                    [&](auto& one) {
                        found.push_back(one.solve(right.subspan(k * rows, rows), left.subspan(k * columns, columns)));
                    },
                    of.solver);
            }
        }
        tell(of, std::move(found), reports);
    });
}

int glsolve_resume(glsolve_solver* solver, const double* b, double* x, glsolve_report* report) {
    return guarded([&] {
        glsolve_solver& of = required(solver, "solver");
        if (report != nullptr) taken(report, "report");
        tell(of, {matrix_solver(solver).resume(numbers(b, of.rows, 1, "b"), numbers(x, of.columns, 1, "x"))}, report);
    });
}

int glsolve_precondition(glsolve_solver* solver, const double* b, double* x) {
    return guarded([&] {
        glsolve_solver& of = required(solver, "solver");
        const auto right = numbers(b, of.rows, 1, "b");
        const auto left = numbers(x, of.columns, 1, "x");
        std::visit([&](auto& made) { made.precondition(right, left); }, of.solver);
    });
}

int glsolve_update_values(glsolve_solver* solver, const double* values, int64_t count) {
    return guarded([&] {
        if (count < 0) throw InvalidInput(fmt::format("count is {}", count));
        matrix_solver(solver).update_values(numbers(values, count, 1, "values"));
    });
}

int glsolve_solver_describe(glsolve_solver* solver, glsolve_solver_info* info) {
    return guarded([&] {
        glsolve_solver& of = required(solver, "solver");
        glsolve_solver_info found{};
        found.rows = of.rows;
        found.columns = of.columns;
        if (const Solver* const made = std::get_if<Solver>(&of.solver)) {
            of.method = name(made->method().method);
            of.method_reason = made->method().reason;
            of.preconditioner = name(made->method().preconditioner);
            of.preconditioner_remark = made->preconditioner_remark();
            of.format = name(made->format().format);
            of.format_reason = made->format().reason;
            found.nonzeros = made->matrix().nonzeros();
        } else {
            of.method = of.grid_method;
            of.preconditioner = of.grid_preconditioner;
            of.format = "grid";
        }
        std::visit([&](const auto& made) { found.levels = static_cast<std::int32_t>(made.hierarchy().levels.size()); },
                   of.solver);
        found.method = of.method.c_str();
        found.method_reason = of.method_reason.c_str();
        found.preconditioner = of.preconditioner.c_str();
        found.preconditioner_remark = of.preconditioner_remark.c_str();
        found.format = of.format.c_str();
        found.format_reason = of.format_reason.c_str();
        give(found, info, "info");
    });
}

int glsolve_estimate_spectrum(glsolve_solver* solver, int32_t steps, glsolve_spectrum* spectrum) {
    return guarded([&] {
        constexpr int usual = 32;
        taken(spectrum, "spectrum");
        const Spectrum found = matrix_solver(solver).spectrum(steps == 0 ? usual : steps);
        give({.size = sizeof(glsolve_spectrum),
              .steps = found.steps,
              .smallest = found.smallest,
              .largest = found.largest,
              .gershgorin = found.gershgorin,
              .definite = found.definite ? 1 : 0,
              .scaled = found.scaled ? 1 : 0},
             spectrum, "spectrum");
    });
}
