#include "solvers/choose_method.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <thread>

#include "core/csr_entries.hpp"
#include "core/layout.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index small = 512;             // rows: an inverse is made before an iteration has found its pace
constexpr double most_basis = 1u << 31;  // bytes of a Krylov basis

/// What every method takes in some way; whoever asks for another preconditioner wants it applied.
bool is_usual(PreconditionerKind kind) {
    return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi;
}

bool has_zero(std::span<const double> numbers) { return std::ranges::find(numbers, 0.0) != numbers.end(); }

/// Jacobi, where nothing on the diagonal is zero.
PreconditionerKind jacobi_if_possible(const CsrMatrix& A) {
    return has_zero(diagonal(A)) ? PreconditionerKind::none : PreconditionerKind::jacobi;
}

MethodChoice for_unsymmetric(const CsrMatrix& A, Options& options, double skew) {
    const std::string what = fmt::format("not symmetric (by {:.1e} of its largest entry)", skew);
    const bool takes_direct = options.precision != Precision::two_float && options.fixed_iterations == 0;
    if (is_usual(options.preconditioner) && takes_direct && A.rows <= small) {
        options.preconditioner = PreconditionerKind::none;  // a direct method takes none
        return {Method::direct, fmt::format("{}, and of {} rows only", what, A.rows)};
    }
    std::string without;
    if (options.preconditioner == PreconditionerKind::jacobi && has_zero(diagonal(A))) {
        options.preconditioner = PreconditionerKind::none;
        without = "; no preconditioner, since there are zeros on the diagonal";
    }
    const double basis = 16.0 * static_cast<double>(layout_of(A.rows).extent().texels()) * (options.gmres.restart + 1);
    if (basis <= most_basis) return {Method::gmres, what + without};
    return {Method::bicgstab, fmt::format("{}, and the {} vectors of gmres would take {:.1f} GB{}", what,
                                          options.gmres.restart + 1, basis * 1e-9, without)};
}

MethodChoice for_indefinite(const Options& options, const std::string& why) {
    // minres takes a preconditioner as a scaling only.
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

/// Rows and columns that hold nothing but zeros.
struct EmptyLines {
    std::string first;  // of them, in words; empty: there is none
    bool alone = true;  // where a row is empty its column is, too: the unknown has no equation, and is in none
};

EmptyLines empty_lines(const CsrMatrix& A) {
    std::vector<char> in_row(static_cast<std::size_t>(A.rows), 0), in_column(static_cast<std::size_t>(A.columns), 0);
    for (std::size_t i = 0; i < in_row.size(); ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.value[e] != 0) in_row[i] = in_column[static_cast<std::size_t>(A.column[e])] = 1;
        }
    }
    EmptyLines found{.first = "", .alone = in_row == in_column};
    const auto row = std::ranges::find(in_row, 0), column = std::ranges::find(in_column, 0);
    if (row != in_row.end()) {
        found.first = fmt::format("row {} is empty", row - in_row.begin() + 1);
    } else if (column != in_column.end()) {
        found.first = fmt::format("column {} is empty", column - in_column.begin() + 1);
    }
    return found;
}

/// Unknowns that are in no equation make a matrix singular, and no other method's work harder. Preconditioners divide
/// by their zeros on the diagonal; minres takes jacobi as a scaling.
MethodChoice with_unknowns_alone(const CsrMatrix& A, Options& options, const std::string& line) {
    const bool symmetric = asymmetry(A) <= tolerated_asymmetry;
    const PreconditionerKind asked = options.preconditioner, taken = symmetric && asked != PreconditionerKind::none
                                                                         ? PreconditionerKind::jacobi
                                                                         : PreconditionerKind::none;
    std::string reason =
        fmt::format("{}, and singular: {}, and so is its column", symmetric ? "symmetric" : "not symmetric", line);
    if (taken != asked) reason += fmt::format("; preconditioner {} in place of {}", name(taken), name(asked));
    options.preconditioner = taken;
    return {symmetric ? Method::minres : Method::gmres, std::move(reason)};
}

/// What it takes to invert a matrix of n rows: 2 n^3 operations, and n^2 numbers, which are there twice while a column
/// goes from one texture to the other.
struct InverseCost {
    double seconds, bytes;

    InverseCost(Index n, const DeviceInfo& device)
        : seconds(2.0 * n * n * n / operations_per_second(device)), bytes(2 * sizeof(float) * 1.0 * n * n) {}

    /// Worth a try where a method has failed?
    bool is_small() const { return seconds <= 30 && bytes <= 1u << 30; }
    std::string in_words() const { return fmt::format("about {:.2g} s and {:.0f} MB", seconds, bytes * 1e-6); }

  private:
    /// A core has done 2.1e9 to 3.3e9 (host and llvmpipe, n from 1,156 to 3,364), an H200 2.8e10 (n = 4,000).
    static double operations_per_second(const DeviceInfo& device) {
        const bool on_processor = device.backend == BackendKind::host || device.software;
        return on_processor ? 2.25e9 * std::clamp(std::thread::hardware_concurrency(), 1u, 16u) : 1e10;
    }
};

}  // namespace

MethodChoice choose_method(const CsrMatrix& A, Options& options) {
    if (A.rows != A.columns) {
        return least_squares(options,
                             fmt::format("{} x {}: what can be had is the smallest |b - A x|", A.rows, A.columns));
    }
    if (const EmptyLines lines = empty_lines(A); !lines.first.empty()) {
        return lines.alone ? with_unknowns_alone(A, options, lines.first)
                           : least_squares(options, "singular: " + lines.first);
    }
    if (const double skew = asymmetry(A); skew > tolerated_asymmetry) return for_unsymmetric(A, options, skew);
    const std::vector<double> d = diagonal(A);
    const auto row = std::find_if(d.begin(), d.end(), [](double value) { return !(value > 0); });
    if (row == d.end()) return {Method::cg, "symmetric, with a positive diagonal"};
    return for_indefinite(options, fmt::format("row {} has {:.3g} on the diagonal", row - d.begin() + 1, *row));
}

MethodChoice choose_for_range(const CsrMatrix& A, Options& options, const MethodChoice& before, const std::string& why,
                              const DeviceInfo& device) {
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
    options.preconditioner = has_zero(diagonal(A)) && !never_divides ? PreconditionerKind::none : asked;
    return {Method::gmres, why + "; gmres does not"};
}

std::optional<MethodChoice> choose_second_method(const CsrMatrix& A, Options& options, Method first, Outcome outcome,
                                                 const DeviceInfo& device) {
    if (A.rows != A.columns || first == Method::cgnr) return {};
    const auto has_failed = fmt::format("{} ended as {}", name(first), name(outcome));
    options.precision = Precision::automatic;
    if (outcome == Outcome::inconsistent) return least_squares(options, has_failed + ": least squares leave the least");
    const InverseCost inverse(A.rows, device);
    const PreconditionerKind taken = options.preconditioner;
    if (!is_usual(taken) && inverse.seconds > 1) {  // it may be the one to blame
        options.preconditioner = jacobi_if_possible(A);
        return MethodChoice{first, fmt::format("{} with preconditioner {}: tried with {}", has_failed, name(taken),
                                               name(options.preconditioner))};
    }
    const bool has_empty_line = !empty_lines(A).first.empty();
    if (first != Method::direct && !has_empty_line && inverse.is_small()) {
        options.preconditioner = PreconditionerKind::none;
        return MethodChoice{Method::direct, fmt::format("{}, and an inverse takes {}", has_failed, inverse.in_words())};
    }
    if (first == Method::direct && outcome != Outcome::breakdown) {  // not singular, but ill-conditioned
        options.preconditioner = jacobi_if_possible(A);
        options.precision = Precision::two_float;
        options.gmres.restart = std::clamp<int>(A.rows, 1, 128);
        return MethodChoice{Method::gmres, has_failed + ": in two floats there is more room"};
    }
    return least_squares(options, has_failed + ": least squares take any matrix");
}

MethodChoice choose_method(const MethodChoice& before, const Spectrum& found, const Options& options) {
    if (!found.definite) {
        return for_indefinite(options, fmt::format("(p,Ap) <= 0 in step {} of Lanczos", found.steps + 1));
    }
    return {before.method,
            fmt::format("{}; {} steps of Lanczos found nothing against positive definite", before.reason, found.steps)};
}

}  // namespace glsolve::inline v0_1
