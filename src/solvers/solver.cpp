#include <glsolve/solver.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <optional>
#include <utility>

#include "core/backend.hpp"
#include "core/least_squares_correction.hpp"
#include "core/method.hpp"
#include "core/permutation.hpp"
#include "core/require_range.hpp"
#include "core/scaling.hpp"
#include "formats/choose_format.hpp"
#include "formats/normal_operator.hpp"
#include "formats/sliced.hpp"
#include "preconditioners/make_preconditioner.hpp"
#include "solvers/bicgstab.hpp"
#include "solvers/cg.hpp"
#include "solvers/chebyshev.hpp"
#include "solvers/check_options.hpp"
#include "solvers/choose_method.hpp"
#include "solvers/direct.hpp"
#include "solvers/gmres.hpp"
#include "solvers/minres.hpp"
#include "solvers/stationary.hpp"
#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Single precision must be able to hold S A S.
void check_range(const CsrMatrix& A, std::span<const double> scale) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const auto j = static_cast<std::size_t>(A.column[e]);
            if (std::abs(scale[i] * A.value[e] * scale[j]) <= 1e30) continue;
            throw InvalidInput(
                fmt::format("row {}, column {}: {:.3e} is too large beside the diagonal for single "
                            "precision, even after scaling",
                            i + 1, j + 1, A.value[e]));
        }
    }
}

/// MINRES takes its preconditioner as a scaling: that keeps S A S symmetric, and is definite where diag(A) is not.
bool scales_by_jacobi(const Options& options) {
    return options.method == Method::minres && options.preconditioner == PreconditionerKind::jacobi;
}

/// Does the method, or its preconditioner, divide by the diagonal?
bool divides_by_diagonal(const Options& options) {
    return options.preconditioner != PreconditionerKind::none
           && options.preconditioner != PreconditionerKind::richardson && options.method != Method::minres;
}

/// Does the method take the matrix whatever its shape, empty rows and columns included?
bool takes_any(Method method, const CsrMatrix& A) {
    return method == Method::cgnr || (method == Method::automatic && A.rows != A.columns);
}

ScalingRule scaling_rule(const Options& options) {
    if (options.method == Method::direct) return ScalingRule::by_largest;
    if (scales_by_jacobi(options)) return ScalingRule::to_one;
    return divides_by_diagonal(options) ? ScalingRule::always : ScalingRule::where_needed;
}

bool sorts(const Options& options) {
    if (options.slicing.sort_window < 0) throw InvalidInput("slicing: sort_window must not be negative");
    return options.slicing.sort_window > 1;
}

/// The matrix as it goes to the device: rows sorted where that is asked for, and scaled.
struct Prepared {
    std::vector<Index> order;  // of the rows; empty: as they are
    CsrMatrix sorted;          // A in that order
    std::vector<double> scale;

    Prepared(const CsrMatrix& A, const Options& options) {
        if (options.method == Method::cgnr) {
            scale = choose_column_scaling(A, options.preconditioner == PreconditionerKind::jacobi);
            return;
        }
        if (sorts(options)) {
            order = sorted_by_length(A, options.slicing.sort_window);
            sorted = permute(A, order);
        }
        scale = choose_scaling(on_device(A), scaling_rule(options));
        check_range(on_device(A), scale);
    }
    const CsrMatrix& on_device(const CsrMatrix& A) const { return order.empty() ? A : sorted; }
};

/// What is not square is stored in a square, with zeros where that is longer: there the choice stays free.
Options for_dense(const DenseMatrix& A, Options options) {
    if (options.format == FormatKind::automatic && A.rows == A.columns) options.format = FormatKind::dense;
    return options;
}

/// Passes are timed as long as it lives.
class Profiling {
  public:
    Profiling(Backend& backend, bool on) : backend_(backend) { backend_.profile(on); }
    ~Profiling() { backend_.profile(false); }
    Profiling(const Profiling&) = delete;
    Profiling& operator=(const Profiling&) = delete;

  private:
    Backend& backend_;
};

std::unique_ptr<IterativeMethod> make_method(const System& system, const CsrMatrix& A, const Options& options,
                                             std::int64_t max_iterations) {
    switch (options.method) {
        case Method::cg:
        case Method::cgnr:  // on another system
            return make_cg(system, max_iterations);
        case Method::bicgstab:
            return make_bicgstab(system, max_iterations);
        case Method::minres:
            return make_minres(system, max_iterations);
        case Method::gmres:
        case Method::fgmres:
            return make_gmres(system, options, max_iterations);
        case Method::chebyshev:
            return make_chebyshev(system, A, options, max_iterations);
        case Method::richardson:
        case Method::jacobi:
        case Method::cf_jacobi:
        case Method::gauss_seidel:
        case Method::sor:
        case Method::ssor:
            return make_stationary(system, A, options, max_iterations);
        case Method::direct:
            return make_direct(system, A, options.observer);
        case Method::automatic:
            break;  // has become one of the others
    }
    return nullptr;
}

}  // namespace

struct Solver::Impl {
    Impl(Backend& b, CsrMatrix matrix, Options o)
        : backend(b),
          session(std::in_place, b),
          begin(Clock::now()),
          A(checked(std::move(matrix), o)),
          options(std::move(o)),
          prepared(A, options) {
        if (options.precision == Precision::two_float && !backend.info().two_float_fault.empty()) {
            throw DeviceError(fmt::format("two floats cannot be had on this device: {}; precision single can",
                                          backend.info().two_float_fault));
        }
        const CsrMatrix& on_device = prepared.on_device(A);
        const std::vector<double>& scale = prepared.scale;
        const DeviceInfo& info = backend.info();
        const bool corrects = info.backend != BackendKind::host && info.two_float_fault.empty();
        const bool low_parts = corrects || options.precision != Precision::single;
        ChosenFormat chosen =
            options.method == Method::cgnr
                ? make_normal_operator(backend, A, scale, options, low_parts)
                : make_format(backend, {on_device, scale, options.slicing, info.max_texture_size, low_parts},
                              options.format);
        format = std::move(chosen.choice);
        matrix_on_device = std::move(chosen.matrix);
        const std::int64_t limit =
            options.max_iterations > 0 ? options.max_iterations : default_max_iterations(A.columns);
        system.emplace(System{backend, *matrix_on_device, nullptr, A.rows, 0, true, scale, corrects,
                              info.two_float_fault, options.precision});
        if (options.method == Method::cgnr) {
            system->size = std::max(A.rows, A.columns);
            system->infinity_norm = normal_infinity_norm(A, scale);
            system->residuals_on_device = false;  // A^T (b - A x) takes two of them
        } else {
            system->infinity_norm = infinity_norm(on_device, scale);
            system->symmetric = asymmetry(A) < 1e-10;
        }
        preconditioner = make_preconditioner(*system, on_device, options);
        system->M = preconditioner.M();
        system->unit = preconditioner.unit;
        method = make_method(*system, on_device, options, limit);
        setup_seconds = seconds_since(begin);
        session.reset();
    }
    ~Impl() {
        // Storages are given back inside one session. Where there can be none, since another OpenGL context is current,
        // the backend keeps them to its own end.
        std::unique_ptr<Session> open;
        try {
            open = std::make_unique<Session>(backend);
        } catch (const Error&) {
        }
        method.reset();
        preconditioner = {};
        matrix_on_device.reset();
    }

    /// With the method that was asked for, or the one that suits.
    static std::unique_ptr<Impl> make(Backend& backend, CsrMatrix A, Options options) {
        if (options.method != Method::automatic) {
            const Method method = options.method;
            auto made = std::make_unique<Impl>(backend, std::move(A), std::move(options));
            made->choice = {method, "as asked for"};
            return made;
        }
        const auto begin = Clock::now();
        A = checked(std::move(A), options);
        MethodChoice choice = choose_method(A, options);
        options.method = choice.method;
        auto made = std::make_unique<Impl>(backend, std::move(A), options);
        if (choice.method == Method::cg) {
            choice = choose_method(choice, made->spectrum(ChebyshevOptions{}.lanczos_steps));
            if (choice.method != Method::cg) {
                A = std::move(made->A);
                made.reset();
                options.method = choice.method;
                made = std::make_unique<Impl>(backend, std::move(A), options);
            }
        }
        made->choice = std::move(choice);
        made->setup_seconds = seconds_since(begin);
        return made;
    }

    Report solve(std::span<const double> b, std::span<double> x, bool resumes = false);

    /// What a solve of this method is judged by.
    std::unique_ptr<Correction> make_truth(const CsrMatrix& matrix, std::span<const double> b,
                                           std::span<double> x) const {
        const double relative = options.tolerance, absolute = options.absolute_tolerance;
        if (options.method == Method::cgnr) {
            return std::make_unique<LeastSquaresCorrection>(matrix, prepared.scale, b, x, relative, absolute);
        }
        return std::make_unique<Correction>(matrix, prepared.scale, b, x, relative, absolute);
    }

    Spectrum spectrum(int lanczos_steps) const {
        if (options.method == Method::cgnr) {
            throw InvalidInput("the spectrum is that of A; cgnr works on A^T A: use a solver with another method");
        }
        const Session open(backend);
        return estimate_spectrum(*system, prepared.on_device(A), lanczos_steps);
    }

    static CsrMatrix checked(CsrMatrix matrix, const Options& options) {
        const bool any = takes_any(options.method, matrix);
        any ? check(matrix) : check_square(matrix, options.method);
        check_options(options);
        if (!any) check_rows(matrix);
        return matrix;
    }

    Backend& backend;
    std::optional<Session> session;  // of the set-up: ends before the object does
    Clock::time_point begin;
    CsrMatrix A;
    Options options;
    Prepared prepared;
    MethodChoice choice;
    FormatChoice format;
    std::unique_ptr<Operator> matrix_on_device;
    MadePreconditioner preconditioner;
    std::optional<System> system;
    std::unique_ptr<IterativeMethod> method;
    double setup_seconds = 0;
};

Solver::Solver(Device& device, CsrMatrix A, Options options)
    : impl_(Impl::make(device.backend(), std::move(A), std::move(options))) {}
Solver::Solver(Device& device, const DenseMatrix& A, Options options)
    : Solver(device, to_csr(A), for_dense(A, std::move(options))) {}
Solver::Solver(Solver&&) noexcept = default;
Solver& Solver::operator=(Solver&&) noexcept = default;
Solver::~Solver() = default;

Spectrum Solver::spectrum(int lanczos_steps) const {
    require_range("spectrum", "lanczos_steps", lanczos_steps, 1, 1 << 12);
    return impl_->spectrum(lanczos_steps);
}

const MethodChoice& Solver::method() const { return impl_->choice; }
const FormatChoice& Solver::format() const { return impl_->format; }
const CsrMatrix& Solver::matrix() const { return impl_->A; }

Report Solver::solve(std::span<const double> b, std::span<double> x) { return impl_->solve(b, x); }

Report Solver::resume(std::span<const double> b, std::span<double> x) { return impl_->solve(b, x, true); }

Report Solver::Impl::solve(std::span<const double> b, std::span<double> x, bool resumes) {
    if (b.size() != static_cast<std::size_t>(A.rows) || x.size() != static_cast<std::size_t>(A.columns)) {
        throw InvalidInput(fmt::format("the matrix has {} rows and {} columns, but b has {} elements and x has {}",
                                       A.rows, A.columns, b.size(), x.size()));
    }
    const auto started = Clock::now();
    const Session open(backend);
    const Counters before = backend.counters();
    const Profiling profiling(backend, options.profile);

    Report report;
    const bool zero = std::all_of(b.begin(), b.end(), [](double v) { return v == 0; });
    if (zero || (options.zero_guess && !resumes)) std::fill(x.begin(), x.end(), 0.0);
    const auto run = [&](const CsrMatrix& matrix, std::span<const double> right, std::span<double> unknown) {
        const auto truth = make_truth(matrix, right, unknown);
        truth->recompute();
        if (resumes) method->take_up();
        method->solve(*truth, options, report);
        if (options.method == Method::cgnr && A.rows < A.columns) {
            report.remarks =
                fmt::format("fewer rows than columns: of all answers this is the one nearest to the guess{}",
                            options.preconditioner == PreconditionerKind::none
                                ? ""
                                : ", each column measured by its length (preconditioner none: by |x|)");
        }
        const bool needs_symmetry = options.method == Method::cg || options.method == Method::minres;
        if (needs_symmetry && !system->symmetric && !report.converged()) {
            report.reason += fmt::format(
                "; the matrix is not symmetric, as {} needs it: gmres, bicgstab and the direct "
                "method do not",
                name(options.method));
        }
    };
    if (prepared.order.empty()) {
        run(A, b, x);
    } else {
        std::vector<double> sorted_x = permute<double>(x, prepared.order);
        run(prepared.sorted, permute(b, prepared.order), sorted_x);
        permute_back<double>(sorted_x, prepared.order, x);
    }

    const Counters& after = backend.counters();
    report.passes = after.passes - before.passes;
    // The solution comes back in pieces, one with each correction; one of them is what any solve must read.
    const std::uint64_t reads = after.reads - before.reads;
    report.reads = reads > 0 ? reads - 1 : 0;
    report.device_bytes = after.bytes;
    report.matrix_bytes = matrix_on_device->bytes();
    report.vector_bytes = 16 * layout_of(system->size).extent().texels();
    report.setup_seconds = setup_seconds;
    report.solve_seconds = seconds_since(started);
    for (const auto& [pass, time] : backend.profile()) {
        report.profile.push_back(
            {std::string(row(pass).name), time.calls, time.seconds, time.seconds > 0 ? time.bytes / time.seconds : 0});
    }
    return report;
}

FormatChoice predict_format(const CsrMatrix& A, const Options& options, int max_texture_size) {
    const FormatKind wanted = options.format == FormatKind::measure ? FormatKind::automatic : options.format;
    check_square(A, options.method);
    check_options(options);
    const Prepared prepared(A, options);
    return choose_format({prepared.on_device(A), prepared.scale, options.slicing, max_texture_size}, wanted);
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
