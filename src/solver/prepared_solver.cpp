#include "solver/prepared_solver.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "formats/choose_format.hpp"
#include "formats/normal_operator.hpp"
#include "matrix/permutation.hpp"
#include "matrix/scaling.hpp"
#include "methods/cg.hpp"
#include "methods/method_table.hpp"
#include "solver/check_options.hpp"
#include "solver/solve_column.hpp"
#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {
namespace {

Options with_reordering(const CheckedSystem& system, Options options) {
    check_options(options);
    options.reorder = system.reordering(options);
    return options;
}

}  // namespace

PreparedSolver::PreparedSolver(Backend& backend, std::shared_ptr<const CheckedSystem> system, Options options,
                               MethodOrigin origin, Structure known)
    : kept_(backend_for(backend, options).weak_from_this().lock()),
      backend_(backend_for(backend, options)),
      session_(std::in_place, backend_),
      watch_(backend_),
      system_(std::move(system)),
      options_(with_reordering(*system_, std::move(options))),
      origin_(origin),
      structure_(std::move(known)),
      scaled_(structure_.function ? system_->as_it_is() : system_->scaled(options_)) {
    check_range_for_device();
    check_precision(options_, backend_.info());
    const bool low_parts = backend_.can().corrections || options_.precision != Precision::single;
    options_.method == Method::cgnr ? make_normal_equations(low_parts) : make_square(low_parts);
    setup_ = watch_.spent();
    session_.reset();
}

PreparedSolver::~PreparedSolver() {
    const std::unique_ptr<Session> open = session_if_any(backend_);
    on_device_.reset();
    preconditioner_ = {};
    own_diagonal_.reset();
    all_digits_.reset();
    matrix_on_device_.reset();
    structure_.function.reset();
}

/// A function has no scaling that helps, whatever the method.
void PreparedSolver::check_range_for_device() const {
    if (!structure_.function) return check_range(scaled_, options_.method);
    if (!scaled_.out_of_single().empty()) throw InvalidInput(scaled_.out_of_single());
}

/// S A S y = S b.
void PreparedSolver::make_square(bool low_parts) {
    judge_ = scaled_.ordered().judge();
    const bool halves = options_.precision == Precision::half;
    if (halves) {
        if (structure_.function) throw InvalidInput("precision half: the operator is a function, and stores none");
        if (const std::string why = scaled_.out_of_half(); !why.empty()) throw InvalidInput(why);
    }
    std::unique_ptr<AssembledMatrix> own;
    if (!structure_.function) own = stored(halves ? Digits::half : low_parts ? Digits::all : Digits::single);
    if (halves && backend_.can().corrections) all_digits_ = stored(Digits::all);
    assembled_ = own ? own.get() : &structure_.function->matrix();
    matrix_on_device_ = std::move(own);
    System system = square_system();
    make_preconditioner(system);
    if (structure_.function) structure_.function->set_norm(system.infinity_norm);
    const AssembledSystem made{system, *assembled_};
    const std::int64_t limit = iteration_limit(options_, A().columns);
    const FactorPlan* const factors = scaled_.ordered().moves() ? nullptr : system_->known_factor_plan();
    auto method = method_row(options_.method).make({made, scaled_.matrix(), options_, limit, factors});
    on_device_.emplace(system, assembled_, std::move(method), options_, limit);
}

System PreparedSolver::square_system() {
    System system{.backend = backend_,
                  .A = *assembled_,
                  .size = A().rows,
                  .infinity_norm = scaled_.infinity_norm(),
                  .symmetric = system_->symmetric(),
                  .scale = scaled_.scale()};
    system.all_digits = all_digits_.get();
    set_precision(system, options_);
    return system;
}

void PreparedSolver::make_preconditioner(System& system) {
    if (structure_.function && is_diagonal(options_)) {
        own_diagonal_ = std::make_unique<Jacobi>(backend_, A(), scaled_.scale());
        system.M = own_diagonal_.get();
        return;
    }
    if (structure_.known.of != options_.preconditioner) structure_.known = {};
    if (method_row(options_.method).is.applies_M && !scales_by_jacobi(options_)) {
        preconditioner_ = preconditioner_row(options_.preconditioner)
                              .make({{system, *assembled_}, scaled_.matrix(), options_, structure_.known});
    }
    structure_.known = preconditioner_.known;
    structure_.known.of = options_.preconditioner;
    system.M = preconditioner_.M();
    system.unit = preconditioner_.unit;
}

std::unique_ptr<AssembledMatrix> PreparedSolver::stored(Digits digits) {
    ChosenFormat chosen = make_format(backend_,
                                      {.A = scaled_.matrix(),
                                       .scale = scaled_.scale(),
                                       .slicing = options_.slicing,
                                       .max_texture_size = backend_.info().max_texture_size,
                                       .low_parts = digits == Digits::all,
                                       .ell_width = options_.ell_width,
                                       .halves = digits == Digits::half,
                                       .kept_in = options_.choice_cache,
                                       .scaled_alike = scaled_.factors().alike()},
                                      options_.format, structure_.format);
    if (!structure_.format) {
        chosen.choice.reason.insert(0, scaled_.ordered().why_moved());
        if (digits == Digits::half) chosen.choice.reason += "; values in half precision";
    }
    structure_.format = std::move(chosen.choice);
    return std::move(chosen.matrix);
}

/// S A^T A S y = S A^T b, whose residuals take two products: the host computes them.
void PreparedSolver::make_normal_equations(bool low_parts) {
    ChosenNormalOperator chosen = make_normal_operator(backend_, scaled_.matrix(), scaled_.scale(), options_, low_parts,
                                                       structure_.format, structure_.transposed);
    structure_.format = std::move(chosen.choice);
    structure_.transposed = std::move(chosen.transposed);
    matrix_on_device_ = std::move(chosen.matrix);
    const System system{.backend = backend_,
                        .A = *matrix_on_device_,
                        .size = std::max(A().rows, A().columns),
                        .infinity_norm = normal_infinity_norm(scaled_.matrix(), scaled_.scale()),
                        .scale = scaled_.scale(),
                        .why_on_host = backend_.info().two_float_fault,
                        .precision = options_.precision};
    const std::int64_t limit = iteration_limit(options_, A().columns);
    on_device_.emplace(system, nullptr, make_cg(system, limit), options_, limit);
}

Spectrum PreparedSolver::nonzero_spectrum(int lanczos_steps) const {
    const Session open(backend_);
    const System& system = on_device_->system();
    const Spectrum found = estimate_nonzero_spectrum(system, scaled_.matrix(), lanczos_steps);
    if (found.definite || !system.applies_M()) return found;
    System alone = system;
    alone.M = nullptr;
    return estimate_nonzero_spectrum(alone, scaled_.matrix(), lanczos_steps);
}

Spectrum PreparedSolver::spectrum(int lanczos_steps) const {
    if (options_.method == Method::cgnr) {
        throw InvalidInput("the spectrum is that of A; cgnr works on A^T A: use a solver with another method");
    }
    if (scaled_.ordered().exponent() != 0) {
        throw InvalidInput("the spectrum: entries of A are beyond 1e250 or below 1e-250; multiply A by a power of ten");
    }
    const Session open(backend_);
    return estimate_spectrum(on_device_->system(), scaled_.matrix(), lanczos_steps);
}

bool PreparedSolver::follows_function() const {
    const bool diagonal = own_diagonal_ && structure_.function->has_diagonal();
    return method_row(options_.method).is.products_only
           && (options_.preconditioner == PreconditionerKind::none || diagonal);
}

void PreparedSolver::function_has_changed() {
    if (own_diagonal_ && structure_.function->has_diagonal()) {
        structure_.function->make_reciprocal_diagonal(*own_diagonal_->diagonal());
    }
}

void PreparedSolver::check_sizes(std::span<const double> b, std::span<const double> x) const {
    if (b.size() == static_cast<std::size_t>(A().rows) && x.size() == static_cast<std::size_t>(A().columns)) return;
    throw InvalidInput(fmt::format("the matrix has {} rows and {} columns, but b has {} elements and x has {}",
                                   A().rows, A().columns, b.size(), x.size()));
}

/// Of 2^e A, with the rows in the device's order.
void PreparedSolver::precondition(std::span<const double> b, std::span<double> x) {
    check_sizes(b, x);
    const Session open(backend_);
    ScaledPreconditioner& M = on_device_->preconditioner();
    const OrderedMatrix& ordered = scaled_.ordered();
    const double factor = std::ldexp(1.0, ordered.exponent());
    if (ordered.order().empty()) return M.apply(b, x, factor);
    const std::vector<double> moved_b = permute(b, ordered.order());
    std::vector<double> moved_x(x.size());
    M.apply(moved_b, moved_x, factor);
    permute_back<double>(moved_x, ordered.order(), x);
}

Report PreparedSolver::solve(std::span<const double> b, std::span<double> x, const Call& call) {
    check_sizes(b, x);
    const Work work(backend_, options_.profile);
    Report report;
    SolveColumn column(*this, b, x, call.resumes);
    const std::unique_ptr<TrueResidual> truth = column.truth();
    truth->set_deadline(call.deadline);
    IterativeMethod& method = on_device_->method();
    method.stop_after(call.iterations);
    if (call.resumes) method.prepare_resume();
    method.solve(*truth, options_, report);
    method.stop_after(std::numeric_limits<std::int64_t>::max());  // work on textures has its own limits
    column.finish(report, *truth, gave_up(report.outcome) && call.is_followed && call.is_followed());
    least_ = column.least();
    has_least_ = column.has_least();
    work.account({&report, 1}, subject());
    return report;
}

void PreparedSolver::solve_together(std::span<const double> b, std::span<double> x, std::span<Report> reports,
                                    const Deadline& deadline) {
    MultiRhsMethod& method_of_all = on_device_->four_at_once();
    const Work work(backend_, options_.profile);
    const auto n = static_cast<std::size_t>(A().rows);
    std::vector<SolveColumn> columns;
    std::vector<TrueResidual> truths;
    columns.reserve(reports.size());
    truths.reserve(reports.size());
    for (std::size_t k = 0; k < reports.size(); ++k) {
        columns.emplace_back(*this, b.subspan(k * n, n), x.subspan(k * n, n));
        truths.push_back(std::move(*columns.back().truth()));
        truths.back().set_deadline(deadline);
    }
    method_of_all.solve(truths, options_, reports);
    for (std::size_t k = 0; k < reports.size(); ++k) columns[k].finish(reports[k], truths[k]);
    has_least_ = false;  // not of each of them
    work.account(reports, subject());
}

}  // namespace glsolve::inline v0_1
