// What one look at all entries tells, beside what several tell.
#include "matrix/survey.hpp"

#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <set>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace glsolve;

namespace tests_of_survey {
namespace {

/// With rows that are empty and diagonals that are zero, missing or negative.
CsrMatrix ragged(Index rows, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < rows; ++i) {
        if (i % 17 == 5) continue;
        if (i % 5 != 0) entries.push_back({i, i, i % 7 == 1 ? 0.0 : random.uniform() - 0.3});
        for (int k = 0; k < 4; ++k) {
            const auto j = static_cast<Index>(random.uniform() * rows);
            const double a = random.uniform() - 0.5;
            entries.push_back({i, j, a});
            if (k < 2) entries.push_back({j, i, a});
        }
    }
    return csr_from_triplets(rows, rows, entries);
}

double at(const CsrMatrix& A, Index i, Index j) {
    for (const auto [column, a] : A.row(i)) {
        if (column == j) return a;
    }
    return 0;
}

}  // namespace

TEST_CASE("a survey finds what several looks find", "[core][matrix]") {
    for (const CsrMatrix& A :
         {ragged(300, 1), ragged(20000, 2), poisson2d(40), convection_diffusion(20), CsrMatrix{}}) {
        MatrixSurvey expected;
        expected.least_diagonal = std::numeric_limits<double>::infinity();
        expected.has_diagonal = true;
        double greatest = 0;
        for (Index i = 0; i < A.rows; ++i) {
            double sum = 0, most = 0;
            for (const auto [j, a] : A.row(i)) {
                sum += std::abs(a);
                most = std::max(most, std::abs(a));
                greatest = std::max(greatest, std::abs(a - at(A, j, i)));
            }
            const double own = at(A, i, i);
            expected.largest = std::max(expected.largest, most);
            expected.norm = std::max(expected.norm, sum);
            expected.least_diagonal = std::min(expected.least_diagonal, own);
            expected.has_diagonal = expected.has_diagonal && own != 0;
            expected.diagonal.add(own != 0 ? std::abs(own) : most);
            expected.by_largest.add(most);
        }
        expected.asymmetry = greatest > 0 ? greatest / expected.largest : 0;
        const MatrixSurvey found = survey(A);
        CHECK(found.largest == expected.largest);
        CHECK(found.norm == Approx(expected.norm));
        CHECK(found.asymmetry == Approx(expected.asymmetry));
        CHECK(found.least_diagonal == expected.least_diagonal);
        CHECK(found.has_diagonal == expected.has_diagonal);
        for (const ScalingRule rule : {ScalingRule::always, ScalingRule::by_largest}) {
            CHECK(found.pivots(rule).least == expected.pivots(rule).least);
            CHECK(found.pivots(rule).most == expected.pivots(rule).most);
            CHECK(found.pivots(rule).zeros == expected.pivots(rule).zeros);
        }
    }
}

TEST_CASE("a survey refuses what is no matrix, wherever it is", "[core][matrix]") {
    const CsrMatrix A = poisson2d(200);
    const std::size_t place = GENERATE(std::size_t{0}, std::size_t{100000}, std::size_t{198000});
    CsrMatrix wrong = A;
    wrong.value[place] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(survey(wrong), InvalidInput);
    wrong = A;
    wrong.column[place] = A.rows;
    CHECK_THROWS_AS(survey(wrong), InvalidInput);
    wrong.column[place] = -1;
    CHECK_THROWS_AS(survey(wrong), InvalidInput);
    wrong = A;
    wrong.offsets[place / 5] += 1000000;
    CHECK_THROWS_AS(survey(wrong), InvalidInput);
}

TEST_CASE("diagonals that hold entries are found, few or many", "[core][matrix]") {
    for (const CsrMatrix& A : {poisson3d(12), ragged(40, 3), ragged(3000, 4)}) {
        std::set<Index> all, without_zeros;
        for (Index i = 0; i < A.rows; ++i) {
            for (const auto [j, a] : A.row(i)) {
                all.insert(j - i);
                if (a != 0) without_zeros.insert(j - i);
            }
        }
        CHECK(offsets_of_entries(A, all.size()) == std::vector<Index>(all.begin(), all.end()));
        CHECK(offsets_of_entries(A, all.size(), StoredZeros::ignore)
              == std::vector<Index>(without_zeros.begin(), without_zeros.end()));
        CHECK(offsets_of_entries(A, all.size() - 1).size() > all.size() - 1);
    }
}

TEST_CASE("rows alike end where one differs", "[core][matrix]") {
    CsrMatrix A = poisson2d(50);
    CHECK(end_of_alike_rows(A, 51, A.rows) == 99);  // the last point of a line has no neighbour behind it
    CHECK(end_of_alike_rows(A, 51, 60) == 60);
    CHECK(end_of_alike_rows(A, 99, A.rows) == 100);
    for (auto [j, a] : A.row(70)) a = j == 71 ? -2 : a;
    CHECK(end_of_alike_rows(A, 51, A.rows) == 70);
    CHECK(end_of_alike_rows(A, 70, A.rows) == 71);
}

}  // namespace tests_of_survey
