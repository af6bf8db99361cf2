#include "matrix/empty_lines.hpp"

#include "support/catch.hpp"

namespace tests_of_empty_lines {

using namespace glsolve;

TEST_CASE("an equation is found for each empty row, in an empty column where there is one", "[core][empty]") {
    // Rows 1, 3 and 4 are empty, and columns 0 and 3; a stored zero is no entry.
    const CsrMatrix A =
        csr_from_triplets(5, 5, std::vector<Triplet>{{0, 1, 2.0}, {0, 2, 1.0}, {1, 1, 0.0}, {2, 2, 4.0}, {2, 4, -1.0}});
    const EmptyLines lines = empty_lines(A);
    CHECK(lines.rows == std::vector<Index>{1, 3, 4});
    CHECK(lines.columns == std::vector<Index>{0, 3});
    std::vector<std::pair<Index, Index>> found;
    for (const Position& p : positions_for(lines)) found.emplace_back(p.row, p.column);
    CHECK(found == std::vector<std::pair<Index, Index>>{{3, 3}, {1, 0}, {4, 4}});
}

TEST_CASE("what is divided by is the scaled diagonal, and 1 in empty rows", "[core][empty]") {
    const CsrMatrix A = csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 4.0}, {2, 0, 3.0}});
    CHECK(divisors(A, std::vector<double>{0.5, 0.25, 8}) == std::vector<double>{1, 1, 0});
    CHECK_FALSE(has_divisors(A));
    CHECK(has_divisors(csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 4.0}, {2, 2, 3.0}})));
}

}  // namespace tests_of_empty_lines
