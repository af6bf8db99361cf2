// Products for four right-hand sides at once, in every format: against double precision, each by itself.
#include <cmath>
#include <glsolve/generate.hpp>
#include <limits>

#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_field_products {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Product {
    Texels y, dots;  // the numbers of the MultiVector, padding included; (x,y) of each right-hand side
};

Product product(Backend& backend, Make make, const CsrMatrix& A, const Texels& x) {
    const Session session(backend);
    const std::vector<double> scale(static_cast<std::size_t>(A.rows), 1.0);
    const auto op = make(backend, {A, scale});
    MultiVector X(backend, A.rows, "X"), Y(backend, A.rows, "Y");
    X.upload(x);
    backend.upload(Y.id(), Texels(static_cast<std::size_t>(Y.layout().extent().texels()) * 4, -3e9f));
    PartialSums partial(backend, X.layout().extent());
    Scalar s(backend, "s");
    op->multiply_dot(Y, X, partial);
    sum(s, partial, Finish::keep_components);
    Product p{Y.download_texels(), Texels(4)};
    backend.read(s.id(), p.dots);
    return p;
}

void check_field(Make make, const CsrMatrix& A) {
    const auto n = static_cast<std::size_t>(A.rows);
    const Texels x = random_numbers(4 * n, 5);
    const Product mine = product(backend_under_test(), make, A, x);
    for (std::size_t side = 0; side < 4; ++side) {
        double dot = 0, dot_size = 0, worst = 0;
        for (std::size_t i = 0; i < n; ++i) {
            double exact = 0, size = 0;
            for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
                const auto e = static_cast<std::size_t>(k), j = static_cast<std::size_t>(A.column[e]);
                const double term = A.value[e] * static_cast<double>(x[4 * j + side]);
                exact += term, size += std::abs(term);
            }
            const Offset entries = A.offsets[i + 1] - A.offsets[i];
            const double bound = 1.5e-7 * static_cast<double>(entries + 4) * size + 1e-30;
            worst = std::max(worst, std::abs(static_cast<double>(mine.y[4 * i + side]) - exact) / bound);
            dot += static_cast<double>(x[4 * i + side]) * exact;
            dot_size += std::abs(static_cast<double>(x[4 * i + side])) * size;
        }
        CHECK(worst <= 1);
        CHECK(std::abs(static_cast<double>(mine.dots[side]) - dot) <= 1e-5 * (dot_size + 1e-30));
    }
    for (std::size_t i = 4 * n; i < mine.y.size(); ++i) REQUIRE(mine.y[i] == 0);
}

/// Lengths at which the layouts of vectors and MultiVectors have edges; diagonals are all constants, or not.
void check_lengths(Make make) {
    for (const Index n : {1, 2, 3, 8, 15}) check_field(make, poisson2d(n));
    if (!is_slow()) check_field(make, poisson2d(33));
    check_field(make, random_spd(50, 300));
    const std::vector<Triplet> few{{0, 3, 2.5}, {5, 1, -1.25}, {9, 9, 4.5}};
    check_field(make, csr_from_triplets(11, 11, few));
}

}  // namespace

TEST_CASE("CSR products for four right-hand sides match double precision",
          "[passes][fields][csr_field][csr_rest_field]") {
    check_lengths(make_csr);
    check_lengths(in_teams<make_csr, 8>);
    check_lengths(with_short_columns<make_csr>);
    check_lengths(with_short_columns<make_slices<16, false>>);
    check_lengths(with_short_columns<make_ell>);
    if (!is_slow()) check_field(make_csr, random_spd(200, 20'000));
    std::vector<Triplet> entries;
    for (Index i = 0; i < 701; ++i)
        entries.insert(entries.end(), {{i, i, 2.5}, {i, 700 - i, -0.7}, {77, i, 0.3}, {78, i, 0.01 * (i % 9)}});
    check_field(make_csr, csr_from_triplets(701, 701, entries));
    if (is_slow()) return;
    for (Index i = 701; i < 20'000; ++i) entries.insert(entries.end(), {{i, i, 1.5}, {77, i, 0.3}});
    check_field(make_csr, csr_from_triplets(20'000, 20'000, entries));
}

TEST_CASE("products in hybrid formats and COO for four right-hand sides match double precision",
          "[passes][fields][ell_field][csr_rest_field]") {
    check_lengths(make_of<hec_format>);
    check_lengths(make_of<coo_format>);
    check_lengths(in_teams<make_of<hyb_format>, 4>);
    if (is_slow()) return;
    std::vector<Triplet> entries;
    for (Index i = 0; i < 20'000; ++i) entries.insert(entries.end(), {{i, i, 1.5}, {77, i, 0.3}});
    check_field(make_of<hyb_format>, csr_from_triplets(20'000, 20'000, entries));
}

TEST_CASE("products in blocks for four right-hand sides match double precision", "[passes][fields][bcsr_field]") {
    const Make make = GENERATE(in_blocks<2>, in_blocks<3>, in_blocks<4>, in_blocks<4, 1>, in_teams<in_blocks<3>, 4>);
    check_lengths(make);
    check_field(make, elasticity(3, 2, 2).A);
}

TEST_CASE("ELL products for four right-hand sides match double precision", "[passes][fields][ell_field]") {
    check_lengths(make_ell);
    check_lengths(in_teams<make_ell, 4>);
    if (!is_slow()) check_field(make_ell, random_spd(200, 20'000));  // more slots than are unrolled
}

TEST_CASE("DIA products for four right-hand sides match double precision", "[passes][fields][dia_field]") {
    check_lengths(make_dia);
    // Diagonals of one number, with gaps, beside such as are not; then more of them than become constants.
    const Index n = 150;
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, 2.25});
        for (const Index offset : {-70, -6, -5, -1, 1, 3, 8}) {
            const bool inside = i + offset >= 0 && i + offset < n;
            const double value = offset == 3 ? 0.01 * i - 0.7 : 0.1 * offset - 0.35;
            if (inside && i % 8 >= 3) entries.push_back({i, i + offset, value});
        }
    }
    check_field(make_dia, csr_from_triplets(n, n, entries));
    entries.clear();
    for (Index i = 0; i < 90; ++i) {
        for (Index j = std::max(0, i - 20); j < std::min(90, i + 20); ++j)
            entries.push_back({i, j, 0.3 + 0.01 * (i - j)});
    }
    check_field(make_dia, csr_from_triplets(90, 90, entries));
}

TEST_CASE("products in slices for four right-hand sides match double precision", "[passes][fields][sliced_field]") {
    const Make make = GENERATE(make_slices<4, true>, make_slices<32, true>, make_slices<16, false>);
    check_lengths(make);
    std::vector<Triplet> entries;  // one long row among short ones
    for (Index i = 0; i < 203; ++i) {
        entries.insert(entries.end(), {{i, i, 2.5}, {101, i, 0.3 + 0.001 * i}, {i, 202 - i, -0.7}});
    }
    check_field(make, csr_from_triplets(203, 203, entries));
}

TEST_CASE("dense products for four right-hand sides match double precision",
          "[passes][fields][dense_four][dense_reduce_four_dot]") {
    check_lengths(make_dense);
}

TEST_CASE("what is not finite in one right-hand side does not reach the others",
          "[passes][fields][ell_field][csr_field][dia_field][sliced_field][dense_reduce_four_dot]") {
    const Make make = GENERATE(make_ell, make_csr, make_dia, make_slices<16, true>, make_dense);
    const CsrMatrix A = poisson2d(9);
    Texels x = random_numbers(4 * 81, 6);
    const Product before = product(backend_under_test(), make, A, x);
    for (std::size_t i = 0; i < 81; ++i) {
        x[4 * i + 2] = i % 2 == 0 ? std::numeric_limits<float>::infinity() : std::numeric_limits<float>::quiet_NaN();
    }
    const Product after = product(backend_under_test(), make, A, x);
    CHECK_FALSE(std::isfinite(after.dots[2]));
    for (const std::size_t side : {0u, 1u, 3u}) {
        CHECK(after.dots[side] == before.dots[side]);
        for (std::size_t i = 0; i < 81; ++i) REQUIRE(after.y[4 * i + side] == before.y[4 * i + side]);
    }
}

}  // namespace tests_of_field_products
