/// A level of a hierarchy on a device: its matrix, what smooths on it, and the way to the next coarser one.
#pragma once

#include <glsolve/multigrid.hpp>
#include <memory>
#include <optional>

#include "amg/hierarchy.hpp"
#include "multigrid/half_precision.hpp"
#include "refinement/method.hpp"
#include "smoothers/diagonal.hpp"
#include "smoothers/smoother.hpp"

namespace glsolve::inline v0_1 {

/// The factors S of a coarser level's S A S.
std::vector<double> coarse_scaling(CsrView A);

/// A matrix of a coarser level on the device, as S A S, and its diagonal; of the finest level the solver has them.
class CoarseSystem {
  public:
    /// Throws InvalidInput that names the level and a row with a zero on the diagonal. With `errors` half precision
    /// holds the matrix where that does them no harm.
    CoarseSystem(Backend& backend, CsrView A, bool symmetric, int level, const Slicing& slicing,
                 const SmoothErrors* errors);

    const AssembledSystem& system() const { return *system_; }
    std::span<const double> scale() const { return scale_; }
    const std::string& stored() const { return stored_; }  // the format, and ", half"

  private:
    std::vector<double> scale_;
    std::string stored_;
    std::unique_ptr<AssembledMatrix> matrix_;
    std::unique_ptr<Diagonal> diagonal_;
    std::optional<AssembledSystem> system_;
};

/// The way between a level and the next coarser one.
class LevelTransfer {
  public:
    virtual ~LevelTransfer() = default;

    /// coarse_b <- P^T (b - A x). Where it `begins`, coarse_x takes the first of its smoother's steps from zero as
    /// well; elsewhere what it holds then counts for nothing.
    virtual void restrict_residual(Vector& coarse_b, Vector& coarse_x, const Vector& b, const Vector& x) = 0;
    virtual bool begins() const { return false; }
    virtual void prolong(Vector& fine, const Vector& coarse) = 0;  // fine <- fine + P coarse
};

struct Level {
    AssembledSystem system;                   // S A S and D^-1; of a level that is left to the host: there
    std::unique_ptr<Smoother> smoother;       // none on a level that an inverse solves
    std::unique_ptr<LevelTransfer> transfer;  // none on the coarsest level
    Vector x, b;                              // empty on the finest level
};

/// The part of the spectrum of D^-1 A that the usual smoother damps. `radius`: an estimate of the spectral radius,
/// perhaps from below.
ChebyshevOptions smoothed_part(double radius);

/// For S A S, whose levels the hierarchy has.
std::unique_ptr<Smoother> make_smoother(const AssembledSystem& system, CsrView A, const AmgLevel& level,
                                        MultigridSmoother kind);

}  // namespace glsolve::inline v0_1
