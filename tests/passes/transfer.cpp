// What leads from one level to another: rectangular products, against double precision.
#include "formats/transfer.hpp"

#include <cmath>
#include <functional>
#include <glsolve/generate.hpp>

#include "amg/lattice.hpp"
#include "base/random.hpp"
#include "formats/box_plan.hpp"
#include "formats/transfer_formats.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_transfer {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Rows of 0 to `longest` entries.
CsrMatrix random_rectangle(Index rows, Index columns, Index longest, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < rows; ++i) {
        const auto count = static_cast<Index>(random.uniform() * static_cast<double>(longest + 1));
        for (Index k = 0; k < count; ++k) {
            entries.push_back({i, static_cast<Index>(random.uniform() * columns), random.uniform() + 0.5});
        }
    }
    return csr_from_triplets(rows, columns, entries);
}

std::vector<double> powers_of_two(Index count) {
    std::vector<double> scale(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::ldexp(1.0, static_cast<int>(i % 5) - 2);
    return scale;
}

/// From the centres of blocks of three points a side, along axes that have fewer of them: each point has the next ones
/// on both sides, a centre itself alone or, `from_far`, also its neighbours. `number`: of a row and a block along x.
CsrMatrix interpolation(const Lattice& points, const Lattice& blocks, const std::function<double(Index, Index)>& number,
                        bool from_far) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < points.points(); ++i) {
        const std::array<Index, 3> at = points.place(i);
        std::array<std::vector<Index>, 3> from;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (points.size[axis] == blocks.size[axis]) {
                from[axis] = {at[axis]};
                continue;
            }
            const Index own = block_of(at[axis], blocks.size[axis]), off = at[axis] - block_centre(own);
            from[axis] = {own};
            if ((off != 0 || from_far) && off >= 0 && own + 1 < blocks.size[axis]) from[axis].push_back(own + 1);
            if ((off != 0 || from_far) && off <= 0 && own > 0) from[axis].push_back(own - 1);
        }
        for (const Index z : from[2]) {
            for (const Index y : from[1]) {
                for (const Index x : from[0]) entries.push_back({i, blocks.number({x, y, z}), number(i, x)});
            }
        }
    }
    return csr_from_triplets(points.points(), blocks.points(), entries);
}

/// P between lattices, if there are any: points along each axis of what rows and columns are.
struct Between {
    std::array<Index, 3> rows{}, columns{};
};

TransferInput unscaled(const CsrMatrix& P, const Between& lattices) {
    static const std::vector<double> ones(50'000, 1.0);
    return {P, ones, ones, lattices.rows, lattices.columns};
}

/// y <- P x, or y <- y + P x, both with rows and columns scaled.
void check_transfer(const CsrMatrix& P, const Between& lattices, std::optional<TransferFormat> format) {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<double> row_scale = powers_of_two(P.rows), column_scale = powers_of_two(P.columns);
    Transfer transfer = make_transfer(backend, {P, row_scale, column_scale, lattices.rows, lattices.columns}, format);
    Vector x(backend, P.columns, "x"), y(backend, P.rows, "y"), sum(backend, P.rows, "sum");
    const Texels x_numbers = random_numbers(static_cast<std::size_t>(P.columns), 3),
                 before = random_numbers(static_cast<std::size_t>(P.rows), 4);
    x.upload(x_numbers);
    backend.upload(y.id(), Texels(static_cast<std::size_t>(y.layout().extent().texels()) * 4, -3e9f));
    sum.upload(before);
    transfer.multiply(y, x);
    transfer.add(sum, x);
    const Texels product = y.download_texels(), added = sum.download_texels();
    double worst = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(P.rows); ++i) {
        double exact = 0, size = 0;
        for (Offset k = P.offsets[i]; k < P.offsets[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(P.column[static_cast<std::size_t>(k)]);
            const double term = row_scale[i] * P.value[static_cast<std::size_t>(k)] * column_scale[j]
                                * static_cast<double>(x_numbers[j]);
            exact += term, size += std::abs(term);
        }
        const double unit = 6e-8 * static_cast<double>(P.offsets[i + 1] - P.offsets[i] + 3);
        const double b = static_cast<double>(before[i]);
        worst = std::max(worst, std::abs(static_cast<double>(product[i]) - exact) / (unit * size + 1e-30));
        worst = std::max(worst, std::abs(static_cast<double>(added[i]) - b - exact) / (unit * (size + std::abs(b))));
    }
    CHECK(worst <= 1);
    for (auto i = static_cast<std::size_t>(P.rows); i < product.size(); ++i) {
        REQUIRE(product[i] == 0);
        REQUIRE(added[i] == 0);
    }
}

/// As chosen, and in each format that takes P.
void check_transfer(const CsrMatrix& P, const Between& lattices = {}) {
    check_transfer(P, lattices, {});
    for (const TransferFormat format : {TransferFormat::slices, TransferFormat::csr})
        check_transfer(P, lattices, format);
    if (boxes_of(unscaled(P, lattices))) check_transfer(P, lattices, TransferFormat::boxes);
}

}  // namespace

TEST_CASE("transfers between vectors of two lengths match double precision",
          "[passes][transfer][transfer_add][csr_transfer][csr_transfer_add]") {
    check_transfer(random_rectangle(1, 1, 1, 1));
    check_transfer(random_rectangle(3, 17, 4, 2));
    check_transfer(random_rectangle(17, 3, 2, 3));
    check_transfer(random_rectangle(70, 300, 20, 4));
    check_transfer(random_rectangle(300, 70, 3, 5));
    if (!is_slow()) check_transfer(random_rectangle(1000, 4100, 50, 6));  // slices of different lengths
    // All rows alike: the number of slots is a constant of the shader.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 90; ++i) {
        for (Index k = 0; k < 3; ++k) entries.push_back({i, (i + 7 * k) % 30, 0.3 + 0.1 * k + 0.01 * i});
    }
    check_transfer(csr_from_triplets(90, 30, entries));
    check_transfer(
        CsrMatrix{.rows = 5, .columns = 7, .offsets = {0, 0, 0, 0, 0, 0}, .column = {}, .value = {}});  // nothing
}

TEST_CASE("transfers between lattices match double precision", "[passes][box_transfer][box_transfer_add]") {
    struct Case {
        std::array<Index, 3> points, blocks;
        bool from_far = false;
    };
    // Lines of rows that are multiples of four and that are not, in the plane, in space and on a line; only some axes.
    std::vector<Case> cases{{{40, 9, 1}, {13, 3, 1}},      {{13, 11, 1}, {4, 4, 1}},  {{30, 8, 1}, {30, 3, 1}},
                            {{31, 9, 1}, {10, 9, 1}},      {{14, 13, 12}, {5, 4, 4}}, {{100, 1, 1}, {33, 1, 1}},
                            {{23, 17, 1}, {8, 6, 1}, true}};
    if (!is_slow()) cases.push_back({{200, 170, 1}, {67, 57, 1}});
    for (const auto& [fine, coarse, from_far] : cases) {
        const Lattice points{fine}, blocks{coarse};
        CAPTURE(fine, coarse, from_far);
        Random random(7);
        // Numbers that are all different, and those of few kinds: records of their own, and records that are shared.
        const auto any = [&](Index, Index) { return random.uniform() + 0.5; };
        const auto alike = [](Index row, Index x) {
            return row % 97 == 5 ? 0.3 : 0.25 * static_cast<double>(1 + x % 2);
        };
        for (const std::function<double(Index, Index)>& number :
             {std::function<double(Index, Index)>(any), std::function<double(Index, Index)>(alike)}) {
            const CsrMatrix P = interpolation(points, blocks, number, from_far), Pt = transpose(P);
            const Between down{.rows = coarse, .columns = fine}, up{.rows = fine, .columns = coarse};
            CHECK(boxes_of(unscaled(P, up)).has_value());
            CHECK(boxes_of(unscaled(Pt, down)).has_value());
            check_transfer(P, up);
            check_transfer(Pt, down);
        }
    }
}

TEST_CASE("texels of rows that are alike share a record", "[core][box_transfer]") {
    const Lattice points{{96, 60, 1}}, blocks{{32, 20, 1}};
    const CsrMatrix P = interpolation(
        points, blocks, [](Index, Index) { return 0.5; }, false);
    TransferInput in = unscaled(P, {.rows = points.size, .columns = blocks.size});
    const std::optional<BoxShape> shape = boxes_of(in);
    REQUIRE(shape);
    CHECK(shape->stride == 0);
    CHECK(shape->slots() == 6);
    CHECK(make_records(in, *shape).count < 100);
    std::vector<double> all_different(static_cast<std::size_t>(P.rows));
    for (std::size_t i = 0; i < all_different.size(); ++i) all_different[i] = 1 + 0.001 * static_cast<double>(i);
    in.row_scale = all_different;
    CHECK(make_records(in, *shape).count >= P.rows / 4);
}

TEST_CASE("what is no lattice's is kept in slices", "[core][box_transfer]") {
    const Lattice points{{40, 9, 1}}, blocks{{13, 3, 1}};
    const CsrMatrix P = interpolation(
        points, blocks, [](Index, Index) { return 1.0; }, false);
    const Between lattices{.rows = points.size, .columns = blocks.size};
    CHECK(boxes_of(unscaled(P, lattices)));
    CHECK_FALSE(boxes_of(unscaled(P, {})));
    CHECK_FALSE(boxes_of(unscaled(random_rectangle(360, 39, 4, 8), lattices)));
}

}  // namespace tests_of_transfer
