#include "kernel.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>

#include "papers/methods/cuda_kernels.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::chebyshev {
namespace {

constexpr int test_every = 16, most_shortenings = 8;
constexpr double diverged = 1e4;  // |r| / |b|

/// Coefficients in the device's memory, an array for each launch. They settle, and the last ones serve all later steps.
class CoefficientArrays {
  public:
    CoefficientArrays(cuda::Context& context, double l_min, double l_max, int steps) {
        ChebyshevCoefficients step(l_min, l_max);
        std::vector<float> last;
        for (int k = 0; k < steps; ++k) {
            step.next();
            std::vector<float> next{step.alpha(), step.beta()};
            if (next == last) break;
            arrays_.emplace_back(context, next);
            last = std::move(next);
        }
    }
    const DeviceNumbers& of(int step) const {
        return arrays_[std::min(static_cast<std::size_t>(step), arrays_.size() - 1)];
    }

  private:
    std::vector<DeviceNumbers> arrays_;
};

class ChaoticKernel {
  public:
    ChaoticKernel(cuda::Context& context, const ChadovSystem& system)
        : context_(context),
          kernels_(context),
          system_(system),
          A_(context, system.A, true),
          b_(context, system.b),
          x_(context, system.b.size()),
          p_(context, system.b.size()),
          r_(context, system.b.size()),
          none_(context, std::vector<float>{0, 0}),
          norm_b_(std::sqrt(kernels_.inner_product(system.A.rows, b_, b_))) {}

    /// Steps until |r| <= tolerance |b|, where `found` is true, or it diverges.
    int solve(const CoefficientArrays& coefficients, bool& found) {
        const std::vector<float> zeros(system_.b.size());
        x_.upload(zeros);
        p_.upload(zeros);
        found = false;
        for (int step = 0; step < system_.rule.max_iterations;) {
            kernels_.chebyshev(A_, 1, coefficients.of(step++), b_, x_, p_);
            if (step % test_every != 0) continue;
            const double relative = residual();
            found = relative <= system_.rule.tolerance;
            if (found || !(relative < diverged)) return step;
        }
        return system_.rule.max_iterations;
    }
    std::vector<float> x() const { return x_.download(); }

  private:
    /// |b - A x| / |b|: a step with alpha = beta = 0 leaves D^-1 (b - A x), and x as it is.
    double residual() {
        kernels_.chebyshev(A_, 1, none_, b_, x_, r_);
        return diagonal(system_.A)[0] * std::sqrt(kernels_.inner_product(system_.A.rows, r_, r_)) / norm_b_;
    }

    cuda::Context& context_;
    PaperKernels kernels_;
    const ChadovSystem& system_;
    PaperMatrix A_;
    DeviceNumbers b_, x_, p_, r_, none_;
    double norm_b_;
};

ChadovRun run_on(cuda::Context& context, const ChadovSystem& system, int rounds) {
    ChaoticKernel kernel(context, system);
    ChadovRun run{.form = "chaotic, the paper's kernel"};
    double l_min = system.rule.l_min;
    int lost = 0, shortened = 0;  // steps of attempts that diverged
    bool found = false;
    LeastTimes times;
    for (; shortened <= most_shortenings; ++shortened, l_min *= 4) {
        const CoefficientArrays coefficients(context, l_min, system.rule.l_max, system.rule.max_iterations);
        const int steps = kernel.solve(coefficients, found);
        run.steps = steps;
        if (!found) {
            lost += steps;
            continue;
        }
        for (int round = 0; round < rounds; ++round) {
            times.least_of([&] { run.steps = kernel.solve(coefficients, found); });
        }
        break;
    }
    run.seconds = found ? times.clock : 0;
    run.residual = system.residual(kernel.x());
    run.waits = run.reads = static_cast<std::uint64_t>(run.steps / test_every);
    run.passes = static_cast<std::uint64_t>(run.steps) + 2 * run.reads;
    if (shortened > 0) {
        run.remarks = fmt::format("l_min had to be raised {} times by 4, since it diverged: {} steps were lost before",
                                  shortened, lost);
    }
    return run;
}

}  // namespace

std::optional<ChadovRun> run_chaotic_kernel(const ChadovSystem& system, int rounds) {
    try {
        cuda::Context context(cuda::load_driver(), cuda::find_devices(cuda::load_driver()).front());
        return run_on(context, system, rounds);
    } catch (const NoDevice&) {
        return std::nullopt;
    }
}

}  // namespace glsolve::bench::chebyshev
