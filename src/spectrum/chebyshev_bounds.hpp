/// The interval on which the Chebyshev iteration is best, its coefficients, and how it learns.
#pragma once

#include <string>
#include <vector>

#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// Eigenvalues of M^-1 A between `smallest` and `largest`. Too large a `smallest` only makes the iteration slow; too
/// small a `largest` makes it diverge. Both show, and are mended.
class ChebyshevBounds {
  public:
    /// Takes what the options say, and estimates the rest by Lanczos.
    ChebyshevBounds(const System& system, CsrView A, const ChebyshevOptions& options);
    /// Bounds that are known.
    ChebyshevBounds(const System& system, double smallest, double largest);

    /// Is the matrix positive definite, as far as is known?
    bool usable() const { return why_not_.empty(); }
    const std::string& why_not() const { return why_not_; }

    /// Begins anew, with y = 0 and nothing known of steps before.
    void begin() { steps_ = 0; }
    /// A run of steps begins: as before, or, where the bounds have changed, anew.
    void begin_run() { begin_ = steps_; }
    /// Only so many steps of the run were made: those encoded in vain do not count.
    void rewind(std::int64_t steps);
    /// Has the recurrence not begun, with these bounds?
    bool is_fresh() const { return steps_ == 0; }
    /// The coefficients of the next step. With centre d and half-width c of the interval:
    ///   beta = 0, then (c alpha)^2 / 2, then (c alpha / 2)^2;   alpha = 1 / (d - beta / alpha)
    /// Where M^-1 is a multiple of the identity alpha has it in it, and p does not.
    AssembledMatrix::Step next();

    /// The same many steps as ones that know nothing of each other, of weights 1 / lambda for the zeros lambda of the
    /// polynomial that they make: in an order (Leja's) in which no part of them grows.
    std::vector<float> relaxations(int steps) const;

    static constexpr std::int64_t most_steps = std::int64_t{1} << 30;
    /// How many steps the residual takes to fall by `factor` if the bounds hold: `most_steps` at most.
    std::int64_t steps_for(double factor) const;

    /// Does no larger `largest` make sense?
    bool widest() const { return largest_ >= gershgorin_; }
    /// The iteration diverges: takes a larger `largest`. False: it cannot be larger, and why_not() says so.
    bool widen();
    /// Steps that do not wait for one another diverge, and no bound is to blame: takes a larger `smallest`, which makes
    /// beta smaller. It ends where beta is next to nothing: that is asynchronous relaxation, which converges wherever
    /// the spectral radius of |I - alpha M^-1 A| is below 1 (Chazan and Miranker, Linear Algebra Appl. 2 (1969)).
    /// False: it was that already.
    bool shorten();
    /// The residual is multiplied by `factor` with each step. Where that is much slower than it should be, an
    /// eigenvalue must be smaller than `smallest`; true: it is lowered to that, at most to `most` times itself, and the
    /// recurrence begins anew.
    bool lower(double factor, double most = 0);

    /// What the bounds are, where from, and how often they were mended, in words.
    std::string remarks() const;

  private:
    void estimate(const System& system, CsrView A, int steps);
    std::string unfit() const;
    double centre() const { return 0.5 * (largest_ + smallest_); }
    double half_width() const { return 0.5 * (largest_ - smallest_); }
    double growth() const;

    double smallest_, largest_;
    double gershgorin_, unit_;
    bool symmetric_;
    std::string source_ = "as given", why_not_;
    int widened_ = 0, shortened_ = 0, lowered_ = 0;
    std::int64_t steps_ = 0, begin_ = 0;  // of the recurrence; when the run began
    double alpha_ = 0;
};

}  // namespace glsolve::inline v0_1
