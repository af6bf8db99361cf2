#include "support/products.hpp"

#include <array>
#include <cmath>

#include "matrix/csr_entries.hpp"
#include "support/basis.hpp"
#include "support/catch.hpp"
#include "support/harness.hpp"

namespace glsolve::test {

void check_products(Backend& backend, AssembledMatrix& op, CsrView A, const Vector* reciprocal,
                    const ProductNumbers& numbers, double two_float_error) {
    if (backend.holds_doubles()) two_float_error = std::max(two_float_error, 5e-6);  // they are read as floats here
    const auto n = static_cast<std::size_t>(A.rows);
    const auto& [x, b, p] = numbers;
    Vector vx(backend, A.rows, "x"), vb(backend, A.rows, "b"), vy(backend, A.rows, "y"), vp(backend, A.rows, "p");
    const auto again = [&] { vx.upload(x), vb.upload(b), vp.upload(p), poison(vy); };
    PartialSums partial(backend, vx.layout().extent());
    std::vector<double> product(n), r(n), d(n);
    multiply(A, std::vector<double>(x.begin(), x.end()), product);
    const std::vector<double> diagonal_of_A = diagonal(A);
    double dot = 0, rr = 0, xx = 0;
    for (std::size_t i = 0; i < n; ++i) {
        r[i] = static_cast<double>(b[i]) - product[i];
        d[i] = diagonal_of_A[i] > 0 ? 1 / diagonal_of_A[i] : 0;
        dot += static_cast<double>(x[i]) * product[i];
        rr += r[i] * r[i];
        xx += static_cast<double>(x[i]) * static_cast<double>(x[i]);
    }
    CHECK(worst(reciprocal->download_texels(), d) < 1e-6);

    again();
    op.multiply(vy, vx);
    CHECK(worst(vy.download_texels(), product) < 3e-6);
    poison(vy);
    op.multiply_dot(vy, vx, partial);
    CHECK(worst(vy.download_texels(), product) < 3e-6);
    CHECK(static_cast<double>(total(partial)) == Approx(dot).epsilon(1e-5).margin(1e-5));
    poison(vy);
    op.residual(vy, vb, vx);
    CHECK(worst(vy.download_texels(), r) < 3e-6);

    const float alpha = 0.7f, beta = -0.4f;
    std::vector<double> relaxed(n), moved(n), direction(n);
    for (std::size_t i = 0; i < n; ++i) {
        relaxed[i] = static_cast<double>(x[i]) + 0.7 * d[i] * r[i];
        direction[i] = d[i] * r[i] - 0.4 * static_cast<double>(p[i]);
        moved[i] = static_cast<double>(x[i]) + 0.7 * direction[i];
    }
    op.relax(vx, vb, reciprocal, alpha, {});
    CHECK(worst(vx.download_texels(), relaxed) < 3e-6);
    std::vector<double> twice(n), A_twice(n);
    for (std::size_t i = 0; i < n; ++i) twice[i] = 0.7 * d[i] * static_cast<double>(b[i]);
    multiply(A, twice, A_twice);
    for (std::size_t i = 0; i < n; ++i) twice[i] += 0.4 * d[i] * (static_cast<double>(b[i]) - A_twice[i]);
    op.relax_twice(vy, vb, reciprocal, alpha, -beta);
    CHECK(worst(vy.download_texels(), twice) < 3e-6);
    again();
    op.chebyshev(vx, vp, vb, reciprocal, {alpha, beta}, {}, nullptr);
    CHECK(worst(vx.download_texels(), moved) < 3e-6);
    CHECK(worst(vp.download_texels(), direction) < 3e-6);
    again();
    op.chebyshev(vx, vp, vb, reciprocal, {alpha, beta}, {}, &partial);
    CHECK(worst(vx.download_texels(), moved) < 3e-6);
    CHECK(static_cast<double>(total(partial, 0)) == Approx(rr).epsilon(1e-5).margin(1e-6));
    CHECK(static_cast<double>(total(partial, 1)) == Approx(xx).epsilon(1e-5).margin(1e-6));
    again();
    op.multiply_dots(vy, vx, vb, reciprocal, partial);
    CHECK(worst(vy.download_texels(), product) < 3e-6);
    CHECK(static_cast<double>(total(partial, 1)) == Approx(dot).epsilon(1e-5).margin(1e-5));
    const std::array<AssembledMatrix::Step, 1> steps{{{alpha, beta}}};
    again();
    op.chebyshev(vx, vp, vb, reciprocal, {alpha, beta}, {}, nullptr);
    op.chebyshev_steps(vx, vp, vb, reciprocal, steps, {});
    std::vector<double> second = moved, A_moved(n);
    multiply(A, moved, A_moved);
    for (std::size_t i = 0; i < n; ++i) {
        second[i] += 0.7 * (d[i] * (static_cast<double>(b[i]) - A_moved[i]) - 0.4 * direction[i]);
    }
    const bool one_tile = n <= 16;  // then nobody sees what another has begun
    if (one_tile) CHECK(worst(vx.download_texels(), second) < 3e-6);

    MultiVector X(backend, A.rows, "X"), Y(backend, A.rows, "Y");
    Texels four(4 * n);
    for (std::size_t i = 0; i < 4 * n; ++i) four[i] = x[i / 4] * static_cast<float>(1 << (i % 4));
    X.upload(four);
    PartialSums field_partial(backend, X.layout().extent());
    op.multiply_dot(Y, X, field_partial);
    std::vector<double> four_products(4 * n);
    for (std::size_t i = 0; i < 4 * n; ++i) four_products[i] = product[i / 4] * (1 << (i % 4));
    CHECK(worst(Y.download_texels(), four_products) < 3e-6);
    CHECK(static_cast<double>(total(field_partial, 2)) == Approx(16 * dot).epsilon(1e-5).margin(1e-4));

    if (!backend.info().two_float_fault.empty()) return;
    Vector low(backend, A.rows, "low");
    TwoFloatVector bb(backend, A.rows, "b"), xx_two(backend, A.rows, "x");
    std::vector<double> x64(x.begin(), x.end()), b64(b.begin(), b.end());
    for (std::size_t i = 0; i < n; ++i) x64[i] *= 1 + 1e-9, b64[i] *= 1 - 1e-10;
    xx_two.upload(x64);
    bb.upload(b64);
    multiply(A, x64, product);
    op.residual_two_float(vy, low, bb, xx_two, partial);
    const Texels hi = vy.download_texels(), lo = low.download_texels();
    double far = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const double got = static_cast<double>(hi[i]) + static_cast<double>(lo[i]);
        far = std::max(far, std::abs(got - (b64[i] - product[i])));
    }
    CHECK(far < two_float_error);
    multiply(A, std::vector<double>(x.begin(), x.end()), product);
    op.multiply_two_float(vy, low, vx, partial);
    again();
    op.multiply_two_float(vy, low, vx, partial);
    const Texels y_hi = vy.download_texels(), y_lo = low.download_texels();
    far = 0;
    for (std::size_t i = 0; i < n; ++i) {
        far = std::max(far, std::abs(static_cast<double>(y_hi[i]) + static_cast<double>(y_lo[i]) - product[i]));
    }
    CHECK(far < two_float_error);
}

}  // namespace glsolve::test
