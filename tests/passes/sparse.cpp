// Products and residuals with matrices in every format: against double precision.
#include <cmath>
#include <cstring>
#include <glsolve/generate.hpp>
#include <limits>
#include <random>

#include "device/verbs.hpp"
#include "formats/stored_matrix.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_sparse {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// All offsets of the diagonals, in and out of step with the texels, some of them leaving the matrix on most rows.
CsrMatrix banded(Index n, const std::vector<Index>& offsets) {
    std::vector<Triplet> entries;
    std::mt19937 random(3);
    for (Index i = 0; i < n; ++i) {
        for (const Index o : offsets) {
            if (i + o >= 0 && i + o < n) entries.push_back({i, i + o, static_cast<double>(random()) / 4e9 + 0.3});
        }
    }
    return csr_from_triplets(n, n, entries);
}

/// Infinities and NaN included.
bool same_bits(const Texels& a, const Texels& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

struct Products {
    Texels product, residual;
    double dot = 0;
};

Products products(Backend& backend, Make make, const CsrMatrix& A, const std::vector<float>& x,
                  const std::vector<float>& b) {
    const Session session(backend);
    const std::vector<double> scale(static_cast<std::size_t>(A.rows), 1.0);
    const auto op = make(backend, {A, scale});
    Vector vx(backend, A.rows, "x"), vy(backend, A.rows, "y"), vb(backend, A.rows, "b");
    vx.upload(x);
    vb.upload(b);
    PartialSums partial(backend, vx.layout().extent());
    Scalar s(backend, "s");
    Products p;
    backend.upload(vy.id(), Texels(static_cast<std::size_t>(vy.layout().extent().texels()) * 4, -3e9f));
    op->multiply(vy, vx);
    p.product = vy.download_texels();
    backend.upload(vy.id(), Texels(static_cast<std::size_t>(vy.layout().extent().texels()) * 4, -3e9f));
    op->multiply_dot(vy, vx, partial);
    REQUIRE(same_bits(vy.download_texels(), p.product));
    sum(s, partial, Finish::add_components);
    Texels texel(4);
    backend.read(s.id(), texel);
    p.dot = static_cast<double>(texel[0]);
    op->residual(vy, vb, vx);
    p.residual = vy.download_texels();
    return p;
}

void check_products(Make make, const CsrMatrix& A) {
    const auto n = static_cast<std::size_t>(A.rows);
    const auto x = random_numbers(n, 1), b = random_numbers(n, 2);
    const std::vector<double> x64(x.begin(), x.end());
    std::vector<double> exact(n), size(n);
    multiply(A, x64, exact);
    for (std::size_t i = 0; i < n; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            size[i] += std::abs(A.value[e] * x64[static_cast<std::size_t>(A.column[e])]);
        }
    }
    const Products mine = products(backend_under_test(), make, A, x, b);
    double dot = 0, dot_size = 0, worst = 0, worst_residual = 0;
    for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(mine.product[i]) - exact[i]) / (size[i] + 1e-30));
        worst_residual = std::max(
            worst_residual,
            std::abs(static_cast<double>(mine.residual[i]) - (static_cast<double>(b[i]) - exact[i])) / (size[i] + 1));
        dot += x64[i] * exact[i];
        dot_size += std::abs(x64[i]) * size[i];
    }
    // Rounding: some half ulps for each of the matrix's entries, products, differences and sums, over the row.
    Offset longest = 0;
    for (std::size_t i = 0; i < n; ++i) longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
    const double bound = 1.5e-7 * static_cast<double>(longest + 4);
    CHECK(worst <= bound);
    CHECK(worst_residual <= bound);
    CHECK(std::abs(mine.dot - dot) <= 1e-5 * (dot_size + 1e-30));
    for (std::size_t i = n; i < mine.product.size(); ++i) {
        CHECK(mine.product[i] == 0);
        CHECK(mine.residual[i] == 0);
    }
}

void check_grids(Make make) {
    for (const Index n : {1, 2, 3, 8, 15, 16, 17}) check_products(make, poisson2d(n));
    check_products(make, poisson3d(6));
}

/// Row 101 has nonzeros in all columns.
void check_one_long_row(Make make) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 203; ++i) {
        entries.insert(entries.end(), {{i, i, 2.5}, {101, i, 0.3 + 0.001 * i}, {i, 202 - i, -0.7}});
    }
    check_products(make, csr_from_triplets(203, 203, entries));
}

/// Few nonzeros in few rows; the others are empty.
void check_empty_rows(Make make) {
    const std::vector<Triplet> entries{{0, 3, 2.5}, {5, 1, -1.25}, {9, 9, 4.5}};
    check_products(make, csr_from_triplets(11, 11, entries));
}

}  // namespace

TEST_CASE("ELL products match double precision", "[passes][ell_multiply][ell_multiply_dot][ell_residual]") {
    const Make make = GENERATE(make_ell, in_teams<make_ell, 4>, with_short_columns<make_ell>);
    SECTION("grids") { check_grids(make); }
    SECTION("random, short rows and long ones") {
        check_products(make, random_spd(50, 300));
        check_products(make, random_spd(200, 20'000));  // more slots than are unrolled
    }
    SECTION("empty rows") { check_empty_rows(make); }
}

TEST_CASE("CSR products match double precision", "[passes][csr_multiply][csr_multiply_dot][csr_residual]") {
    const Make make = GENERATE(make_csr, in_teams<make_csr, 2>, in_teams<make_csr, 8>, in_teams<make_csr, 32>,
                               with_short_columns<make_csr>, with_short_columns<in_teams<make_csr, 8>>);
    SECTION("grids") { check_grids(make); }
    SECTION("random, short rows and long ones") {
        check_products(make, random_spd(50, 300));
        check_products(make, random_spd(200, 20'000));
    }
    SECTION("one long row among short ones") { check_one_long_row(make); }
    SECTION("empty rows") { check_empty_rows(make); }
    SECTION("several texels for each invocation") {
        if (!is_slow()) check_products(make, poisson2d(400));
    }
}

/// A few rows that are much longer than most: two that are neighbours, the first and the last.
CsrMatrix with_long_rows(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, 2.5});
        if (i + 1 < n) entries.push_back({i, i + 1, -0.7});
        for (const Index long_row : {Index{0}, Index{101}, Index{102}, n - 1}) {
            if ((i + long_row) % 3 != 0) entries.push_back({long_row, i, 0.3 + 0.001 * (i % 100)});
        }
    }
    return csr_from_triplets(n, n, entries);
}

TEST_CASE("columns farther away than 16 bits tell are stored in 32",
          "[passes][ell_multiply][csr_multiply][sliced_multiply]") {
    if (is_slow()) return;
    const Make make = GENERATE(with_short_columns<make_ell>, with_short_columns<make_csr>,
                               with_short_columns<make_slices<16, false>>);
    for (const Index offset : {32'763, 32'764, 32'767, 32'768, 66'000}) {
        std::vector<Triplet> entries;
        const Index n = offset + 9;
        for (Index i = 0; i < n; i += 5) entries.push_back({i, i, 2.0});
        for (Index i = 0; i < 9; ++i)
            entries.insert(entries.end(), {{i, i + offset, 0.5 + i}, {i + offset, i, 0.75 + i}});
        check_products(make, csr_from_triplets(n, n, entries));
    }
}

TEST_CASE("CSR adds long rows up in pieces", "[passes][csr_rest][csr_multiply][csr_multiply_dot][csr_residual]") {
    const Make make = GENERATE(make_csr, in_teams<make_csr, 8>, with_short_columns<make_csr>);
    check_products(make, with_long_rows(is_slow() ? 600 : 5000));
    CsrMatrix laplacian = with_long_rows(703);  // rows that nearly sum to zero multiply differences
    for (Index i = 0; i < laplacian.rows; ++i) {
        double sum = 0;
        std::size_t diagonal = 0;
        for (Offset k = laplacian.offsets[static_cast<std::size_t>(i)];
             k < laplacian.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            laplacian.column[e] == i ? void(diagonal = e) : void(sum += laplacian.value[e]);
        }
        laplacian.value[diagonal] = 1e-3 - sum;
    }
    check_products(make, laplacian);
    if (!is_slow()) check_products(make, with_long_rows(60'000));  // so many pieces that they are added up themselves
}

TEST_CASE("products in hybrid formats and COO match double precision",
          "[passes][csr_rest][ell_multiply][ell_multiply_dot][ell_residual]") {
    const Make make = GENERATE(make_of<hec_format>, make_of<hyb_format>, make_of<coo_format>, make_as_paper<hec_format>,
                               in_teams<make_of<hyb_format>, 8>, in_teams<make_of<coo_format>, 4>);
    SECTION("grids") { check_grids(make); }
    SECTION("random, short rows and long ones") {
        check_products(make, random_spd(50, 300));
        check_products(make, random_spd(200, 20'000));
    }
    SECTION("a few long rows") { check_products(make, with_long_rows(is_slow() ? 600 : 3000)); }
    SECTION("so many pieces that they are added up themselves") {
        if (!is_slow()) check_products(make, with_long_rows(20'000));
    }
    SECTION("empty rows") { check_empty_rows(make); }
}

TEST_CASE("products in blocks match double precision", "[passes][bcsr_multiply][bcsr_multiply_dot][bcsr_residual]") {
    const Make make = GENERATE(in_blocks<2>, in_blocks<3>, in_blocks<4>, in_blocks<4, 2>, in_blocks<4, 1>,
                               in_teams<in_blocks<2>, 4>, in_teams<in_blocks<3>, 8>, in_teams<in_blocks<4>, 2>);
    SECTION("grids") { check_grids(make); }
    SECTION("three unknowns a point") { check_products(make, elasticity(3, 3, 2).A); }
    SECTION("random, short rows and long ones") {
        check_products(make, random_spd(50, 300));
        check_products(make, random_spd(200, 20'000));
    }
    SECTION("one long row among short ones") { check_one_long_row(make); }
    SECTION("empty rows") { check_empty_rows(make); }
}

TEST_CASE("dense products match double precision", "[passes][dense_reduce][dense_reduce_dot][dense_reduce_residual]") {
    SECTION("grids") { check_grids(make_dense); }
    SECTION("random") { check_products(make_dense, random_spd(200, 20'000)); }
    SECTION("empty rows") { check_empty_rows(make_dense); }
}

TEST_CASE("rows longer than llvmpipe's loops", "[passes][sliced_multiply][sliced_residual]") {
    if (is_slow()) return;
    const Index n = 270'003;
    std::vector<Triplet> entries;
    for (Index i = 1; i < n; ++i) {
        entries.push_back({0, i, 0.25 + i % 7});
        entries.push_back({i, i, 2.5});
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(n), 1);
    double exact = 0, size = 0;
    for (Index i = 1; i < n; ++i) {
        const double term = (0.25 + i % 7) * static_cast<double>(x[static_cast<std::size_t>(i)]);
        exact += term, size += std::abs(term);
    }
    for (const Make make : {make_slices<16, true>, make_slices<16, false>}) {
        const Products mine = products(backend_under_test(), make, A, x, x);
        CHECK(std::abs(static_cast<double>(mine.product[0]) - exact) < 1e-4 * size);
        CHECK(mine.product[9] == Approx(2.5f * x[9]));
    }
}

TEST_CASE("DIA products match double precision", "[passes][dia_multiply][dia_multiply_dot][dia_residual]") {
    SECTION("grids") { check_grids(make_dia); }
    SECTION("offsets in and out of step with the texels") {
        check_products(make_dia, banded(150, {-149, -70, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 71, 148}));
    }
    SECTION("diagonals of one number, with gaps") {
        // Entry i of each diagonal but the main one is left out where i mod `period` is less than `gap`.
        const auto [period, gap] =
            GENERATE(std::pair{5, 1}, std::pair{8, 1}, std::pair{8, 3}, std::pair{3, 2}, std::pair{64, 6});
        const Index n = 150;
        std::vector<Triplet> entries;
        for (Index i = 0; i < n; ++i) {
            entries.push_back({i, i, 2.25});
            for (const Index offset : {-70, -6, -5, -1, 1, 3, 8}) {
                const bool inside = i + offset >= 0 && i + offset < n;
                if (inside && i % period >= gap) entries.push_back({i, i + offset, 0.1 * offset - 0.35});
            }
        }
        check_products(make_dia, csr_from_triplets(n, n, entries));
    }
    SECTION("one diagonal, not the main one") { check_products(make_dia, banded(33, {2})); }
    SECTION("more diagonals than become constants") {
        std::vector<Index> offsets;
        for (Index o = -20; o <= 20; ++o) offsets.push_back(o);
        check_products(make_dia, banded(130, offsets));
    }
}

TEST_CASE("products in slices match double precision",
          "[passes][sliced_multiply][sliced_multiply_dot][sliced_residual]") {
    const Make make =
        GENERATE(make_slices<4, true>, make_slices<4, false>, make_slices<32, true>, make_slices<16, false>,
                 in_teams<make_slices<16, true>, 4>, in_teams<make_slices<32, false>, 16>,
                 with_short_columns<make_slices<16, true>>, with_short_columns<make_slices<32, false>>,
                 with_short_columns<in_teams<make_slices<16, false>, 4>>);
    SECTION("grids") { check_grids(make); }
    SECTION("random, short rows and long ones") {
        check_products(make, random_spd(50, 300));
        check_products(make, random_spd(200, 20'000));  // more slots than become constants
    }
    SECTION("runs at every alignment, some of them leaving the matrix") {
        check_products(make, banded(150, {-149, -70, -7, -6, -5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 71, 148}));
    }
    SECTION("one long row among short ones") { check_one_long_row(make); }
    SECTION("empty rows") { check_empty_rows(make); }
}

TEST_CASE("tiles beside each other, where a texture is not high enough", "[passes][ell_multiply][dia_multiply]") {
    const CsrMatrix A = poisson2d(12);  // 36 texels: 8 x 5
    const Layout rows = layout_of(A.rows);
    const TileLayout grid = tile_grid(rows.extent(), 5, 16);
    REQUIRE(grid.log2_columns == 1);
    // Diagonals -12, -1, 1, 12 in tiles 0 to 3; the main diagonal, or the row sums, in tile 4.
    const bool differences = GENERATE(false, true);
    const std::vector<Index> offsets{-12, -1, 1, 12};
    std::vector<double> values(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0);
    const auto at = [&](std::size_t tile, Index i) -> double& {
        return values[static_cast<std::size_t>(grid.texel(static_cast<int>(tile), i >> 2) * 4 + (i & 3))];
    };
    for (Index i = 0; i < A.rows; ++i) {
        at(4, i) = 4;
        for (std::size_t k = 0; k < 4; ++k) {
            const Index j = i + offsets[k];
            const bool beside = (offsets[k] == -1 && i % 12 == 0) || (offsets[k] == 1 && i % 12 == 11);
            if (j < 0 || j >= A.rows || beside) continue;
            at(k, i) = -1;
            if (differences) at(4, i) -= 1;
        }
    }
    std::vector<std::int32_t> structure(std::size_t{4} * 4, 0);
    for (std::size_t k = 0; k < 4; ++k) structure[4 * k] = offsets[k];
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::string definitions =
        GENERATE("",
                 "COUNT 4\nOFFSETS -12,-1,1,12\nTILES 0,1,2,3\nMEMBERS 1,1,1,1\nPOWERS 0,0,0,0\nLOG2_WIDTH 3\n"
                 "MAIN 2\nGAPS ivec3(4,0,0),ivec3(4,0,0),ivec3(4,0,0),ivec3(4,0,0)\n");
    StoredMatrix op(backend, StoredFormat{.passes = product_of::dia,
                                          .integers = tile_integers(rows, grid, 4, differences),
                                          .definitions = definitions,
                                          .table = std::vector<float>(10, 0.0f)});
    op.add({A, std::vector<double>(144, 1.0)}, grid.extent(), values);
    op.add({4, 1}, structure);
    const auto x = random_numbers(144, 4);
    Vector vx(backend, 144, "x"), vy(backend, 144, "y");
    vx.upload(x);
    op.multiply(vy, vx);
    std::vector<double> exact(144);
    multiply(A, std::vector<double>(x.begin(), x.end()), exact);
    const Texels y = vy.download_texels();
    for (std::size_t i = 0; i < 144; ++i) CHECK(static_cast<double>(y[i]) == Approx(exact[i]).margin(1e-5));
}

TEST_CASE("an infinity in x reaches the rows that use it, and no other",
          "[passes][ell_multiply][csr_multiply][sliced_multiply]") {
    const Make make = GENERATE(make_ell, make_csr, make_slices<4, false>, make_slices<32, false>);
    // Row i of a bidiagonal matrix uses x[i] and x[i + 1]; the last has one nonzero less.
    const CsrMatrix A = banded(40, {0, 1});
    auto x = random_numbers(40, 7);
    x[0] = std::numeric_limits<float>::infinity();
    const Products p = products(backend_under_test(), make, A, x, random_numbers(40, 8));
    CHECK_FALSE(std::isfinite(p.product[0]));
    for (std::size_t i = 1; i < 40; ++i) CHECK(std::isfinite(p.product[i]));
}

}  // namespace tests_of_sparse
