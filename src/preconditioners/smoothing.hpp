#pragma once

#include <memory>

#include "core/preconditioner.hpp"
#include "smoothers/smoother.hpp"

namespace glsolve::inline v0_1 {

/// M^-1: so many steps of a smoother, from zero. Linear, and always the same.
class Smoothing final : public Preconditioner {
  public:
    Smoothing(std::unique_ptr<Smoother> smoother, int steps) : smoother_(std::move(smoother)), steps_(steps) {}

    void apply(Vector& z, const Vector& r) override { smoother_->smooth_from_zero(z, r, steps_); }

    int products() const override { return steps_; }

  private:
    std::unique_ptr<Smoother> smoother_;
    int steps_;
};

}  // namespace glsolve::inline v0_1
