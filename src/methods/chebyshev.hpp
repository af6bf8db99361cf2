#pragma once

#include <memory>
#include <string>

#include "methods/method_table.hpp"
#include "methods/plain_iteration.hpp"
#include "spectrum/chebyshev_bounds.hpp"

namespace glsolve::inline v0_1 {

/// What the forms of the Chebyshev iteration share: the bounds of the spectrum, and the step in one pass. The
/// constructor of a form ends with warm_up().
class ChebyshevIteration : public PlainIteration {
  protected:
    /// Allocates and, where bounds of the spectrum are not given, estimates them. `instead`: why it is not the form
    /// that was asked for.
    ChebyshevIteration(const MethodInput& input, int test_every, std::string instead);

    /// p <- M^-1 (b - A y) + beta p,  y <- y + alpha p  in one pass.
    void fused_step(AssembledMatrix::Step step, bool test);
    void restart(double rescale) override;
    void ended(std::int64_t steps) override { bounds_.rewind(steps); }
    std::int64_t run_length() const override { return bounds_.steps_for(1e-4); }
    std::string diverged() override { return bounds_.widen() ? "" : bounds_.why_not(); }
    bool too_slow(double factor) override { return bounds_.lower(factor); }
    std::string why_not() const override { return bounds_.why_not(); }
    std::string remarks() const override;

    AssembledMatrix& A() { return A_; }
    ChebyshevBounds& bounds() { return bounds_; }
    Vector& p() { return p_; }

  private:
    AssembledMatrix& A_;
    ChebyshevBounds bounds_;
    Vector p_;
    std::string instead_;
};

/// The form that the options ask for, or one that the format and the preconditioner allow.
std::unique_ptr<PlainIteration> make_chebyshev(const MethodInput& input);

/// Empty: ChebyshevForm::chaotic works with this format, on this device. Else why not.
std::string why_not_chaotic(const MethodInput& input);
std::unique_ptr<PlainIteration> make_chaotic_chebyshev(const MethodInput& input);

}  // namespace glsolve::inline v0_1
