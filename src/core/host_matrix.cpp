#include "core/host_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace glsolve::inline v0_1 {
namespace {

constexpr int samples = 64, candidates = 4, enough = 40;

/// Rows all over the matrix, at distances that no grid has.
Index sample(int which, Index rows) {
    constexpr double golden = 0.6180339887498949;
    const double place = golden * (which + 1);
    return static_cast<Index>((place - std::floor(place)) * rows);
}

}  // namespace

HostCsr::HostCsr(const CsrMatrix& A, Again again) : A_(A) {
    if (again == Again::never || A.rows < samples) return;
    for (int candidate = 0; candidate < candidates && seen_.empty(); ++candidate) {
        take_as_model(sample(candidate, A.rows));
        int alike = 0;
        for (int s = 0; s < samples; ++s) alike += is_alike(sample(s, A.rows)) ? 1 : 0;
        if (alike >= enough) seen_.resize(static_cast<std::size_t>(A.rows), Seen::not_yet);
    }
}

Index HostCsr::alike() const { return static_cast<Index>(std::ranges::count(seen_, Seen::alike)); }

void HostCsr::take_as_model(Index row) {
    distance_.clear();
    number_.clear();
    for (Offset k = A_.offsets[row]; k < A_.offsets[row + std::size_t{1}]; ++k) {
        const auto e = static_cast<std::size_t>(k);
        distance_.push_back(A_.column[e] - row);
        number_.push_back(A_.value[e]);
    }
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
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = i;
        while (i < end && !seen_.empty() && seen_[i] == Seen::alike) ++i;
        multiply_alike(first, i, x, sum + (first - begin), size + (first - begin));
        if (i == end) return;
        multiply_row(i, x, sum[i - begin], size[i - begin]);
        if (!seen_.empty() && seen_[i] == Seen::not_yet) {
            seen_[i] = is_alike(static_cast<Index>(i)) ? Seen::alike : Seen::different;
        }
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
