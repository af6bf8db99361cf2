// Preconditioners that are steps of a smoother, from zero: linear, and always the same.
#include "preconditioners/smoothing.hpp"

#include <utility>

#include "smoothers/polynomial.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int usual_degree = 4;  // of polynomials

class Smoothing final : public Preconditioner {
  public:
    Smoothing(std::unique_ptr<Smoother> smoother, int steps) : smoother_(std::move(smoother)), steps_(steps) {}

    void apply(Vector& z, const Vector& r) override { smoother_->smooth_from_zero(z, r, steps_); }
    int products() const override { return steps_; }

  private:
    std::unique_ptr<Smoother> smoother_;
    int steps_;
};

/// With the diagonal that the smoother divides by.
MadePreconditioner made_of(std::unique_ptr<Smoother> smoother, const Options& options, MadePreconditioner diagonal) {
    diagonal.own = std::make_unique<Smoothing>(std::move(smoother), steps_of(options));
    diagonal.unit = 1;
    return diagonal;
}

MadePreconditioner make_polynomial(const PreconditionerInput& given) {
    PreconditionerInput input = given;
    MadePreconditioner diagonal = make_diagonal(input);
    return made_of(std::make_unique<Polynomial>(input.system, input.A, ChebyshevOptions{}), input.options,
                   std::move(diagonal));
}

template <Method iteration>
MadePreconditioner make_smoothing(const PreconditionerInput& input) {
    return make_sweeps(input, iteration);
}

}  // namespace

MadePreconditioner make_sweeps(PreconditionerInput input, Method iteration) {
    MadePreconditioner diagonal;
    if (preconditioner_row(input.options.preconditioner).is.divides) diagonal = make_diagonal(input);
    return made_of(std::make_unique<Sweeps>(input.system, input.A, iteration, input.options.preconditioning.relaxation,
                                            Sweeps::Weight::to_smooth),
                   input.options, std::move(diagonal));
}

constinit const PreconditionerRow chebyshev_preconditioner{
    PreconditionerKind::chebyshev, "chebyshev", make_polynomial, {.steps = usual_degree}};
constinit const PreconditionerRow richardson_preconditioner{PreconditionerKind::richardson,
                                                            "richardson",
                                                            make_smoothing<Method::richardson>,
                                                            {.divides = false, .steps = usual_degree}};
constinit const PreconditionerRow cf_jacobi_preconditioner{
    PreconditionerKind::cf_jacobi, "cf-jacobi", make_smoothing<Method::cf_jacobi>, {.symmetric = false}};
constinit const PreconditionerRow gauss_seidel_preconditioner{
    PreconditionerKind::gauss_seidel, "gauss-seidel", make_smoothing<Method::gauss_seidel>, {.symmetric = false}};
constinit const PreconditionerRow sor_preconditioner{
    PreconditionerKind::sor, "sor", make_smoothing<Method::sor>, {.symmetric = false, .over_relaxes = true}};
constinit const PreconditionerRow ssor_preconditioner{
    PreconditionerKind::ssor, "ssor", make_smoothing<Method::ssor>, {.over_relaxes = true}};

}  // namespace glsolve::inline v0_1
