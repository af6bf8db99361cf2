/// Which preconditioner, made for which matrix.
#pragma once

#include <glsolve/solver.hpp>
#include <memory>

#include "core/method.hpp"
#include "preconditioners/jacobi.hpp"

namespace glsolve::inline v0_1 {

class Hierarchy;

/// A preconditioner on the device, and what it stands on.
struct MadePreconditioner {
    std::unique_ptr<Jacobi> diagonal;     ///< the preconditioner, or what it smooths with
    std::unique_ptr<Preconditioner> own;  ///< ... that has passes of its own
    HierarchyReport hierarchy = {};       ///< of multigrid
    double unit = 1;                      ///< M^-1, where it is a multiple of the identity and left out
    /// The levels of algebraic multigrid without their numbers, for a matrix with new ones.
    std::shared_ptr<const Hierarchy> structure = {};

    Preconditioner* M() const {
        if (own) return own.get();
        return diagonal.get();
    }
};

/// For the system on the device, which has none yet; `A` is its matrix on the host. Throws InvalidInput where the
/// matrix does not allow it. `known`: the levels of a matrix with other numbers in the same places, or null.
MadePreconditioner make_preconditioner(AssembledSystem system, const CsrMatrix& A, const Options& options,
                                       const Hierarchy* known = nullptr);

/// Throws InvalidInput where the method does not take the preconditioner, or the numbers make no sense.
void check_preconditioner(const Options& options);

/// Steps of the smoother that it is made of.
int steps_of(const Options& options);

/// Is it the reciprocal diagonal and no more?
bool is_diagonal(const Options& options);

}  // namespace glsolve::inline v0_1
