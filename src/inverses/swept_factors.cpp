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

/// y ~ (I + T)^-1 b; two fields take turns, so that y is the last one.
void SweptFactors::sweep(AssembledMatrix& T, MultiVector& y, const MultiVector& b) {
    const MultiVector* from = &b;
    for (int k = 1; k <= sweeps_; ++k) {
        MultiVector& to = (sweeps_ - k) % 2 == 0 ? y : fields_->turn;
        T.multiply_dot(to, *from, fields_->sums);
        xpay(to, b, scalar_arg(-1), {});  // y = b - T y
        from = &to;
    }
}

void SweptFactors::apply(MultiVector& z, const MultiVector& r) {
    if (!fields_) {
        Backend& backend = y_.backend();
        const auto field = [&] {
            MultiVector made(backend, z.size(), "M^-1 R, parts");
            fill(made, 0);
            return made;
        };
        fields_.emplace(Fields{field(), field(), field(), PartialSums(backend, z.layout().extent())});
    }
    auto& [b, y, turn, sums] = *fields_;
    if (before_) before_->multiply_dot(b, r, sums);
    sweep(*factors_.L, y, before_ ? b : r);
    if (factors_.inverse_D) {  // b = D^-1 y
        factors_.inverse_D->multiply_dot(b, y, sums);
    } else {
        xpay(b, y, *factors_.reciprocal, scalar_arg(0.0f), {});
    }
    if (!after_) {
        sweep(*factors_.U, z, b);
    } else {
        sweep(*factors_.U, y, b);
        after_->multiply_dot(z, y, sums);
    }
}

}  // namespace glsolve::inline v0_1
