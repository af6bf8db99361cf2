// Grids without a matrix: what their operator is made of, its products, and the way to a coarser grid, against formulas
// in double precision that know nothing of texels.
#include <cmath>

#include "core/random.hpp"
#include "core/verbs.hpp"
#include "grid/coarsest_grid.hpp"
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
          of{.dirichlet = {1, 2, 3},
             .wall = is_constant ? 2.0f : 1.3f,
             .halved = is_constant ? 0 : 6,
             .mass = is_constant ? 0.0f : 0.12f},
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

    using Place = std::array<Index, 3>;
    bool inside(const Place& at) const {
        for (std::size_t a = 0; a < 3; ++a) {
            if (at[a] < 0 || at[a] >= sides()[a]) return false;
        }
        return true;
    }
    std::size_t number(const Place& at) const { return cells.at(at[0], at[1], at[2]); }
    double kind(const Place& at) const { return inside(at) ? static_cast<double>(kinds[number(at)]) : 0; }
    /// Of a face across the axis, or of a cell, axis 3: what is left of it on walls that halve it.
    double share(const Place& at, std::size_t axis) const {
        double left = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            if (a != axis && at[a] == 0 && (of.halved >> (2 * a) & 1) != 0) left /= 2;
            if (a != axis && at[a] == sides()[a] - 1 && (of.halved >> (2 * a + 1) & 1) != 0) left /= 2;
        }
        return left;
    }
    static Place moved(Place at, std::size_t axis, Index by) {
        at[axis] += by;
        return at;
    }
    double harmonic(const Place& at, std::size_t axis, double k, double other) const {
        return share(at, axis) * static_cast<double>(weight[axis]) * 2 * k * other / (k + other);
    }
    /// With the next cell along the axis.
    double coupling(const Place& at, std::size_t axis) const {
        const double k = kind(at), other = kind(moved(at, axis, 1));
        return k > 0 && other > 0 ? harmonic(at, axis, k, other) : 0;
    }
    /// With values that are given on both sides along the axis.
    double given(const Place& at, std::size_t axis) const {
        const double k = kind(at);
        if (k <= 0) return 0;
        double sum = 0;
        for (const int side : {0, 1}) {
            const Place there = moved(at, axis, side == 0 ? -1 : 1);
            if (!inside(there)) {
                const bool wall = ((of.dirichlet[axis] >> side) & 1) != 0;
                if (wall) sum += share(at, axis) * static_cast<double>(weight[axis]) * static_cast<double>(of.wall) * k;
            } else if (kind(there) < 0) {
                sum += harmonic(at, axis, k, -kind(there));
            }
        }
        return sum;
    }
    double mass(const Place& at) const { return kind(at) > 0 ? share(at, 3) * static_cast<double>(of.mass) : 0; }

    /// Face by face.
    CsrMatrix matrix() const {
        std::vector<Triplet> entries;
        each([&](Index x, Index y, Index z) {
            const Place here{x, y, z};
            const auto i = static_cast<Index>(number(here));
            if (mass(here) != 0) entries.push_back({i, i, mass(here)});
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(cells.dimensions()); ++axis) {
                if (given(here, axis) != 0) entries.push_back({i, i, given(here, axis)});
                const double c = coupling(here, axis);
                if (c == 0) continue;
                const auto j = static_cast<Index>(number(moved(here, axis, 1)));
                entries.insert(entries.end(), {{i, i, c}, {j, j, c}, {i, j, -c}, {j, i, -c}});
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

GridCells joined_cells(const GridCells& fine, const std::array<Index, 3>& joined) {
    const auto side = [](Index cells, Index together) { return (cells + together - 1) / together; };
    return GridCells::of(side(fine.width, joined[0]), side(fine.height, joined[1]), side(fine.depth, joined[2]),
                         fine.space, false);
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
        const CsrMatrix A = truth.matrix();
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

TEST_CASE("cells are joined, and what they become goes back to them",
          "[passes][grid][grid_restrict][grid_restrict_residual][grid_prolong]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        for (const auto& joined : {std::array<Index, 3>{2, 2, 1}, {2, 1, 1}, {1, 2, 2}, {2, 2, 2}, {1, 1, 1}}) {
            if (joined[2] > 1 && !example.cells.space) continue;
            CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant, joined[0],
                    joined[1], joined[2]);
            const GridCells coarse = joined_cells(example.cells, joined);
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
            poison(y);
            fine->restrict_residual(y, coarse, b, x, joined);
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
            y.upload(values);
            prolong_cells(backend, x.id(), example.cells, y.id(), coarse, joined,
                          fine->reciprocal_diagonal().diagonal()->id());
            CHECK(worst(x.download_texels(), prolonged) < 2e-6);
        }
    }
}

TEST_CASE("couplings of joined cells are those of parts, and half a part on both sides in series",
          "[passes][grid][grid_coarsen]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& example : examples()) {
        for (const auto& joined : {std::array<Index, 3>{2, 2, 1}, {2, 1, 1}, {1, 2, 2}, {2, 2, 2}, {1, 1, 1}}) {
            if (joined[2] > 1 && !example.cells.space) continue;
            CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant, joined[0],
                    joined[1], joined[2]);
            const auto fine = make(backend, example);
            const GridCells coarse = joined_cells(example.cells, joined);
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
                    const double within = first    ? out
                                          : second ? example.coupling(Example::moved(here, axis, -1), axis)
                                                   : 0;
                    given[parent] += e / (1 + std::min(half(e, within), 1.0));
                    if (first) continue;
                    const double beyond = second ? example.coupling(Example::moved(here, axis, 1), axis) : 0;
                    c[axis][parent] += out / (1 + std::min(half(out, within), 0.5) + std::min(half(out, beyond), 0.5));
                }
            });
            const auto far = [](double found, double wanted) { return std::abs(found - wanted) / (1 + wanted); };
            double largest = 0;
            const std::vector<double> found = next.read_given();
            for (std::size_t i = 0; i < found.size(); ++i) largest = std::max(largest, far(found[i], given[i]));
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(coarse.dimensions()); ++axis) {
                const HostArray<float> couplings = next.read_couplings(static_cast<int>(axis));
                for (std::size_t i = 0; i < found.size(); ++i) {
                    largest = std::max(largest, far(static_cast<double>(couplings[i]), c[axis][i]));
                }
            }
            CHECK(largest < 2e-6);
        }
    }
}

TEST_CASE("a coarsest grid is solved by the product with a polynomial of its matrix",
          "[passes][grid][grid_stack][grid_columns]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (Example& example : examples()) {
        if (example.constant || example.cells.size() > CoarsestGrid::most) continue;
        CAPTURE(example.cells.width, example.cells.height, example.cells.depth);
        const auto grid = make(backend, example);
        CoarsestGrid coarsest(backend, *grid);
        coarsest.update();
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
