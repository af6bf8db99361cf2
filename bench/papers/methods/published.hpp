/// The dense product, the sum of a vector and conjugate gradients as J. Xia and D. Wei published them in 2009
/// (Computer Engineering 35), by their names, the product of J. Krueger and R. Westermann (2003) that they compared
/// with, and the naive Chebyshev iteration of S. N. Chadov. To be read and measured beside dense/product.hpp and
/// methods/chebyshev.hpp.
#pragma once

#include <functional>
#include <vector>

#include "dense/zones.hpp"
#include "device/operator.hpp"

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

/// The coefficients of the Chebyshev iteration, step by step, for eigenvalues between l_min and l_max, with
/// d = (l_max + l_min) / 2 and c = (l_max - l_min) / 2 (Barrett et al., Templates, 1994, figure 2.11, with the errata;
/// the paper's own print has lost some of it).
class ChebyshevCoefficients {
  public:
    ChebyshevCoefficients(double l_min, double l_max) : d_((l_max + l_min) / 2), c_((l_max - l_min) / 2) {}

    /// Of the next step:  p <- z + beta p,  x <- x + alpha p.
    void next();
    float alpha() const { return static_cast<float>(alpha_); }
    float beta() const { return static_cast<float>(beta_); }

  private:
    double d_, c_, alpha_ = 0, beta_ = 0;
    int steps_ = 0;
};

/// How a run of the published Chebyshev iteration went.
struct PublishedChebyshev {
    int iterations = 0;
    bool converged = false;
    double relative_residual = 1;  ///< |r| / |b| at the last test, in single precision
    std::vector<float> x;
};

struct PublishedChebyshevRule {
    double l_min = 0, l_max = 0;  ///< bounds of the eigenvalues of D^-1 A
    double tolerance = 1e-6;      ///< of |r| / |b|
    int max_iterations = 1 << 20;
    int test_every = 1;  ///< steps between two looks at |r|
};

/// The naive Chebyshev iteration of S. N. Chadov (figure 1 of the paper, with the coefficients above): each operation
/// is a pass, and the host reads |r| every `test_every` steps, and waits for it. `reciprocal_diagonal`: M^-1 = D^-1, of
/// A's size. x begins at zero. It ends early where |r| is not finite. Throws InvalidInput where sizes differ, or where
/// not 0 < l_min <= l_max and test_every >= 1.
PublishedChebyshev published_chebyshev(Backend& backend, Operator& A, const Vector& reciprocal_diagonal,
                                       std::span<const float> b, const PublishedChebyshevRule& rule);

}  // namespace glsolve::inline v0_1
