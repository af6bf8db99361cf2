#include "solver/check_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>

#include "base/require_range.hpp"
#include "formats/sliced.hpp"
#include "matrix/moves_rows.hpp"
#include "methods/method_table.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_restart = 1024;
constexpr int most_shadows = 8;                        // of idr: two texels hold what belongs to them
constexpr std::int64_t most_fixed_iterations = 65536;  // as many as a History records

void check_fixed_iterations(const Options& options) {
    require_range<std::int64_t>("options", "fixed_iterations", options.fixed_iterations, 0, most_fixed_iterations);
    if (options.fixed_iterations == 0) return;
    if (options.max_iterations > 0) {
        throw InvalidInput("fixed_iterations and max_iterations: only one of them may be given");
    }
    if (options.seconds > 0) {
        throw InvalidInput(
            "fixed_iterations and seconds: only one of them may be given; nothing is looked at before "
            "a fixed number of iterations is done");
    }
    if (const std::string_view why = method_row(options.method).is.refuses_fixed; !why.empty()) {
        throw InvalidInput(fmt::format("fixed_iterations: {}", why));
    }
    if (!is_gmres(options.method)) return;
    if (options.fixed_iterations > options.gmres.restart) {
        throw InvalidInput(
            fmt::format("fixed_iterations is {}, but a restart needs the true residual: {} takes as many "
                        "as a cycle has, {} here",
                        options.fixed_iterations, name(options.method), options.gmres.restart));
    }
    if (options.gmres.least_squares == LeastSquares::host) {
        throw InvalidInput("fixed_iterations: least squares on the host would read back before they are done");
    }
}

void check_preconditioner_of_method(const Options& options) {
    if (options.preconditioner == PreconditionerKind::none || is_diagonal(options)) return;
    const MethodRow& method = method_row(options.method);
    const PreconditionerRow& M = preconditioner_row(options.preconditioner);
    if (!method.is.refuses_M.empty()) {
        throw InvalidInput(fmt::format(fmt::runtime(method.is.refuses_M), M.name, method.name));
    }
    const bool varies = M.is.multigrid && options.amg.cycle == MultigridCycle::k;
    if (varies && !method.is.varying_M) {
        throw InvalidInput(fmt::format(
            "{} needs a preconditioner that is always the same, which the K cycle is not: v is{}, and cg, fgmres, "
            "bicgstab and richardson take it",
            method.name, options.preconditioner == PreconditionerKind::amg ? ", and w" : ""));
    }
    if (method.is.symmetric_M && !M.is.symmetric) {
        throw InvalidInput(fmt::format(
            "{} needs a symmetric preconditioner, which {} is not: ssor is, and gmres and bicgstab take any",
            method.name, M.name));
    }
}

}  // namespace

void check_square(const CsrMatrix& A, Method method) {
    check(A);
    if (A.rows != A.columns) {
        throw InvalidInput(
            fmt::format("the matrix is {} x {}; {} takes square ones only, and cgnr any: it makes |b - A x| smallest",
                        A.rows, A.columns, name(method)));
    }
}

void check_options(const Options& options) {
    const auto bad = [](double t) { return !std::isfinite(t) || t < 0; };
    if (bad(options.tolerance) || bad(options.absolute_tolerance)) {
        throw InvalidInput("tolerances must be finite and not negative");
    }
    sliced_shape(options.slicing.height, true);  // throws where it is no height
    if (options.method == Method::cgnr && moves_rows(options)) {
        throw InvalidInput(
            "cgnr stores A and A^T, whose rows have no order in common: sort_window must be 0, and reorder none");
    }
    const MethodRow& method = method_row(options.method);
    if (options.precision == Precision::two_float && !method.is.refuses_two_float.empty()) {
        throw InvalidInput(fmt::format(fmt::runtime(method.is.refuses_two_float), method.name));
    }
    if (options.precision == Precision::half && options.method == Method::cgnr) {
        throw InvalidInput("precision half: cgnr stores A and A^T with all digits; precision single has room for it");
    }
    const ChebyshevOptions& c = options.chebyshev;
    require_range("options", "test_every", options.test_every, 1, 1 << 16);
    check_weight("relaxation", options.relaxation, method.is.over_relaxes);
    require_range("chebyshev", "lanczos_steps", c.lanczos_steps, 1, 1 << 12);
    require_range("chebyshev", "chaotic_steps", c.chaotic_steps, 1, most_chaotic_steps);
    if (bad(c.smallest) || bad(c.largest) || (c.largest > 0 && c.smallest >= c.largest)) {
        throw InvalidInput("chebyshev: bounds must be finite, not negative, and smallest < largest");
    }
    check_preconditioner(options);
    check_preconditioner_of_method(options);
    require_range("gmres", "restart", options.gmres.restart, 1, most_restart);
    require_range("idr", "s", options.idr.s, 1, most_shadows);
    if (options.max_iterations < 0) throw InvalidInput("max_iterations must not be negative");
    if (!(options.seconds >= 0)) throw InvalidInput("seconds must not be negative; 0 is no limit");
    check_fixed_iterations(options);
}

void check_precision(const Options& options, const DeviceInfo& device) {
    if (options.precision != Precision::two_float || device.two_float_fault.empty()) return;
    throw DeviceError(
        fmt::format("two floats cannot be had on this device: {}; precision single can", device.two_float_fault));
}

Backend& backend_for(Backend& backend, const Options& options) {
    if (options.precision != Precision::doubles || backend.holds_doubles()) return backend;
    if (const std::shared_ptr<Backend> doubles = backend.in_doubles()) return *doubles;
    throw InvalidInput(fmt::format(
        "precision double: {} ({}) computes in single precision; precision two-float has about 48 bits there, "
        "and the backend cuda has doubles",
        backend.info().renderer, name(backend.info().backend)));
}

void set_precision(System& system, const Options& options) {
    const DeviceInfo& device = system.backend.info();
    system.residuals_on_device = system.backend.can().corrections;
    system.why_on_host = device.two_float_fault;
    system.precision = options.precision;
    // A correction makes conjugate gradients apply M twice, and what is encoded before the host hears of it is in vain.
    // Where M takes most of the time, as multigrid does, two floats from the start, which need no corrections, cost
    // less.
    const bool dear = preconditioner_row(options.preconditioner).is.multigrid && is_cg(options.method)
                      && options.fixed_iterations == 0;
    if (options.precision == Precision::automatic && dear && system.residuals_on_device) {
        system.precision = Precision::two_float;
    }
}

std::int64_t iteration_limit(const Options& options, Index unknowns) {
    if (options.fixed_iterations > 0) return options.fixed_iterations;
    return options.max_iterations > 0 ? options.max_iterations : default_max_iterations(unknowns);
}

}  // namespace glsolve::inline v0_1
