#include "matrix/minimum_degree.hpp"

#include <algorithm>
#include <glsolve/generate.hpp>
#include <numeric>
#include <set>

#include "matrix/permutation.hpp"
#include "support/catch.hpp"

namespace tests_of_minimum_degree {

using namespace glsolve;

namespace {

void check_order(const CsrMatrix& A) {
    std::vector<Index> order = minimum_degree(A), all(static_cast<std::size_t>(A.rows));
    std::iota(all.begin(), all.end(), 0);
    std::ranges::sort(order);
    CHECK(order == all);
}

/// Entries below the diagonal of the factor of a symmetric matrix, eliminated row by row as on paper.
std::size_t entries_of_factor(const CsrMatrix& A) {
    std::vector<std::set<Index>> later(static_cast<std::size_t>(A.rows));
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index j = A.column[static_cast<std::size_t>(k)];
            if (i != j) later[static_cast<std::size_t>(std::min(i, j))].insert(std::max(i, j));
        }
    }
    std::size_t entries = 0;
    for (const std::set<Index>& neighbours : later) {
        entries += neighbours.size();
        for (auto i = neighbours.begin(); i != neighbours.end(); ++i) {
            later[static_cast<std::size_t>(*i)].insert(std::next(i), neighbours.end());
        }
    }
    return entries;
}

/// A hub that is joined to all others: above the diagonal only, or on both sides.
CsrMatrix star(Index n, bool both_sides) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, 1.0});
    for (Index i = 1; i < n; ++i) entries.push_back({0, i, 1.0});
    for (Index i = 1; both_sides && i < n; ++i) entries.push_back({i, 0, 1.0});
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("minimum degree names each row once", "[core][minimum_degree]") {
    check_order(poisson2d(9));
    check_order(convection_diffusion(7));
    check_order(graph_laplacian(300, 6, Degrees::power_law));
    check_order(csr_from_triplets(5, 5, std::vector<Triplet>{{0, 3, 1.0}, {4, 4, 0.0}}));
    check_order(csr_from_triplets(1, 1, {}));
    check_order(CsrMatrix{});
}

TEST_CASE("minimum degree makes factors sparse", "[core][minimum_degree]") {
    for (const bool both_sides : {true, false}) {
        const CsrMatrix A = star(60, both_sides);
        CHECK(entries_of_factor(A) == 60 * 59 / 2);  // the hub first joins all others
        CHECK(entries_of_factor(permute(A, minimum_degree(A))) == 59);
    }
    const CsrMatrix grid = poisson2d(20);
    CHECK(2 * entries_of_factor(permute(grid, minimum_degree(grid))) < entries_of_factor(grid));
}

}  // namespace tests_of_minimum_degree
