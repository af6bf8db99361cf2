// Solvers whose matrix is a function in GLSL.
#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "base/suggestions.hpp"
#include "matrix/moves_rows.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "solvers/check_options.hpp"
#include "solvers/method_table.hpp"
#include "solvers/solver_impl.hpp"

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

Solver::Solver(Device& device, GlslOperator A, Options options) {
    check_function_options(options);
    const auto begin = Clock::now();
    Backend& backend = backend_for(device.backend(), options);
    const Session inside(backend);  // the function dies in it where the rest fails
    Structure known;
    known.function = std::make_shared<FunctionMatrix>(backend, std::move(A));
    known.format.emplace().reason = "a function in GLSL: nothing is stored";
    impl_ = Impl::make(backend, known.function->probe(), std::move(options), known);
    impl_->setup_seconds = seconds_since(begin);
}

FunctionMatrix& Solver::Impl::function() const {
    if (!structure.function) throw InvalidInput("set_input: A is a matrix; update_values gives it other numbers");
    return *structure.function;
}

bool Solver::Impl::follows_function() const {
    const bool diagonal = own_diagonal && function().has_diagonal();
    return method_row(options.method).is.products_only
           && (options.preconditioner == PreconditionerKind::none || diagonal);
}

void Solver::Impl::numbers_have_changed() {
    reads_other_numbers = true;
    if (own_diagonal && function().has_diagonal()) {
        function().make_reciprocal_diagonal(*own_diagonal->diagonal());
    }
}

/// As a new solver, for what needs to know A.
void Solver::probe_again() {
    if (!impl().reads_other_numbers) return;
    const Session inside(impl().backend);
    Options as_asked = impl().options;
    as_asked.method = impl().asked_method;
    as_asked.preconditioner = impl().asked_preconditioner;
    Structure known;
    known.format = impl().structure.format;
    known.function = impl().structure.function;
    Impl::replace(impl_, Impl::make(impl().backend, known.function->probe(), std::move(as_asked), known));
}

void Solver::set_input(std::string_view name, std::span<const float> numbers) {
    const OneCall call = impl().one_call();
    FunctionMatrix& function = impl().function();
    const Session inside(impl().backend);
    function.set_input(name, numbers);
    impl().numbers_have_changed();
}

void Solver::set_constant(std::string_view name, float value) {
    const OneCall call = impl().one_call();
    FunctionMatrix& function = impl().function();
    const Session inside(impl().backend);
    function.set_constant(name, value);
    impl().numbers_have_changed();
}

void Solver::set_input(std::string_view name, const TextureView& numbers) {
    const OneCall call = impl().one_call();
    FunctionMatrix& function = impl().function();
    if (!impl().follows_function()) {
        const Options& options = impl().options;
        throw InvalidInput(fmt::format(
            "set_input: what {} with preconditioner {} is made of comes from the processor; from a texture inputs go "
            "with {}, without a preconditioner, or but for minres with jacobi and a source that has "
            "'vec4 diagonal(ivec2 at)'",
            glsolve::name(options.method), glsolve::name(options.preconditioner),
            listed(methods_that([](const MethodTraits& is) { return is.products_only; }))));
    }
    const Session inside(impl().backend);
    const TextureWindow from(impl().backend, numbers, {.unknowns = impl().A.rows}, TextureUse::mask, name);
    function.set_input(name, [&](Vector& taken, StorageId other) { from.take(taken, scalar_arg(1), {other}); });
    impl().numbers_have_changed();
}

}  // namespace glsolve::inline v0_1
