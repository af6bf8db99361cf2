/// The rank of a matrix in exact arithmetic: is it singular, whatever rounding says?
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <optional>
#include <span>

namespace glsolve::inline v0_1 {

struct ExactRank {
    Index rank = 0;
    bool in_range = true;  ///< b is: some x solves A x = b
};

/// By Gaussian elimination modulo the prime p = 2^61 - 1, where each double, an integer times a power of two, has its
/// place exactly. What is not zero modulo p is not zero: a matrix of full rank modulo p is not singular. The other way
/// round, a minor that is not zero would have to be a multiple of p, which chance makes of one in 2^61.
/// Rows are taken in the order of minimum degree. None, where more than `most` multiplications would be needed or an
/// entry is not finite. A must be square.
std::optional<ExactRank> exact_rank(CsrView A, std::span<const double> b, std::int64_t most = 100'000'000);

}  // namespace glsolve::inline v0_1
