/// A solver's matrix that is a function in GLSL: it may be given other numbers to read.
#pragma once

#include <glsolve/operator.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "formats/function_matrix.hpp"
#include "solver/prepared_solver.hpp"

namespace glsolve::inline v0_1 {

class FunctionFront {
  public:
    /// Throws InvalidInput where a function cannot be solved with these options, or is none. Inside a session.
    FunctionFront(Backend& backend, GlslOperator function, const Options& options);

    /// What solvers of it are made with.
    Structure structure() const;
    /// Its matrix as it is now. Waits.
    CsrMatrix probe() { return function_->probe(); }
    /// Does it read other numbers than the solver knows?
    bool has_changed() const { return has_changed_; }
    /// There is a solver of what was probed last.
    void is_known() { has_changed_ = false; }

    /// Other numbers; `solver` stands on the function.
    void set_input(std::string_view name, std::span<const float> numbers, PreparedSolver& solver);
    void set_constant(std::string_view name, float value, PreparedSolver& solver);
    /// From a texture, which the host does not see: throws InvalidInput where the solver needs to.
    void set_input(std::string_view name, const TextureView& numbers, PreparedSolver& solver);

  private:
    Backend& backend_;
    std::shared_ptr<FunctionMatrix> function_;
    bool has_changed_ = false;
};

}  // namespace glsolve::inline v0_1
