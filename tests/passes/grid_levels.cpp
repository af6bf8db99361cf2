// The way from a grid to a coarser one and back, the coarsest one, and how rows of cells are stored.
#include "grid/coarsest_grid.hpp"
#include "support/grids.hpp"

namespace tests_of_grid_levels {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("cells are joined, and what they become goes back to them",
          "[passes][grid][grid_restrict][grid_restrict_residual][grid_prolong]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    each_joining([&](const Example& example, const std::array<Index, 3>& joined, const GridCells& coarse) {
        const auto parent = [&](Index x, Index y, Index z) {
            return coarse.at(x / joined[0], y / joined[1], z / joined[2]);
        };
        const auto fine = make(backend, example);
        const GridTruth truth(*fine);
        // T^T x and x + T y
        const std::vector<float> numbers = numbers_in(truth, 4),
                                 values = random_numbers(static_cast<std::size_t>(coarse.size()), 5);
        Vector x(backend, example.cells.size(), "x"), y(backend, coarse.size(), "y");
        x.upload(numbers);
        poison(y);
        restrict_cells(backend, y.id(), coarse, x.id(), example.cells, joined);
        std::vector<double> sums(static_cast<std::size_t>(coarse.size()), 0.0),
            prolonged(numbers.begin(), numbers.end());
        example.each([&](Index i, Index j, Index k) {
            const std::size_t at = example.cells.at(i, j, k);
            sums[parent(i, j, k)] += static_cast<double>(numbers[at]);
            if (truth.has_unknown(at)) prolonged[at] += static_cast<double>(values[parent(i, j, k)]);
        });
        CHECK(worst(y.download_texels(), sums) < 2e-6);
        // T^T (b - A x)
        const std::vector<float> of_b = numbers_in(truth, 6);
        Vector b(backend, example.cells.size(), "b");
        b.upload(of_b);
        Vector first(backend, coarse.size(), "first step");
        poison(y);
        poison(first);
        GridOperator next(backend, coarse, fine->coarse_weight(joined), false);
        next.coarsen(*fine, joined);
        constexpr float weight = 0.75f;
        fine->restrict_residual(y, first, weight, next, b, x, joined);
        std::vector<double> Ax(numbers.size()), sizes(numbers.size()), rounded(sums.size(), 1e-30);
        truth.multiply(0, Ax.size(), std::vector<double>(numbers.begin(), numbers.end()), Ax.data(), sizes.data());
        std::fill(sums.begin(), sums.end(), 0.0);
        example.each([&](Index i, Index j, Index k) {
            const std::size_t at = example.cells.at(i, j, k);
            const auto b_i = static_cast<double>(of_b[at]);
            sums[parent(i, j, k)] += b_i - Ax[at];
            rounded[parent(i, j, k)] += 6e-8 * (std::abs(b_i) + 2 * sizes[at]);
        });
        const Texels restricted = y.download_texels();
        double most = 0;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            most = std::max(most, std::abs(static_cast<double>(restricted[i]) - sums[i]) / rounded[i]);
        }
        CHECK(most < 3);
        for (std::size_t i = sums.size(); i < restricted.size(); ++i) REQUIRE(restricted[i] == 0);
        std::vector<double> step(restricted.size());
        const Texels d = next.reciprocal_diagonal().diagonal()->download_texels();
        for (std::size_t i = 0; i < step.size(); ++i) {
            step[i] = static_cast<double>(weight) * static_cast<double>(d[i]) * static_cast<double>(restricted[i]);
        }
        CHECK(worst(first.download_texels(), step) < 2e-6);
        y.upload(values);
        prolong_cells(backend, x.id(), example.cells, y.id(), coarse, joined,
                      fine->reciprocal_diagonal().diagonal()->id());
        CHECK(worst(x.download_texels(), prolonged) < 2e-6);
    });
}

TEST_CASE("a mass that comes and goes does so on coarser grids as well", "[passes][grid]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const GridCells cells = GridCells::of(13, 9, 1, false, false);
    const std::array<Index, 3> joined{2, 2, 1};
    const GridCells coarse = joined_cells(cells, joined);
    GridOperator fine(backend, cells, {1, 1, 0}, false), next(backend, coarse, fine.coarse_weight(joined), false);
    std::vector<float> ones(static_cast<std::size_t>(cells.size()), 0.0f);
    std::vector<double> count(static_cast<std::size_t>(coarse.size()), 0.0);
    for (Index y = 0; y < 9; ++y) {
        for (Index x = 0; x < 13; ++x) {
            ones[cells.at(x, y, 0)] = 1;
            count[coarse.at(x / 2, y / 2, 0)] += 1;
        }
    }
    Vector kinds(backend, cells.size(), "cells");
    kinds.upload(ones);
    for (const float mass : {0.0f, 0.5f, 0.0f, 0.0f, 0.25f}) {
        CAPTURE(mass);
        fine.couple(kinds, {.mass = mass});
        next.coarsen(fine, joined);
        GridOperator copied(backend, coarse.copied(2), fine.coarse_weight(joined), false);
        copied.coarsen(fine, joined, 2);
        const HostArray<float> twice = copied.read_row_sums();
        const HostArray<float> sums = next.read_row_sums();
        for (std::size_t i = 0; i < count.size(); ++i) {
            REQUIRE(static_cast<double>(sums[i]) == static_cast<double>(mass) * count[i]);
            REQUIRE(twice[i] == sums[i]);
            REQUIRE(twice[count.size() + i] == sums[i]);
        }
    }
}

TEST_CASE("couplings of joined cells are those of parts, and half a part on both sides in series",
          "[passes][grid][grid_coarsen][grid_coarsen_two]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    each_joining([&](const Example& example, const std::array<Index, 3>& joined, const GridCells& coarse) {
        const auto fine = make(backend, example);
        GridOperator next(backend, coarse, fine->coarse_weight(joined), false);
        next.coarsen(*fine, joined);
        std::array<std::vector<double>, 3> c;
        std::vector<double> given(static_cast<std::size_t>(coarse.size()), 0.0);
        c.fill(given);
        // Half a part weakens c to  1 / (1 / c + 1 / (2 within)),  but to no less than its share of one half.
        const auto half = [](double of, double within) { return within > 0 ? of / (2 * within) : 0; };
        example.each([&](Index x, Index y, Index z) {
            const Example::Place here{x, y, z};
            const std::size_t parent = coarse.at(x / joined[0], y / joined[1], z / joined[2]);
            given[parent] += example.mass(here);
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(coarse.dimensions()); ++axis) {
                const bool first = joined[axis] == 2 && here[axis] % 2 == 0, second = joined[axis] == 2 && !first;
                const double e = example.given(here, axis), out = example.coupling(here, axis);
                const double within = first ? out : second ? example.coupling(Example::moved(here, axis, -1), axis) : 0;
                given[parent] += e / (1 + std::min(half(e, within), 1.0));
                if (first) continue;
                const double beyond = second ? example.coupling(Example::moved(here, axis, 1), axis) : 0;
                c[axis][parent] += out / (1 + std::min(half(out, within), 0.5) + std::min(half(out, beyond), 0.5));
            }
        });
        const auto far = [](double found, double wanted) { return std::abs(found - wanted) / (1 + wanted); };
        double largest = 0;
        const HostArray<float> found = next.read_row_sums();
        for (std::size_t i = 0; i < given.size(); ++i) {
            largest = std::max(largest, far(static_cast<double>(found[i]), given[i]));
        }
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(coarse.dimensions()); ++axis) {
            const HostArray<float> couplings = next.read_couplings(static_cast<int>(axis));
            for (std::size_t i = 0; i < given.size(); ++i) {
                largest = std::max(largest, far(static_cast<double>(couplings[i]), c[axis][i]));
            }
        }
        CHECK(largest < 2e-6);
        // Copies are the same number by number, and nothing stands behind the last one.
        constexpr Index copies = 3;
        GridOperator copied(backend, coarse.copied(copies), fine->coarse_weight(joined), false);
        copied.coarsen(*fine, joined, copies);
        const auto repeats = [&](const HostArray<float>& all, const HostArray<float>& one) {
            const auto count = static_cast<std::size_t>(coarse.size());
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (all[i] != (i < copies * count ? one[i % count] : 0)) return false;
            }
            return true;
        };
        CHECK(repeats(copied.read_row_sums(), found));
        for (int axis = 0; axis < coarse.dimensions(); ++axis) {
            CHECK(repeats(copied.read_couplings(axis), next.read_couplings(axis)));
        }
    });
}

TEST_CASE("a coarsest grid is solved by the product with a polynomial of its matrix", "[passes][grid][grid_columns]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (Example& example : examples()) {
        if (example.constant || example.cells.size() > CoarsestGrid::most) continue;
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth);
        const auto grid = make(backend, example);
        CoarsestGrid coarsest(backend, *grid);
        coarsest.update(*grid, {1, 1, 1});  // which makes the same grid
        const GridTruth truth(*grid);
        const std::vector<float> exact = numbers_in(truth, 8);
        std::vector<double> b(exact.size());
        multiply(truth.matrix(), std::vector<double>(exact.begin(), exact.end()), b);
        Vector vb(backend, example.cells.size(), "b"), x(backend, example.cells.size(), "x");
        vb.upload(std::vector<float>(b.begin(), b.end()));
        poison(x);
        coarsest.solve(x, vb);
        // (Dx, x)-orthogonal parts of the error are 0.7 % of those of x, as the mass keeps the spectrum above 0.01.
        const Texels got = x.download_texels();
        const std::vector<double> d = diagonal(truth.matrix());
        double error = 0, size = 0;
        for (std::size_t i = 0; i < exact.size(); ++i) {
            const double e = static_cast<double>(got[i]) - static_cast<double>(exact[i]);
            error += d[i] * e * e;
            size += d[i] * static_cast<double>(exact[i]) * static_cast<double>(exact[i]);
        }
        CHECK(error <= 1e-4 * size);
        for (std::size_t i = exact.size(); i < got.size(); ++i) REQUIRE(got[i] == 0);
    }
}

TEST_CASE("rows of cells are stored apart, and one behind the other", "[passes][grid][grid_pitch]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        const GridCells& cells = example.cells;
        if (cells.rows != cells.height) continue;  // with gaps between planes: those of constant couplings in space
        CAPTURE(cells.width, cells.height, cells.depth, cells.quarter);
        const std::vector<float> dense =
            random_numbers(static_cast<std::size_t>(cells.width * cells.height * cells.depth), 6);
        std::vector<double> apart(static_cast<std::size_t>(cells.size()), 0.0);
        std::size_t next = 0;
        example.each([&](Index i, Index j, Index k) { apart[cells.at(i, j, k)] = static_cast<double>(dense[next++]); });
        Vector x(backend, std::ssize(dense), "x"), y(backend, cells.size(), "y");
        x.upload(dense);
        poison(y);
        store_rows(backend, y, Rows::apart, x, cells);
        CHECK(worst(y.download_texels(), apart) == 0);
        poison(x);
        store_rows(backend, x, Rows::dense, y, cells);
        CHECK(worst(x.download_texels(), {dense.begin(), dense.end()}) == 0);
    }
}

}  // namespace tests_of_grid_levels
