/// Algebraic multigrid as a preconditioner: a hierarchy made on the host, cycles over it on the device.
#pragma once

#include "core/preconditioner.hpp"
#include "multigrid/cycle.hpp"

namespace glsolve::inline v0_1 {

class AlgebraicMultigrid final : public Preconditioner {
  public:
    /// For the system on the device, S A S with its diagonal as preconditioner or as `unit`; `A` is its matrix on the
    /// host. Throws InvalidInput where a level has a zero on the diagonal.
    AlgebraicMultigrid(const AssembledSystem& system, const CsrMatrix& A, const AmgOptions& options,
                       const Slicing& slicing);

    /// z <- one cycle for A z = r
    void apply(Vector& z, const Vector& r) override { cycle_->apply(z, r); }
    const HierarchyReport& report() const { return report_; }

  private:
    std::vector<Level> upload(const Hierarchy& hierarchy, const AssembledSystem& system, const AmgOptions& options,
                              const Slicing& slicing, bool has_inverse);

    std::vector<std::unique_ptr<CoarseSystem>> coarse_;
    std::unique_ptr<Cycle> cycle_;
    HierarchyReport report_;
};

}  // namespace glsolve::inline v0_1
