// Solvers whose matrix is a function in GLSL.
#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "preconditioners/make_preconditioner.hpp"
#include "solvers/solver_impl.hpp"

namespace glsolve::inline v0_1 {
namespace {

void check_function_options(const Options& options) {
    if (options.slicing.sort_window > 1) {
        throw InvalidInput("operator: its unknowns are where they are; leave Slicing::sort_window at 0");
    }
    if (options.format != FormatKind::automatic) {
        throw InvalidInput(fmt::format("operator: it is not stored, and not in format {}: auto", name(options.format)));
    }
    if (options.method == Method::cgnr) {
        throw InvalidInput("operator: cgnr needs A^T as well, which the function does not have; gmres does not");
    }
    if (options.method == Method::minres && options.preconditioner == PreconditionerKind::jacobi) {
        throw InvalidInput("operator: minres takes jacobi as a scaling of A, and a function is not scaled; take none");
    }
}

}  // namespace

Solver::Solver(Device& device, GlslOperator A, Options options) {
    check_function_options(options);
    Structure known;
    CsrMatrix probed;
    {
        const Session inside(device.backend());
        known.function = std::make_shared<FunctionMatrix>(device.backend(), std::move(A));
        known.format.emplace().reason = "a function in GLSL: nothing is stored";
        probed = known.function->probe();
    }
    impl_ = Impl::make(device.backend(), std::move(probed), std::move(options), known);
}

FunctionMatrix& Solver::Impl::function() const {
    if (!structure.function) throw InvalidInput("set_input: A is a matrix; update_values gives it other numbers");
    return *structure.function;
}

/// As a new solver, for what needs to know A.
void Solver::probe_again() {
    if (!impl_->reads_other_numbers) return;
    Options as_asked = impl_->options;
    as_asked.method = impl_->asked_method;
    as_asked.preconditioner = impl_->asked_preconditioner;
    CsrMatrix probed;
    {
        const Session inside(impl_->backend);
        probed = impl_->function().probe();
    }
    Structure known;
    known.format = impl_->structure.format;
    known.function = impl_->structure.function;
    impl_ = Impl::make(impl_->backend, std::move(probed), std::move(as_asked), known);
}

void Solver::set_input(std::string_view name, std::span<const float> numbers) {
    FunctionMatrix& function = impl_->function();
    const Session inside(impl_->backend);
    function.set_input(name, numbers);
    impl_->reads_other_numbers = true;
}

void Solver::set_constant(std::string_view name, float value) {
    impl_->function().set_constant(name, value);
    impl_->reads_other_numbers = true;
}

void Solver::set_input(std::string_view name, const TextureView& numbers) {
    FunctionMatrix& function = impl_->function();
    const Options& options = impl_->options;
    if (options.preconditioner != PreconditionerKind::none && !impl_->own_diagonal) {
        throw InvalidInput(
            fmt::format("set_input: what preconditioner {} is made of comes from the processor; from a "
                        "texture inputs go with none, or with jacobi and a source that has 'diagonal'",
                        glsolve::name(options.preconditioner)));
    }
    if (impl_->own_diagonal && !function.has_diagonal()) {
        throw InvalidInput(
            "set_input: with jacobi the source needs 'vec4 diagonal(ivec2 at)' for inputs from a texture");
    }
    const Session inside(impl_->backend);
    const TextureWindow from(impl_->backend, numbers, {.unknowns = impl_->A.rows}, TextureUse::read, name);
    function.set_input(name, [&](Vector& taken) { from.take(taken, scalar_arg(1)); });
    if (impl_->own_diagonal) function.make_reciprocal_diagonal(*impl_->own_diagonal->diagonal());
    impl_->reads_other_numbers = true;
}

}  // namespace glsolve::inline v0_1
