// The grid behind a matrix: sizes, couplings, what rows sum to, and what is no grid.
#include "preconditioners/matrix_grid.hpp"

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/words.hpp"

namespace tests_of_matrix_grid {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Random couplings, one in ten of them missing; what is given adds to the diagonal.
CsrMatrix random_grid(Index width, Index height, Index depth) {
    Random random(3);
    std::vector<Triplet> entries;
    const std::array<Index, 3> size{width, height, depth}, stride{1, width, width * height};
    for (Index i = 0; i < width * height * depth; ++i) {
        entries.push_back({i, i, 0.01 + random.uniform()});
        const std::array<Index, 3> at{i % width, i / width % height, i / width / height};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const double c = 0.1 + random.uniform();
            if (at[axis] + 1 == size[axis] || random.uniform() < 0.1) continue;
            const Index j = i + stride[axis];
            for (const auto& [row, column, value] : {Triplet{i, i, c}, {j, j, c}, {i, j, -c}, {j, i, -c}}) {
                entries.push_back({row, column, value});
            }
        }
    }
    const Index rows = width * height * depth;
    return csr_from_triplets(rows, rows, entries);
}

/// What the numbers stand for, in the order of the matrix.
CsrMatrix matrix_of(const MatrixGrid& grid) {
    const GridCells& cells = grid.cells;
    const std::array<Index, 3> strides = cells.strides();
    std::vector<Triplet> entries;
    std::vector<Index> natural(static_cast<std::size_t>(cells.size()), -1);
    std::vector<std::size_t> place;
    for (Index z = 0; z < cells.depth; ++z) {
        for (Index y = 0; y < cells.height; ++y) {
            for (Index x = 0; x < cells.width; ++x) {
                natural[cells.at(x, y, z)] = static_cast<Index>(place.size());
                place.push_back(cells.at(x, y, z));
            }
        }
    }
    const auto rows = static_cast<Index>(place.size());
    for (Index i = 0; i < rows; ++i) {
        const std::size_t cell = place[static_cast<std::size_t>(i)];
        double sum = static_cast<double>(grid.numbers.mass[cell]);
        if (!grid.alone.empty() && grid.alone[static_cast<std::size_t>(i)] != 0) {
            sum += 1 / static_cast<double>(grid.alone[static_cast<std::size_t>(i)]);
        }
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(cells.dimensions()); ++axis) {
            sum += static_cast<double>(grid.numbers.given[axis][cell]);
            const auto c = static_cast<double>(grid.numbers.couplings[axis][cell]);
            if (c == 0) continue;
            const Index j = natural[cell + static_cast<std::size_t>(strides[axis])];
            REQUIRE(j >= 0);
            for (const auto& [row, column, value] : {Triplet{i, i, c}, {j, j, c}, {i, j, -c}, {j, i, -c}}) {
                entries.push_back({row, column, value});
            }
        }
        entries.push_back({i, i, sum});
    }
    return csr_from_triplets(rows, rows, entries);
}

void check_same(const CsrMatrix& made, const CsrMatrix& A, double factor) {
    REQUIRE(made.offsets == A.offsets);
    REQUIRE(made.column == A.column);
    for (std::size_t k = 0; k < A.value.size(); ++k) {
        CHECK(made.value[k] == Approx(factor * A.value[k]).epsilon(1e-6));
    }
}

std::string refusal(const CsrMatrix& A) {
    try {
        grid_of(A, 1);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

double total(const std::vector<float>& numbers) {
    double sum = 0;
    for (const float v : numbers) sum += static_cast<double>(v);
    return sum;
}

CsrMatrix with_entries(CsrMatrix A, const std::vector<Triplet>& more) {
    std::vector<Triplet> entries = more;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) entries.push_back({i, A.column[k], A.value[k]});
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

}  // namespace

TEST_CASE("the numbers of a grid are those of its matrix", "[core][matrix_grid]") {
    const auto size =
        GENERATE(std::array<Index, 3>{1, 1, 1}, std::array<Index, 3>{9, 1, 1}, std::array<Index, 3>{2, 2, 1},
                 std::array<Index, 3>{2, 9, 1}, std::array<Index, 3>{13, 2, 1}, std::array<Index, 3>{13, 7, 1},
                 std::array<Index, 3>{8, 31, 1}, std::array<Index, 3>{5, 4, 3}, std::array<Index, 3>{2, 3, 5},
                 std::array<Index, 3>{16, 2, 2});
    CAPTURE(size[0], size[1], size[2]);
    const CsrMatrix A = random_grid(size[0], size[1], size[2]);
    for (const double factor : {1.0, 0.25}) {
        const MatrixGrid grid = grid_of(A, factor);
        CHECK(grid.cells.width == size[0]);
        CHECK(grid.cells.height == size[1]);
        CHECK(grid.cells.depth == size[2]);
        check_same(matrix_of(grid), A, factor);
    }
}

TEST_CASE("what a row sums to is a mass, or given where a neighbour is missing", "[core][matrix_grid]") {
    const MatrixGrid plane = grid_of(poisson2d(6), 1);
    CHECK(total(plane.numbers.mass) == 0);
    for (std::size_t axis = 0; axis < 2; ++axis) CHECK(total(plane.numbers.given[axis]) == 12);  // two sides of six
    CHECK(plane.alone.empty());
    const MatrixGrid space = grid_of(poisson3d(5), 1);
    CHECK(total(space.numbers.mass) == 0);
    for (const std::vector<float>& given : space.numbers.given) CHECK(total(given) == 50);
    // (1, epsilon), and a corner has both
    const MatrixGrid weak = grid_of(anisotropic(6, 0.125), 1);
    CHECK(weak.weight == std::array<float, 3>{1, 0.125f, 0});
    CHECK(total(weak.numbers.given[0]) == Approx(12));
    CHECK(total(weak.numbers.given[1]) == Approx(1.5));
    std::vector<Triplet> shift;
    for (Index i = 0; i < 36; ++i) shift.push_back({i, i, 0.5});
    const MatrixGrid shifted = grid_of(with_entries(poisson2d(6), shift), 1);
    CHECK(total(shifted.numbers.mass) == 18);
    CHECK(total(shifted.numbers.given[1]) == 12);
}

TEST_CASE("rows with nothing beside the diagonal are no cells", "[core][matrix_grid]") {
    CsrMatrix A = poisson2d(5);  // the middle and a corner are taken out
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index j = A.column[k];
            const bool out = i == 12 || i == 0 || j == 12 || j == 0;
            if (out) A.value[k] = i == j ? 8 : 0;
        }
    }
    const MatrixGrid grid = grid_of(A, 1);
    REQUIRE(grid.alone.size() == 25);
    CHECK(grid.alone[12] == 0.125f);
    CHECK(grid.alone[0] == 0.125f);
    CHECK(grid.alone[1] == 0);
    CHECK(total(grid.numbers.mass) == 0);
    CHECK(total(grid.numbers.given[0]) == 10 - 1 + 2 + 1);  // but for the corner's, with those of its neighbour and two
}

TEST_CASE("what is no grid is refused in words that name the place", "[core][matrix_grid]") {
    check_has(refusal(convection_diffusion(8)), "not symmetric, row 1, column 2 is");
    check_has(refusal(elasticity(2, 2, 2).A), "entries stand 3, 4, 5, 6, ... from the diagonal");
    check_has(refusal(random_spd(40, 200)), "from the diagonal");
    check_has(refusal(with_entries(poisson2d(6), {{7, 14, -0.1}, {14, 7, -0.1}})), "1, 6, 7 from the diagonal");
    check_has(refusal(with_entries(poisson2d(6), {{5, 6, -0.1}, {6, 5, -0.1}})), "row 6, column 7");
    check_has(refusal(with_entries(poisson2d(6), {{7, 8, 1.5}, {8, 7, 1.5}})), "row 8, column 9: 0.5 is above zero");
    check_has(refusal(with_entries(poisson2d(6), {{7, 8, 0.5}})), "row 8, column 9 is -0.5");
    check_has(refusal(with_entries(poisson2d(6), {{7, 7, -0.5}})), "row 8 sums to -0.5");
    check_has(refusal(with_entries(poisson2d(6), {{7, 7, -4}})), "row 8 has 0 on the diagonal");
    check_has(refusal(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1e-30}})), "row 2 has 1.0e-30");
    const std::vector<Triplet> odd{{0, 0, 3}, {0, 2, -1}, {2, 0, -1}, {1, 1, 1}, {2, 2, 3}};
    check_has(refusal(csr_from_triplets(3, 3, odd)), "3 rows with entries that stand 2 from the diagonal");
    check_has(refusal(convection_diffusion(8)), "amg takes any");
}

TEST_CASE("rounding makes no difference to what is a grid", "[core][matrix_grid]") {
    const CsrMatrix A = jumping_coefficients(12, 1e6, Coefficients::cells);
    const double up = 1 + 1e-14;
    CsrMatrix B = A;
    for (std::size_t k = 0; k < B.value.size(); k += 3) B.value[k] *= up;
    CHECK(refusal(B).empty());
}

}  // namespace tests_of_matrix_grid
