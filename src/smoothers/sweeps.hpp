/// Sweeps of stationary iterations,
///     x <- x + weight D^-1 (b - A x)
/// over all rows (Richardson, Jacobi) or over those of one colour after the other (Gauss-Seidel, SOR), whose rows do
/// not depend on each other.
///
/// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., sections 4.1 and 12.4 (colours). C/F: the
///          points of an independent set first, then all others, as smoothers of multigrid do it.
/// Cost:    a sweep is one pass for each colour, for the usual formats: it reads A, x, b, D^-1 and writes x. Of one
///          colour the first two from zero may be one (smoothers/polynomial.hpp).
#pragma once

#include <string>
#include <vector>

#include "matrix/colouring.hpp"
#include "refinement/method.hpp"
#include "smoothers/smoother.hpp"

namespace glsolve::inline v0_1 {

class Sweeps final : public Smoother {
  public:
    /// How a weight that is not given is chosen.
    enum class Weight : std::uint8_t {
        to_solve,   ///< 1; for Richardson and SOR the best one, from a few steps of Lanczos
        to_smooth,  ///< 1; for Richardson and Jacobi what converges wherever A is positive definite, from Lanczos
    };

    /// `method` is one of the stationary ones; `A` is the matrix on the host. `weight` 0: chosen. Throws InvalidInput
    /// that names the row of a zero on the diagonal. D is the identity for Richardson without a preconditioner, else
    /// the diagonal.
    Sweeps(const AssembledSystem& system, CsrView A, Method method, double weight, Weight rule = Weight::to_solve);
    /// Over all rows, with `reciprocal` in place of weight D^-1.
    Sweeps(const AssembledSystem& system, std::span<const double> reciprocal);
    /// Over the rows of kind 0, then those of kind 1; weight 1.
    Sweeps(const AssembledSystem& system, CsrView A, std::vector<Index> kind);

    void smooth(Vector& x, const Vector& b, int steps, StorageId status = {}) override;
    void smooth_from_zero(Vector& x, const Vector& b, int steps) override;
    void smooth_adjoint(Vector& x, const Vector& b, int steps) override;
    bool symmetric() const override;
    std::string remarks() const override;

    double weight() const { return weight_; }
    /// Could no weight be chosen, since the matrix is not positive definite as far as Lanczos tells?
    bool indefinite() const { return indefinite_; }
    int colours() const { return static_cast<int>(d_.size()); }

  private:
    std::vector<double> reciprocal_diagonal(CsrView A) const;
    void choose_weight(CsrView A, std::span<const double> reciprocal, Weight rule);
    Colouring colours_of(CsrView A) const;
    void upload(std::span<const double> reciprocal, const Colouring& colours);
    void backwards(Vector& x, const Vector& b, StorageId status);

    AssembledSystem system_;
    Method method_;
    double weight_;
    std::string how_;  // the weight was chosen
    bool indefinite_ = false;
    std::vector<Vector>
        d_;  // weight / diagonal in the rows of each colour, zeros elsewhere; none: the system's, or a number
};

}  // namespace glsolve::inline v0_1
