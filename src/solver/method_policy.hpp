/// The policy of Method::automatic: which method suits a system, and which one goes on where that fails.
#pragma once

#include <glsolve/choice.hpp>
#include <glsolve/report.hpp>
#include <glsolve/spectrum.hpp>
#include <optional>
#include <string>

#include "device/backend.hpp"
#include "solver/checked_system.hpp"

namespace glsolve::inline v0_1 {

/// A method, why it was chosen, and the options to take it with: those of the caller, but for what the method or the
/// matrix does not take.
struct MethodPlan {
    MethodChoice choice;
    Options options;
};

/// A method that has failed.
struct FailedMethod {
    const Options& options;  ///< it was taken with
    Outcome outcome{};
    bool direct_is_tried = false;  ///< before it
    bool is_exact = false;         ///< its claim that no x solves the system, if it makes one
};

class MethodPolicy {
  public:
    /// `asked`: the options of the caller's. `system` must outlive the object.
    MethodPolicy(const CheckedSystem& system, Options asked, const Capabilities& device);

    /// The method to begin with, from what the host sees: symmetry, diagonal, size, range.
    MethodPlan first() const;
    /// Does a short Lanczos run decide whether the plan holds?
    static bool asks_for_spectrum(const MethodPlan& plan) { return plan.choice.method == Method::cg; }
    /// The plan after that run.
    MethodPlan after_spectrum(const MethodPlan& before, const Spectrum& found) const;
    /// What takes the place of a plan whose method reads numbers back on its way, where nothing may be read: gmres.
    /// Throws InvalidInput where A is not square.
    MethodPlan without_reads(const MethodPlan& chosen) const;
    /// What goes on where a method has failed; none: nothing is known that might do better. The direct method comes
    /// before GMRES in two floats, and that before least squares, which are the last.
    std::optional<MethodPlan> after_failure(const FailedMethod& failed) const;

  private:
    MethodPlan by_structure() const;  // symmetry, diagonal, size
    MethodPlan for_range(const MethodPlan& before, const std::string& why) const;
    MethodPlan for_unsymmetric(const std::string& singular) const;
    MethodPlan for_indefinite(const Options& options, const std::string& why) const;
    std::optional<MethodPlan> if_small(const Options& options, const std::string& what) const;
    PreconditionerKind jacobi_if_possible() const;

    const CheckedSystem& system_;
    Options asked_;
    Capabilities device_;
};

}  // namespace glsolve::inline v0_1
