#include "solver/method_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "base/parallel.hpp"
#include "device/layout.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/moves_rows.hpp"
#include "matrix/saddle_point.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/inverse_cost.hpp"
#include "methods/method_table.hpp"
#include "methods/sparse_direct.hpp"
#include "options/names.hpp"
#include "preconditioners/amg.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index small = 512;              // rows
constexpr double share_of_trial = 0.15;   // of what an alternative takes
constexpr double quick = 0.02;            // seconds: not worth a trial of something else
constexpr double usual_iterations = 300;  // where nothing is known

/// What was considered, in the choice and in its reason.
void tell(MethodChoice& choice, std::vector<MethodPrediction> ways) {
    std::erase_if(ways, [](const MethodPrediction& way) { return !std::isfinite(way.seconds); });
    std::ranges::stable_sort(ways, {}, &MethodPrediction::seconds);
    for (const bool measured : {true, false}) {
        std::string_view separator = measured ? "; measured before: " : "; predicted: ";
        for (const MethodPrediction& way : ways) {
            if (way.measured != measured) continue;
            choice.reason += fmt::format("{}{} {:.1g} s", std::exchange(separator, ", "),
                                         in_words(way.method, way.preconditioner), way.seconds);
        }
    }
    choice.predictions = std::move(ways);
}

}  // namespace

MethodPolicy::MethodPolicy(const CheckedSystem& system, Options asked, const Capabilities& device,
                           const DeviceSpeed& speed)
    : system_(system), asked_(std::move(asked)), device_(device), times_(system.A(), speed) {}

/// Jacobi, where it can divide by the diagonal.
PreconditionerKind MethodPolicy::jacobi_if_possible() const {
    return system_.has_divisors() ? PreconditionerKind::jacobi : PreconditionerKind::none;
}

/// The caller's, with jacobi in place of a preconditioner that is to be chosen.
Options MethodPolicy::with_diagonal() const {
    Options options = asked_;
    if (options.preconditioner == PreconditionerKind::automatic) options.preconditioner = jacobi_if_possible();
    return options;
}

bool MethodPolicy::takes_direct() const {
    return is_usual(asked_.preconditioner) && asked_.precision != Precision::two_float && asked_.fixed_iterations == 0;
}

/// Of the direct method; infinite where to look takes half of `most`.
double MethodPolicy::seconds_of_direct(double most) const {
    const CsrView A = system_.A();
    const bool has_inverse = system_.empty_lines().rows.size() >= system_.empty_lines().columns.size();
    const InverseCost inverse(A.rows, device_);
    const double inverting = has_inverse && inverse.is_small() ? inverse.seconds : never;
    if (asked_.direct.form == DirectForm::inverse || is_for_inverse(A) || !system_.square()) return inverting;
    if (system_.known_factor_plan() == nullptr && seconds_to_plan(A, system_.may_be_definite()) > 0.5 * most)
        return inverting;
    const FactorPlan& factors = system_.factor_plan(most_bytes_of_factors(asked_.memory));
    return factors.possible() ? std::min(factors.cost.seconds(), inverting) : inverting;
}

/// A direct method that takes no more seconds than this is not worth a trial of another; `iterating`: what that takes.
double MethodPolicy::surely_worth_it(double iterating) const {
    return system_.A().rows <= small ? never : std::max({quick, times_.start(), share_of_trial * iterating});
}

/// A method that is not sure to end: it is looked at when it has taken some part of what the alternative takes, or as
/// long as it takes to find that out.
MethodPlan MethodPolicy::watched(MethodPlan begun, Reads reads) const {
    if (!takes_direct() || reads == Reads::never) return begun;
    const bool is_known = system_.known_factor_plan() != nullptr;
    const double seconds =
        is_known ? share_of_trial * alternative(begun.choice) : seconds_to_plan(system_.A(), system_.may_be_definite());
    constexpr double few = 16, many = 1e15;
    begun.look_after = static_cast<std::int64_t>(std::clamp(seconds / seconds_an_iteration(begun.choice), few, many));
    return begun;
}

double MethodPolicy::alternative(const MethodChoice& begun) const {
    const double directly = seconds_of_direct(never);
    return takes_amg_after(begun) ? std::min(directly, seconds_of_amg()) : directly;
}

double MethodPolicy::least_alternative(const MethodChoice& begun) const {
    if (system_.known_factor_plan() != nullptr) return alternative(begun);
    const double factoring = 2 * seconds_to_plan(system_.A(), system_.may_be_definite());
    return takes_amg_after(begun) ? std::min(factoring, seconds_of_amg()) : factoring;
}

bool MethodPolicy::has_soon_direct(double seconds_left) const {
    constexpr double soon = 0.5;
    const double most = std::min(soon, seconds_left);
    return asked_.method == Method::automatic && takes_direct() && seconds_of_direct(most) <= most;
}

/// Is multigrid worth a try where this one is slow?
bool MethodPolicy::takes_amg_after(const MethodChoice& begun) const {
    const bool has_diagonal =
        begun.preconditioner == PreconditionerKind::jacobi || begun.preconditioner == PreconditionerKind::none;
    const bool suits = is_cg(begun.method) || (begun.method == Method::bicgstab && system_.is_like_m_matrix());
    return asked_.preconditioner == PreconditionerKind::automatic && has_diagonal && suits;
}

/// For the preconditioner lu, which the device applies.
bool MethodPolicy::has_quick_factors() const {
    constexpr double quickly = 1;
    if (!device_.ordered || seconds_to_plan(system_.A(), false) > quickly) return false;
    const FactorPlan& factors = system_.factor_plan(most_bytes_of_factors(asked_.memory));
    return factors.possible() && factors.cost.seconds() <= quickly;
}

/// The direct method, if it takes less than `seconds`; else `begun`, which takes about `iterating`.
MethodPlan MethodPolicy::directly_or(MethodPlan begun, double iterating, double seconds, Reads reads) const {
    std::vector<MethodPrediction> ways{{begun.choice.method, begun.choice.preconditioner, iterating}};
    if (takes_direct() && reads == Reads::allowed) {
        // What is watched is compared with factors, too, so a quarter of its time may go into counting them.
        const double most = asks_for_spectrum(begun) ? seconds : std::max(seconds, 0.5 * iterating);
        ways.push_back({Method::direct, PreconditionerKind::none, seconds_of_direct(most)});
    }
    const bool is_direct =
        ways.back().method == Method::direct && ways.back().seconds <= seconds && std::isfinite(ways.back().seconds);
    if (!is_direct && asks_for_spectrum(begun)) return begun;  // more is known after it
    MethodPlan chosen = is_direct ? plan_direct(begun.choice.reason, asked_) : watched(std::move(begun), reads);
    tell(chosen.choice, std::move(ways));
    return chosen;
}

/// Bytes of the vectors that GMRES keeps.
double MethodPolicy::basis_of(int restart) const {
    return 16.0 * static_cast<double>(layout_of(system_.A().rows).extent().texels()) * (restart + 1);
}

/// Says so where it has none.
bool MethodPolicy::has_room_for_gmres(std::string& reason) const {
    const double basis = basis_of(asked_.gmres.restart);
    if (basis <= most_basis) return true;
    reason += fmt::format(", and the {} vectors of gmres would take {:.1f} GB", asked_.gmres.restart + 1, basis * 1e-9);
    return false;
}

/// A, or M.
MethodPlan MethodPolicy::for_unsymmetric(std::string reason, Reads reads) const {
    Options options = with_diagonal();
    const bool is_free = asked_.preconditioner == PreconditionerKind::automatic;
    if (is_usual(asked_.preconditioner) && asked_.preconditioner != PreconditionerKind::none
        && !system_.has_divisors()) {
        const bool takes_lu = is_free && reads == Reads::never && has_quick_factors();
        options.preconditioner = takes_lu ? PreconditionerKind::lu : PreconditionerKind::none;
        reason += fmt::format("; {}, since there are zeros on the diagonal", takes_lu ? "lu" : "no preconditioner");
    }
    // Its iterations read few vectors; it is watched, and others go on where it fails. Nobody watches on textures.
    const bool is_watched = options.preconditioner == PreconditionerKind::jacobi && reads == Reads::allowed;
    const Method method = is_watched || !has_room_for_gmres(reason) ? Method::bicgstab : Method::gmres;
    const double iterating = times_.iteration(method, options.preconditioner) * usual_iterations;
    return directly_or(plan(method, std::move(reason), std::move(options)), iterating, surely_worth_it(iterating),
                       reads);
}

/// A correction begins a Krylov space anew, which takes more than doubles do.
Options MethodPolicy::with_saddle(Options options) const {
    options.preconditioner = PreconditionerKind::saddle;
    if (options.precision == Precision::automatic && device_.doubles) options.precision = Precision::doubles;
    return options;
}

MethodPlan MethodPolicy::for_indefinite(const std::string& why, Reads reads) const {
    Options options = asked_;
    // Of such a matrix others may not be definite, which minres needs.
    const Method method = is_usual(options.preconditioner) ? Method::minres : Method::gmres;
    double iterating = times_.cg(usual_iterations), worth = surely_worth_it(iterating);
    if (options.preconditioner == PreconditionerKind::automatic) {
        options.preconditioner = PreconditionerKind::jacobi;
        const int first_field = asked_.preconditioning.first_field;
        const bool keeps_rows = first_field == 0 || !moves_rows(asked_);
        if (keeps_rows && saddle_point(system_.A(), first_field).why_not.empty()) {
            options = with_saddle(std::move(options));
            iterating = times_.saddle();
            worth = std::max(iterating, quick);
        }
    }
    return directly_or(plan(method, "symmetric, and not positive definite: " + why, std::move(options)), iterating,
                       worth, reads);
}

MethodPlan MethodPolicy::by_structure(Reads reads) const {
    const CsrView A = system_.A();
    if (!system_.square()) {
        return plan_least_squares(fmt::format("{} x {}: what can be had is the smallest |b - A x|", A.rows, A.columns),
                                  asked_);
    }
    const EmptyLines& lines = system_.empty_lines();
    if (lines.columns.size() > lines.rows.size()) {
        return plan_least_squares(fmt::format("singular: column {} is empty", lines.columns.front() + 1), asked_);
    }
    const std::string singular =
        lines.rows.empty() ? "" : fmt::format(", and singular: row {} is empty", lines.rows.front() + 1);
    if (!system_.symmetric()) {
        const double asymmetry = system_.survey().asymmetry;
        return for_unsymmetric(fmt::format("not symmetric (by {:.1e} of its largest entry){}", asymmetry, singular),
                               reads);
    }
    const PreconditionerRow& M = preconditioner_row(asked_.preconditioner);
    if (!is_usual(M.kind) && !M.is.symmetric) {
        return for_unsymmetric(fmt::format("symmetric, but preconditioner {} is not{}", M.name, singular), reads);
    }
    const std::vector<double> d = system_.survey().least_diagonal > 0 ? std::vector<double>{} : diagonal(A);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] > 0 || std::ranges::binary_search(lines.rows, static_cast<Index>(i))) continue;
        return for_indefinite(fmt::format("row {} has {:.3g} on the diagonal{}", i + 1, d[i], singular), reads);
    }
    const std::string what = "symmetric, with a positive diagonal" + singular;
    constexpr double few_iterations = 64;
    const double least = std::max(times_.cg(few_iterations), times_.start());
    const MethodPlan begun = plan(Method::cg, what, with_diagonal());
    const bool is_free = asked_.preconditioner == PreconditionerKind::automatic;
    if (is_free && times_.multigrid() > times_.start() && is_laplacian_on_grid()) {
        MethodPlan chosen = for_definite(begun, iterations_of_laplacian(), "; a grid whose rows sum to zero", reads);
        if (is_quick_of_grids(chosen.choice.preconditioner)) return chosen;
    }
    return directly_or(begun, times_.cg(usual_iterations), least, reads);
}

/// What takes a matrix that single precision cannot hold in the scaling of `before`; `why` is in words.
MethodPlan MethodPolicy::for_range(const MethodPlan& before, const std::string& why) const {
    const std::string reason =
        fmt::format("{}, but {} is out of reach: {}", before.choice.reason, name(before.choice.method), why);
    if (std::isfinite(seconds_of_direct(most_factoring))) return plan_direct(reason, before.options);
    return plan_least_squares(reason, before.options);
}

MethodPlan MethodPolicy::first(Reads reads) const {
    if (reads == Reads::never && !system_.square()) {
        throw InvalidInput(
            fmt::format("textures: automatic takes cgnr ({}), which reads numbers back on its way; they take square "
                        "matrices",
                        by_structure(reads).choice.reason));
    }
    MethodPlan chosen = by_structure(reads);
    if (chosen.choice.method == Method::direct) return chosen;
    if (chosen.choice.method == Method::cgnr) return reads == Reads::allowed ? chosen : instead_of(chosen);
    const std::string& why = system_.scaled(chosen.options).out_of_single();
    if (why.empty()) return chosen;
    return reads == Reads::allowed ? for_range(chosen, why) : instead_of(for_range(chosen, why));
}

/// Of a method that reads numbers back on its way.
MethodPlan MethodPolicy::instead_of(const MethodPlan& chosen) const {
    const std::string why = fmt::format("automatic takes {} ({}), which reads numbers back on its way; gmres does not",
                                        name(chosen.choice.method), chosen.choice.reason);
    Options options = with_diagonal();
    const bool never_divides =
        options.preconditioner == PreconditionerKind::none || options.preconditioner == PreconditionerKind::richardson;
    if (!never_divides && !system_.has_divisors()) options.preconditioner = PreconditionerKind::none;
    return plan(Method::gmres, why, std::move(options));
}

bool MethodPolicy::makes_levels_on_device() const {
    if (!makes_levels_on_device_) {
        makes_levels_on_device_ = system_.may_be_definite() && system_.is_like_m_matrix() && !moves_rows(asked_)
                                  && glsolve::makes_levels_on_device(system_.A(), asked_.amg, device_);
    }
    return *makes_levels_on_device_;
}

/// Its set-up takes little, and is sure to be good.
bool MethodPolicy::is_quick_of_grids(PreconditionerKind M) const {
    return M == PreconditionerKind::multigrid || (M == PreconditionerKind::amg && makes_levels_on_device());
}

PreconditionerKind MethodPolicy::multigrid_that_suits() const {
    return !makes_levels_on_device() && system_.is_grid() ? PreconditionerKind::multigrid : PreconditionerKind::amg;
}

double MethodPolicy::seconds_of_amg() const {
    if (makes_levels_on_device()) return times_.amg_on_device();
    if (system_.symmetric() && !moves_rows(asked_) && makes_any_levels_on_device(system_.A().rows, asked_.amg, device_))
        return times_.any_amg_on_device(system_.is_like_m_matrix());
    constexpr double of_flows = 2.5;  // GMRES takes more cycles, and reads its basis
    return times_.amg(system_.is_like_m_matrix()) * (system_.symmetric() ? 1 : of_flows);
}

/// Of conjugate gradients with a diagonal, on a square grid of so many points.
double MethodPolicy::iterations_of_laplacian() const { return 1.8 * std::sqrt(1.0 * system_.A().rows); }

/// Row sums of zero, but at the edge of the grid, leave eigenvalues as small as those of a Laplacian: no Lanczos has to
/// look for them.
bool MethodPolicy::is_laplacian_on_grid() const {
    const CsrView A = system_.A();
    constexpr double rounding = 1e-8, most = 0.1;  // of the rows are at the edge
    const double beyond = parallel_sum(static_cast<std::size_t>(A.rows), [&](std::size_t i) {
        double sum = 0, largest = 0;
        for (const auto [j, a] : A.row(i)) {
            sum += a;
            largest = std::max(largest, std::abs(a));
        }
        return std::abs(sum) > rounding * largest ? 1.0 : 0.0;
    });
    return beyond <= most * A.rows && (makes_levels_on_device() || system_.is_grid());
}

MethodPlan MethodPolicy::for_definite(const MethodPlan& before, const Spectrum& s, Reads reads) const {
    // Ritz values that still move say that the spectrum goes on below: as far as that of a Laplacian of so many points
    // in the plane. Elasticity and plates, which are no M-matrices, take some times as many iterations.
    const double beyond = system_.is_like_m_matrix() ? 1 : 2;
    const bool is_complete = s.steps < ChebyshevOptions{}.lanczos_steps;  // nothing but rounding is left
    const bool is_settled = is_complete || s.smallest > 0.8 * s.smallest_halfway;
    const double digits = std::log(2 / std::max(asked_.tolerance, 1e-16));
    double iterations = s.smallest > 0 ? 0.5 * std::sqrt(s.largest / s.smallest) * digits : 0;
    if (is_complete) iterations = s.steps;
    if (!is_settled) iterations = std::max(iterations, beyond * iterations_of_laplacian());
    return for_definite(before, iterations,
                        fmt::format("; {} steps of Lanczos found only positive eigenvalues", s.steps), reads);
}

/// Between a diagonal that takes so many iterations, multigrid and factors.
MethodPlan MethodPolicy::for_definite(const MethodPlan& before, double iterations, const std::string& why,
                                      Reads reads) const {
    std::string what = before.choice.reason + why;
    std::vector<MethodPrediction> ways{{Method::cg, before.options.preconditioner, times_.cg(iterations)}};
    const auto quickest = [&] { return *std::ranges::min_element(ways, {}, &MethodPrediction::seconds); };
    if (asked_.preconditioner == PreconditionerKind::automatic) {
        ways.push_back({Method::cg, PreconditionerKind::amg, seconds_of_amg()});
        if (times_.multigrid() < quickest().seconds && system_.is_grid()) {
            ways.push_back({Method::cg, PreconditionerKind::multigrid, times_.multigrid()});
        }
    }
    if (takes_direct() && reads == Reads::allowed) {
        ways.push_back({Method::direct, PreconditionerKind::none, seconds_of_direct(quickest().seconds)});
    }
    // How many iterations a diagonal takes is a guess, and it shows soon; a hierarchy is made before anything shows. Of
    // a grid that takes little, and is sure to be good.
    const auto is_worth_it = [&](const MethodPrediction& way) {
        const double clearly = is_quick_of_grids(way.preconditioner) ? 0.5 : 0.25;
        return way.method == Method::direct || way.seconds <= clearly * ways.front().seconds;
    };
    const MethodPrediction best = is_worth_it(quickest()) ? quickest() : ways.front();
    Options options = before.options;
    options.preconditioner = best.preconditioner;
    MethodPlan chosen = plan(best.method, std::move(what), std::move(options));
    if (best.method != Method::direct) chosen = watched(std::move(chosen), reads);
    tell(chosen.choice, std::move(ways));
    return chosen;
}

MethodPlan MethodPolicy::after_spectrum(const MethodPlan& before, const Spectrum& s, Reads reads) const {
    if (!s.definite) {
        return for_indefinite(fmt::format("(p,Ap) <= 0 in step {} of Lanczos", s.steps + 1), reads);
    }
    return for_definite(before, s, reads);
}

std::optional<MethodPlan> MethodPolicy::as_known(const KnownWays& ways) const {
    const std::optional<KnownWay> known = ways.to_begin_with();
    const bool is_kept = is_usual(asked_.preconditioner) || (known && known->preconditioner == asked_.preconditioner);
    if (!known || !is_kept) return {};
    Options options = asked_;
    options.preconditioner = known->preconditioner;
    if (known->preconditioner == PreconditionerKind::saddle) options = with_saddle(std::move(options));
    MethodPlan chosen = plan(known->method, "known from before", std::move(options));
    if (known->method != Method::direct && !system_.scaled(chosen.options).out_of_single().empty()) return {};
    constexpr std::int64_t usual = 2, few = 16;  // other values may take more iterations
    if (known->iterations > 0) chosen.look_after = std::max(usual * known->iterations, few);
    tell(chosen.choice, ways.told());
    return known->iterations > 0 ? chosen : watched(std::move(chosen), Reads::allowed);
}

MethodPlan MethodPolicy::as_asked() const {
    Options options = asked_;
    std::string reason = "as asked for";
    if (asked_.preconditioner == PreconditionerKind::automatic) {
        const MethodTraits& is = method_row(asked_.method).is;
        options.preconditioner = !is.takes_M                    ? PreconditionerKind::none
                                 : is.any_shape || is.symmetric ? PreconditionerKind::jacobi
                                                                : jacobi_if_possible();
        if (is_cg(asked_.method) && system_.may_be_definite()
            && seconds_of_amg() < times_.cg(iterations_of_laplacian())) {
            options.preconditioner = multigrid_that_suits();
        }
        reason += options.preconditioner == PreconditionerKind::none
                      ? is.takes_M ? fmt::format("; no preconditioner, since row {} has a zero on the diagonal",
                                                 *row_without_divisor(system_.A()) + 1)
                                   : ""
                      : fmt::format(", with preconditioner {} chosen", name(options.preconditioner));
    }
    return plan(asked_.method, std::move(reason), std::move(options));
}

}  // namespace glsolve::inline v0_1
