/// Multigrid cycles on a device: passes only, nothing is read back unless what solves the coarsest level does so.
///
/// Source:  U. Trottenberg, C. Oosterlee and A. Schüller, Multigrid, 2001, section 2.4 (V, W);
///          Y. Notay and P. S. Vassilevski, Numer. Linear Algebra Appl. 15 (2008), algorithm 3.1 (K).
/// Cost:    of a V cycle on each level: 2 `steps` smoothing passes, a residual, a restriction, a prolongation; on the
///          coarsest what solves it: a product with the inverse has two passes.
#pragma once

#include <vector>

#include "device/reductions.hpp"
#include "multigrid/coarse_solver.hpp"
#include "multigrid/level.hpp"

namespace glsolve::inline v0_1 {

/// On a coarsest level that nothing else solves, and as many of the adjoint.
/// Sweeps before and after, a residual, and a share of that for all coarser levels.
inline constexpr int products_of_a_cycle = 12;
inline constexpr int steps_without_inverse = 8;

class Cycle {
  public:
    /// Are the levels all there are, or those below a cycle elsewhere?
    enum class Part : std::uint8_t { whole, lower };

    /// `coarsest` may be null: more smoothing has to do on the coarsest level then.
    Cycle(std::vector<Level> levels, std::unique_ptr<CoarseSolver> coarsest, MultigridCycle kind, int steps,
          Part part = Part::whole);

    /// x <- what one cycle makes of b, from x = 0 whatever x holds. Linear and, with smoothers that are, symmetric;
    /// the K cycle is not linear.
    void apply(Vector& x, const Vector& b);
    /// x <- what the coarsest level makes of b.
    void solve_coarsest(Vector& x, const Vector& b);

    /// Of a lower part: x <- what a cycle whose finer levels are elsewhere makes of b on these. b is used up.
    void apply_below(Vector& x, Vector& b) { visit(0, x, b, Start::zero); }

    const std::vector<Level>& levels() const { return levels_; }

  private:
    /// Work of the K cycle on a level.
    struct Gradients {
        Gradients(Backend& backend, Index size);

        Vector c, d, v, w;
        Scalar rho1, alpha1, gamma, rho2, alpha2;
        PartialSums partial;
        Reductions reductions;
    };

    /// What x holds when a cycle begins: nothing that counts, the first step of smoothing from zero, or a guess.
    enum class Start : std::uint8_t { zero, first_step, guess };

    void cycle(std::size_t k, Vector& x, const Vector& b, Start start);
    void correct(std::size_t k, Vector& x, const Vector& b);
    void visit(std::size_t k, Vector& x, Vector& b, Start start);
    void two_gradients(std::size_t k, Vector& x, Vector& b);

    std::vector<Level> levels_;
    std::unique_ptr<CoarseSolver> coarsest_;
    MultigridCycle kind_;
    int steps_;
    /// Of the K cycle: for all levels but the finest of all and the last.
    std::vector<std::unique_ptr<Gradients>> gradients_;
};

}  // namespace glsolve::inline v0_1
