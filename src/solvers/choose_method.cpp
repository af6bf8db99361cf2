#include "solvers/choose_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <thread>

#include "device/layout.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/empty_lines.hpp"
#include "solvers/direct_on_host.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index small = 512;             // rows
constexpr double most_basis = 1u << 31;  // bytes of a Krylov basis

/// What every method takes in some way; whoever asks for another preconditioner wants it applied.
bool is_usual(PreconditionerKind kind) {
    return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi;
}

/// Jacobi, where it can divide by the diagonal.
PreconditionerKind jacobi_if_possible(const CsrMatrix& A) {
    return has_divisors(A) ? PreconditionerKind::jacobi : PreconditionerKind::none;
}

/// An inverse, where it is made before an iteration has found its pace.
std::optional<MethodChoice> if_small(Options& options, Index rows, const std::string& what) {
    const bool takes_direct = options.precision != Precision::two_float && options.fixed_iterations == 0;
    if (!is_usual(options.preconditioner) || !takes_direct || rows > small) return {};
    options.preconditioner = PreconditionerKind::none;  // a direct method takes none
    return MethodChoice{Method::direct, fmt::format("{}, and of {} rows only", what, rows)};
}

MethodChoice for_unsymmetric(const CsrMatrix& A, Options& options, double skew, const std::string& singular) {
    const std::string what = fmt::format("not symmetric (by {:.1e} of its largest entry){}", skew, singular);
    if (const auto direct = if_small(options, A.rows, what)) return *direct;
    std::string without;
    if (options.preconditioner == PreconditionerKind::jacobi && !has_divisors(A)) {
        options.preconditioner = PreconditionerKind::none;
        without = "; no preconditioner, since there are zeros on the diagonal";
    }
    const double basis = 16.0 * static_cast<double>(layout_of(A.rows).extent().texels()) * (options.gmres.restart + 1);
    if (basis <= most_basis) return {Method::gmres, what + without};
    return {Method::bicgstab, fmt::format("{}, and the {} vectors of gmres would take {:.1f} GB{}", what,
                                          options.gmres.restart + 1, basis * 1e-9, without)};
}

MethodChoice for_indefinite(Options& options, Index rows, const std::string& why) {
    if (const auto direct = if_small(options, rows, "symmetric, and not positive definite: " + why)) return *direct;
    // Of such a matrix others may not be definite, which minres needs.
    return {is_usual(options.preconditioner) ? Method::minres : Method::gmres,
            "symmetric, and not positive definite: " + why};
}

/// Least squares take no other preconditioners than these.
MethodChoice least_squares(Options& options, std::string reason) {
    const PreconditionerKind asked = options.preconditioner;
    if (!is_usual(asked)) {
        reason += fmt::format("; least squares take jacobi in place of {}", name(asked));
        options.preconditioner = PreconditionerKind::jacobi;
    }
    return {Method::cgnr, std::move(reason)};
}

/// What it takes to invert a matrix of n rows: 2 n^3 operations, and n^2 numbers, which are there twice while a column
/// goes from one texture to the other.
struct InverseCost {
    double seconds, bytes;

    InverseCost(Index n, const Capabilities& device)
        : seconds(2.0 * n * n * n / operations_per_second(device)), bytes(2 * sizeof(float) * 1.0 * n * n) {}

    /// Worth a try where a method has failed?
    bool is_small() const { return seconds <= 30 && bytes <= 1u << 30; }
    std::string in_words() const { return fmt::format("about {:.2g} s and {:.0f} MB", seconds, bytes * 1e-6); }

  private:
    /// A core has done 2.1e9 to 3.3e9 (host and llvmpipe, n from 1,156 to 3,364), an H200 2.8e10 (n = 4,000).
    static double operations_per_second(const Capabilities& device) {
        return device.on_processor ? 2.25e9 * std::clamp(std::thread::hardware_concurrency(), 1u, 16u) : 1e10;
    }
};

}  // namespace

MethodChoice choose_method(const CsrMatrix& A, Options& options) {
    if (A.rows != A.columns) {
        return least_squares(options,
                             fmt::format("{} x {}: what can be had is the smallest |b - A x|", A.rows, A.columns));
    }
    const EmptyLines lines = empty_lines(A);
    if (lines.columns.size() > lines.rows.size()) {
        return least_squares(options, fmt::format("singular: column {} is empty", lines.columns.front() + 1));
    }
    const std::string singular =
        lines.rows.empty() ? "" : fmt::format(", and singular: row {} is empty", lines.rows.front() + 1);
    if (const double skew = asymmetry(A); skew > tolerated_asymmetry) {
        return for_unsymmetric(A, options, skew, singular);
    }
    const std::vector<double> d = diagonal(A);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] > 0 || std::ranges::binary_search(lines.rows, static_cast<Index>(i))) continue;
        return for_indefinite(options, A.rows,
                              fmt::format("row {} has {:.3g} on the diagonal{}", i + 1, d[i], singular));
    }
    return {Method::cg, "symmetric, with a positive diagonal" + singular};
}

MethodChoice choose_for_range(const CsrMatrix& A, Options& options, const MethodChoice& before, const std::string& why,
                              const Capabilities& device) {
    const std::string reason = fmt::format("{}, but {} is out of reach: {}", before.reason, name(before.method), why);
    if (!InverseCost(A.rows, device).is_small()) return least_squares(options, reason);
    options.preconditioner = PreconditionerKind::none;  // a direct method takes none, and scales by the largest entries
    return {Method::direct, reason};
}

MethodChoice choose_without_reads(const CsrMatrix& A, Options& options, PreconditionerKind asked,
                                  const MethodChoice& chosen) {
    const std::string why =
        fmt::format("automatic takes {} ({}), which reads numbers back on its way", name(chosen.method), chosen.reason);
    if (A.rows != A.columns) throw InvalidInput(fmt::format("textures: {}; they take square matrices", why));
    const bool never_divides = asked == PreconditionerKind::none || asked == PreconditionerKind::richardson;
    options.preconditioner = !has_divisors(A) && !never_divides ? PreconditionerKind::none : asked;
    return {Method::gmres, why + "; gmres does not"};
}

std::optional<MethodChoice> choose_second_method(const CsrMatrix& A, Options& options, const FailedMethod& failed,
                                                 const Capabilities& device) {
    const Method first = failed.method;
    if (A.rows != A.columns || first == Method::cgnr) return {};
    const auto has_failed = fmt::format("{} ended as {}", name(first), name(failed.outcome));
    const PreconditionerKind taken = options.preconditioner;
    const auto by_least_squares = [&](std::string_view why) {
        options.preconditioner = failed.asked;  // columns have lengths where the diagonal has zeros
        return least_squares(options, fmt::format("{}: least squares {}", has_failed, why));
    };
    options.precision = Precision::automatic;
    const bool direct_is_tried = first == Method::direct || failed.direct_is_tried;
    const bool is_proved = failed.is_exact || direct_is_tried || A.rows > most_rows_on_host;
    if (failed.outcome == Outcome::inconsistent && is_proved) return by_least_squares("leave the smallest residual");
    const InverseCost inverse(A.rows, device);
    if (!is_usual(taken) && inverse.seconds > 1) {  // it may be the one to blame
        options.preconditioner = jacobi_if_possible(A);
        return MethodChoice{first, fmt::format("{} with preconditioner {}: tried with {}", has_failed, name(taken),
                                               name(options.preconditioner))};
    }
    const EmptyLines lines = empty_lines(A);
    const bool has_inverse = lines.rows.size() >= lines.columns.size();  // with an equation for each empty row
    if (!direct_is_tried && has_inverse && inverse.is_small()) {
        options.preconditioner = PreconditionerKind::none;
        return MethodChoice{Method::direct, fmt::format("{}, and an inverse takes {}", has_failed, inverse.in_words())};
    }
    if (first == Method::direct && failed.outcome != Outcome::breakdown) {  // not singular, but ill-conditioned
        options.preconditioner = jacobi_if_possible(A);
        options.precision = Precision::two_float;
        options.gmres.restart = std::clamp<int>(A.rows, 1, 128);
        return MethodChoice{Method::gmres, has_failed + ": two floats keep more digits"};
    }
    return by_least_squares("work for any matrix");
}

MethodChoice choose_method(const MethodChoice& before, const Spectrum& found, Options& options, Index rows) {
    if (!found.definite) {
        return for_indefinite(options, rows, fmt::format("(p,Ap) <= 0 in step {} of Lanczos", found.steps + 1));
    }
    return {before.method,
            fmt::format("{}; {} steps of Lanczos found only positive eigenvalues", before.reason, found.steps)};
}

}  // namespace glsolve::inline v0_1
