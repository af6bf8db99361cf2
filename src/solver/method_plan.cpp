#include "solver/method_plan.hpp"

#include <fmt/format.h>

#include <utility>

#include "options/names.hpp"

namespace glsolve::inline v0_1 {

bool is_usual(PreconditionerKind kind) {
    return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi
           || kind == PreconditionerKind::automatic;
}

MethodPlan plan(Method method, std::string reason, Options options) {
    options.method = method;
    MethodChoice choice{method, std::move(reason), options.preconditioner};
    return {std::move(choice), std::move(options)};
}

MethodPlan plan_direct(std::string reason, Options options) {
    options.preconditioner = PreconditionerKind::none;
    return plan(Method::direct, std::move(reason), std::move(options));
}

MethodPlan plan_least_squares(std::string reason, Options options) {
    const PreconditionerKind asked = options.preconditioner;
    if (!is_usual(asked)) reason += fmt::format("; least squares take jacobi in place of {}", name(asked));
    if (asked != PreconditionerKind::none) options.preconditioner = PreconditionerKind::jacobi;
    return plan(Method::cgnr, std::move(reason), std::move(options));
}

}  // namespace glsolve::inline v0_1
