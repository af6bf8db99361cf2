#include "solver/function_front.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "base/suggestions.hpp"
#include "matrix/moves_rows.hpp"
#include "methods/method_table.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "solver/texture_window.hpp"

namespace glsolve::inline v0_1 {
namespace {

void check_function_options(const Options& options) {
    if (moves_rows(options)) {
        throw InvalidInput(
            "operator: its unknowns are where they are; leave Slicing::sort_window at 0, and Options::reorder at none");
    }
    if (options.format != FormatKind::automatic) {
        throw InvalidInput(fmt::format("operator: it is not stored, and not in format {}: auto", name(options.format)));
    }
    if (options.method == Method::cgnr) {
        throw InvalidInput("operator: cgnr needs A^T as well, which the function does not have; gmres does not");
    }
    if (options.method == Method::minres && is_diagonal(options)) {
        throw InvalidInput("operator: minres takes jacobi as a scaling of A, and a function is not scaled; take none");
    }
}

}  // namespace

FunctionFront::FunctionFront(Backend& backend, GlslOperator function, const Options& options) : backend_(backend) {
    check_function_options(options);
    function_ = std::make_shared<FunctionMatrix>(backend, std::move(function));
}

Structure FunctionFront::structure() const {
    Structure known;
    known.function = function_;
    known.format.emplace().reason = "a function in GLSL: nothing is stored";
    return known;
}

void FunctionFront::set_input(std::string_view name, std::span<const float> numbers, PreparedSolver& solver) {
    const Session inside(backend_);
    function_->set_input(name, numbers);
    has_changed_ = true;
    solver.function_has_changed();
}

void FunctionFront::set_constant(std::string_view name, float value, PreparedSolver& solver) {
    const Session inside(backend_);
    function_->set_constant(name, value);
    has_changed_ = true;
    solver.function_has_changed();
}

void FunctionFront::set_input(std::string_view name, const TextureView& numbers, PreparedSolver& solver) {
    if (!solver.follows_function()) {
        const Options& options = solver.options();
        throw InvalidInput(fmt::format(
            "set_input: {} with preconditioner {} needs numbers that only the processor has, so the input cannot be a "
            "texture. It can be one with {} without a preconditioner; and, except with minres, with jacobi if the "
            "source "
            "has 'vec4 diagonal(ivec2 at)'",
            glsolve::name(options.method), glsolve::name(options.preconditioner),
            listed(methods_that([](const MethodTraits& is) { return is.products_only; }))));
    }
    const Session inside(backend_);
    const TextureWindow from(backend_, numbers, {.unknowns = function_->size()}, TextureUse::mask, name);
    function_->set_input(name, [&](Vector& taken, StorageId other) { from.take(taken, scalar_arg(1), {other}); });
    has_changed_ = true;
    solver.function_has_changed();
}

}  // namespace glsolve::inline v0_1
