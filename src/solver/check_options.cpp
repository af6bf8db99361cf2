#include "solver/check_options.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "base/suggestions.hpp"
#include "device/pass_table.hpp"
#include "matrix/moves_rows.hpp"
#include "methods/method_table.hpp"
#include "options/limits.hpp"
#include "options/option_table.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

static_assert(most_steps_of_chaotic == most_steps_a_pass);  // what the table says, and what shaders have room for

void check_fixed_iterations(const Options& options) {
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
    const bool is_to_be_chosen = options.preconditioner == PreconditionerKind::automatic;
    if (options.preconditioner == PreconditionerKind::none || is_to_be_chosen || is_diagonal(options)) return;
    const MethodRow& method = method_row(options.method);
    const PreconditionerRow& M = preconditioner_row(options.preconditioner);
    if (!method.is.refuses_M.empty()) {
        throw InvalidInput(fmt::format(fmt::runtime(method.is.refuses_M), M.name, method.name));
    }
    const bool varies = M.is.multigrid && options.amg.cycle == MultigridCycle::k;
    if (varies && !method.is.varying_M) {
        throw InvalidInput(fmt::format(
            "{} needs a preconditioner that is always the same, which the K cycle is not: v is{}, and {} take it",
            method.name, options.preconditioner == PreconditionerKind::amg ? ", and w" : "",
            listed(methods_that([](const MethodTraits& is) { return is.varying_M; }))));
    }
    if (method.is.symmetric_M && !M.is.symmetric) {
        throw InvalidInput(fmt::format(
            "{} needs a symmetric preconditioner, which {} is not: ssor is, and gmres and bicgstab take any",
            method.name, M.name));
    }
}

}  // namespace

void check_square(CsrView A, Method method) {
    if (A.rows != A.columns) {
        throw InvalidInput(
            fmt::format("the matrix is {} x {}; {} takes square ones only, and cgnr any: it makes |b - A x| smallest",
                        A.rows, A.columns, name(method)));
    }
}

void check_options(const Options& options) {
    check_ranges(options);
    if (options.method == Method::cgnr && moves_rows(options)) {
        throw InvalidInput(
            "cgnr stores A and A^T, whose rows have no order in common: sort_window must be 0, and reorder none");
    }
    const MethodRow& method = method_row(options.method);
    if (options.precision == Precision::two_float && !method.is.refuses_two_float.empty()) {
        throw InvalidInput(
            fmt::format(fmt::runtime(method.is.refuses_two_float), method.name,
                        listed(methods_that([](const MethodTraits& is) { return is.refuses_two_float.empty(); }))));
    }
    if (options.precision == Precision::half && options.method == Method::cgnr) {
        throw InvalidInput("precision half: cgnr stores A and A^T with all digits; precision single has room for it");
    }
    if (method.is.over_relaxes && options.relaxation >= 2) {
        throw InvalidInput(refusal(*find_option("relaxation"), options.relaxation));
    }
    const ChebyshevOptions& c = options.chebyshev;
    if (c.largest > 0 && c.smallest >= c.largest) throw InvalidInput(refusal(*find_option("smallest"), c.smallest));
    check_preconditioner(options);
    check_preconditioner_of_method(options);
    check_fixed_iterations(options);
}

void check_precision(const Options& options, const DeviceInfo& device) {
    if (options.precision != Precision::two_float || device.two_float_fault.empty()) return;
    throw DeviceError(
        fmt::format("two floats cannot be had on this device: {}; precision single can", device.two_float_fault));
}

Backend& backend_for(Backend& backend, const Options& options) {
    if (options.precision != Precision::doubles || backend.holds_doubles()) return backend;
    if (const std::shared_ptr<Backend> doubles = backend.in_doubles()) {
        doubles->use_threads(backend.threads());
        return *doubles;
    }
    throw InvalidInput(fmt::format(
        "precision double: {} ({}) computes in single precision; precision two-float has about 48 bits there, "
        "and the backends host and cuda have doubles",
        backend.info().renderer, name(backend.info().backend)));
}

void set_precision(System& system, const Options& options) {
    const DeviceInfo& device = system.backend.info();
    system.residuals_on_device = system.backend.can().corrections;
    system.why_on_host = device.two_float_fault;
    system.precision = options.precision;
    // A correction costs conjugate gradients a second application of M, and the iterations that were encoded before the
    // host noticed are lost. Two floats from the start need no corrections. So they cost less where M takes most of the
    // time, as multigrid does.
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
