// Arnoldi's process by classical Gram-Schmidt, twice, with the second time delayed: when w has been orthogonalised
// once, A M^-1 is applied to it as it is; then one pass over V makes the inner products of both, and another one
// finishes w and orthogonalises what came of it for the first time. V is read twice a step instead of four times.
//
// Source:  D. Bielich, J. Langou, S. Thomas, K. Swirydowicz, I. Yamazaki, E. G. Boman, "Low-synch Gram-Schmidt with
//          delayed reorthogonalization for Krylov solvers", Parallel Computing 112 (2022); that twice is enough:
//          L. Giraud, J. Langou, M. Rozloznik, Comput. Math. Appl. 50 (2005).
// Cost:    step k (from 0): one product, 2 (k + 1) inner products, as many updates; 6 passes, the stages of a sum. In
//          vectors of length n: the inner products read k + 2 at least (w and u once for four vectors), the update
//          reads k + 2 and writes 2, the store reads and writes 1.
#include "device/verbs.hpp"
#include "methods/arnoldi.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

class ClassicalArnoldi final : public Arnoldi {
  public:
    ClassicalArnoldi(const System& system, int m, bool flexible, PartialSums& partial)
        : Arnoldi(system, m, flexible, partial),
          s_(system.backend, m + 1, "V^T w"),
          t_(system.backend, m + 1, "V^T u"),
          H_(system.backend, {m, BasisCoefficients::blocks(m + 1)}, Element::real, "H"),
          step_(system.backend, "nu^2, 1 / nu, tau, nu") {}

    void complete(int k, bool last, const Scalar& status) override {
        if (!last) product(u_, preconditioned(k));  // u <- A M^-1 w
        V_.project(s_, t_, w_, u_, k);              // s <- (V, w)^T w,  t <- (V, w)^T u
        system_.backend.encode(pass::arnoldi_step{  // nu^2 <- (w,w) - (s,s),  tau <- ((w,u) - (s,t)) / nu
                                                  .step = step_,
                                                  .s = s_,
                                                  .t = t_,
                                                  .k = k});
        system_.backend.encode(pass::arnoldi_column{// h_k-1 <- (h_k-1 + s, nu),  h_k <- ((t, tau) - H s) / nu
                                                    .h = H_,
                                                    .s = s_,
                                                    .t = t_,
                                                    .step = step_,
                                                    .k = k,
                                                    .flexible = static_cast<bool>(Z_),
                                                    .status = status});
    }

    void advance(int k, const Scalar& status) override {
        if (Z_) Z_->store(k, system_.M != nullptr ? z_ : w_, step_, status.id());
        const TileLayout& grid = V_.grid();
        const Vector* const d = applies_M() ? nullptr : system_.diagonal();
        // v_k <- (w - V s) / nu,  w <- (u - V t - tau v_k) / nu,  z <- M^-1 w
        system_.backend.encode(pass::arnoldi_update{.v = u_,
                                                    .w = w_,
                                                    .z = d != nullptr ? &z_ : nullptr,
                                                    .basis = V_.id(),
                                                    .s = s_,
                                                    .t = t_,
                                                    .step = step_,
                                                    .u = u_,
                                                    .d = d,
                                                    .log2_width = V_.layout().log2_width,
                                                    .log2_columns = grid.log2_columns,
                                                    .tile_height = V_.layout().height,
                                                    .count = k,
                                                    .status = status,
                                                    .variant = V_.variant()});
        V_.store(k, u_, unity_, status.id());
    }

    Column column(int k) const override { return {H_.id(), k - 1}; }
    const Scalar& square() const override { return step_; }

  private:
    /// M^-1 w
    const Vector& preconditioned(int k) {
        if (system_.M == nullptr) return w_;
        if (applies_M()) {
            system_.M->apply(z_, w_);
        } else if (k == 0) {  // else the last update has made it
            hadamard(z_, *system_.diagonal(), w_);
        }
        return z_;
    }

    BasisCoefficients s_, t_;
    Storage H_;
    Scalar step_;
};

}  // namespace

std::unique_ptr<Arnoldi> make_classical_arnoldi(const System& system, int m, bool flexible, PartialSums& partial) {
    return std::make_unique<ClassicalArnoldi>(system, m, flexible, partial);
}

}  // namespace glsolve::inline v0_1
