/// What stands behind a Solver: a chain of methods for its matrix, and fronts for functions and for textures.
#pragma once

#include <glsolve/solver.hpp>
#include <memory>
#include <optional>
#include <span>

#include "device/backend.hpp"
#include "solver/function_front.hpp"
#include "solver/method_chain.hpp"
#include "solver/one_call.hpp"
#include "solver/texture_front.hpp"

namespace glsolve::inline v0_1 {

struct Solver::Impl {
    /// `Matrix`: CsrMatrix, or CsrView for one that stays the caller's.
    template <class Matrix>
    Impl(Backend& device, Matrix A, Options options);
    Impl(Backend& device, GlslOperator A, Options options);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    /// Other numbers for the matrix. Where it throws, all is as it was.
    void update_values(std::span<const double> values);
    /// A function reads other numbers: as a new solver, for what needs to know A.
    void probe_again();
    /// For right-hand sides on the host.
    MethodChain& on_vectors();
    /// For those in textures; made when it is first needed, and again where the chain is another one.
    TextureWork& on_textures();
    /// The same, whatever a function reads now.
    TextureWork& made_textures();
    /// What A is; throws InvalidInput where it is a matrix.
    FunctionFront& on_function();

    /// Throws InvalidInput where another call is under way.
    OneCall one_call() { return {under_way, "Solver"}; }

    bool under_way = false;         // a call
    std::shared_ptr<Backend> kept;  // where it is shared: the device may end before its solvers
    Backend& backend;
    std::optional<FunctionFront> function;
    std::unique_ptr<MethodChain> chain;
    std::optional<TextureFront> textures;

  private:
    /// Takes the place of the chain that there is, with what `watch` has seen as its set-up.
    void take(std::unique_ptr<MethodChain> other, const Stopwatch& watch);
};

}  // namespace glsolve::inline v0_1
