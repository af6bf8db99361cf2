// Smoothing on grids, and the way to a coarser one and back, for four right-hand sides at once: against the passes that
// do so for one, which others compare with double precision.
#include "grid/grid_multigrid.hpp"
#include "support/grids.hpp"

namespace tests_of_grid_fields {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr std::size_t sides = 4;

/// The same vectors one by one, and together.
struct Both {
    std::vector<Vector> each;
    MultiVector all;

    Both(Backend& backend, Index size) : all(backend, size, "all") {
        for (std::size_t k = 0; k < sides; ++k) each.emplace_back(backend, size, "one");
    }
    /// `numbers(k)`: of right-hand side k.
    template <class Numbers>
    void upload(const Numbers& numbers) {
        std::vector<float> together(sides * static_cast<std::size_t>(all.size()));
        for (std::size_t k = 0; k < sides; ++k) {
            const std::vector<float> one = numbers(k);
            each[k].upload(one);
            for (std::size_t i = 0; i < one.size(); ++i) together[sides * i + k] = one[i];
        }
        all.upload(together);
    }
    void poison_all() {
        all.backend().upload(all.id(), Texels(static_cast<std::size_t>(all.layout().extent().texels()) * 4, -3e9f));
        for (Vector& one : each) poison(one);
    }
    /// Are the two near each other, in units of the largest number; and is what lies behind the last one zero?
    void check(double bound = 2e-6) const {
        const Texels together = all.download_texels();
        const auto size = static_cast<std::size_t>(all.size());
        double largest = 1e-30;
        std::vector<Texels> apart;
        for (const Vector& one : each) {
            apart.push_back(one.download_texels());
            for (const float number : apart.back()) largest = std::max(largest, static_cast<double>(std::abs(number)));
        }
        CHECK(largest < 1e6);  // what was there before is not
        std::size_t near = 0;  // a number that is none is near nothing
        for (std::size_t k = 0; k < sides; ++k) {
            for (std::size_t i = 0; i < size; ++i) {
                near += static_cast<double>(std::abs(together[sides * i + k] - apart[k][i])) <= bound * largest ? 1 : 0;
            }
        }
        CHECK(near == sides * size);
        for (std::size_t i = sides * size; i < together.size(); ++i) REQUIRE(together[i] == 0);
    }
};

auto random_in(const GridTruth& truth, std::uint32_t seed) {
    return [&truth, seed](std::size_t k) { return numbers_in(truth, seed + static_cast<std::uint32_t>(k)); };
}

}  // namespace

TEST_CASE("steps of smoothing on grids for four right-hand sides are those for each",
          "[passes][grid][fields][grid_relax_field][grid_relax_twice_field]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant);
        const auto grid = make(backend, example);
        const GridTruth truth(*grid);
        const auto size = static_cast<Index>(example.cells.size());
        const Vector& d = *grid->reciprocal_diagonal().diagonal();
        Both x(backend, size), b(backend, size);
        x.upload(random_in(truth, 1));
        b.upload(random_in(truth, 11));
        grid->relax(x.all, b.all, 0.8f);
        for (std::size_t k = 0; k < sides; ++k) grid->matrix().relax(x.each[k], b.each[k], &d, 0.8f, {});
        x.check();
        x.poison_all();
        grid->relax_twice(x.all, b.all, 0.7f, 1.9f);
        for (std::size_t k = 0; k < sides; ++k) grid->matrix().relax_twice(x.each[k], b.each[k], &d, 0.7f, 1.9f);
        x.check();
    }
}

TEST_CASE("four right-hand sides go to a coarser grid and back as each does",
          "[passes][grid][fields][grid_restrict_residual_field][grid_prolong_field]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    each_joining([&](const Example& example, const std::array<Index, 3>& joined, const GridCells& coarse) {
        const auto fine = make(backend, example);
        const GridTruth truth(*fine);
        GridOperator next(backend, coarse, fine->coarse_weight(joined), false);
        next.coarsen(*fine, joined);
        const auto size = static_cast<Index>(example.cells.size()), coarse_size = static_cast<Index>(coarse.size());
        Both x(backend, size), b(backend, size), coarse_x(backend, coarse_size), coarse_b(backend, coarse_size);
        x.upload(random_in(truth, 1));
        b.upload(random_in(truth, 11));
        coarse_x.poison_all();
        coarse_b.poison_all();
        fine->restrict_residual(coarse_b.all, coarse_x.all, 0.75f, next, b.all, x.all, joined);
        for (std::size_t k = 0; k < sides; ++k) {
            fine->restrict_residual(coarse_b.each[k], coarse_x.each[k], 0.75f, next, b.each[k], x.each[k], joined);
        }
        coarse_b.check();
        coarse_x.check();
        coarse_x.upload([&](std::size_t k) {
            return random_numbers(static_cast<std::size_t>(coarse_size), 21 + static_cast<std::uint32_t>(k));
        });
        const StorageId d = fine->reciprocal_diagonal().diagonal()->id();
        prolong_cells(x.all, example.cells, coarse_x.all, coarse, joined, d);
        for (std::size_t k = 0; k < sides; ++k) {
            prolong_cells(backend, x.each[k].id(), example.cells, coarse_x.each[k].id(), coarse, joined, d);
        }
        x.check();
    });
}

TEST_CASE("a coarsest grid is solved for four right-hand sides as for each",
          "[passes][grid][fields][grid_columns_field]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        if (example.constant || example.cells.size() > CoarsestGrid::most) continue;
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth);
        const auto grid = make(backend, example);
        CoarsestGrid coarsest(backend, *grid);
        coarsest.update(*grid, {1, 1, 1});  // which makes the same grid
        const GridTruth truth(*grid);
        const auto size = static_cast<Index>(example.cells.size());
        Both x(backend, size), b(backend, size);
        b.upload(random_in(truth, 8));
        x.poison_all();
        coarsest.solve(x.all, b.all);
        for (std::size_t k = 0; k < sides; ++k) coarsest.solve(x.each[k], b.each[k]);
        x.check();
    }
}

TEST_CASE("a cycle over grids for four right-hand sides is the one for each", "[passes][grid][fields]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (Example& example : examples()) {
        for (const auto& [levels, steps] : {std::pair(100, 0), {2, 1}, {1, 3}, {100, 2}}) {
            CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant, levels, steps);
            GridOperator finest(backend, example.cells, example.weight, example.constant);
            AmgOptions options;
            options.levels = levels;
            options.steps = steps;
            GridMultigrid multigrid(backend, finest, options);
            REQUIRE(multigrid.takes_fields());
            const auto size = static_cast<Index>(example.cells.size());
            Both z(backend, size), r(backend, size);
            for (const bool again : {false, true}) {  // with other cells
                CAPTURE(again);
                if (again) std::ranges::rotate(example.kinds, example.kinds.begin() + std::ssize(example.kinds) / 3);
                Example masked = example;
                for (std::size_t i = 0; i < masked.kinds.size(); ++i) masked.kinds[i] = 0;
                masked.each([&](Index i, Index j, Index k) {
                    const std::size_t at = masked.cells.at(i, j, k);
                    masked.kinds[at] = example.kinds[at];
                });
                Vector cells(backend, example.cells.size(), "cells");
                cells.upload(masked.kinds);
                finest.couple(cells, example.of);
                multigrid.update();
                const GridTruth truth(finest);
                r.upload(random_in(truth, 31));
                z.poison_all();
                multigrid.apply(z.all, r.all);
                for (std::size_t k = 0; k < sides; ++k) multigrid.apply(z.each[k], r.each[k]);
                z.check(2e-5);
            }
        }
    }
}

}  // namespace tests_of_grid_fields
