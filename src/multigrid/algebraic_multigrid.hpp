/// Algebraic multigrid as a preconditioner: a hierarchy made on the host, or by passes, and cycles over it on the
/// device.
#pragma once

#include "device/preconditioner.hpp"
#include "multigrid/coarse_inverse.hpp"
#include "multigrid/cycle.hpp"
#include "multigrid/lattice_levels.hpp"

namespace glsolve::inline v0_1 {

class AlgebraicMultigrid final : public Preconditioner {
  public:
    /// For the system on the device, S A S with its diagonal as preconditioner or as `unit`; `A` is its matrix on the
    /// host. Throws InvalidInput where a level has a zero on the diagonal. `known`: the levels of a matrix with other
    /// numbers in the same places, whose coarse unknowns are taken over; none: they are chosen. With
    /// AmgOptions::host_rows each cycle waits for the device, else it reads nothing.
    AlgebraicMultigrid(const AssembledSystem& system, CsrView A, const AmgOptions& options, const Slicing& slicing,
                       const Hierarchy* known = nullptr);

    /// z <- one cycle for A z = r
    void apply(Vector& z, const Vector& r) override { cycle_->apply(z, r); }
    int products() const override { return products_of_a_cycle; }
    std::string advice() const override;
    const HierarchyReport& report() const { return report_; }
    /// For clocks that look at its levels one by one.
    Cycle& cycle() { return *cycle_; }
    /// The levels without their numbers, for whoever has new ones. None: they were made by passes, and are made again.
    std::shared_ptr<const Hierarchy> structure() const { return structure_; }

  private:
    bool take_levels_of_passes(const AssembledSystem& system, CsrView A, const AmgOptions& options);
    std::vector<Level> upload(const Hierarchy& hierarchy, const AssembledSystem& system, const AmgOptions& options,
                              const Slicing& slicing, const std::optional<HostInverse>& inverse);

    std::unique_ptr<Backend> host_;  // where coarser levels are the host's
    std::vector<std::unique_ptr<CoarseSystem>> coarse_;
    std::vector<std::unique_ptr<DeviceSystem>> by_passes_;  // in place of coarse_
    std::unique_ptr<Cycle> cycle_;
    std::shared_ptr<const Hierarchy> structure_;
    HierarchyReport report_;
    bool symmetric_;
    bool unfit_smoother_;  // chebyshev was asked for, and the matrix is not symmetric
};

}  // namespace glsolve::inline v0_1
