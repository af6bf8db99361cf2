#include "core/host_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index samples = 64;

}  // namespace

HostCsr::HostCsr(const CsrMatrix& A) : A_(A) {
    if (A.rows < samples) return;
    const Index middle = A.rows / 2;
    for (Offset k = A.offsets[middle]; k < A.offsets[middle + 1]; ++k) {
        distance_.push_back(A.column[k] - middle);
        number_.push_back(A.value[k]);
    }
    Index found = 0;
    for (Index s = 0; s < samples; ++s) {
        found += is_alike(static_cast<Index>((2 * Offset{s} + 1) * A.rows / (2 * samples))) ? 1 : 0;
    }
    if (found < samples * 3 / 4) return;
    alike_.resize(static_cast<std::size_t>(A.rows));
    parallel_each(alike_.size(), [&](std::size_t i) { alike_[i] = is_alike(static_cast<Index>(i)) ? 1 : 0; });
}

bool HostCsr::is_alike(Index row) const {
    const Offset first = A_.offsets[row];
    if (A_.offsets[row + 1] - first != std::ssize(distance_)) return false;
    for (std::size_t k = 0; k < distance_.size(); ++k) {
        const auto e = static_cast<std::size_t>(first) + k;
        if (A_.column[e] - row != distance_[k] || A_.value[e] != number_[k]) return false;
    }
    return true;
}

void HostCsr::multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const {
    const auto like_others = [&](std::size_t i) { return !alike_.empty() && alike_[i] != 0; };
    for (std::size_t i = begin; i < end;) {
        const std::size_t first = i;
        while (i < end && like_others(i)) ++i;
        multiply_alike(first, i, x, sum + (first - begin), size + (first - begin));
        if (i < end) multiply_row(i, x, sum[i - begin], size[i - begin]);
        ++i;
    }
}

void HostCsr::multiply_row(std::size_t i, std::span<const double> x, double& sum, double& size) const {
    double row = 0, absolute = 0;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
        const auto e = static_cast<std::size_t>(k);
        const double term = A_.value[e] * x[static_cast<std::size_t>(A_.column[e])];
        row += term;
        absolute += std::abs(term);
    }
    sum = row;
    size = absolute;
}

void HostCsr::multiply_alike(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                             double* size) const {
    std::fill_n(sum, end - begin, 0.0);
    std::fill_n(size, end - begin, 0.0);
    for (std::size_t k = 0; k < distance_.size() && begin < end; ++k) {
        const double* const of_x = &x[static_cast<std::size_t>(static_cast<Offset>(begin) + distance_[k])];
        for (std::size_t row = 0; row < end - begin; ++row) {
            const double term = number_[k] * of_x[row];
            sum[row] += term;
            size[row] += std::abs(term);
        }
    }
}

}  // namespace glsolve::inline v0_1
