/// A matrix cut into square blocks of B rows. What the last block lacks is filled up with the identity.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <glsolve/csr.hpp>
#include <vector>

#include "base/parallel.hpp"
#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

template <int B>
using Block = Eigen::Matrix<double, B, B>;

/// The blocks of a matrix that hold an entry, stored zeros included.
template <int B>
Places block_places(const CsrMatrix& A) {
    Places made;
    const Index n = A.rows;
    std::vector<Index> row;
    for (Index first = 0; first < n; first += std::min(B, n - first)) {
        row.clear();
        const Offset end = A.offsets.data()[first + std::min(B, n - first)];
        for (Offset e = A.offsets.data()[first]; e < end; ++e) row.push_back(A.column.data()[e] / B);
        std::sort(row.begin(), row.end());
        made.column.insert(made.column.end(), row.begin(), std::unique(row.begin(), row.end()));
        made.offsets.push_back(static_cast<Offset>(made.column.size()));
    }
    return made;
}

/// The places of a pattern of blocks as a matrix of `rows` rows with full blocks, whose values come from
/// block(e) for each place e.
template <int B, class BlockOfPlace>
CsrMatrix scalar_matrix(const Places& places, Index rows, const BlockOfPlace& block) {
    CsrMatrix made;
    made.rows = made.columns = rows;
    made.offsets.reserve(static_cast<std::size_t>(rows) + 1);
    made.column.reserve(places.column.size() * B * B);
    made.value.reserve(places.column.size() * B * B);
    for (Index i = 0; i < rows; ++i) {
        const Index I = i / B;
        for (Offset e = places.offsets.data()[I]; e < places.offsets.data()[I + 1]; ++e) {
            const Index first = places.column.data()[e] * B;
            const Block<B>& a = block(e);
            for (Index c = 0; c < std::min<Index>(B, rows - first); ++c) {
                made.column.push_back(first + c);
                made.value.push_back(a(i % B, c));
            }
        }
        made.offsets.push_back(made.nonzeros());
    }
    return made;
}

}  // namespace glsolve::inline v0_1
