// Stationary iterations, in single precision with corrections from double precision: sweeps after sweeps
// (smoothers/sweeps.hpp), and Richardson's iteration with any preconditioner.
//
// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., sections 4.1 and 12.4 (colours).
// Cost:    a sweep is one pass for each colour, for the usual formats. With each sixteenth sweep a residual with its
//          sums. Nothing is read back.
#include <fmt/format.h>

#include "device/verbs.hpp"
#include "methods/method_table.hpp"
#include "methods/plain_iteration.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

class Stationary final : public PlainIteration {
  public:
    Stationary(const AssembledSystem& system, CsrView A, const Options& options, std::int64_t max_iterations)
        : PlainIteration(system, options.test_every, max_iterations),
          A_(system.A),
          method_(options.method),
          sweeps_(system, A, options.method, options.relaxation),
          r_(system.backend, system.size, "r") {
        if (method_ == Method::richardson && system.applies_M()) z_.emplace(system.backend, system.size, "z");
        warm_up();
    }

  private:
    void step(bool test) override;
    void restart(double /*rescale*/) override { fill(r_, 0); }  // the infinities of a run that has diverged
    void ended(std::int64_t /*steps*/) override {}
    std::int64_t run_length() const override { return 1000; }
    std::string diverged() override;
    std::string remarks() const override { return sweeps_.remarks(); }

    AssembledMatrix& A_;
    Method method_;
    Sweeps sweeps_;
    Vector r_;
    std::optional<Vector> z_;  // where Richardson's M^-1 takes passes of its own
};

void Stationary::step(bool test) {
    if (z_) {
        system().A.residual(r_, b(), y());
        system().M->apply(*z_, r_);
        axpy(y(), scalar_arg(static_cast<float>(sweeps_.weight())), *z_,
             status().id());  // y <- y + weight M^-1 (b - A y)
    } else {
        sweeps_.smooth(y(), b(), 1, status().id());
    }
    if (!test) return;
    // r <- b - A y, and y stays:  sums <- (r,r), (y,y), which tells how much of r is rounding
    A_.chebyshev(y(), r_, b(), nullptr, {.alpha = 0, .beta = 0}, status().id(), &partial());
    sum(sums(), partial(), Finish::keep_components);
}

std::string Stationary::diverged() {
    if (sweeps_.indefinite()) {
        return fmt::format(
            "{} diverges with the weight {:.3g}: the matrix, or its preconditioner, is not positive "
            "definite, and there may be no better one; minres, gmres and the direct method need none",
            name(method_), sweeps_.weight());
    }
    if (z_) {
        return fmt::format("{} diverges with the weight {:.3g}: a smaller one may help, and cg needs none",
                           name(method_), sweeps_.weight());
    }
    const bool simultaneous = sweeps_.colours() <= 1;
    return fmt::format("{} diverges with the weight {:.3g}: {}", name(method_), sweeps_.weight(),
                       simultaneous ? "a smaller one may help; gauss-seidel converges for every symmetric positive "
                                      "definite matrix"
                                    : "it converges for symmetric positive definite matrices and weights between 0 and "
                                      "2, and for diagonally dominant ones with the weight 1; gmres needs neither");
}

/// Throws InvalidInput that names the row of a zero on the diagonal.
std::unique_ptr<IterativeMethod> make_stationary(const MethodInput& in) {
    return std::make_unique<Stationary>(in.system, in.A, in.options, in.max_iterations);
}

constexpr MethodTraits splitting{.stationary = true,
                                 .tests_at_intervals = true,
                                 .takes_M = false,
                                 .refuses_M =
                                     "{1} is an iteration with a splitting of its own and takes no "
                                     "preconditioner; richardson takes {0}",
                                 .refuses_two_float = single_alone};

constexpr MethodTraits over_relaxing() {
    MethodTraits is = splitting;
    is.over_relaxes = true;
    return is;
}

}  // namespace

constinit const MethodRow richardson_method{
    Method::richardson,
    "richardson",
    make_stationary,
    {.varying_M = true, .stationary = true, .tests_at_intervals = true, .refuses_two_float = single_alone}};
constinit const MethodRow jacobi_method{Method::jacobi, "jacobi", make_stationary, splitting};
constinit const MethodRow cf_jacobi_method{Method::cf_jacobi, "cf-jacobi", make_stationary, splitting};
constinit const MethodRow gauss_seidel_method{Method::gauss_seidel, "gauss-seidel", make_stationary, splitting};
constinit const MethodRow sor_method{Method::sor, "sor", make_stationary, over_relaxing()};
constinit const MethodRow ssor_method{Method::ssor, "ssor", make_stationary, over_relaxing()};

}  // namespace glsolve::inline v0_1
