// Arnoldi's process by modified Gram-Schmidt, as in the textbook: each inner product with what the ones before have
// left. For comparison: it reads w anew for each vector, and waits for each sum.
//
// Source:  Y. Saad, Iterative Methods for Sparse Linear Systems, 2nd ed., algorithms 6.2, 9.5 and 9.6;
//          on a GPU: Y. Liu, H. Yin, E. Wu (2011).
#include "device/verbs.hpp"
#include "methods/arnoldi.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

class ModifiedArnoldi final : public Arnoldi {
  public:
    ModifiedArnoldi(const System& system, int m, bool flexible, PartialSums& partial)
        : Arnoldi(system, m, flexible, partial),
          reductions_(system.backend, system.size),
          h_(system.backend, m + 1, "h"),
          one_(system.backend, m + 1, "h_i"),
          square_(system.backend, "(w,w)") {}

    void complete(int k, bool /*last*/, const Scalar& /*status*/) override {
        if (k == 0) {
            reductions_.dot(square_, w_, w_);
        } else {
            sum(square_, partial_, Finish::add_components);
        }
    }

    void advance(int k, const Scalar& status) override {
        direction(k, status);  // v_k <- w / |w|,  z <- M^-1 v_k
        product(w_, z_);       // w   <- A z
        const pass::axpby add{.y = h_, .z = h_, .x = one_, .a = scalar_arg(1), .b = scalar_arg(1)};
        for (int i = 0; i <= k; ++i) {
            BasisCoefficients& h_i = i == 0 ? h_ : one_;
            V_.project(h_i, w_, {i, 1});  // h_i <- (w, v_i)
            if (i > 0) system_.backend.encode(add);
            if (i < k) {
                V_.subtract(w_, h_i, {i, 1});  // w   <- w - h_i v_i
            } else {
                V_.subtract(w_, h_i, {i, 1}, partial_);
            }
        }
    }

    Column column(int /*k*/) const override { return {h_.id(), 0}; }
    const Scalar& square() const override { return square_; }

  private:
    void direction(int k, const Scalar& status) {
        V_.store(k, w_, square_, status.id());
        system_.backend.encode(pass::normalise{.y = applies_M() ? u_ : z_,
                                               .x = w_,
                                               .d = applies_M() ? nullptr : system_.diagonal(),
                                               .square = scalar_arg(square_),
                                               .status = status});
        if (applies_M()) system_.M->apply(z_, u_);
        if (Z_) Z_->store(k, z_, unity_, status.id());
    }

    Reductions reductions_;
    BasisCoefficients h_, one_;
    Scalar square_;
};

}  // namespace

std::unique_ptr<Arnoldi> make_modified_arnoldi(const System& system, int m, bool flexible, PartialSums& partial) {
    return std::make_unique<ModifiedArnoldi>(system, m, flexible, partial);
}

}  // namespace glsolve::inline v0_1
