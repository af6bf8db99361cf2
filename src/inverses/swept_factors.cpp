#include "inverses/swept_factors.hpp"

#include "device/verbs.hpp"
#include "inverses/product_chain.hpp"

namespace glsolve::inline v0_1 {

namespace {

SweptFactors::OnDevice on_device(Backend& backend, const TriangularFactors& factors) {
    SweptFactors::OnDevice made{stored_factor(backend, factors.L), stored_factor(backend, factors.U), nullptr, {}};
    if (factors.in_blocks) {
        made.inverse_D = stored_factor(backend, factors.inverse_D);
    } else {
        const std::vector<double>& reciprocal = factors.inverse_D.value;
        made.reciprocal.emplace(backend, factors.L.rows, "1 / pivots");
        made.reciprocal->upload(std::vector<float>(reciprocal.begin(), reciprocal.end()));
    }
    return made;
}

}  // namespace

SweptFactors::SweptFactors(Backend& backend, const TriangularFactors& factors, int sweeps, const CsrMatrix* before,
                           const CsrMatrix* after, int products)
    : SweptFactors(backend, on_device(backend, factors), factors.L.rows, sweeps, before, after, products) {}

SweptFactors::SweptFactors(Backend& backend, OnDevice factors, Index size, int sweeps, const CsrMatrix* before,
                           const CsrMatrix* after, int products)
    : factors_(std::move(factors)),
      y_(backend, size, "y of M^-1 r"),
      v_(backend, size, "v of M^-1 r"),
      sweeps_(sweeps),
      products_(products) {
    if (before != nullptr) before_ = stored_factor(backend, *before);
    if (after != nullptr) after_ = stored_factor(backend, *after);
}

void SweptFactors::apply(Vector& z, const Vector& r) {
    if (before_) before_->multiply(v_, r);
    const Vector& b = before_ ? v_ : r;
    factors_.L->residual(y_, b, b);  // y = b - L b
    for (int k = 1; k < sweeps_; ++k) factors_.L->residual(y_, b, y_);
    if (factors_.inverse_D) {  // v = D^-1 y
        factors_.inverse_D->multiply(v_, y_);
    } else {
        hadamard(v_, *factors_.reciprocal, y_, scalar_arg(1));
    }
    factors_.U->residual(z, v_, v_);  // z = v - U v
    for (int k = 1; k < sweeps_; ++k) factors_.U->residual(z, v_, z);
    if (!after_) return;
    copy(y_, z);
    after_->multiply(z, y_);
}

}  // namespace glsolve::inline v0_1
