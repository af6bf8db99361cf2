#include "grid/grid_truth.hpp"

#include <cmath>

#include "core/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double rounding = 1e-14;  // of b, beside what was taken off it

}  // namespace

GridTruth::GridTruth(const GridOperator& grid) {
    const GridCells& cells = grid.cells();
    const std::array<Index, 3> strides = cells.strides();
    const auto size = static_cast<std::size_t>(cells.size());
    const std::vector<double> given = grid.read_given();
    std::vector<double> excess = given;  // of the diagonal over the couplings
    if (!grid.constant()) {
        const std::vector<float> rounded = grid.read_row_sums();
        excess.assign(rounded.begin(), rounded.begin() + std::ssize(given));
    }
    std::vector<std::vector<float>> couplings;
    for (int axis = 0; axis < cells.dimensions(); ++axis) couplings.push_back(grid.read_couplings(axis));
    std::vector<double> diagonal = std::move(excess);
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
    find_closed(given);
}

/// Goes through sets of connected cells, one after the other.
void GridTruth::find_closed(std::span<const double> given) {
    std::vector<bool> seen(static_cast<std::size_t>(A_.rows), false);
    for (Index first = 0; first < A_.rows; ++first) {
        if (seen[first] || !has_unknown(first)) continue;
        std::vector<Index> set{first};
        seen[first] = true;
        bool closed = true;
        for (std::size_t next = 0; next < set.size(); ++next) {
            const Index i = set[next];
            closed = closed && given[i] == 0;
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
    double taken = 0;
    for (const std::vector<Index>& set : closed_) {
        const auto norm = [&] {
            double squares = 0;
            for (const Index i : set) squares += b[i] * b[i];
            return std::sqrt(squares);
        };
        const double before = norm();
        double taken_off_each = 0;
        for (int twice = 0; twice < 2; ++twice) {  // the second time what the first one has rounded
            double sum = 0, lost = 0;              // Neumaier's
            for (const Index i : set) {
                const double next = sum + b[i];
                lost += std::abs(sum) >= std::abs(b[i]) ? (sum - next) + b[i] : (b[i] - next) + sum;
                sum = next;
            }
            const double mean = (sum + lost) / static_cast<double>(set.size());
            for (const Index i : set) b[i] -= mean;
            taken_off_each += mean;
        }
        if (norm() <= rounding * before) {  // b was the same everywhere: nothing is left but noise
            for (const Index i : set) b[i] = 0;
        }
        taken = std::hypot(taken, taken_off_each * std::sqrt(static_cast<double>(set.size())));
    }
    return taken;
}

}  // namespace glsolve::inline v0_1
