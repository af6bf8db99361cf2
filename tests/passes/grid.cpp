// Grids without a matrix: what their operator is made of, its products, and the way to a coarser grid, against formulas
// in double precision that know nothing of texels.
#include <cmath>

#include "core/random.hpp"
#include "core/verbs.hpp"
#include "grid/grid_operator.hpp"
#include "grid/grid_truth.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A grid with random cells, and what its operator should be.
struct Example {
    GridCells cells;
    bool constant;
    std::array<float, 3> weight;
    GridCoefficients of;
    std::vector<float> kinds;  // in the layout of the device

    Example(Index width, Index height, Index depth, bool is_constant, std::uint64_t seed = 1)
        : cells(GridCells::of(width, height, depth, depth > 1, is_constant)),
          constant(is_constant),
          weight(is_constant ? std::array<float, 3>{1, 1, 1} : std::array<float, 3>{1.0f, 0.7f, 1.5f}),
          of{.dirichlet = {1, 2, 3}, .wall = 2, .mass = is_constant ? 0.0f : 0.12f},
          kinds(static_cast<std::size_t>(cells.size()), 0.0f) {
        Random random(seed);
        each([&](Index x, Index y, Index z) {
            const double dice = random.uniform();
            const float k = constant ? 1.0f : static_cast<float>(0.25 + 4 * random.uniform());
            kinds[cells.at(x, y, z)] = dice < 0.2 ? 0.0f : dice < 0.3 ? -k : k;
        });
    }
    template <class Function>
    void each(const Function& f) const {
        for (Index z = 0; z < cells.depth; ++z) {
            for (Index y = 0; y < cells.height; ++y) {
                for (Index x = 0; x < cells.width; ++x) f(x, y, z);
            }
        }
    }
    std::array<Index, 3> sides() const { return {cells.width, cells.height, cells.depth}; }

    /// Face by face.
    CsrMatrix matrix() const {
        std::vector<Triplet> entries;
        each([&](Index x, Index y, Index z) {
            const std::array<Index, 3> here{x, y, z};
            const auto i = static_cast<Index>(cells.at(x, y, z));
            const auto k = static_cast<double>(kinds[static_cast<std::size_t>(i)]);
            if (k <= 0) return;
            if (of.mass != 0) entries.push_back({i, i, static_cast<double>(of.mass)});
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(cells.dimensions()); ++axis) {
                const auto w = static_cast<double>(weight[axis]);
                for (const int side : {0, 1}) {
                    std::array<Index, 3> there = here;
                    there[axis] += side == 0 ? -1 : 1;
                    if (there[axis] < 0 || there[axis] >= sides()[axis]) {
                        const bool wall = ((of.dirichlet[axis] >> side) & 1) != 0;
                        if (wall) entries.push_back({i, i, w * static_cast<double>(of.wall) * k});
                        continue;
                    }
                    const auto j = static_cast<Index>(cells.at(there[0], there[1], there[2]));
                    const auto other = static_cast<double>(kinds[static_cast<std::size_t>(j)]);
                    if (other == 0) continue;
                    const double c = w * 2 * k * std::abs(other) / (k + std::abs(other));
                    entries.push_back({i, i, c});
                    if (other > 0) entries.push_back({i, j, -c});
                }
            }
        });
        const auto n = static_cast<Index>(cells.size());
        return csr_from_triplets(n, n, entries);
    }
};

std::unique_ptr<GridOperator> make(Backend& backend, const Example& example) {
    auto made = std::make_unique<GridOperator>(backend, example.cells, example.weight, example.constant);
    Vector cells(backend, example.cells.size(), "cells");
    cells.upload(example.kinds);
    made->couple(cells, example.of);
    return made;
}

std::vector<Example> examples() {
    std::vector<Example> all;
    for (const bool constant : {true, false}) {
        for (const auto& [w, h, d] : {std::array<Index, 3>{1, 1, 1},
                                      {3, 1, 1},
                                      {4, 5, 1},
                                      {13, 7, 1},
                                      {1, 9, 1},
                                      {16, 16, 1},
                                      {5, 4, 3},
                                      {8, 3, 2}}) {
            all.emplace_back(w, h, d, constant);
        }
        if (!is_slow()) all.emplace_back(61, 43, 1, constant);
        if (!is_slow()) all.emplace_back(17, 9, 11, constant);
    }
    return all;
}

/// |A - B| in units of the largest entry of the row.
double difference(const CsrMatrix& A, const CsrMatrix& B) {
    REQUIRE(A.offsets == B.offsets);
    REQUIRE(A.column == B.column);
    double worst = 0;
    for (Index i = 0; i < A.rows; ++i) {
        double largest = 1e-30;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) largest = std::max(largest, std::abs(A.value[k]));
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            worst = std::max(worst, std::abs(A.value[k] - B.value[k]) / largest);
        }
    }
    return worst;
}

/// Zeros where there is no unknown.
std::vector<float> numbers_in(const GridTruth& truth, std::uint32_t seed) {
    std::vector<float> numbers = random_numbers(static_cast<std::size_t>(truth.matrix().rows), seed);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!truth.has_unknown(i)) numbers[i] = 0;
    }
    return numbers;
}

void poison(Vector& v) {
    v.backend().upload(v.id(), Texels(static_cast<std::size_t>(v.layout().extent().texels()) * 4, -3e9f));
}

double worst(const Texels& mine, const std::vector<double>& exact) {
    double worst = 0;
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double e = i < exact.size() ? exact[i] : 0;  // padding is zero
        worst = std::max(worst, std::abs(static_cast<double>(mine[i]) - e) / std::max(1.0, std::abs(e)));
    }
    return worst;
}

float total(PartialSums& partial, int component = -1) {
    Scalar s(partial.backend(), "s");
    sum(s, partial, component < 0 ? Finish::add_components : Finish::keep_components);
    Texels texel(4);
    partial.backend().read(s.id(), texel);
    return texel[static_cast<std::size_t>(std::max(component, 0))];
}

}  // namespace

TEST_CASE("a grid's operator is that of its faces", "[passes][grid][grid_couplings]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant);
        const GridTruth truth(*make(backend, example));
        CHECK(difference(truth.matrix(), example.matrix()) < 4e-7);
    }
}

TEST_CASE("products with a grid's operator match double precision",
          "[passes][grid][grid_diagonal][grid_multiply][grid_multiply_dot][grid_residual][grid_multiply_two_float]"
          "[grid_residual_two_float][grid_relax][grid_chebyshev][grid_chebyshev_norms][grid_multiply_dots][grid_field]"
          "[grid_chebyshev_chaotic]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant);
        const auto grid = make(backend, example);
        const GridTruth truth(*grid);
        const CsrMatrix& A = truth.matrix();
        const auto n = static_cast<std::size_t>(A.rows);
        AssembledMatrix& op = grid->matrix();
        const std::vector<float> x = numbers_in(truth, 1), b = numbers_in(truth, 2), p = numbers_in(truth, 3);
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
        const Vector* reciprocal = grid->reciprocal_diagonal().diagonal();
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
        op.chebyshev_chaotic(vx, vp, vb, reciprocal, steps, {});
        std::vector<double> second = moved, A_moved(n);
        multiply(A, moved, A_moved);
        for (std::size_t i = 0; i < n; ++i) {
            second[i] += 0.7 * (d[i] * (static_cast<double>(b[i]) - A_moved[i]) - 0.4 * direction[i]);
        }
        const bool one_tile = n <= 16;  // then nobody sees what another has begun
        if (one_tile) CHECK(worst(vx.download_texels(), second) < 3e-6);

        Field X(backend, A.rows, "X"), Y(backend, A.rows, "Y");
        Texels four(4 * n);
        for (std::size_t i = 0; i < 4 * n; ++i) four[i] = x[i / 4] * static_cast<float>(1 << (i % 4));
        X.upload(four);
        PartialSums field_partial(backend, X.layout().extent());
        op.multiply_dot(Y, X, field_partial);
        std::vector<double> four_products(4 * n);
        for (std::size_t i = 0; i < 4 * n; ++i) four_products[i] = product[i / 4] * (1 << (i % 4));
        CHECK(worst(Y.download_texels(), four_products) < 3e-6);
        CHECK(static_cast<double>(total(field_partial, 2)) == Approx(16 * dot).epsilon(1e-5).margin(1e-4));

        if (!backend.info().two_float_fault.empty()) continue;
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
        CHECK(far < 1e-11);
        multiply(A, std::vector<double>(x.begin(), x.end()), product);
        op.multiply_two_float(vy, low, vx, partial);
        again();
        op.multiply_two_float(vy, low, vx, partial);
        const Texels y_hi = vy.download_texels(), y_lo = low.download_texels();
        far = 0;
        for (std::size_t i = 0; i < n; ++i) {
            far = std::max(far, std::abs(static_cast<double>(y_hi[i]) + static_cast<double>(y_lo[i]) - product[i]));
        }
        CHECK(far < 1e-11);
    }
}

TEST_CASE("cells are joined, and what they become goes back to them", "[passes][grid][grid_restrict][grid_prolong]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        for (const auto& joined : {std::array<Index, 3>{2, 2, 1}, {2, 1, 1}, {1, 2, 2}, {2, 2, 2}, {1, 1, 1}}) {
            if (joined[2] > 1 && !example.cells.space) continue;
            CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant, joined[0],
                    joined[1], joined[2]);
            const auto side = [](Index n, Index by) { return (n + by - 1) / by; };
            const GridCells coarse =
                GridCells::of(side(example.cells.width, joined[0]), side(example.cells.height, joined[1]),
                              side(example.cells.depth, joined[2]), example.cells.space, false);
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
            restrict_cells(backend, y.id(), coarse, x.id(), example.cells, joined, 0, 0.5f);
            std::vector<double> sums(static_cast<std::size_t>(coarse.size()), 0.0),
                prolonged(numbers.begin(), numbers.end());
            example.each([&](Index i, Index j, Index k) {
                const std::size_t at = example.cells.at(i, j, k);
                sums[parent(i, j, k)] += 0.5 * static_cast<double>(numbers[at]);
                if (truth.has_unknown(at)) prolonged[at] += static_cast<double>(values[parent(i, j, k)]);
            });
            CHECK(worst(y.download_texels(), sums) < 2e-6);
            y.upload(values);
            prolong_cells(backend, x.id(), example.cells, y.id(), coarse, joined,
                          fine->reciprocal_diagonal().diagonal()->id());
            CHECK(worst(x.download_texels(), prolonged) < 2e-6);
            // Couplings: those between parts of two cells, by 1 / joined along their axis.
            GridOperator next(backend, coarse, fine->coarse_weight(joined), false);
            next.coarsen(*fine, joined);
            std::vector<Triplet> entries;
            const CsrMatrix& A = truth.matrix();
            const std::array<Index, 3> strides = example.cells.strides();
            example.each([&](Index i, Index j, Index k) {
                const auto row = static_cast<Index>(example.cells.at(i, j, k));
                const auto here = static_cast<Index>(parent(i, j, k));
                const std::array<Index, 3> place{i, j, k};
                for (Offset e = A.offsets[row]; e < A.offsets[row + 1]; ++e) {
                    for (std::size_t axis = 0; axis < 3; ++axis) {
                        for (const Index side_of : {-1, 1}) {
                            if (A.column[e] != row + side_of * strides[axis]) continue;
                            std::array<Index, 3> there = place;
                            there[axis] += side_of;
                            if (there[axis] < 0 || there[axis] >= example.sides()[axis]) continue;
                            const auto other = static_cast<Index>(parent(there[0], there[1], there[2]));
                            if (other == here) continue;
                            const double c = A.value[e] / joined[axis];
                            entries.push_back({here, other, c});
                        }
                    }
                }
            });
            const CsrMatrix expected =
                csr_from_triplets(static_cast<Index>(coarse.size()), static_cast<Index>(coarse.size()), entries);
            const CsrMatrix made = GridTruth(next).matrix();
            double largest = 0;
            for (Index row = 0; row < expected.rows; ++row) {
                for (Offset e = expected.offsets[row]; e < expected.offsets[row + 1]; ++e) {
                    double found = 0;
                    for (Offset f = made.offsets[row]; f < made.offsets[row + 1]; ++f) {
                        if (made.column[f] == expected.column[e]) found = made.value[f];
                    }
                    largest = std::max(largest, std::abs(found - expected.value[e]));
                }
            }
            CHECK(largest < 1e-5);
        }
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
