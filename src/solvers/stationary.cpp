// Stationary iterations, in single precision with corrections from double precision. All of them are sweeps
//     y <- y + weight D^-1 (b - A y)
// over all rows (Richardson, Jacobi) or over those of one colour after the other (Gauss-Seidel, SOR), whose rows do not
// depend on each other.
//
// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., sections 4.1 and 12.4 (colours). C/F: the
//          points of an independent set first, then all others, as smoothers of multigrid do it.
// Cost:    a sweep is one pass, for the usual formats: it reads A, y, b, d and writes y. With each sixteenth step a
//          residual, its sum and tree. Nothing is read back.
#include "solvers/stationary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "core/colouring.hpp"
#include "core/verbs.hpp"
#include "solvers/lanczos.hpp"
#include "solvers/plain_iteration.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int lanczos_steps = 32;

/// 1 / diag(S A S).
std::vector<double> reciprocal_diagonal(const System& system, const CsrMatrix& A, Method method) {
    std::vector<double> d = diagonal(A);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] == 0) {
            throw InvalidInput(fmt::format(
                "{}: row {} has a zero on the diagonal; gmres, bicgstab and the direct method take such matrices",
                name(method), i + 1));
        }
        d[i] = 1 / (system.scale[i] * d[i] * system.scale[i]);
    }
    return d;
}

class Stationary final : public PlainIteration {
  public:
    Stationary(const System& system, const CsrMatrix& A, const Options& options, std::int64_t max_iterations)
        : PlainIteration(system, options.test_every, max_iterations),
          method_(options.method),
          r_(system.backend, system.size, "r"),
          weight_(options.relaxation) {
        if (method_ != Method::richardson) make_sweeps(A);
        if (weight_ == 0) choose_weight(A);
        warm_up();
    }

  private:
    void make_sweeps(const CsrMatrix& A);
    void choose_weight(const CsrMatrix& A);
    void sweep(const Vector* d, double unit = 1) {
        system().A.relax(y(), b(), d, static_cast<float>(unit * weight_), status());
    }

    void step(bool test) override;
    void restart(double /*rescale*/) override {}
    void ended(std::int64_t /*steps*/) override {}
    std::int64_t run_length() const override { return 1000; }
    std::string diverged() override;
    std::string remarks() const override;

    Method method_;
    Vector r_;
    double weight_;
    bool constant_ = false;         // the diagonal is the same everywhere
    double constant_diagonal_ = 1;  // its reciprocal then
    std::vector<Vector> d_;         // of the rows of each colour the diagonal's reciprocal, zeros elsewhere
    std::string how_;               // the weight was chosen
};

void Stationary::make_sweeps(const CsrMatrix& A) {
    const std::vector<double> reciprocal = reciprocal_diagonal(system(), A, method_);
    constant_ = std::all_of(reciprocal.begin(), reciprocal.end(), [&](double d) { return d == reciprocal[0]; });
    if (constant_ && !reciprocal.empty()) constant_diagonal_ = reciprocal[0];
    Colouring colours{.colour = std::vector<Index>(reciprocal.size(), 0), .count = 1};
    if (method_ != Method::jacobi) colours = colour_rows(A);
    if (method_ == Method::cf_jacobi) {
        for (Index& colour : colours.colour) colour = std::min(colour, 1);
        colours.count = std::min(colours.count, 2);
    }
    for (Index k = 0; k < colours.count; ++k) {
        std::vector<float> masked(reciprocal.size(), 0.0f);
        for (std::size_t i = 0; i < masked.size(); ++i) {
            if (colours.colour[i] == k) masked[i] = static_cast<float>(reciprocal[i]);
        }
        d_.emplace_back(system().backend, system().size, fmt::format("reciprocal diagonal, colour {}", k));
        d_.back().upload(masked);
    }
}

/// Richardson: 2 / (smallest + largest); SOR: 2 / (1 + sqrt(1 - rho^2)), with the spectral radius rho of I - D^-1 A,
/// which is best for consistently ordered matrices (Young); all others: 1, which for SSOR by two colours is best.
void Stationary::choose_weight(const CsrMatrix& A) {
    weight_ = 1;
    if (method_ != Method::richardson && method_ != Method::sor) return;
    const Spectrum found = estimate_spectrum(system(), A, lanczos_steps);
    if (!found.definite) {
        how_ = "; Lanczos finds the matrix not positive definite, and could not choose it";
        if (method_ == Method::richardson) weight_ = 1 / found.gershgorin;
        return;
    }
    how_ = fmt::format("; from {} steps of Lanczos", found.steps);
    if (method_ == Method::richardson) {
        weight_ = 2 / (found.smallest + std::min(1.05 * found.largest, found.gershgorin));
        return;
    }
    // Lanczos looks at M^-1 A.
    if (system().M == nullptr && !constant_) {
        how_ = "; with the preconditioner jacobi Lanczos could choose it";
        return;
    }
    const double unit = system().M == nullptr ? constant_diagonal_ / system().unit : 1;
    const double rho = std::max(1 - unit * found.smallest, unit * found.largest - 1);
    weight_ = rho < 1 ? 2 / (1 + std::sqrt((1 - rho) * (1 + rho))) : 1;
}

void Stationary::step(bool test) {
    if (method_ == Method::richardson) {
        if (system().M != nullptr) {
            sweep(system().M->diagonal());
        } else {
            sweep(nullptr, system().unit);
        }
    }
    for (const Vector& d : d_) sweep(&d);
    if (method_ == Method::ssor) std::for_each(d_.rbegin(), d_.rend(), [this](const Vector& d) { sweep(&d); });
    if (!test) return;
    system().A.residual(r_, b(), y());
    reductions().dot(sums(), r_, r_);
}

std::string Stationary::diverged() {
    const bool simultaneous = d_.size() <= 1;
    return fmt::format("{} diverges with the weight {:.3g}: {}", name(method_), weight_,
                       simultaneous ? "a smaller one may help; gauss-seidel converges for every symmetric positive "
                                      "definite matrix"
                                    : "it converges for symmetric positive definite matrices and weights between 0 and "
                                      "2, and for diagonally dominant ones with the weight 1; gmres needs neither");
}

std::string Stationary::remarks() const {
    const std::string colours = d_.size() > 1 ? fmt::format("{} colours, ", d_.size()) : "";
    return fmt::format("{}weight {:.4g}{}", colours, weight_, how_);
}

}  // namespace

std::unique_ptr<IterativeMethod> make_stationary(const System& system, const CsrMatrix& A, const Options& options,
                                                 std::int64_t max_iterations) {
    return std::make_unique<Stationary>(system, A, options, max_iterations);
}

}  // namespace glsolve::inline v0_1
