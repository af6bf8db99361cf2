// What passes make of matrices on lattices, beside what the host makes of them: interpolation, P^T A P, and what has to
// be known of a level.
#include "amg/lattice.hpp"

#include <cmath>
#include <glsolve/generate.hpp>

#include "amg/interpolation.hpp"
#include "amg/sparse_product.hpp"
#include "base/random.hpp"
#include "matrix/csr_entries.hpp"
#include "multigrid/lattice_facts.hpp"
#include "multigrid/lattice_transfer.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/differences.hpp"
#include "support/products.hpp"

namespace tests_of_lattice {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Example {
    Lattice points;
    bool diagonals;   ///< all 8 or 26 neighbours, in place of those along axes
    double weak = 1;  ///< couplings along y, beside those along x
};

/// Symmetric, with random couplings, and a random value given in some of the points.
CsrMatrix random_matrix(const Example& example, std::uint64_t seed) {
    Random random(seed);
    const Lattice& points = example.points;
    std::vector<Triplet> entries;
    std::vector<double> diagonal(static_cast<std::size_t>(points.points()), 0.0);
    for (Index i = 0; i < points.points(); ++i) {
        const std::array<Index, 3> at = points.place(i);
        for (int k = LatticeStencil::itself + 1; k < LatticeStencil::neighbours; ++k) {
            const std::array<Index, 3> step = LatticeStencil::step(k);
            const int axes = std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]);
            if (axes > 1 && !example.diagonals) continue;
            std::array<Index, 3> to = at;
            bool inside = true;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                to[axis] += step[axis];
                inside = inside && to[axis] >= 0 && to[axis] < points.size[axis];
            }
            if (!inside) continue;
            const Index j = points.number(to);
            const double a = -(random.uniform() + 0.25) * (step[1] != 0 ? example.weak : 1) / axes;
            entries.push_back({i, j, a});
            entries.push_back({j, i, a});
            diagonal[static_cast<std::size_t>(i)] -= a;
            diagonal[static_cast<std::size_t>(j)] -= a;
        }
        if (random.uniform() < 0.2) diagonal[static_cast<std::size_t>(i)] += random.uniform();
    }
    for (Index i = 0; i < points.points(); ++i) entries.push_back({i, i, diagonal[static_cast<std::size_t>(i)] + 1e-3});
    return csr_from_triplets(points.points(), points.points(), entries);
}

std::vector<Example> examples() {
    std::vector<Example> made{{{{40, 1, 1}}, false},
                              {{{12, 10, 1}}, false},
                              {{{13, 9, 1}}, true},
                              {{{11, 14, 1}}, false, 0.01},
                              {{{5, 4, 6}}, false}};
    if (!is_slow()) made.insert(made.end(), {{{{10, 8, 7}}, true}, {{{3, 3, 17}}, true}, {{{64, 33, 1}}, true}});
    return made;
}

/// The axes that are long enough, or some of them.
std::vector<std::array<bool, 3>> joinings(const Lattice& points) {
    const std::array<bool, 3> all{points.size[0] > 1, points.size[1] > 1, points.size[2] > 1};
    std::vector<std::array<bool, 3>> made{all};
    if (all[1]) made.push_back({false, true, false});
    if (all[2]) made.insert(made.end(), {{true, false, true}, {true, true, false}});
    return made;
}

constexpr int max_size = 4096;

/// Between -0.5 and 0.5.
std::vector<float> random_numbers(Index count, std::uint64_t seed) {
    Random random(seed);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    std::ranges::generate(numbers, [&] { return static_cast<float>(random.uniform() - 0.5); });
    return numbers;
}

/// The largest |before + (P x)_i - y_i|.
double worst_of_product(const CsrMatrix& P, const std::vector<float>& x, double before, const std::vector<float>& y) {
    double most = 0;
    for (Index i = 0; i < P.rows; ++i) {
        double expected = before;
        for (const auto [j, p] : P.row(i)) expected += p * static_cast<double>(x[static_cast<std::size_t>(j)]);
        most = std::max(most, std::abs(expected - static_cast<double>(y[static_cast<std::size_t>(i)])));
    }
    return most;
}

std::optional<LatticeStencil> stencil_of(const CsrMatrix& A, const Lattice& points) {
    return LatticeStencil::of(points, offsets_of_entries(A, neighbours_and_itself), max_size);
}

}  // namespace

TEST_CASE("interpolation and P^T A P are those of the host",
          "[passes][lattice][lattice_own][lattice_weights][lattice_weights_before][lattice_weights_behind]"
          "[lattice_product][lattice_product_before][lattice_product_behind][lattice_put]"
          "[lattice_gather][lattice_gather_deep][lattice_prolong][lattice_prolong_deep]"
          "[lattice_restrict][lattice_restrict_deep]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        const CsrMatrix A = random_matrix(example, 1);
        const std::optional<LatticeStencil> stencil = stencil_of(A, example.points);
        REQUIRE(stencil);
        CHECK(stencil->nonzeros() == A.nonzeros());
        const Storage tiles = *upload_stencil(backend, A, *stencil);
        CHECK(worst_difference(download_stencil(backend, *stencil, tiles.id()), A) < 1e-6 * largest_of(A));
        const std::int64_t a_line = std::int64_t{stencil->grid.tile.width} * (stencil->sums + 1);
        for (const int lines : {1, 3}) {  // at a time; the last time fewer
            const Storage in_bands = *upload_stencil(backend, A, *stencil, lines * a_line);
            CHECK(worst_difference(download_stencil(backend, *stencil, in_bands.id()), A) < 1e-6 * largest_of(A));
        }
        CsrMatrix beyond = A;
        beyond.value.back() = 2e30;
        CHECK_FALSE(upload_stencil(backend, beyond, *stencil));
        for (const std::array<bool, 3>& joined : joinings(example.points)) {
            const Lattice blocks = coarser(example.points, joined);
            CAPTURE(example.points.size, blocks.size);
            const CsrMatrix P = block_interpolation(A, example.points, blocks), Pt = transpose(P);
            LatticeWeights weights(backend, *stencil, tiles.id(), blocks);
            CHECK(weights.nonzeros() == P.nonzeros());

            // Each row of P, by its product with a random vector and by that with ones.
            Vector x(backend, blocks.points(), "x"), y(backend, example.points.points(), "y");
            for (const bool ones : {false, true}) {
                const std::vector<float> numbers =
                    ones ? std::vector<float>(static_cast<std::size_t>(P.columns), 1.0f) : random_numbers(P.columns, 2);
                x.upload(numbers);
                fill(y, 1);
                weights.prolong(y, x);
                CHECK(worst_of_product(P, numbers, 1, y.download_texels()) < 2e-5);
            }
            const std::vector<float> of_points = random_numbers(P.rows, 3);
            y.upload(of_points);
            poison(x);
            weights.restrict_to_blocks(x, y);
            const std::vector<float> restricted = x.download_texels();
            CHECK(worst_of_product(Pt, of_points, 0, restricted) < 5e-5);
            for (std::size_t i = static_cast<std::size_t>(Pt.rows); i < restricted.size(); ++i)
                REQUIRE(restricted[i] == 0);

            const std::optional<LatticeStencil> coarse = LatticeStencil::full(blocks, max_size);
            if (!coarse) continue;  // too narrow
            const Storage of_blocks(backend, coarse->grid.extent(), Element::real, "P^T A P");
            const std::size_t numbers = static_cast<std::size_t>(coarse->grid.extent().texels()) * 4;
            backend.upload(of_blocks.id(), std::vector<float>(numbers, -3e9f));
            weights.multiply(*coarse, of_blocks.id(), *stencil, tiles.id());
            const CsrMatrix product = galerkin_product(Pt, A, P),
                            made = download_stencil(backend, *coarse, of_blocks.id());
            CHECK(worst_difference(made, product) < 1e-4 * largest_of(product));
            for (Index i = 0; i < made.rows; ++i) {
                for (const auto [j, a] : made.row(i)) REQUIRE((i == j || a == entry(made, j, i)));
            }
        }
    }
}

TEST_CASE("what is known of a level is what the host knows",
          "[passes][lattice][lattice_diagonal][lattice_check][largest]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const double strong = GENERATE(0.01, 0.08, 0.3);
    const double unit = GENERATE(1.0, 0x1p70, 0x1p-70);  // whose square single precision does not hold
    for (const Example& example : examples()) {
        CAPTURE(example.points.size, strong, unit);
        CsrMatrix A = random_matrix(example, 4);
        for (double& a : A.value) a *= unit;
        const std::optional<LatticeStencil> stencil = stencil_of(A, example.points);
        REQUIRE(stencil);
        const Storage tiles = *upload_stencil(backend, A, *stencil);
        Vector d(backend, A.rows, "d");
        poison(d);
        reciprocal_diagonal(d, *stencil, tiles.id());
        const std::vector<float> reciprocals = d.download_texels();
        const std::vector<double> diagonal_of_A = diagonal(A);
        double bound = 0;
        for (Index i = 0; i < A.rows; ++i) {
            const auto at = static_cast<std::size_t>(i);
            CHECK(std::abs(static_cast<double>(reciprocals[at]) * diagonal_of_A[at] - 1) < 1e-5);
            double sizes = 0;
            for (const double a : A.row(i).values()) sizes += std::abs(a);
            bound = std::max(bound, sizes / diagonal_of_A[at]);
        }
        for (std::size_t i = static_cast<std::size_t>(A.rows); i < reciprocals.size(); ++i)
            REQUIRE(reciprocals[i] == 0);
        const LatticeFacts facts = look_at(*stencil, tiles.id(), d, strong);
        CHECK(std::abs(facts.bound - bound) < 1e-5 * bound);
        CHECK(facts.joined == joined_axes(example.points, A, strong));
        CHECK(facts.has_positive_diagonal());
    }
}

TEST_CASE("a diagonal that is not positive is found", "[passes][lattice][lattice_diagonal][lattice_check]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    CsrMatrix A = poisson2d(9);
    for (const auto [j, a] : A.row(40)) a = j == 40 ? -1 : a;
    const std::optional<LatticeStencil> stencil = stencil_of(A, {{9, 9, 1}});
    const Storage tiles = *upload_stencil(backend, A, *stencil);
    Vector d(backend, A.rows, "d");
    reciprocal_diagonal(d, *stencil, tiles.id());
    CHECK(d.download_texels()[40] == 0);
    CHECK_FALSE(look_at(*stencil, tiles.id(), d, 0.08).has_positive_diagonal());
}

TEST_CASE("the largest of many texels is found wherever it is", "[passes][largest]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Offset length : {Offset{3}, Offset{250}, Offset{257}, Offset{5000}, Offset{70'000}}) {
        Random random(5);
        std::vector<float> numbers(static_cast<std::size_t>(length));
        std::ranges::generate(numbers, [&] { return static_cast<float>(random.uniform()); });
        const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(length));
        numbers[at] = 7;
        Vector x(backend, length, "x");
        x.upload(numbers);
        const std::array<float, 4> most = read_largest(std::move(x));
        CAPTURE(length, at);
        CHECK(most[at % 4] == 7);
    }
}

TEST_CASE("lattices that are too narrow, or too large for a texture, have no stencil", "[lattice]") {
    CHECK(LatticeStencil::full({{300, 300, 1}}, max_size));
    CHECK_FALSE(LatticeStencil::full({{300, 300, 1}}, 256));
    CHECK(LatticeStencil::full({{3, 3, 3}}, max_size));
    CHECK(LatticeStencil::full({{1, 5, 1}}, max_size));
    CHECK_FALSE(LatticeStencil::full({{2, 5, 1}}, max_size));
    CHECK_FALSE(LatticeStencil::full({{5, 2, 5}}, max_size));
    CHECK(LatticeStencil::full({{5, 2, 1}}, max_size));
}

}  // namespace tests_of_lattice
