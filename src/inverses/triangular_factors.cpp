#include "inverses/triangular_factors.hpp"

#include <algorithm>
#include <span>

#include "factors/invert_block.hpp"

namespace glsolve::inline v0_1 {
namespace {

CsrMatrix diagonal_matrix(std::vector<double> numbers) {
    CsrMatrix made{.rows = static_cast<Index>(numbers.size()), .columns = static_cast<Index>(numbers.size())};
    made.value = std::move(numbers);
    for (Index i = 0; i < made.rows; ++i) {
        made.column.push_back(i);
        made.offsets.push_back(Offset{i} + 1);
    }
    return made;
}

/// Of a block-diagonal matrix whose blocks are full: the same places.
CsrMatrix inverse_of_blocks(CsrMatrix A) {
    for (Index first = 0; first < A.rows;) {
        const Offset begin = A.offsets[static_cast<std::size_t>(first)];
        const auto size = static_cast<Index>(A.offsets[static_cast<std::size_t>(first) + 1] - begin);
        const std::span<double> block(A.value.data() + begin, static_cast<std::size_t>(size * size));
        const std::vector<double> D(block.begin(), block.end()), ones(static_cast<std::size_t>(size), 1.0);
        invert_block(D, ones, block);  // by rows as by columns: (D^T)^-1 = (D^-1)^T
        first += size;
    }
    return A;
}

}  // namespace

TriangularFactors triangular(Factors factors) {
    std::vector<double> reciprocal(factors.D.size());
    std::ranges::transform(factors.D, reciprocal.begin(), [](double d) { return 1 / d; });
    return {.L = std::move(factors.L),
            .U = std::move(factors.U),
            .D = diagonal_matrix(std::move(factors.D)),
            .inverse_D = diagonal_matrix(std::move(reciprocal))};
}

TriangularFactors triangular(BlockFactors factors) {
    CsrMatrix D = inverse_of_blocks(factors.inverse_D);
    return {.L = std::move(factors.L),
            .U = std::move(factors.U),
            .D = std::move(D),
            .inverse_D = std::move(factors.inverse_D),
            .in_blocks = true};
}

std::vector<CsrMatrix> TriangularFactors::chain(std::vector<CsrMatrix> of_L, std::vector<CsrMatrix> of_U) const {
    std::vector<CsrMatrix> all = std::move(of_L);
    if (in_blocks || all.empty()) {
        all.push_back(inverse_D);
    } else {  // the rows of the last one, divided by the pivots
        CsrMatrix& last = all.back();
        for (std::size_t i = 0; i < inverse_D.value.size(); ++i) {
            for (double& a : last.row(i).values()) a *= inverse_D.value[i];
        }
    }
    std::ranges::move(of_U, std::back_inserter(all));
    return all;
}

}  // namespace glsolve::inline v0_1
