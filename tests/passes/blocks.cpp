// What passes make of matrices between points with several unknowns, beside what the host makes of them.
#include <cmath>
#include <glsolve/generate.hpp>

#include "amg/interpolation.hpp"
#include "amg/sparse_product.hpp"
#include "amg/strength.hpp"
#include "matrix/csr_entries.hpp"
#include "multigrid/device_blocks.hpp"
#include "multigrid/host_rows.hpp"
#include "multigrid/sparse_levels.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/differences.hpp"

namespace tests_of_blocks {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Body {
    CsrMatrix A;
    NearNullSpace null;
    int side;
};

std::vector<Body> bodies() {
    std::vector<Body> made;
    const auto add = [&](int x, int y, int z) {
        const ElasticBody body = elasticity(x, y, z);
        made.push_back({body.A, {6, rigid_body_modes(body.coordinates, 3)}, 3});
    };
    add(3, 3, 2);
    if (makes_sparse_levels(backend_under_test().can())) add(7, 6, 6);  // rows of P^T take many rounds
    // Two unknowns a point, which are coupled, and three vectors; a point that is coupled to nobody, and blocks of
    // zeros that are stored on one side.
    const CsrMatrix grid = poisson2d(is_slow() ? 9 : 24);
    const Index alone = grid.rows;
    std::vector<Triplet> entries{
        {2 * alone, 2 * alone, 1.0}, {2 * alone + 1, 2 * alone + 1, 2.0}, {0, 100, 0.0}, {7, 120, 0.0}};
    for (Index i = 0; i < grid.rows; ++i) {
        for (const auto [j, a] : grid.row(i)) {
            for (Index r = 0; r < 2; ++r) entries.push_back({2 * i + r, 2 * j + r, a * (1 + 0.25 * r)});
            if (i % 3 == 0 || j % 3 == 0) {
                entries.push_back({2 * i, 2 * j + 1, 0.1 * a});
                entries.push_back({2 * i + 1, 2 * j, 0.1 * a});
            }
        }
    }
    Body mixed{csr_from_triplets(2 * grid.rows + 2, 2 * grid.rows + 2, entries), {3, {}}, 2};
    for (Index i = 0; i < mixed.A.rows; ++i) {
        for (const double v : {i % 2 == 0 ? 1 : 0.5, std::sin(i), std::cos(3 * i)}) mixed.null.values.push_back(v);
    }
    made.push_back(std::move(mixed));
    return made;
}

}  // namespace

TEST_CASE(
    "blocks of interpolation and of P^T A P hold the numbers of the host's",
    "[passes][rows][block_products][points_of_texels][block_norms][block_diagonal][block_facts][block_prolongation]"
    "[block_product][block_galerkin][expanded_offsets][expanded_columns][expanded_values]"
    "[expanded_values_transposed][expanded_sums][rows_product_whole][rows_product_whole_counts]") {
    Backend& backend = backend_under_test();
    if (!backend.can().ranges) {
        WARN("skipped: this device writes no integers");
        return;
    }
    const Session session(backend);
    const double rounding = backend.holds_doubles() ? 1e-13 : 2e-6;
    for (const Body& body : bodies()) {
        const CsrMatrix& A = body.A;
        const int side = body.side, wide = body.null.vectors;
        const Index points = A.rows / side;
        CAPTURE(A.rows, side, wide);
        std::vector<double> scale;
        const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
        for (Index i = 0; i < A.rows; ++i) scale.push_back(std::ldexp(1.0, i % 3 - 1));
        CsrMatrix scaled = A;
        for (Index i = 0; i < A.rows; ++i) {
            for (const auto [j, a] : scaled.row(i))
                a *= scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
        }
        const EntryLayout layout = EntryLayout::of(A.rows, backend.info().max_texture_size);
        DeviceBlocks blocks = *upload_blocks(backend, layout, A, side, scale);

        Vector d(backend, A.rows, "d"), d_points(backend, points, "d");
        const RowFacts facts = look_at_blocks(blocks, d);
        double bound = 0;
        for (Index i = 0; i < A.rows; ++i) {
            double sum = 0;
            for (const auto [j, a] : scaled.row(i)) sum += std::abs(a);
            bound = std::max(bound, sum / entry(scaled, i, i));
        }
        CHECK(std::abs(facts.bound - bound) < 1e-5 * bound);

        // Which points are coupled strongly, and which belong together.
        std::vector<Index> point_of(static_cast<std::size_t>(A.rows));
        for (std::size_t i = 0; i < point_of.size(); ++i) point_of[i] = static_cast<Index>(i) / side;
        const double threshold = 0.078125, omega = 0.625;
        const CsrMatrix condensed = condense(scaled, point_of, points);
        const Strength S = symmetric_strength(condensed, threshold);
        const Aggregates expected = around_roots(S);
        take_norms(blocks, d_points);
        const Storage strong = strong_columns(blocks.pattern.at, d_points, threshold);
        const DeviceAggregates aggregates = aggregates_around_roots(blocks.pattern.at, strong.id());
        CHECK(aggregates.count == expected.count);
        CHECK(download_integers(backend, aggregates.of.id(), expected.of.size()) == expected.of);

        std::vector<Index> of(point_of.size());
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = expected.of[static_cast<std::size_t>(point_of[i])];
        const CsrMatrix T = tentative_prolongation(body.null, of, expected.count).T;
        REQUIRE(T.columns == expected.count * wide);
        const Storage tentative = upload_tentative(backend, layout, T, wide, ones);
        const ExpandedInterpolation made =
            expanded(smoothed_blocks(blocks, d, d_points, aggregates, tentative, wide, omega));
        const CsrMatrix P = smoothed(scaled, nullptr, T, omega), coarse = galerkin_product(transpose(P), scaled, P);
        CHECK(worst_difference(download_rows(made.P.at, T.columns), P) < rounding * largest_of(P));
        CHECK(worst_difference(download_rows(made.Pt.at, A.rows), transpose(download_rows(made.P.at, T.columns))) == 0);
        CHECK(worst_difference(download_rows(made.coarse.at), coarse) < 5 * rounding * largest_of(coarse));
    }
}

}  // namespace tests_of_blocks
