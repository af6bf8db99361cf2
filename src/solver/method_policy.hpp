/// The policy of Method::automatic: which method and preconditioner suit a system, and which ones go on where these
/// fail.
#pragma once

#include <glsolve/report.hpp>
#include <glsolve/spectrum.hpp>
#include <limits>
#include <optional>
#include <span>
#include <string>

#include "device/backend.hpp"
#include "solver/checked_system.hpp"
#include "solver/known_ways.hpp"
#include "solver/method_plan.hpp"
#include "solver/predicted_times.hpp"

namespace glsolve::inline v0_1 {

/// A method that has failed, and those that did before it.
struct FailedMethod {
    const Options& options;  ///< it was taken with
    Outcome outcome{};
    bool is_exact = false;     ///< its claim that no x solves the system, if it makes one
    bool is_too_slow = false;  ///< it has only been given up for something quicker
    double seconds_left = std::numeric_limits<double>::infinity();
    std::span<const MethodChoice> tried = {};  ///< before it

    bool has_tried(Method method, PreconditionerKind M) const;
};

/// May the method read numbers back on its way? Not in work on textures.
enum class Reads : std::uint8_t { allowed, never };

class MethodPolicy {
  public:
    /// `asked`: the options of the caller's. `system` must outlive the object.
    MethodPolicy(const CheckedSystem& system, Options asked, const Capabilities& device, const DeviceSpeed& speed = {});

    /// The method to begin with, from what the host sees: symmetry, diagonal, size, range, and what factors take.
    /// Reads::never: throws InvalidInput where A is not square.
    MethodPlan first(Reads reads = Reads::allowed) const;
    /// The method that was asked for, with a preconditioner.
    MethodPlan as_asked() const;
    /// The way that is known from before; none: nothing is, or the matrix does not allow it any more.
    std::optional<MethodPlan> as_known(const KnownWays& ways) const;
    /// Does a short Lanczos run decide whether the plan holds? With a costly preconditioner each step is dear, and CG
    /// itself finds out.
    static bool asks_for_spectrum(const MethodPlan& plan) {
        return plan.choice.method == Method::cg && is_usual(plan.options.preconditioner);
    }
    /// The plan after that run.
    MethodPlan after_spectrum(const MethodPlan& before, const Spectrum& found, Reads reads = Reads::allowed) const;
    /// Seconds in which something else is predicted to have an answer; it is what `after_failure` begins with.
    double alternative(const MethodChoice& begun) const;
    /// No more than that; it takes no time to find out.
    double least_alternative(const MethodChoice& begun) const;
    /// Of this method, predicted.
    double seconds_an_iteration(const MethodChoice& of) const { return times_.iteration(of.method, of.preconditioner); }
    /// Are there factors in less time than it takes to prove that no x solves the system?
    bool has_soon_direct(double seconds_left) const;
    /// What goes on where a method has failed; none: nothing is known that might do better. Stronger preconditioners
    /// come first, then factors, GMRES in two floats, and least squares, which are the last. A method that was asked
    /// for stays, with other preconditioners.
    std::optional<MethodPlan> after_failure(const FailedMethod& failed) const;

  private:
    static constexpr double never = std::numeric_limits<double>::infinity();
    static constexpr double most_factoring = 120;   // seconds, where the caller has set no limit
    static constexpr double most_basis = 1u << 31;  // bytes of a Krylov basis

    MethodPlan by_structure(Reads reads) const;
    MethodPlan for_range(const MethodPlan& before, const std::string& why) const;
    MethodPlan for_unsymmetric(std::string reason, Reads reads) const;
    MethodPlan for_indefinite(const std::string& why, Reads reads) const;
    MethodPlan for_definite(const MethodPlan& before, const Spectrum& found, Reads reads) const;
    MethodPlan for_definite(const MethodPlan& before, double iterations, const std::string& why, Reads reads) const;
    double surely_worth_it(double iterating) const;
    MethodPlan watched(MethodPlan begun, Reads reads) const;
    MethodPlan instead_of(const MethodPlan& chosen) const;
    MethodPlan directly_or(MethodPlan begun, double iterating, double seconds, Reads reads) const;
    bool takes_direct() const;
    bool has_quick_factors() const;
    double seconds_of_direct(double most) const;
    std::string why_not_factored() const;
    std::optional<MethodPlan> other_preconditioner(const FailedMethod& failed) const;
    std::optional<MethodPlan> stronger(const FailedMethod& failed, const std::string& why, Options options) const;
    Options with_saddle(Options options) const;
    bool makes_levels_on_device() const;  // of amg, quickly and well: of a grid, and an M-matrix
    bool is_quick_of_grids(PreconditionerKind M) const;
    PreconditionerKind multigrid_that_suits() const;
    double seconds_of_amg() const;
    bool takes_amg_after(const MethodChoice& begun) const;
    double basis_of(int restart) const;
    bool has_room_for_gmres(std::string& reason) const;
    double iterations_of_laplacian() const;
    bool is_laplacian_on_grid() const;
    PreconditionerKind jacobi_if_possible() const;
    Options with_diagonal() const;

    const CheckedSystem& system_;
    Options asked_;
    Capabilities device_;
    PredictedTimes times_;
    mutable std::optional<bool> makes_levels_on_device_;
};

}  // namespace glsolve::inline v0_1
