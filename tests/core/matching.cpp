#include "matrix/matching.hpp"

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <numeric>

#include "base/random.hpp"
#include "matrix/csr_entries.hpp"
#include "support/catch.hpp"

namespace tests_of_matching {

using namespace glsolve;

namespace {

constexpr double rounding = 1e-12;

/// Entries anywhere with this probability, a tenth of them explicit zeros, of magnitudes 10^-range ... 10^range.
CsrMatrix random_matrix(Random& random, Index n, double density, double range) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            if (random.uniform() >= density) continue;
            const double size = std::pow(10.0, range * (2 * random.uniform() - 1));
            const double sign = random.uniform() < 0.5 ? -1 : 1;
            entries.push_back({i, j, random.uniform() < 0.1 ? 0.0 : sign * size});
        }
    }
    return csr_from_triplets(n, n, entries);
}

CsrMatrix diagonal_matrix(const std::vector<double>& numbers) {
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        entries.push_back({static_cast<Index>(i), static_cast<Index>(i), numbers[i]});
    }
    const auto n = static_cast<Index>(numbers.size());
    return csr_from_triplets(n, n, entries);
}

double log_product(const CsrMatrix& A, const std::vector<Index>& row_of_column) {
    double sum = 0;
    for (std::size_t j = 0; j < row_of_column.size(); ++j) {
        sum += std::log(std::abs(entry(A, row_of_column[j], static_cast<Index>(j))));
    }
    return sum;
}

/// Of all orders of the rows; -infinity: each has a zero.
double largest_log_product(const CsrMatrix& A) {
    std::vector<Index> order(static_cast<std::size_t>(A.rows));
    std::iota(order.begin(), order.end(), 0);
    double largest = -std::numeric_limits<double>::infinity();
    do {
        largest = std::max(largest, log_product(A, order));
    } while (std::ranges::next_permutation(order).found);
    return largest;
}

/// By depth-first search from each row in turn.
class LargestMatching {
  public:
    explicit LargestMatching(const CsrMatrix& A) : A_(A), row_(static_cast<std::size_t>(A.columns), -1) {}
    Index size() {
        Index count = 0;
        for (Index i = 0; i < A_.rows; ++i) {
            seen_.assign(row_.size(), false);
            if (place(i)) ++count;
        }
        return count;
    }

  private:
    bool place(Index i) {
        for (Offset k = A_.offsets[static_cast<std::size_t>(i)]; k < A_.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto j = static_cast<std::size_t>(A_.column[static_cast<std::size_t>(k)]);
            if (A_.value[static_cast<std::size_t>(k)] == 0 || seen_[j]) continue;
            seen_[j] = true;
            if (row_[j] >= 0 && !place(row_[j])) continue;
            row_[j] = i;
            return true;
        }
        return false;
    }
    const CsrMatrix& A_;
    std::vector<Index> row_;
    std::vector<bool> seen_;
};

/// What holds of every matrix, singular or not; the matching.
Matching check_matching(const CsrMatrix& A) {
    const auto n = static_cast<std::size_t>(A.rows);
    const Matching made = maximum_product_matching(A);
    CHECK(made.rank() == LargestMatching(A).size());
    CHECK(made.unmatched_rows.size() == made.unmatched_columns.size());
    std::vector<Index> order = matched_order(made);
    for (std::size_t j = 0; j < n; ++j) {
        const bool unmatched = std::ranges::binary_search(made.unmatched_columns, static_cast<Index>(j));
        CHECK(unmatched == (made.row_of_column[j] < 0));
        CHECK(std::ranges::binary_search(made.unmatched_rows, order[j]) == unmatched);
        CHECK((std::isfinite(made.row_scale[j]) && made.row_scale[j] > 0));
        CHECK((std::isfinite(made.column_scale[j]) && made.column_scale[j] > 0));
    }

    const CsrMatrix B = matched_matrix(A, made);
    CHECK_NOTHROW(check(B));
    std::vector<double> row(n, 0.0), column(n, 0.0), original = row;
    each_entry(B, [&](std::size_t i, std::size_t j, double b) {
        row[i] = std::max(row[i], std::abs(b));
        column[j] = std::max(column[j], std::abs(b));
        if (i == j && made.row_of_column[j] >= 0) CHECK(std::abs(b) == Approx(1).epsilon(rounding));
        const double a = entry(A, order[i], static_cast<Index>(j));
        CHECK(std::signbit(a) == std::signbit(b));
    });
    for (std::size_t i = 0; i < n; ++i) {  // each line's largest entry is 1, also where it is not matched
        CHECK((row[i] == 0 || std::abs(row[i] - 1) <= rounding));
        CHECK((column[i] == 0 || std::abs(column[i] - 1) <= rounding));
    }

    std::ranges::sort(order);
    for (std::size_t i = 0; i < n; ++i) CHECK(order[i] == static_cast<Index>(i));
    return made;
}

/// Powers of two change exponents only.
void check_powers_of_two(const CsrMatrix& A) {
    const Matching made = maximum_product_matching(A, ScaleFactors::powers_of_two);
    const std::vector<Index> order = matched_order(made);
    each_entry(matched_matrix(A, made), [&](std::size_t i, std::size_t j, double b) {
        int exponent = 0;
        const double a = entry(A, order[i], static_cast<Index>(j));
        CHECK(std::frexp(b, &exponent) == std::frexp(a, &exponent));
        CHECK(std::abs(b) <= 2 * (1 + rounding));
        if (i == j && made.row_of_column[j] >= 0) CHECK(std::abs(b) >= 0.5 * (1 - rounding));
    });
}

}  // namespace

TEST_CASE("no order of rows has a larger product on the diagonal", "[core][matching]") {
    Random random(1);
    int regular = 0, singular = 0;
    for (int round = 0; round < 300; ++round) {
        const auto n = static_cast<Index>(1 + round % 7);
        const CsrMatrix A = random_matrix(random, n, 0.25 + 0.75 * random.uniform(), 4);
        CAPTURE(round, n);
        const Matching made = check_matching(A);
        check_powers_of_two(A);
        const double largest = largest_log_product(A);
        if (std::isfinite(largest)) {
            REQUIRE(made.unmatched_columns.empty());
            CHECK(log_product(A, made.row_of_column) == Approx(largest).margin(rounding).epsilon(0));
        } else {
            CHECK(made.rank() < n);
        }
        ++(std::isfinite(largest) ? regular : singular);
    }
    CHECK((regular > 100 && singular > 50));
}

TEST_CASE("matchings of larger matrices, regular and structurally singular", "[core][matching]") {
    Random random(2);
    for (const double density : {0.005, 0.01, 0.02, 0.1}) {
        CAPTURE(density);
        for (int round = 0; round < 4; ++round) check_matching(random_matrix(random, 200, density, 6));
    }
    check_matching(convection_diffusion(12));
    check_matching(graph_laplacian(300, 6, Degrees::power_law));
}

TEST_CASE("a matching finds what a permutation has hidden", "[core][matching]") {
    const std::vector<double> numbers{3, -0.25, 7, 1e-20, 5};
    const std::vector<Index> place{3, 0, 4, 2, 1};
    std::vector<Triplet> entries;
    for (Index i = 0; i < 5; ++i)
        entries.push_back({place[static_cast<std::size_t>(i)], i, numbers[static_cast<std::size_t>(i)]});
    const CsrMatrix A = csr_from_triplets(5, 5, entries);
    const Matching made = check_matching(A);
    CHECK(made.row_of_column == place);
    CHECK(diagonal(matched_matrix(A, made))[1] == -1);

    // The same under entries that are small beside these, and with what the equations become.
    for (Index i = 0; i < 5; ++i) {
        for (Index j = 0; j < 5; ++j) entries.push_back({i, j, 1e-30 * (i + 2 * j + 1)});
    }
    const CsrMatrix full = csr_from_triplets(5, 5, entries);
    const Matching found = check_matching(full);
    CHECK(found.row_of_column == place);
    const std::vector<double> y{1, -2, 3, 4, -5}, x = unmatched_solution(y, found);
    std::vector<double> b(5), product(5);
    multiply(full, x, b);
    multiply(matched_matrix(full, found), y, product);
    const std::vector<double> right = matched_right_side(b, found);
    for (std::size_t k = 0; k < 5; ++k) CHECK(right[k] == Approx(product[k]).epsilon(rounding));
}

TEST_CASE("factors are no further apart than entries ask for", "[core][matching]") {
    Random random(4);
    for (int round = 0; round < 10; ++round) {
        const CsrMatrix A = random_matrix(random, 300, 0.015, 6);
        std::vector<double> cost;
        for (const double a : A.value) cost.push_back(a == 0 ? no_entry : 20 - std::log2(std::abs(a)));
        const Assignment made = assign(A, cost);
        std::vector<bool> is_asked_for(300, false);  // u of the row that has this column: by another row's entry
        std::size_t e = 0;
        each_entry(A, [&](std::size_t i, std::size_t j, double) {
            const double slack = cost[e++] - made.u[i] - made.v[j];
            CHECK(slack >= -1e-9);
            if (slack <= 1e-9 && made.row_of_column[j] != static_cast<Index>(i)) is_asked_for[j] = true;
        });
        for (std::size_t i = 0; i < 300; ++i) {
            if (made.column_of_row[i] < 0) continue;
            CHECK(made.u[i] >= 0);
            CHECK((made.u[i] == 0 || is_asked_for[static_cast<std::size_t>(made.column_of_row[i])]));
        }
    }
}

TEST_CASE("structurally singular: the rows without a place are named", "[core][matching]") {
    // Rows 1, 3 and 4 share two columns, row 2 is empty but for a zero.
    const CsrMatrix A = csr_from_triplets(6, 6,
                                          std::vector<Triplet>{{0, 0, 2},
                                                               {0, 1, 5},
                                                               {1, 1, 3},
                                                               {1, 4, 1},
                                                               {2, 2, 0},
                                                               {3, 1, 4},
                                                               {3, 4, 8},
                                                               {4, 4, 1e9},
                                                               {5, 2, 1},
                                                               {5, 3, 1},
                                                               {5, 5, 1}});
    const Matching made = check_matching(A);
    CHECK(made.rank() == 4);
    CHECK(made.unmatched_rows.size() == 2);
    CHECK(made.unmatched_rows.front() > 0);
    CHECK(std::ranges::count(made.unmatched_rows, 2) == 1);
    CHECK(made.unmatched_columns.size() == 2);
    for (const Index j : made.unmatched_columns) CHECK((j == 2 || j == 3 || j == 5));
}

TEST_CASE("rows without a place share columns that later rows need more", "[core][matching]") {
    // Columns 0 and 1 belong to rows that are too many for them; what follows has entries there that are far larger.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 4; ++i) entries.insert(entries.end(), {{i, 0, 1.0 + i}, {i, 1, 1.0 / (1.0 + i)}});
    for (Index i = 4; i < 9; ++i) {
        entries.insert(entries.end(), {{i, i % 2, 1e8 * i}, {i, 4, 1e-4}, {i, 5, 1e5}, {i, 6, 1.0 * i}, {i, i / 2, 3}});
    }
    const Matching made = check_matching(csr_from_triplets(9, 9, entries));
    CHECK(made.rank() < 9);
}

TEST_CASE("nothing to match, or one row", "[core][matching]") {
    CHECK(check_matching(CsrMatrix{}).rank() == 0);
    CHECK(check_matching(diagonal_matrix({-4.0})).rank() == 1);
    CHECK(check_matching(diagonal_matrix({0.0})).unmatched_rows == std::vector<Index>{0});
    CHECK(check_matching(csr_from_triplets(1, 1, {})).rank() == 0);
    CHECK(check_matching(csr_from_triplets(3, 3, {})).unmatched_rows == std::vector<Index>{0, 1, 2});
}

TEST_CASE("huge and tiny numbers do not overflow", "[core][matching]") {
    check_matching(diagonal_matrix({1e300, 1e-300, 1e300, 1}));
    check_matching(diagonal_matrix({0x1p1000, -0x1p-1000, 1}));
    check_matching(diagonal_matrix({1e-300, 1e-300}));
    const CsrMatrix A = csr_from_triplets(
        3, 3,
        std::vector<Triplet>{{0, 0, 1e300}, {0, 1, 1e300}, {1, 0, 1e-300}, {1, 2, 1e-300}, {2, 0, 1e300}, {2, 2, 1}});
    check_matching(A);
    check_powers_of_two(A);

    // From row to row, factors of 1e600 would be needed: they stay finite.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 20; ++i) {
        entries.push_back({i, i, 1e-300});
        if (i > 0) entries.push_back({i, i - 1, 1e300});
    }
    const Matching made = maximum_product_matching(csr_from_triplets(20, 20, entries));
    CHECK(made.rank() == 20);
    for (const auto& factors : {made.row_scale, made.column_scale}) {
        CHECK(std::ranges::all_of(factors, [](double f) { return f >= 0x1p-1000 && f <= 0x1p1000; }));
    }
}

TEST_CASE("symmetric matrices stay symmetric", "[core][matching]") {
    Random random(3);
    for (int round = 0; round < 60; ++round) {
        const auto n = static_cast<Index>(1 + round % 30);
        const CsrMatrix half = random_matrix(random, n, 2.5 / n, 5);
        std::vector<Triplet> entries;
        each_entry(half, [&](std::size_t i, std::size_t j, double a) {
            if (i < j || a == 0) return;
            entries.push_back({static_cast<Index>(i), static_cast<Index>(j), a});
            if (i != j) entries.push_back({static_cast<Index>(j), static_cast<Index>(i), a});
        });
        const CsrMatrix A = csr_from_triplets(n, n, entries);
        const Matching made = maximum_product_matching(A);
        const std::vector<double> s = symmetric_scaling(made);
        const std::vector<double> rounded = symmetric_scaling(made, ScaleFactors::powers_of_two);
        each_entry(A, [&](std::size_t i, std::size_t j, double a) {
            const double size = s[i] * std::abs(a) * s[j];
            CHECK(size <= 1 + rounding);
            if (made.unmatched_rows.empty() && made.row_of_column[j] == static_cast<Index>(i)) {
                CHECK(size >= 1 - rounding);
            }
            CHECK(rounded[i] * std::abs(a) * rounded[j] <= 2 * (1 + rounding));
        });
        for (const double factor : rounded) CHECK(std::exp2(std::round(std::log2(factor))) == factor);
    }
}

TEST_CASE("a matching wants a square matrix", "[core][matching]") {
    const CsrMatrix A = csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}, {1, 2, 1}});
    CHECK_THROWS_AS(maximum_product_matching(A), InvalidInput);
    CHECK_THROWS_WITH(maximum_product_matching(A), ContainsSubstring("2 rows and 3 columns"));
}

TEST_CASE("diagonals that are no pivots are counted", "[core][matching]") {
    CHECK(weak_diagonal(poisson2d(5)).first == -1);
    CHECK(weak_diagonal(CsrMatrix{}).first == -1);
    const CsrMatrix A = csr_from_triplets(
        5, 5,
        std::vector<Triplet>{
            {0, 0, 1e-12}, {0, 1, 1e-11}, {1, 0, 1e9}, {2, 2, 0}, {3, 3, 1e-9}, {3, 4, 1}, {4, 3, 1}, {4, 4, -1}});
    const WeakDiagonal found = weak_diagonal(A);
    CHECK(found.zeros == 2);  // rows 1 and 2
    CHECK(found.tiny == 1);   // row 3: row 0 is small as a whole
    CHECK(found.first == 1);
    CHECK(weak_diagonal(A, 1e-10).tiny == 0);
}

}  // namespace tests_of_matching
