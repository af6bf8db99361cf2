#include "spectrum/lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "base/tridiagonal.hpp"
#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"
#include "refinement/cg_step.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What a run begins with, always the same.
enum class Start : std::uint8_t {
    random,   ///< a vector v of random numbers: sees all eigenvalues
    in_range  ///< A v: of a singular matrix it does not see the zeros, which no residual has a part in
};

/// rho = (r,z) and pi = (p,Ap) of each step.
struct Products {
    std::vector<double> rho, pi;
};

/// Conjugate gradients as in cg.cpp, without corrections and without a stop test.
class Run {
  public:
    Run(const System& system, int steps, Start start)
        : system_(system),
          steps_(steps),
          start_(start),
          y_(system.backend, system.size, "y"),
          r_(system.backend, system.size, "r"),
          p_(system.backend, system.size, "p"),
          q_(system.backend, system.size, "q"),
          z_(system.backend, system.size, "z"),
          partial_(system.backend, y_.layout().extent()),
          reductions_(system.backend, system.size),
          pi_(system.backend, "(p,Ap)"),
          sums_(system.backend, "(r,z), (r,r), (y,y)"),
          rho_(system.backend, "rho"),
          beta_(system.backend, "beta"),
          state_(system.backend, "state"),
          rz_(system.backend, "(r,z)"),
          status_(system.backend, "status"),
          seen_(system.backend, {2 * steps, 1}, Element::real, "rho and (p,Ap)") {}

    Products products() {
        begin();
        for (int k = 0; k < steps_; ++k) step(k);
        std::vector<float> texels(static_cast<std::size_t>(steps_) * 8);
        system_.backend.read(seen_.id(), texels);
        Products products;
        for (std::size_t k = 0; k < static_cast<std::size_t>(steps_); ++k) {
            products.rho.push_back(static_cast<double>(texels[8 * k]));
            products.pi.push_back(static_cast<double>(texels[8 * k + 4]));
        }
        return products;
    }

  private:
    void begin() {
        std::mt19937 random(1);
        std::normal_distribution<float> normal;
        std::vector<float> start(static_cast<std::size_t>(r_.layout().extent().texels()) * 4, 0.0f);
        const float length = std::sqrt(static_cast<float>(system_.size));
        for (std::size_t i = 0; i < static_cast<std::size_t>(system_.size); ++i) start[i] = normal(random) / length;
        const bool in_range = start_ == Start::in_range;
        system_.backend.upload((in_range ? p_ : r_).id(), start);
        if (in_range) system_.A.multiply(r_, p_);
        fill(y_, 0);
        for (Scalar* s : {&rho_, &beta_, &state_, &status_}) fill(*s, 0);
        if (system_.M != nullptr) {
            system_.M->apply(z_, r_);
        } else {
            copy(z_, r_);
        }
        reductions_.dot(rho_, r_, z_);
        copy(p_, z_);
    }

    void step(int k) {
        system_.A.multiply_dot(q_, p_, partial_);
        sum(pi_, partial_, Finish::add_components);
        record(seen_, 2 * k, rho_);
        record(seen_, 2 * k + 1, pi_);
        cg_update(system_, y_, r_, z_, partial_, p_, q_, scalar_arg(rho_, pi_), status_.id());
        sum(sums_, partial_, Finish::keep_components);
        system_.backend.encode(pass::cg_control{.state = state_,
                                                .rho = rho_,
                                                .beta = beta_,
                                                .status = status_,
                                                .sums = sums_,
                                                .pi = pi_,
                                                .limit = steps_ + 1,
                                                .rz_later = system_.applies_M() ? 1 : 0,
                                                .target = 0.0f,
                                                .norm = static_cast<float>(system_.infinity_norm),
                                                .tolerated = any_drift});
        if (system_.applies_M()) cg_precondition(system_, z_, r_, reductions_, rz_, rho_, beta_, status_.id());
        xpay(p_, system_.M != nullptr ? z_ : r_, scalar_arg(beta_), status_.id());
    }

    const System& system_;
    int steps_;
    Start start_;
    Vector y_, r_, p_, q_, z_;
    PartialSums partial_;
    Reductions reductions_;
    Scalar pi_, sums_, rho_, beta_, state_, rz_, status_;
    Storage seen_;
};

}  // namespace

// With M = S diag(A) S:  max over the rows of sum |a_ij s_j| / |a_ii s_i|
double gershgorin(const System& system, CsrView A) {
    if (system.M == nullptr) return std::abs(system.unit) * system.infinity_norm;
    if (system.applies_M()) return std::numeric_limits<double>::infinity();
    return parallel_max(static_cast<std::size_t>(A.rows), row_grain(A), [&](std::size_t i) {
        double row = 0, diagonal = 0;
        for (const auto [j, a] : A.row(i)) {
            const double size = std::abs(a * system.scale[j]);
            row += size;
            if (j == static_cast<Index>(i)) diagonal = size;
        }
        return row / diagonal;
    });
}

static Spectrum spectrum_from(Start start, const System& system, CsrView A, int steps) {
    Spectrum found{.gershgorin = gershgorin(system, A)};
    found.scaled = system.M == nullptr && system.unit == 1
                   && std::any_of(system.scale.begin(), system.scale.end(), [](double s) { return s != 1; });
    if (system.size == 0) {
        found.definite = true;  // nothing turned up
        return found;
    }
    const Products products = Run(system, std::min(steps, system.size), start).products();

    found.definite = !products.rho.empty() && products.rho[0] > 0;  // else M is not
    // The space is complete where nothing but rounding is left of the residual. In the range of a singular A that is
    // earlier: what rounding adds of null vectors is not reduced, and would be seen as an eigenvalue next to zero.
    const double complete = start == Start::in_range ? 1e-7 : 1e-12;
    std::vector<double> diagonal, beside;
    for (std::size_t k = 0; k < products.rho.size(); ++k) {
        const double rho = products.rho[k], pi = products.pi[k];
        if (!std::isfinite(rho) || !std::isfinite(pi) || !(rho > complete * products.rho[0])) break;
        if (!(pi > 0)) {
            found.definite = false;
            break;
        }
        const double beta = k > 0 ? rho / products.rho[k - 1] : 0;
        if (k > 0) beside.push_back(std::sqrt(beta) * products.pi[k - 1] / products.rho[k - 1]);
        diagonal.push_back(pi / rho + (k > 0 ? beta * products.pi[k - 1] / products.rho[k - 1] : 0));
    }
    found.steps = static_cast<int>(diagonal.size());
    if (found.steps > 0) {
        std::tie(found.smallest, found.largest) = extreme_eigenvalues(diagonal, beside);
        const std::size_t half = (diagonal.size() + 1) / 2;
        diagonal.resize(half);
        beside.resize(half - 1);
        found.smallest_halfway = extreme_eigenvalues(diagonal, beside).first;
    }
    if (system.M == nullptr) {
        for (double* value : {&found.smallest, &found.largest, &found.smallest_halfway}) *value *= system.unit;
    }
    return found;
}

Spectrum estimate_spectrum(const System& system, CsrView A, int steps) {
    return spectrum_from(Start::random, system, A, steps);
}

Spectrum estimate_nonzero_spectrum(const System& system, CsrView A, int steps) {
    constexpr double singular = 1e-5;  // a ratio of eigenvalues that is next to nothing in single precision
    const Spectrum found = spectrum_from(Start::random, system, A, steps);
    if (found.definite && found.smallest >= singular * found.largest) return found;
    const Spectrum in_range = spectrum_from(Start::in_range, system, A, steps);
    return in_range.definite ? in_range : found;
}

}  // namespace glsolve::inline v0_1
