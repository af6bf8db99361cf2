/// Rows and unknowns in another order: P A P^T y = P b with y = P x.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Rows in descending order of their lengths within windows of `window` rows; equally long ones stay in order. Entry k
/// names the row that comes to place k.
std::vector<Index> sorted_by_length(CsrView A, Index window);

/// P A P^T
CsrMatrix permute(CsrView A, std::span<const Index> order);

/// P x
template <class Number>
std::vector<Number> permute(std::span<const Number> x, std::span<const Index> order) {
    std::vector<Number> y(x.size());
    for (std::size_t k = 0; k < order.size(); ++k) y[k] = x[static_cast<std::size_t>(order[k])];
    return y;
}

/// x <- P^T y
template <class Number>
void permute_back(std::span<const Number> y, std::span<const Index> order, std::span<Number> x) {
    for (std::size_t k = 0; k < order.size(); ++k) x[static_cast<std::size_t>(order[k])] = y[k];
}

}  // namespace glsolve::inline v0_1
