// Dense matrices in vector zones: the product as published, the one it was compared with, and the fast one; against
// double precision.
#include <cmath>

#include "dense/inverse.hpp"
#include "dense/product.hpp"
#include "device/verbs.hpp"
#include "papers/methods/published.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_dense {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// An n x n matrix of random numbers, column by column, and a vector.
struct Problem {
    explicit Problem(Index order)
        : n(static_cast<std::size_t>(order)), A(random_numbers(n * n, 11)), x(random_numbers(n, 12)) {}
    double at(std::size_t i, std::size_t j) const { return static_cast<double>(A[j * n + i]); }
    double x_at(std::size_t j) const { return static_cast<double>(x[j]); }

    std::size_t n;
    std::vector<float> A, x;
};

ZoneMatrix upload(Backend& backend, const Problem& p, ZoneOrder order = ZoneOrder::strips) {
    ZoneMatrix A(backend, static_cast<Index>(p.n), "A", order);
    A.upload(
        [&](const ZoneMatrix::Entry& entry) {
            for (std::size_t j = 0; j < p.n; ++j) {
                for (std::size_t i = 0; i < p.n; ++i) {
                    entry(static_cast<Index>(i), static_cast<Index>(j), p.at(i, j));
                }
            }
        },
        false);
    return A;
}

/// y <- A x on the device under test, into a vector of garbage; the padding must come out as zeros.
template <class Multiply>
Texels product(const Problem& p, const Multiply& multiply, ZoneOrder order = ZoneOrder::strips) {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto n = static_cast<Index>(p.n);
    const ZoneMatrix A = upload(backend, p, order);
    Vector x(backend, n, "x"), y(backend, n, "y");
    x.upload(p.x);
    backend.upload(y.id(), Texels(static_cast<std::size_t>(y.layout().extent().texels()) * 4, -3e9f));
    multiply(A, y, x);
    Texels texels = y.download_texels();
    for (std::size_t i = p.n; i < texels.size(); ++i) REQUIRE(texels[i] == 0);
    texels.resize(p.n);
    return texels;
}

/// |y - A x| is at most what rounding makes of n terms.
void check(const Problem& p, const Texels& y, bool transposed = false) {
    double worst = 0;
    for (std::size_t i = 0; i < p.n; ++i) {
        double exact = 0, size = 0;
        for (std::size_t j = 0; j < p.n; ++j) {
            const double term = (transposed ? p.at(j, i) : p.at(i, j)) * p.x_at(j);
            exact += term;
            size += std::abs(term);
        }
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact) / size);
    }
    CHECK(worst <= 6e-8 * static_cast<double>(p.n + 1));
}

/// Whole zones, zones with a rest, more than one line of texels, columns of more than one zone of the grid.
Index orders() { return GENERATE(1, 2, 3, 4, 5, 16, 17, 30, 64, 65, 130); }

}  // namespace

TEST_CASE("the published product in a single pass", "[passes][spread][dense_reduce][multiply]") {
    const Problem p(orders());
    const auto multiply = [](const ZoneMatrix& A, Vector& y, const Vector& x) { SinglePassProduct(A).multiply(y, x); };
    check(p, product(p, multiply, ZoneOrder::published));
    if (p.n > 64) CHECK_THROWS_WITH(product(p, multiply, ZoneOrder::strips), ContainsSubstring("ZoneOrder::published"));
}

TEST_CASE("Krueger's and Westermann's product in n passes", "[passes][krueger_diagonal]") {
    const Problem p(orders());
    const auto at = [&](Index i, Index j) { return p.at(static_cast<std::size_t>(i), static_cast<std::size_t>(j)); };
    check(p, product(p, [&](const ZoneMatrix& A, Vector& y, const Vector& x) {
              KruegerProduct(A.backend(), A.size(), at).multiply(y, x);
          }));
}

TEST_CASE("the fast product, from one part to one column a part", "[passes][dense_partial][dense_reduce]") {
    const Problem p(orders());
    const int columns = GENERATE(0, 1, 3, 4, 12, 1000);
    const ZoneOrder order = GENERATE(ZoneOrder::published, ZoneOrder::strips);
    CAPTURE(p.n, columns, order);
    check(p, product(
                 p, [&](const ZoneMatrix& A, Vector& y, const Vector& x) { DenseProduct(A, columns).multiply(y, x); },
                 order));
}

TEST_CASE("the transposed product", "[passes][dense_transposed]") {
    const Problem p(orders());
    const int columns = GENERATE(0, 4, 1000);
    check(p,
          product(p, [&](const ZoneMatrix& A, Vector& y,
                         const Vector& x) { DenseProduct(A, columns).multiply_transposed(y, x); }),
          true);
}

TEST_CASE("a product for four right-hand sides", "[passes][dense_four][dense_reduce_four]") {
    const Problem p(orders());
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto n = static_cast<Index>(p.n);
    const ZoneMatrix A = upload(backend, p);
    const std::vector<float> numbers = random_numbers(4 * p.n, 3);
    MultiVector X(backend, n, "X"), Y(backend, n, "Y");
    X.upload(numbers);
    backend.upload(Y.id(), Texels(static_cast<std::size_t>(backend.extent(Y.id()).texels()) * 4, -3e9f));
    DenseProduct(A, GENERATE(0, 3, 1000)).multiply_four(Y, X);
    Texels sides = Y.download_texels();
    for (std::size_t i = 4 * p.n; i < sides.size(); ++i) REQUIRE(sides[i] == 0);
    for (std::size_t side = 0; side < 4; ++side) {
        Problem one(n);
        Texels y(p.n);
        for (std::size_t i = 0; i < p.n; ++i) {
            one.x[i] = numbers[4 * i + side];
            y[i] = sides[4 * i + side];
        }
        check(one, y);
    }
}

TEST_CASE("a rank-1 update", "[passes][dense_rank_one]") {
    const Problem p(orders());
    Backend& backend = backend_under_test();
    const Session session(backend);
    ZoneMatrix A = upload(backend, p);
    Vector x(backend, A.size(), "x"), y(backend, A.size(), "y");
    const std::vector<float> left = random_numbers(p.n, 5), right = random_numbers(p.n, 6);
    x.upload(left);
    y.upload(right);
    rank_one_update(A, scalar_arg(-0.75f), x, y);
    rank_one_update(A, scalar_arg(0.5f), x, y);
    const std::vector<float> made = A.download();
    double worst = 0;
    for (std::size_t j = 0; j < p.n; ++j) {
        for (std::size_t i = 0; i < p.n; ++i) {
            const double exact = p.at(i, j) - 0.25 * static_cast<double>(left[i]) * static_cast<double>(right[j]);
            worst = std::max(worst, std::abs(static_cast<double>(made[j * p.n + i]) - exact));
        }
    }
    CHECK(worst < 1e-6);
}

TEST_CASE("sumTexel and sumTexture add up vectors of any length", "[passes][sumTexel]") {
    const Offset n = GENERATE(1, 2, 3, 4, 5, 63, 64, 65, 1027);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(n), 4);
    Vector x(backend, n, "x");
    x.upload(numbers);
    Scalar s(backend, "s");
    fill(s, 77);
    sumTexel(s, x);
    const DoubleSum exact = double_sum(numbers);
    CHECK(static_cast<double>(sumTexture(s))
          == Approx(exact.sum).margin(1e-7 * exact.size * std::sqrt(static_cast<double>(n))));
}

TEST_CASE("a dense matrix that no texture holds is refused in words", "[passes]") {
    CHECK_THROWS_WITH(zone_grid(100'000, 100'000, 1024),
                      ContainsSubstring("100000 rows (40.0 GB)") && ContainsSubstring("2048 rows at most"));
}

TEST_CASE("published conjugate gradients", "[passes]") {
    // The paper's system: a_ij = 0.1 (i + j) beside the diagonal, a_ii = 1 + i, b_i = 1 + i.
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto entry = [](Index i, Index j) { return i == j ? 1.0 + i : 0.1 * i + 0.1 * j; };
    const auto run = [&](Index n) {
        ZoneMatrix A(backend, n, "textureA", ZoneOrder::published);
        A.upload(
            [&](const ZoneMatrix::Entry& put) {
                for (Index j = 0; j < n; ++j) {
                    for (Index i = 0; i < n; ++i) put(i, j, entry(i, j));
                }
            },
            false);
        SinglePassProduct product(A);
        std::vector<float> b(static_cast<std::size_t>(n));
        for (Index i = 0; i < n; ++i) b[static_cast<std::size_t>(i)] = static_cast<float>(1 + i);
        return published_cg(backend, b, 1e-10, n, [&](Vector& q, const Vector& p) { product.multiply(q, p); });
    };
    const PublishedRun definite = run(10);
    CHECK(definite.indefinite == 0);
    for (Index i = 0; i < 10; ++i) {
        double sum = 0;
        for (Index j = 0; j < 10; ++j)
            sum += entry(i, j) * static_cast<double>(definite.x[static_cast<std::size_t>(j)]);
        CHECK(sum == Approx(1.0 + i).epsilon(1e-4));
    }
    // From n = 21 on the matrix is indefinite: found, counted, and gone on with.
    const PublishedRun indefinite = run(40);
    CHECK(indefinite.indefinite > 0);
    CHECK(indefinite.first_indefinite == 2);
}

TEST_CASE(
    "the inverse after Gauss and Jordan",
    "[passes][jordan_extract][jordan_pivot][jordan_mark][jordan_step][jordan_gather][jordan_update][jordan_permute]") {
    const Problem p(is_slow() ? GENERATE(1, 2, 5, 17) : GENERATE(1, 2, 3, 4, 5, 16, 17, 33, 64, 65, 130));
    CAPTURE(p.n);
    Backend& backend = backend_under_test();
    const Session session(backend);
    Inverse inverse(backend, static_cast<Index>(p.n), [&](const ZoneMatrix::Entry& entry) {
        for (std::size_t j = 0; j < p.n; ++j) {
            for (std::size_t i = 0; i < p.n; ++i) entry(static_cast<Index>(i), static_cast<Index>(j), p.at(i, j));
        }
    });
    CHECK(inverse.pivot_ratio() > 1e-4);
    const std::vector<float> B = inverse.download();
    // A B - I, against the size of what is added up.
    double worst = 0;
    for (std::size_t i = 0; i < p.n; ++i) {
        for (std::size_t j = 0; j < p.n; ++j) {
            double sum = i == j ? -1 : 0, size = 1;
            for (std::size_t k = 0; k < p.n; ++k) {
                const double term = p.at(i, k) * static_cast<double>(B[j * p.n + k]);
                sum += term, size += std::abs(term);
            }
            worst = std::max(worst, std::abs(sum) / size);
        }
    }
    CHECK(worst < 1e-4);
    Vector b(backend, static_cast<Index>(p.n), "b"), x(backend, static_cast<Index>(p.n), "x");
    b.upload(p.x);
    inverse.multiply(x, b);
    const Texels texels = x.download_texels();
    for (std::size_t i = 0; i < p.n; ++i) {
        double exact = 0, size = 0;
        for (std::size_t j = 0; j < p.n; ++j) {
            exact += static_cast<double>(B[j * p.n + i]) * p.x_at(j);
            size += std::abs(static_cast<double>(B[j * p.n + i]) * p.x_at(j));
        }
        CHECK(std::abs(static_cast<double>(texels[i]) - exact) <= 1e-5 * size);
    }
}

TEST_CASE("a singular matrix has a pivot ratio of next to nothing", "[passes]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Index n : {1, 3, 20}) {
        const Inverse zero(backend, n, [](const ZoneMatrix::Entry&) {});
        CHECK(zero.pivot_ratio() == 0);
        const Inverse repeated(backend, n + 1, [n](const ZoneMatrix::Entry& entry) {
            for (Index j = 0; j <= n; ++j) {
                for (Index i = 0; i <= n; ++i) entry(i, j, 1.0 + (i * std::max(j, Index{1})) % 7);
            }
        });
        CHECK(repeated.pivot_ratio() < 1e-6);
    }
}

}  // namespace tests_of_dense
