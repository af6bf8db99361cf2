#include "grid/grid_truth.hpp"

#include <cmath>

#include "core/csr_build.hpp"
#include "core/norm.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double rounding = 3e-7;  // of row sums in single precision

}  // namespace

GridTruth::GridTruth(const GridOperator& grid) {
    const GridCells& cells = grid.cells();
    const std::array<Index, 3> strides = cells.strides();
    const auto size = static_cast<std::size_t>(cells.size());
    const std::vector<double> excess = grid.read_excess();
    std::vector<std::vector<float>> couplings;
    for (int axis = 0; axis < cells.dimensions(); ++axis) couplings.push_back(grid.read_couplings(axis));
    std::vector<double> diagonal = excess;
    for (std::size_t axis = 0; axis < couplings.size(); ++axis) {
        const auto stride = static_cast<std::size_t>(strides[axis]);
        for (std::size_t i = 0; i < size; ++i) {
            const auto c = static_cast<double>(couplings[axis][i]);
            if (c == 0) continue;
            diagonal[i] += c;
            diagonal[i + stride] += c;
        }
    }
    A_ = assemble_csr(static_cast<Index>(size), static_cast<Index>(size), [&](auto&& entry) {
        for (Index i = 0; i < static_cast<Index>(size); ++i) {
            if (diagonal[i] != 0) entry(i, i, diagonal[i]);
            for (std::size_t axis = 0; axis < couplings.size(); ++axis) {
                const auto c = static_cast<double>(couplings[axis][i]);
                if (c == 0) continue;
                entry(i, i + strides[axis], -c);
                entry(i + strides[axis], i, -c);
            }
        }
    });
    find_closed(excess);
}

/// Goes through sets of connected cells, one after the other.
void GridTruth::find_closed(std::span<const double> excess) {
    std::vector<bool> seen(static_cast<std::size_t>(A_.rows), false);
    for (Index first = 0; first < A_.rows; ++first) {
        if (seen[first] || !has_unknown(first)) continue;
        std::vector<Index> set{first};
        seen[first] = true;
        bool closed = true;
        for (std::size_t next = 0; next < set.size(); ++next) {
            const Index i = set[next];
            double diagonal = 0;
            for (Offset k = A_.offsets[i]; k < A_.offsets[i + std::size_t{1}]; ++k) {
                if (A_.column[k] == i) diagonal = A_.value[k];
            }
            closed = closed && excess[i] <= rounding * diagonal;
            for (Offset k = A_.offsets[i]; k < A_.offsets[i + std::size_t{1}]; ++k) {
                const Index j = A_.column[k];
                if (seen[j]) continue;
                seen[j] = true;
                set.push_back(j);
            }
        }
        if (closed) closed_.push_back(std::move(set));
    }
}

double GridTruth::project(std::span<double> b) const {
    const double norm = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    double taken = 0;
    for (const std::vector<Index>& set : closed_) {
        double sum = 0;
        for (const Index i : set) sum += b[i];
        const double mean = sum / static_cast<double>(set.size());
        for (const Index i : set) b[i] -= mean;
        taken = std::hypot(taken, mean * std::sqrt(static_cast<double>(set.size())));
    }
    return norm > 0 ? taken / norm : 0;
}

}  // namespace glsolve::inline v0_1
