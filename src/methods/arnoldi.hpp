/// Arnoldi's process on a device: an orthonormal basis V of the Krylov space of A M^-1 and a residual, vector by
/// vector, and the Hessenberg matrix H,  A M^-1 V_k = V_k+1 H,  column by column.
#pragma once

#include <memory>
#include <optional>

#include "device/basis.hpp"
#include "device/reductions.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

class Arnoldi {
  public:
    virtual ~Arnoldi() = default;
    Arnoldi(const Arnoldi&) = delete;
    Arnoldi& operator=(const Arnoldi&) = delete;

    /// A column of small numbers on the device.
    struct Column {
        StorageId storage;
        int at = 0;
    };

    /// The residual that the space begins with goes in here.
    Vector& w() { return w_; }
    /// Holds nothing between two cycles.
    Vector& spare() { return u_; }

    // For k = 0, 1, ... `complete`, then `advance`; after the last `complete` the cycle is over. Zeros where the status
    // says that the solve has stopped.
    /// Column k - 1 of H is complete (k > 0), and so is the length of what will be v_k. `last`: no v_k is wanted.
    virtual void complete(int k, bool last, const Scalar& status) = 0;
    /// v_k, and what is to be column k of H.
    virtual void advance(int k, const Scalar& status) = 0;

    /// The numbers of column k - 1, after `complete`, from which nu_k below them may be missing.
    virtual Column column(int k) const = 0;
    /// nu_k^2: of the residual for k = 0.
    virtual const Scalar& square() const = 0;

    /// M^-1 V y, for the first `count` vectors; valid until the next cycle.
    const Vector& combination(const BasisCoefficients& y, int count);
    /// From now on products are made in two floats.
    void allocate_low_parts() { low_.emplace(system_.backend, system_.size, "A z, low"); }

  protected:
    /// Room for m + 1 vectors. `flexible`: M may vary, and M^-1 v_k is kept for each of them.
    Arnoldi(const System& system, int m, bool flexible, PartialSums& partial);

    void product(Vector& y, const Vector& x);
    /// Is M more than a factor that another pass can take along?
    bool applies_M() const { return system_.M != nullptr && (Z_ || system_.diagonal() == nullptr); }

    const System& system_;
    PartialSums& partial_;
    Vector w_, u_, z_;  // w is the candidate for the next vector
    Basis V_;
    std::optional<Basis> Z_;  // flexible: M^-1 V
    Scalar unity_;

  private:
    std::optional<Vector> low_;  // in two floats: of products
};

/// Classical Gram-Schmidt, twice; the second time together with the first of the vector that follows.
std::unique_ptr<Arnoldi> make_classical_arnoldi(const System& system, int m, bool flexible, PartialSums& partial);
/// Modified Gram-Schmidt: one inner product after the other.
std::unique_ptr<Arnoldi> make_modified_arnoldi(const System& system, int m, bool flexible, PartialSums& partial);

}  // namespace glsolve::inline v0_1
