// Sweeps that make incomplete factors, against the formula in double precision.
#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "factors/incomplete.hpp"
#include "inverses/fixed_point_sweeps.hpp"
#include "inverses/levelled_factors.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_factors {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Some rows with many entries, others with the diagonal alone.
CsrMatrix random_matrix(Index n) {
    Random random(17);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, 3 + random.uniform()});
    for (Index k = 0; k < 5 * n; ++k) {
        const auto i = static_cast<Index>(random.uniform() * random.uniform() * n),
                   j = static_cast<Index>(random.uniform() * n);
        if (i % 7 != 0 && i != j) entries.push_back({i, j, random.normal() / 3});
    }
    return csr_from_triplets(n, n, entries);
}

/// v_ij <- c_ij - sum over k < min(i, j) of v_ik v_kj / v_kk, from V = C.
std::vector<double> swept(const FixedPointPattern& p, const std::vector<float>& c, int times) {
    std::vector<double> v(c.begin(), c.end());
    std::vector<std::size_t> row_of;
    for (std::size_t i = 0; i < p.diagonal.size(); ++i)
        row_of.insert(row_of.end(), static_cast<std::size_t>(p.offsets[i + 1] - p.offsets[i]), i);
    for (int k = 0; k < times; ++k) {
        std::vector<double> next(c.begin(), c.end());
        for (std::size_t e = 0; e < next.size(); ++e) {
            for (auto t = static_cast<std::size_t>(p.first_term[e]); t < static_cast<std::size_t>(p.first_term[e + 1]);
                 ++t) {
                const auto ik = static_cast<std::size_t>(p.terms[2 * t]),
                           kj = static_cast<std::size_t>(p.terms[2 * t + 1]);
                next[e] -= v[ik] * v[kj] / v[static_cast<std::size_t>(p.diagonal[row_of[kj]])];
            }
        }
        v = next;
    }
    return v;
}

void check_near(const std::vector<double>& a, const std::vector<double>& b) {
    REQUIRE(a.size() == b.size());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]) / (1 + std::abs(b[i])));
    CHECK(most < 2e-5);
}

std::vector<double> product_on_device(AssembledMatrix& T, const std::vector<float>& numbers) {
    Backend& backend = backend_under_test();
    Vector x(backend, static_cast<Offset>(numbers.size()), "x"), y(backend, static_cast<Offset>(numbers.size()), "y");
    x.upload(numbers);
    T.multiply(y, x);
    const std::vector<float> texels = y.download_texels();
    return {texels.begin(), texels.begin() + static_cast<std::ptrdiff_t>(numbers.size())};
}

}  // namespace

TEST_CASE("sweeps make V as the formula does, and the triangles from it", "[passes][ilu_sweep][quotients]") {
    const CsrMatrix C = random_matrix(is_slow() ? 30 : 700);
    const FixedPointPattern pattern = fixed_point_pattern(C);
    REQUIRE(pattern.terms.size() > 20);
    FixedPointSweeps device(backend_under_test(), pattern);
    const std::vector<float> c(C.value.begin(), C.value.end());
    device.begin(c);
    check_near(device.numbers(), swept(pattern, c, 0));
    device.sweep(1);
    check_near(device.numbers(), swept(pattern, c, 1));
    device.sweep(3);
    const std::vector<double> v = swept(pattern, c, 4);
    check_near(device.numbers(), v);

    const Factors factors = factors_of(pattern, v);
    Random random(2);
    std::vector<float> x(static_cast<std::size_t>(C.rows));
    for (float& number : x) number = static_cast<float>(random.normal());
    const std::vector<double> in(x.begin(), x.end());
    for (const Triangle which : {Triangle::lower, Triangle::upper}) {
        std::vector<double> expected(x.size());
        multiply(which == Triangle::lower ? factors.L : factors.U, in, expected);
        check_near(product_on_device(*device.triangle(which), x), expected);
    }
    const std::vector<float> reciprocals = device.reciprocals().download_texels();
    for (std::size_t i = 0; i < factors.D.size(); ++i) CHECK(std::abs(reciprocals[i] * factors.D[i] - 1) < 2e-5);
    for (std::size_t i = factors.D.size(); i < reciprocals.size(); ++i) CHECK(reciprocals[i] == 0);
}

TEST_CASE("quotients take numbers from anywhere, and stand in for none", "[passes][quotients]") {
    const float infinite = std::numeric_limits<float>::infinity();
    Harness h(PassId::quotients, {2, 1});
    h.input("x", {4, 1}, Texels{8, 2, 3, 5, 7, 16, 1, infinite, 9, 10, 11, 12, 13, 14, 15, 20});
    h.input("n", {2, 1}, std::vector<std::int32_t>{0, -1, -2, 15, -1, -1, -2, 4});
    h.input("d", {2, 1}, std::vector<std::int32_t>{1, 7, 3, -1, -1, 5, -1, 4}).integer("log2_width", 2).run();
    CHECK(h.output("y") == Texels{4, 0, 0.2f, 20, 0, 0, 1, 1});
}

TEST_CASE("numbers are gathered from anywhere, each with a factor", "[passes][gather]") {
    const Layout many = layout_of(1000), few = layout_of(77);
    std::vector<std::int32_t> n(static_cast<std::size_t>(few.extent().texels()) * 4);
    Random random(6);
    for (std::int32_t& place : n) place = static_cast<std::int32_t>(random.uniform() * 1001) - 1;
    n[5] = -1;
    const Texels x = random_vector(1000, 1), d = random_vector(77, 2);
    Harness h(PassId::gather, few.extent());
    h.input("x", many.extent(), x).input("d", d).input("n", few.extent(), n);
    h.integer("log2_width", many.log2_width).run();
    for (std::size_t i = 0; i < n.size(); ++i)
        CHECK(h.output("z")[i] == (n[i] < 0 ? 0 : d[i] * x[static_cast<std::size_t>(n[i])]));
}

TEST_CASE("triangular solves go through levels, and rows and columns stand where they stood",
          "[passes][triangle_solve][gather]") {
    Backend& backend = backend_under_test();
    if (!backend.can().ordered) {
        WARN("this device knows no order of texels: skipped");
        return;
    }
    const CsrMatrix A = random_matrix(is_slow() ? 130 : 901);
    const auto n = static_cast<std::size_t>(A.rows);
    // Some order of rows, another one of columns, and scales of both.
    MatrixToFactor ordered;
    ordered.C = A;
    ordered.moved = true;
    Random random(31);
    for (std::size_t i = 0; i < n; ++i) {
        ordered.rows.push_back(static_cast<Index>((7 * i + 3) % n));
        ordered.columns.push_back(static_cast<Index>((11 * i + 5) % n));
        ordered.row_scale.push_back(0.5 + random.uniform());
        ordered.column_scale.push_back(0.5 + random.uniform());
    }
    REQUIRE(n % 7 != 0);
    REQUIRE(n % 11 != 0);
    const Factors factors = factor_ilu(A);
    REQUIRE(factors.failure.empty());
    LevelledFactors M(backend, triangular(factors), ordered, 1);

    std::vector<float> r(n);
    for (float& number : r) number = static_cast<float>(random.normal());
    std::vector<double> in(n), out(n), expected(n);
    for (std::size_t i = 0; i < n; ++i) {
        const auto row = static_cast<std::size_t>(ordered.rows[i]);
        in[i] = ordered.row_scale[row] * static_cast<double>(r[row]);
    }
    solve(factors, in, out);
    for (std::size_t i = 0; i < n; ++i) {
        const auto unknown = static_cast<std::size_t>(ordered.columns[i]);
        expected[unknown] = ordered.column_scale[unknown] * out[i];
    }
    Vector given(backend, A.rows, "r"), made(backend, A.rows, "z");
    given.upload(r);
    for (int twice = 0; twice < 2; ++twice) {  // the second time y holds numbers already
        M.apply(made, given);
        const std::vector<float> texels = made.download_texels();
        check_near({texels.begin(), texels.begin() + static_cast<std::ptrdiff_t>(n)}, expected);
        for (std::size_t i = n; i < texels.size(); ++i) CHECK(texels[i] == 0);
    }
}

}  // namespace tests_of_factors
