/// What ways to solve a system are predicted to take, set-up and solve: what decides between them.
#pragma once

#include <glsolve/options.hpp>

#include "device/backend.hpp"
#include "matrix/factor_plan.hpp"

namespace glsolve::inline v0_1 {

/// How quick a device is, and the host beside it.
struct DeviceSpeed {
    double pass_seconds = 4e-6;        ///< of a pass over next to nothing
    double bytes_per_second = 1.2e10;  ///< that passes over long vectors read and write
    int cores = 2;                     ///< of the host, where preconditioners are set up
    double start_seconds = 0.01;  ///< of an iterative method, before its first iteration: memory, programs, Lanczos
};

/// By the device's rates where these have been measured; else as usual for its kind.
DeviceSpeed speed_of(Backend& backend);

class PredictedTimes {
  public:
    PredictedTimes(CsrView A, const DeviceSpeed& speed) : A_(A), speed_(speed) {}

    double start() const { return speed_.start_seconds; }
    /// Of conjugate gradients, or MINRES, with a diagonal.
    double cg(double iterations) const { return iterations * iteration({.products = 1, .vectors = 10, .passes = 8}); }
    /// Conjugate gradients with a cycle of algebraic, or geometric, multigrid. `suits`: A is like an M-matrix.
    double amg(bool suits) const;
    double multigrid() const;
    /// amg where the device makes the levels: of a grid, and of any symmetric matrix.
    double amg_on_device() const;
    double any_amg_on_device(bool suits) const;
    /// MINRES with the preconditioner of that name.
    double saddle() const;

    /// Of one iteration with this preconditioner.
    double iteration(Method method, PreconditionerKind preconditioner) const;

  private:
    struct Iteration {
        int products, vectors, passes;
    };
    double iteration(const Iteration& takes) const;
    double cycles(int iterations) const;

    CsrView A_;
    DeviceSpeed speed_;
};

}  // namespace glsolve::inline v0_1
