#include <glsolve/solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "base/require_made.hpp"
#include "base/require_range.hpp"
#include "device/backend.hpp"
#include "formats/choose_format.hpp"
#include "formats/normal_operator.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/moves_rows.hpp"
#include "matrix/permutation.hpp"
#include "matrix/scaling.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "refinement/method.hpp"
#include "solvers/cg.hpp"
#include "solvers/check_options.hpp"
#include "solvers/choose_method.hpp"
#include "solvers/method_table.hpp"
#include "solvers/reordering.hpp"
#include "solvers/solver_impl.hpp"
#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What floats of a precision hold.
struct Range {
    double most;
    std::string_view too_large;  ///< in words, what a larger number is
};
constexpr Range single_range{1e30, "too large beside the diagonal for single precision"},
    half_range{65504, "too large for half precision, which holds numbers up to 65504"};

/// Why such floats cannot hold S A S, where A is 2^exponent times what the caller knows; empty: they can.
std::string out_of_range(const CsrMatrix& A, std::span<const double> scale, const Range& range, int exponent = 0) {
    const auto scaled = [&](std::size_t i, std::size_t e) {
        return std::abs(scale[i] * A.value[e] * scale[static_cast<std::size_t>(A.column[e])]);
    };
    const auto first_beyond = [&](std::size_t i) {
        auto e = static_cast<std::size_t>(A.offsets[i]);
        while (e < static_cast<std::size_t>(A.offsets[i + 1]) && scaled(i, e) <= range.most) ++e;
        return e;
    };
    const auto fits = [&](std::size_t i) { return first_beyond(i) == static_cast<std::size_t>(A.offsets[i + 1]); };
    if (!parallel_any(static_cast<std::size_t>(A.rows), [&](std::size_t i) { return !fits(i); })) return "";
    std::size_t i = 0;
    while (fits(i)) ++i;
    const std::size_t e = first_beyond(i);
    return fmt::format("row {}, column {}: {:.3e} is {}, even after scaling", i + 1, A.column[e] + 1,
                       std::ldexp(A.value[e], -exponent), range.too_large);
}

void check_range(const CsrMatrix& A, std::span<const double> scale, const Range& range, int exponent = 0) {
    const std::string why = out_of_range(A, scale, range, exponent);
    if (!why.empty()) throw InvalidInput(why);
}

/// MINRES takes jacobi as a scaling: that keeps S A S symmetric, and is definite where diag(A) is not.
bool scales_by_jacobi(const Options& options) { return options.method == Method::minres && is_diagonal(options); }

ScalingRule scaling_rule(const Options& options) {
    if (options.method == Method::direct) return ScalingRule::by_largest;
    if (scales_by_jacobi(options)) return ScalingRule::to_one;
    if (preconditioner_row(options.preconditioner).is.finds_pivots) return ScalingRule::by_largest;
    if (options.preconditioner == PreconditionerKind::multigrid) return ScalingRule::alike;
    return preconditioner_row(options.preconditioner).is.divides ? ScalingRule::always : ScalingRule::where_needed;
}

/// What is not square is stored in a square, with zeros where that is longer: there the choice stays free.
Options for_dense(const DenseMatrix& A, Options options) {
    if (options.format == FormatKind::automatic && A.rows == A.columns) options.format = FormatKind::dense;
    return options;
}

/// Of the power of two that brings the largest entry near 1 where it is near the ends of double precision: products of
/// A and x, and the scaling, stay inside then, and b times it is about as large as x.
int exponent_for(const CsrMatrix& A) {
    constexpr int far = 830;  // 1e250
    const double largest = parallel_max(A.value.size(), [&](std::size_t e) { return std::abs(A.value[e]); });
    if (largest == 0 || !std::isfinite(largest)) return 0;
    const int exponent = std::ilogb(largest);
    return std::abs(exponent) > far ? -exponent : 0;
}

}  // namespace

Prepared::Prepared(const CsrMatrix& A, const Options& options, bool as_it_is) {
    if (as_it_is) {
        scale = filled(static_cast<std::size_t>(A.rows), 1.0);
        check_range(A, scale, single_range);
        return;
    }
    exponent = exponent_for(A);
    if (moves_rows(options)) {
        RowOrder chosen = row_order(A, options);
        order = std::move(chosen.order);
        why_moved = std::move(chosen.reason);
    }
    if (moves()) moved = order.empty() ? A : permute(A, order);
    for (double& value : moved.value) value = std::ldexp(value, exponent);
    if (options.method == Method::cgnr) {
        scale = choose_column_scaling(on_device(A), options.preconditioner == PreconditionerKind::jacobi);
        return;
    }
    scale = choose_scaling(on_device(A), scaling_rule(options));
    // The direct method has factors for columns as well.
    if (options.method != Method::direct) check_range(on_device(A), scale, single_range, exponent);
}

Solver::Impl::Impl(Backend& b, CsrMatrix matrix, Options o, Structure known)
    : kept(backend_for(b, o).weak_from_this().lock()),
      backend(backend_for(b, o)),
      session(std::in_place, backend),
      begin(Clock::now()),
      A(checked(std::move(matrix), o)),
      options(with_reordering(A, std::move(o))),
      asked_method(options.method),
      asked_preconditioner(options.preconditioner),
      prepared(A, options, known.function != nullptr),
      structure(std::move(known)),
      factors(prepared.scale) {
    check_precision(options, backend.info());
    const bool low_parts = backend.can().corrections || options.precision != Precision::single;
    options.method == Method::cgnr ? make_normal_equations(low_parts) : make_square(low_parts);
    setup_seconds = seconds_since(begin);
    session.reset();
}

/// S A S y = S b.
void Solver::Impl::make_square(bool low_parts) {
    const CsrMatrix& on_device = prepared.on_device(A);
    const std::vector<double>& scale = prepared.scale;
    judged_by = std::make_shared<HostCsr>(on_device);
    const bool halves = options.precision == Precision::half;
    if (halves && structure.function) throw InvalidInput("precision half: the operator is a function, and stores none");
    if (halves) check_range(on_device, scale, half_range, prepared.exponent);
    std::unique_ptr<AssembledMatrix> own;
    if (!structure.function) own = stored(halves ? Digits::half : low_parts ? Digits::all : Digits::single);
    if (halves && backend.can().corrections) all_digits = stored(Digits::all);
    assembled = own ? own.get() : &structure.function->matrix();
    matrix_on_device = std::move(own);
    system.emplace(System{.backend = backend,
                          .A = *assembled,
                          .size = A.rows,
                          .infinity_norm = infinity_norm(on_device, scale),
                          .symmetric = is_symmetric(A),
                          .scale = scale});
    system->all_digits = all_digits.get();
    set_precision(*system, options);
    if (structure.function && is_diagonal(options)) {
        own_diagonal = std::make_unique<Jacobi>(backend, A, scale);
        system->M = own_diagonal.get();
    } else {
        if (method_row(options.method).is.applies_M && !scales_by_jacobi(options)) {
            preconditioner = preconditioner_row(options.preconditioner)
                                 .make({{*system, *assembled}, on_device, options, structure.known});
        }
        structure.known = preconditioner.known;
        system->M = preconditioner.M();
        system->unit = preconditioner.unit;
    }
    if (structure.function) structure.function->set_norm(system->infinity_norm);
    const AssembledSystem made{*system, *assembled};
    method = method_row(options.method).make({made, on_device, options, iteration_limit(options, A.columns)});
}

std::unique_ptr<AssembledMatrix> Solver::Impl::stored(Digits digits) {
    ChosenFormat chosen = make_format(backend,
                                      {.A = prepared.on_device(A),
                                       .scale = prepared.scale,
                                       .slicing = options.slicing,
                                       .max_texture_size = backend.info().max_texture_size,
                                       .low_parts = digits == Digits::all,
                                       .ell_width = options.ell_width,
                                       .halves = digits == Digits::half,
                                       .kept_in = options.format_cache},
                                      options.format, structure.format);
    if (!structure.format) {
        chosen.choice.reason.insert(0, prepared.why_moved);
        if (digits == Digits::half) chosen.choice.reason += "; values in half precision";
    }
    structure.format = std::move(chosen.choice);
    return std::move(chosen.matrix);
}

/// S A^T A S y = S A^T b, whose residuals take two products: the host computes them.
void Solver::Impl::make_normal_equations(bool low_parts) {
    ChosenNormalOperator chosen = make_normal_operator(backend, prepared.on_device(A), prepared.scale, options,
                                                       low_parts, structure.format, structure.transposed);
    structure.format = std::move(chosen.choice);
    structure.transposed = std::move(chosen.transposed);
    matrix_on_device = std::move(chosen.matrix);
    system.emplace(System{.backend = backend,
                          .A = *matrix_on_device,
                          .size = std::max(A.rows, A.columns),
                          .infinity_norm = normal_infinity_norm(prepared.on_device(A), prepared.scale),
                          .scale = prepared.scale,
                          .why_on_host = backend.info().two_float_fault,
                          .precision = options.precision});
    method = make_cg(*system, iteration_limit(options, A.columns));
}

Solver::Impl::~Impl() {
    const std::unique_ptr<Session> open = session_if_any(backend);
    textures.reset();
    several.reset();
    method.reset();
    preconditioner = {};
    own_diagonal.reset();
    matrix_on_device.reset();
    structure.function.reset();
}

/// With the method that was asked for, or the one that suits.
std::unique_ptr<Solver::Impl> Solver::Impl::make(Backend& backend, CsrMatrix A, Options options,
                                                 const Structure& known) {
    if (options.method != Method::automatic) {
        const Method method = options.method;
        auto made = std::make_unique<Impl>(backend, std::move(A), std::move(options), known);
        made->choice = {method, "as asked for", made->options.preconditioner};
        return made;
    }
    const auto begin = Clock::now();
    A = checked(std::move(A), options);
    const PreconditionerKind asked_preconditioner = options.preconditioner;
    MethodChoice choice = choose_method(A, options);
    options.method = choice.method;
    if (options.method != Method::cgnr) {
        const std::string why = out_of_range(A, choose_scaling(A, scaling_rule(options)), single_range);
        if (!why.empty()) choice = choose_for_range(A, options, choice, why, backend.can());
        options.method = choice.method;
    }
    auto made = std::make_unique<Impl>(backend, std::move(A), options, known);
    if (choice.method == Method::cg) {
        choice = choose_method(choice, made->nonzero_spectrum(ChebyshevOptions{}.lanczos_steps), options, made->A.rows);
        if (choice.method != Method::cg) {
            A = std::move(made->A);
            made.reset();
            options.method = choice.method;
            made = std::make_unique<Impl>(backend, std::move(A), options, known);
        }
    }
    made->choice = std::move(choice);
    made->choice.preconditioner = made->options.preconditioner;
    made->asked_method = Method::automatic;
    made->asked_preconditioner = asked_preconditioner;
    made->setup_seconds = seconds_since(begin);
    return made;
}

std::unique_ptr<Solver::Impl> Solver::Impl::with_values(std::span<const double> values) const {
    if (structure.function)
        throw InvalidInput("update_values: A is a function in GLSL; set_input gives it other numbers");
    if (values.size() != A.value.size()) {
        throw InvalidInput(fmt::format("the matrix has {} nonzeros, and there are {} values: one for each is needed",
                                       A.value.size(), values.size()));
    }
    Options as_asked = options;
    as_asked.method = asked_method;
    as_asked.preconditioner = asked_preconditioner;
    return make(backend, {A.rows, A.columns, A.offsets, A.column, {values.begin(), values.end()}}, std::move(as_asked),
                structure);
}

/// Of A itself where M^-1 A is not definite: a cycle of multigrid may not be, and A is not to blame then.
Spectrum Solver::Impl::nonzero_spectrum(int lanczos_steps) const {
    const Session open(backend);
    const Spectrum found = estimate_nonzero_spectrum(*system, prepared.on_device(A), lanczos_steps);
    if (found.definite || !system->applies_M()) return found;
    System alone = *system;
    alone.M = nullptr;
    return estimate_nonzero_spectrum(alone, prepared.on_device(A), lanczos_steps);
}

Spectrum Solver::Impl::spectrum(int lanczos_steps) const {
    if (options.method == Method::cgnr) {
        throw InvalidInput("the spectrum is that of A; cgnr works on A^T A: use a solver with another method");
    }
    if (prepared.exponent != 0) {
        throw InvalidInput("the spectrum: entries of A are beyond 1e250 or below 1e-250; multiply A by a power of ten");
    }
    const Session open(backend);
    return estimate_spectrum(*system, prepared.on_device(A), lanczos_steps);
}

CsrMatrix Solver::Impl::checked(CsrMatrix matrix, const Options& options) {
    method_row(options.method).is.any_shape ? check(matrix) : check_square(matrix, options.method);
    check_options(options);
    return matrix;
}

Solver::Solver(Device& device, CsrMatrix A, Options options)
    : impl_(Impl::make(device.backend(), std::move(A), std::move(options))) {}
Solver::Solver(Device& device, const DenseMatrix& A, Options options)
    : Solver(device, to_csr(A), for_dense(A, std::move(options))) {}
Solver::Solver() noexcept = default;
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

Solver::Impl& Solver::impl() const { return require_made(impl_, "Solver", "Solver(device, A)"); }

Spectrum Solver::spectrum(int lanczos_steps) const {
    const Impl& made = impl();
    const OneCall call = made.one_call();
    require_range("spectrum", "lanczos_steps", lanczos_steps, 1, 1 << 12);
    return made.spectrum(lanczos_steps);
}

const MethodChoice& Solver::method() const { return impl().answering().choice; }
const FormatChoice& Solver::format() const { return *impl().structure.format; }
const CsrMatrix& Solver::matrix() const { return impl().A; }
const HierarchyReport& Solver::hierarchy() const { return impl().preconditioner.hierarchy; }
const std::string& Solver::preconditioner_remark() const { return impl().preconditioner.remark; }

void Solver::Impl::replace(std::unique_ptr<Impl>& own, std::unique_ptr<Impl> other) {
    other->under_way = own->under_way;
    own = std::move(other);
}

void Solver::update_values(std::span<const double> values) {
    const OneCall call = impl().one_call();
    Impl::replace(impl_, impl().with_values(values));
}

Report Solver::solve(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    probe_again();
    impl().start_clock();
    return impl().solve(b, x);
}

std::vector<Report> Solver::solve_several(std::span<const double> b, std::span<double> x, int count) {
    const OneCall call = impl().one_call();
    probe_again();
    impl().start_clock();
    return impl().solve_several(b, x, count);
}

Report Solver::resume(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    const bool other_matrix = impl().reads_other_numbers;
    probe_again();
    impl().start_clock();
    return impl().solve(b, x, !other_matrix);
}

/// Where `automatic` has chosen what fails, another method goes on.
Report Solver::Impl::solve(std::span<const double> b, std::span<double> x, bool resumes) {
    if (second && second_has_helped && !resumes) {
        second->deadline = deadline;
        return second->solve(b, x);
    }
    Report report = solve_once(b, x, resumes);
    return may_go_on(report) && !resumes ? go_on(b, x, std::move(report)) : report;
}

Report Solver::Impl::solve_once(std::span<const double> b, std::span<double> x, bool resumes) {
    if (b.size() != static_cast<std::size_t>(A.rows) || x.size() != static_cast<std::size_t>(A.columns)) {
        throw InvalidInput(fmt::format("the matrix has {} rows and {} columns, but b has {} elements and x has {}",
                                       A.rows, A.columns, b.size(), x.size()));
    }
    const Work work(backend, options.profile);
    Report report;
    Column column(*this, b, x, resumes);
    const std::unique_ptr<TrueResidual> truth = column.truth();
    truth->set_deadline(deadline);
    if (resumes) method->prepare_resume();
    method->solve(*truth, options, report);
    column.finish(report, *truth);
    least = column.least();
    has_least = column.has_least();
    work.account({&report, 1}, subject());
    return report;
}

Report solve(Device& device, const CsrMatrix& A, std::span<const double> b, std::span<double> x,
             const Options& options) {
    return Solver(device, A, options).solve(b, x);
}

Report solve(Device& device, const DenseMatrix& A, std::span<const double> b, std::span<double> x,
             const Options& options) {
    return Solver(device, A, options).solve(b, x);
}

std::int64_t default_max_iterations(Index unknowns) { return 100 * std::int64_t{unknowns} + 10000; }

}  // namespace glsolve::inline v0_1
