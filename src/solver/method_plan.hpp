/// A method that was chosen, and the options to take it with.
#pragma once

#include <cstdint>
#include <glsolve/choice.hpp>
#include <limits>
#include <string>

namespace glsolve::inline v0_1 {

inline constexpr std::int64_t without_end = std::numeric_limits<std::int64_t>::max();

/// A method, why it was chosen, and the options to take it with: those of the caller, but for what the method or the
/// matrix does not take.
struct MethodPlan {
    MethodChoice choice;
    Options options;
    /// After so many iterations it is seen whether something else has an answer before
    /// (MethodPolicy::alternative). Iterations, not seconds: a choice that depends on a clock is another one each time.
    std::int64_t look_after = without_end;
};

/// What every method takes in some way; whoever asks for another preconditioner wants it applied.
bool is_usual(PreconditionerKind kind);

MethodPlan plan(Method method, std::string reason, Options options);
/// A direct method takes no preconditioner, and scales by the largest entries.
MethodPlan plan_direct(std::string reason, Options options);
/// Least squares take no other preconditioners than the usual ones.
MethodPlan plan_least_squares(std::string reason, Options options);

}  // namespace glsolve::inline v0_1
