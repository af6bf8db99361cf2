/// What tests of approximate inverses share: random matrices, and short names of options.
#pragma once

#include <algorithm>
#include <cmath>
#include <glsolve/csr.hpp>
#include <vector>

#include "base/random.hpp"
#include "factors/fsai.hpp"
#include "support/dense.hpp"

namespace glsolve::test {

inline CsrMatrix matrix(Index size, const std::vector<Triplet>& entries) {
    return csr_from_triplets(size, size, entries);
}

/// About `density` of all places are filled; the diagonal has 1 + what it has. Not symmetric.
inline CsrMatrix random_square(Index size, double density, std::uint64_t seed, double diagonal = 1) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < size; ++i) {
        if (diagonal != 0) entries.push_back({i, i, diagonal});
        for (Index j = 0; j < size; ++j) {
            if (random.uniform() < density) entries.push_back({i, j, random.normal()});
        }
    }
    return matrix(size, entries);
}

/// B with s_i b_ij s_j: SPD matrices of many sizes.
inline CsrMatrix scaled(CsrMatrix B, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> s;
    for (Index i = 0; i < B.rows; ++i) s.push_back(std::exp(2 * random.normal()));
    for (Index i = 0; i < B.rows; ++i) {
        for (Offset e = B.offsets.data()[i]; e < B.offsets.data()[i + 1]; ++e) {
            B.value.data()[e] *= s.data()[i] * s.data()[B.column.data()[e]];
        }
    }
    return B;
}

inline InversePattern power(int p) { return {.power = p}; }
inline FsaiOptions fixed(const InversePattern& pattern) { return {.pattern = pattern, .adaptive_steps = 0}; }
inline FsaiOptions fsai_power(int p) { return fixed(power(p)); }
/// From the diagonal, or what `start` is.
inline FsaiOptions steps(int count, int entries, double least_gain = 0, const InversePattern& start = {.power = 0}) {
    return {.pattern = start, .adaptive_steps = count, .entries_a_step = entries, .least_gain = least_gain};
}
inline std::vector<Index> columns_of(const SparsityPattern& pattern, Index i) {
    return {pattern.row(i).begin(), pattern.row(i).end()};
}

/// Visits (i, j) for all places.
template <class Visit>
void each_place(const SparsityPattern& pattern, const Visit& visit) {
    for (Index i = 0; i < pattern.rows(); ++i) {
        for (const Index j : pattern.row(i)) visit(i, j);
    }
}

inline bool has(const SparsityPattern& pattern, Index i, Index j) {
    return std::ranges::binary_search(pattern.row(i), j);
}

}  // namespace glsolve::test
