#include <algorithm>
#include <cmath>
#include <glsolve/csr.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <random>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "matrix/host_matrix.hpp"
#include "support/catch.hpp"

namespace tests_of_csr {

using namespace glsolve;

namespace {

using Dense = std::vector<std::vector<double>>;

Dense dense(Index rows, Index columns) { return Dense(rows, std::vector<double>(columns, 0.0)); }

Dense dense(const CsrMatrix& A) {
    Dense result = dense(A.rows, A.columns);
    for (Index row = 0; row < A.rows; ++row) {
        for (const auto [column, value] : A.row(row)) result[row][column] = value;
    }
    return result;
}

Dense dense(Index rows, Index columns, const std::vector<Triplet>& entries) {
    Dense result = dense(rows, columns);
    for (const Triplet& entry : entries) result[entry.row][entry.column] += entry.value;
    return result;
}

/// Entries at random places, many of them more than once. Halves, so that sums are exact in any order.
std::vector<Triplet> random_entries(Index rows, Index columns, int count, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<Index> row(0, std::max(rows - 1, 0));
    std::uniform_int_distribution<Index> column(0, std::max(columns - 1, 0));
    std::uniform_int_distribution<int> halves(-20, 20);
    std::vector<Triplet> entries;
    for (int k = 0; k < count; ++k) entries.push_back({row(random), column(random), halves(random) / 2.0});
    return entries;
}

struct Shape {
    Index rows;
    Index columns;
    int entries;
};

const std::vector<Shape> shapes{{0, 0, 0}, {0, 5, 0},   {5, 0, 0},    {1, 1, 1},     {1, 40, 200},
                                {7, 7, 0}, {7, 11, 30}, {40, 1, 200}, {30, 30, 400}, {25, 90, 3000}};

/// What `check` says of `A`; empty when it is content.
std::string complaint(const CsrMatrix& A) {
    try {
        check(A);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

CsrMatrix small_matrix() { return csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}, {0, 2, 2}, {1, 1, 3}}); }

}  // namespace

static_assert(std::ranges::forward_range<CsrRow<double>> && std::ranges::sized_range<CsrRow<double>>);
static_assert(std::is_same_v<decltype(std::declval<const CsrMatrix&>().row(0)), CsrRow<const double>>);
static_assert(noexcept(std::declval<CsrMatrix&>().row(Offset{0})) && std::is_aggregate_v<CsrMatrix>);

TEST_CASE("rows are gone through entry by entry", "[core][csr]") {
    CsrMatrix A = csr_from_triplets(3, 4, std::vector<Triplet>{{0, 1, 2}, {0, 3, -4}, {2, 0, 8}});
    const CsrMatrix before = A;
    CHECK(A.row(0).size() == 2);
    CHECK(A.row(std::size_t{1}).empty());
    CHECK(A.row(1).begin() == A.row(1).end());
    CHECK(before.row(Offset{0})[1].column == 3);
    CHECK(before.row(0)[1].value == -4);
    CHECK(std::ranges::equal(before.row(0).columns(), std::vector<Index>{1, 3}));
    for (Index i = 0; i < A.rows; ++i) {
        for (auto [j, a] : A.row(i)) a += 10 * i + j;
        for (double& a : A.row(i).values()) a *= 2;
    }
    CHECK(A.value == std::vector<double>{2 * (2 + 1), 2 * (-4 + 3), 2 * (8 + 20)});
    CHECK(before.value == std::vector<double>{2, -4, 8});
    const auto row = before.row(0);
    CHECK(std::ranges::distance(row) == 2);
    CHECK((*std::next(row.begin())).value == -4);
}

TEST_CASE("csr_from_triplets adds up random entries like a dense matrix does", "[csr]") {
    for (const Shape& shape : shapes) {
        for (unsigned seed = 0; seed < 5; ++seed) {
            const auto entries = random_entries(shape.rows, shape.columns, shape.entries, seed);
            const CsrMatrix A = csr_from_triplets(shape.rows, shape.columns, entries);
            REQUIRE_NOTHROW(check(A));
            CHECK(dense(A) == dense(shape.rows, shape.columns, entries));
        }
    }
}

TEST_CASE("csr_from_triplets adds duplicates in the order given", "[csr]") {
    const CsrMatrix A =
        csr_from_triplets(1, 2, std::vector<Triplet>{{0, 1, 5}, {0, 0, 1e16}, {0, 0, 1}, {0, 0, -1e16}});
    REQUIRE(A.nonzeros() == 2);
    CHECK(A.value[0] == (1e16 + 1) - 1e16);
}

TEST_CASE("csr_from_triplets keeps explicit zeros", "[csr]") {
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 0}, {1, 0, 1}, {1, 0, -1}});
    CHECK(A.nonzeros() == 2);
    CHECK(A.offsets == std::vector<Offset>{0, 1, 2});
}

TEST_CASE("csr_from_triplets refuses what lies outside", "[csr]") {
    CHECK_THROWS_AS(csr_from_triplets(-1, 2, {}), InvalidInput);
    CHECK_THROWS_AS(csr_from_triplets(2, -1, {}), InvalidInput);
    for (const Triplet& entry : {Triplet{2, 0, 1}, Triplet{0, 3, 1}, Triplet{-1, 0, 1}, Triplet{0, -1, 1}}) {
        CHECK_THROWS_AS(csr_from_triplets(2, 3, std::vector<Triplet>{entry}), InvalidInput);
    }
    CHECK_THROWS_AS(csr_from_triplets(0, 0, std::vector<Triplet>{{0, 0, 1}}), InvalidInput);
}

TEST_CASE("check names the rule that is broken", "[csr]") {
    CHECK(complaint(small_matrix()).empty());
    CHECK(complaint(CsrMatrix{}).empty());
    const auto broken = [](auto change) {
        CsrMatrix A = small_matrix();
        change(A);
        return complaint(A);
    };
    CHECK(mentions(broken([](CsrMatrix& A) { A.rows = -1; }), "-1 rows"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.columns = -2; }), "-2 columns"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.offsets.pop_back(); }), "2 offsets for 2 rows"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.offsets.clear(); }), "0 offsets for 2 rows"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.offsets[0] = 1; }), "first offset is 1"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.value.pop_back(); }), "3 columns and 2 values"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.offsets[2] = 2; }), "last offset is 2"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.offsets[1] = 4; }), "row 1 ends before it begins"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.column[1] = 3; }), "row 0 has an entry in column 3"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.column[2] = -1; }), "row 1 has an entry in column -1"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.column[1] = 0; }), "column 0 follows column 0"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.value[2] = std::nan(""); }), "row 1, column 1 is nan"));
    CHECK(mentions(broken([](CsrMatrix& A) { A.value[0] = std::numeric_limits<double>::infinity(); }), "is inf"));
}

TEST_CASE("transpose swaps rows and columns", "[csr]") {
    for (const Shape& shape : shapes) {
        const auto entries = random_entries(shape.rows, shape.columns, shape.entries, 11);
        const CsrMatrix A = csr_from_triplets(shape.rows, shape.columns, entries);
        const CsrMatrix T = transpose(A);
        REQUIRE_NOTHROW(check(T));
        const Dense expected = dense(A);
        const Dense actual = dense(T);
        REQUIRE(T.rows == A.columns);
        REQUIRE(T.columns == A.rows);
        for (Index row = 0; row < A.rows; ++row) {
            for (Index column = 0; column < A.columns; ++column) CHECK(actual[column][row] == expected[row][column]);
        }
    }
}

TEST_CASE("transpose of many rows, which several threads share, swaps rows and columns", "[csr]") {
    constexpr Index rows = 60'000, columns = 9'000;
    std::mt19937 random(3);
    std::vector<Triplet> entries, swapped;
    for (int k = 0; k < 200'000; ++k) {
        const auto row = static_cast<Index>(random() % rows), column = static_cast<Index>(random() % columns);
        entries.push_back({row, column, k + 1.0});
        swapped.push_back({column, row, k + 1.0});
    }
    const CsrMatrix T = transpose(csr_from_triplets(rows, columns, entries));
    const CsrMatrix expected = csr_from_triplets(columns, rows, swapped);
    CHECK(T.rows == columns);
    CHECK(T.columns == rows);
    CHECK(T.offsets == expected.offsets);
    CHECK(T.column == expected.column);
    CHECK(T.value == expected.value);
}

TEST_CASE("multiply agrees with the dense product", "[csr]") {
    for (const Shape& shape : shapes) {
        const auto entries = random_entries(shape.rows, shape.columns, shape.entries, 12);
        const CsrMatrix A = csr_from_triplets(shape.rows, shape.columns, entries);
        std::vector<double> x(shape.columns);
        for (Index column = 0; column < shape.columns; ++column) x[column] = column % 7 - 3;
        std::vector<double> y(shape.rows, -1.0);
        multiply(A, x, y);
        const Dense D = dense(A);
        for (Index row = 0; row < shape.rows; ++row) {
            double sum = 0;
            for (Index column = 0; column < shape.columns; ++column) sum += D[row][column] * x[column];
            CHECK(y[row] == sum);
        }
    }
}

TEST_CASE("residuals read no rows that are like others, and come out the same", "[csr][host_matrix]") {
    CsrMatrix changed = poisson2d(30);
    changed.value[700] *= 1.5;
    const auto [A, most] =
        GENERATE_COPY(std::pair(poisson2d(30), 28 * 28), std::pair(poisson2d(31), 29 * 29),
                      std::pair(poisson2d(32), 30 * 30), std::pair(poisson3d(24), 22 * 22 * 22),
                      std::pair(changed, 28 * 28 - 1), std::pair(random_spd(300, 2000), 0), std::pair(poisson2d(3), 0));
    const HostCsr on_host(A);
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> x = known_answer(A.rows);
    // In blocks, as residuals are made.
    const std::size_t block = GENERATE(1, 7, 256);
    std::vector<double> sum(n, -1), size(n, -1);
    for (std::size_t first = 0; first < n; first += block) {
        on_host.multiply(first, std::min(first + block, n), x, &sum[first], &size[first]);
    }
    CHECK(on_host.alike() == most);
    for (std::size_t i = 0; i < n; ++i) {
        double exact = 0, absolute = 0;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            exact += A.value[e] * x[static_cast<std::size_t>(A.column[e])];
            absolute += std::abs(A.value[e] * x[static_cast<std::size_t>(A.column[e])]);
        }
        CAPTURE(i);
        REQUIRE(std::abs(sum[i] - exact) <= 1e-15 * absolute);
        REQUIRE(std::abs(size[i] - absolute) <= 1e-15 * absolute);
    }
}

TEST_CASE("multiply refuses vectors of another size", "[csr]") {
    const CsrMatrix A = small_matrix();
    std::vector<double> two(2), three(3);
    CHECK_NOTHROW(multiply(A, three, two));
    CHECK_THROWS_AS(multiply(A, two, two), InvalidInput);
    CHECK_THROWS_AS(multiply(A, three, three), InvalidInput);
}

TEST_CASE("diagonal has 0 where nothing is stored", "[csr]") {
    for (const Shape& shape : shapes) {
        const auto entries = random_entries(shape.rows, shape.columns, shape.entries, 13);
        const CsrMatrix A = csr_from_triplets(shape.rows, shape.columns, entries);
        const Dense D = dense(A);
        const std::vector<double> d = diagonal(A);
        REQUIRE(static_cast<Index>(d.size()) == std::min(shape.rows, shape.columns));
        for (std::size_t i = 0; i < d.size(); ++i) CHECK(d[i] == D[i][i]);
    }
}

TEST_CASE("asymmetry agrees with its definition", "[csr]") {
    for (unsigned seed = 0; seed < 10; ++seed) {
        const CsrMatrix A = csr_from_triplets(20, 20, random_entries(20, 20, 60, seed));
        const Dense D = dense(A);
        double difference = 0;
        double scale = 0;
        for (Index i = 0; i < 20; ++i) {
            for (Index j = 0; j < 20; ++j) {
                difference = std::max(difference, std::abs(D[i][j] - D[j][i]));
                scale = std::max(scale, std::abs(D[i][j]));
            }
        }
        CHECK(asymmetry(A) == difference / scale);
    }
}

TEST_CASE("asymmetry of rows longer than their usual places are kept for", "[csr]") {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 64; ++i) {
        for (Index j = 0; j < 64; ++j) {
            if ((i * j) % 3 != 1) entries.push_back({i, j, 1.0 + std::min(i, j) + 0.01 * std::max(i, j)});
        }
    }
    CsrMatrix A = csr_from_triplets(64, 64, entries);
    CHECK(asymmetry(A) == 0);
    const double scale = *std::max_element(A.value.begin(), A.value.end());
    A.value[A.value.size() / 2] += 0.25;
    CHECK(asymmetry(A) == Approx(0.25 / scale));
    entries.push_back({7, 1, 0.5});  // 7 x 1 leaves 1: nothing stands there, nor opposite
    CHECK(asymmetry(csr_from_triplets(64, 64, entries)) == Approx(0.5 / scale));
}

TEST_CASE("asymmetry at its limits", "[csr]") {
    CHECK(asymmetry(CsrMatrix{}) == 0);
    CHECK(asymmetry(csr_from_triplets(3, 3, {})) == 0);
    CHECK(std::isinf(asymmetry(small_matrix())));
    CHECK(asymmetry(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 2}, {1, 0, 2}, {0, 0, 5}})) == 0);
    CHECK(asymmetry(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 2}})) == 1);
    CHECK(asymmetry(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1.5e308}, {1, 0, -1.5e308}})) == 2);
}

}  // namespace tests_of_csr
