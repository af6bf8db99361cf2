#include "inverses/swept_factors.hpp"

#include "device/verbs.hpp"
#include "inverses/product_chain.hpp"

namespace glsolve::inline v0_1 {

SweptFactors::SweptFactors(Backend& backend, const Factors& factors, int sweeps, const CsrMatrix* before,
                           const CsrMatrix* after, int products)
    : L_(stored_factor(backend, factors.L)),
      U_(stored_factor(backend, factors.U)),
      before_(before != nullptr ? stored_factor(backend, *before) : nullptr),
      after_(after != nullptr ? stored_factor(backend, *after) : nullptr),
      reciprocal_(backend, factors.L.rows, "1 / pivots"),
      y_(backend, factors.L.rows, "y of M^-1 r"),
      v_(backend, factors.L.rows, "v of M^-1 r"),
      sweeps_(sweeps),
      products_(products) {
    std::vector<float> reciprocal(factors.D.size());
    for (std::size_t i = 0; i < reciprocal.size(); ++i) reciprocal[i] = static_cast<float>(1 / factors.D[i]);
    reciprocal_.upload(reciprocal);
}

void SweptFactors::apply(Vector& z, const Vector& r) {
    if (before_) before_->multiply(v_, r);
    const Vector& b = before_ ? v_ : r;
    L_->residual(y_, b, b);  // y = b - L b
    for (int k = 1; k < sweeps_; ++k) L_->residual(y_, b, y_);
    hadamard(v_, reciprocal_, y_, scalar_arg(1));  // v = D^-1 y
    U_->residual(z, v_, v_);                       // z = v - U v
    for (int k = 1; k < sweeps_; ++k) U_->residual(z, v_, z);
    if (!after_) return;
    copy(y_, z);
    after_->multiply(z, y_);
}

}  // namespace glsolve::inline v0_1
