#include "matrix/minimum_degree.hpp"

#include <fmt/format.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset most_entries = Offset{1} << 30;  // A + A^T has up to twice as many, which Eigen counts by int

}  // namespace

std::vector<Index> minimum_degree(CsrView A) {
    if (A.rows == 0) return {};
    if (A.nonzeros() > most_entries) {
        throw InvalidInput(
            fmt::format("minimum degree: {} entries; it orders matrices of up to {}", A.nonzeros(), most_entries));
    }
    using Pattern = Eigen::SparseMatrix<float, Eigen::ColMajor, Index>;  // the rows of A are the columns of A^T
    const std::vector<Index> offsets(A.offsets.begin(), A.offsets.end());
    const std::vector<float> numbers(A.value.size());
    const Eigen::Map<const Pattern> transposed(A.columns, A.rows, static_cast<Index>(A.nonzeros()), offsets.data(),
                                               A.column.data(), numbers.data());
    Eigen::PermutationMatrix<Eigen::Dynamic, Eigen::Dynamic, Index> order;
    Eigen::AMDOrdering<Index>()(Pattern(transposed), order);
    return {order.indices().begin(), order.indices().end()};
}

}  // namespace glsolve::inline v0_1
