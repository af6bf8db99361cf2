/// The dense product, the sum of a vector and conjugate gradients as J. Xia and D. Wei published them in 2009
/// (Computer Engineering 35), by their names, and the product of J. Krueger and R. Westermann (2003) that they compared
/// with. To be read and measured beside dense/product.hpp; the library's own methods use none of it.
#pragma once

#include <functional>
#include <vector>

#include "dense/zones.hpp"

namespace glsolve::inline v0_1 {

/// The product in a single pass: textureC <- textureA * textureB, then sumVector (the kernel dense_reduce).
class SinglePassProduct {
  public:
    /// Throws Error unless the zones of textureA are in the published order.
    explicit SinglePassProduct(const ZoneMatrix& textureA);

    void multiply(Vector& y, const Vector& x);  // y <- A x

  private:
    /// y <- the sum of all zones of textureC.
    void sumVector(Vector& y, const Vector& x);

    const ZoneMatrix& textureA_;
    Storage textureB_, textureC_;
};

/// The product in n passes, one for each diagonal of the matrix.
class KruegerProduct {
  public:
    /// at(i, j): the entry of row i and column j.
    KruegerProduct(Backend& backend, Index n, const std::function<double(Index i, Index j)>& at);

    void multiply(Vector& y, const Vector& x);  // y <- A x

  private:
    std::vector<Vector> diagonals_;  // the k-th holds a(i, (i + k) mod n)
    VariantId variant_;
};

/// s <- the sum of all texels of x, one after the other, in one fragment.
void sumTexel(Scalar& s, const Vector& x);

/// The sum of the four components of a texel; reads it, and waits.
float sumTexture(const Scalar& s);

/// How a run of the published conjugate gradients went.
struct PublishedRun {
    int iterations = 0;
    int indefinite = 0;          ///< iterations in which (p, Ap) <= 0: the paper's method goes on
    int first_indefinite = 0;    ///< the first of them, counted from 1; 0: none
    float residual_squared = 0;  ///< (r,r), as the recurrence has it
    std::vector<float> x;
};

/// Conjugate gradients as published (section 4): scalars on the host, at most n iterations, until (r,r) < eps; the test
/// comes one step late, and (p, Ap) <= 0 does not stop it. `multiply`: q <- A p. x begins at zero.
PublishedRun published_cg(Backend& backend, std::span<const float> b, double eps, int max_iterations,
                          const std::function<void(Vector& q, const Vector& p)>& multiply);

}  // namespace glsolve::inline v0_1
