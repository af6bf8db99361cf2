#include "matrix/exact_rank.hpp"

#include <cmath>
#include <glsolve/generate.hpp>
#include <random>

#include "support/catch.hpp"

namespace tests_of_exact_rank {

using namespace glsolve;

namespace {

CsrMatrix random_matrix(Index n, Index entries_of_row, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> value(-1, 1), power(-280, 280);
    std::uniform_int_distribution<Index> column(0, n - 1);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        const double unit = std::pow(10, power(random));  // of the row: any that double precision has
        entries.push_back({i, i, unit * value(random)});
        for (Index k = 1; k < entries_of_row; ++k) entries.push_back({i, column(random), unit * value(random)});
    }
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("the rank of a regular matrix is its order, whatever its units", "[core][exact_rank]") {
    for (const Index n : {1, 2, 7, 60}) {
        const CsrMatrix A = random_matrix(n, 5, static_cast<unsigned>(n));
        const auto found = exact_rank(A, std::vector<double>(static_cast<std::size_t>(n), 1.0));
        REQUIRE(found);
        CHECK(found->rank == n);
        CHECK(found->in_range);
    }
    CHECK(exact_rank(poisson2d(30), std::vector<double>(900, 1.0))->rank == 900);
}

TEST_CASE("one bit makes a matrix regular", "[core][exact_rank]") {
    for (const double last : {1.0, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0)}) {
        const CsrMatrix A =
            csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, last}});
        CAPTURE(last);
        CHECK(exact_rank(A, std::vector<double>{1, 0})->rank == (last == 1 ? 1 : 2));
        CHECK(exact_rank(A, std::vector<double>{1, 0})->in_range == (last != 1));
        CHECK(exact_rank(A, std::vector<double>{1, 1})->in_range);
    }
}

TEST_CASE("closed boxes lose one rank, and b has to sum to zero", "[core][exact_rank]") {
    std::vector<Triplet> entries;
    const Index n = 50;
    for (Index i = 0; i + 1 < n; ++i) {
        const double k = std::ldexp(1.0, i % 40 - 20);
        entries.insert(entries.end(), {{i, i, k}, {i + 1, i + 1, k}, {i, i + 1, -k}, {i + 1, i, -k}});
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    std::vector<double> b(static_cast<std::size_t>(n), 0.0);
    b[3] = 0.1, b[40] = -0.1;
    CHECK(exact_rank(A, b)->rank == n - 1);
    CHECK(exact_rank(A, b)->in_range);
    b[40] = std::nextafter(-0.1, 0);
    CHECK_FALSE(exact_rank(A, b)->in_range);
}

TEST_CASE("no rank is told where it takes too long or numbers are not finite", "[core][exact_rank]") {
    const CsrMatrix A = random_matrix(60, 20, 3);
    CHECK_FALSE(exact_rank(A, std::vector<double>(60, 1.0), 100));
    CHECK_FALSE(exact_rank(A, std::vector<double>(60, std::nan(""))));
    CHECK(exact_rank(csr_from_triplets(3, 3, std::vector<Triplet>{}), std::vector<double>(3, 0.0))->rank == 0);
}

}  // namespace tests_of_exact_rank
