#include "matrix/colouring.hpp"

#include <algorithm>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"

namespace tests_of_colouring {

using namespace glsolve;

namespace {

/// Rows that depend on each other have different colours, and each colour but the last is needed.
void check_colours(const CsrMatrix& A) {
    const Colouring made = colour_rows(A);
    REQUIRE(made.colour.size() == static_cast<std::size_t>(A.rows));
    std::vector<bool> used(static_cast<std::size_t>(made.count), false);
    for (std::size_t i = 0; i < made.colour.size(); ++i) {
        REQUIRE(made.colour[i] >= 0);
        REQUIRE(made.colour[i] < made.count);
        used[static_cast<std::size_t>(made.colour[i])] = true;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(A.column[static_cast<std::size_t>(k)]);
            if (i != j) CHECK(made.colour[i] != made.colour[j]);
        }
    }
    CHECK(std::all_of(used.begin(), used.end(), [](bool u) { return u; }));
}

}  // namespace

TEST_CASE("neighbours have different colours", "[core][colouring]") {
    check_colours(random_spd(200, 2000));
    check_colours(graph_laplacian(300, 6, Degrees::power_law));
    check_colours(convection_diffusion(9));
    check_colours(CsrMatrix{});
}

TEST_CASE("colours follow the transpose as well", "[core][colouring]") {
    const CsrMatrix A = csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {0, 2, 1}});
    const Colouring made = colour_rows(A);
    CHECK(made.count == 2);
    CHECK(made.colour == std::vector<Index>{0, 0, 1});
}

TEST_CASE("grids need two colours, diagonal matrices one", "[core][colouring]") {
    CHECK(colour_rows(poisson2d(7)).count == 2);
    CHECK(colour_rows(poisson3d(4)).count == 2);
    CHECK(colour_rows(csr_from_triplets(4, 4, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {3, 3, 1}})).count
          == 1);
}

}  // namespace tests_of_colouring
