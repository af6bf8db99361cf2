#include "matrix/host_matrix.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "base/parallel.hpp"
#include "base/wide_clones.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int samples = 64, candidates = 4, enough = 40;

/// Rows all over the matrix, at distances that no grid has.
Index sample(int which, Index rows) {
    constexpr double golden = 0.6180339887498949;
    const double place = golden * (which + 1);
    return static_cast<Index>((place - std::floor(place)) * rows);
}

Offset longest_row(CsrView A) {
    return static_cast<Offset>(parallel_max(static_cast<std::size_t>(A.rows),
                                            [&](std::size_t i) { return static_cast<double>(A.row(i).size()); }));
}

/// sum <- sum + A x,  size <- size + |A| |x|  for so many terms of each row. A constant number of them: so the compiler
/// makes several rows at once, whose sums stay in registers.
template <std::size_t terms>
[[gnu::always_inline]] inline void add_terms(const Index* distance, const double* number, const double* x,
                                             std::size_t rows, double* __restrict sum, double* __restrict size) {
    std::array<const double*, terms> of_x;
    std::array<double, terms> a;
    for (std::size_t k = 0; k < terms; ++k) {
        of_x[k] = x + distance[k];
        a[k] = number[k];
    }
    for (std::size_t i = 0; i < rows; ++i) {
        double sum_i = sum[i], size_i = size[i];
        for (std::size_t k = 0; k < terms; ++k) {
            const double term = a[k] * of_x[k][i];
            sum_i += term;
            size_i += std::abs(term);
        }
        sum[i] = sum_i;
        size[i] = size_i;
    }
}

/// Rows that are alike: sum <- A x,  size <- |A| |x|, the first of them with its diagonal at x.
GLSOLVE_WIDE_CLONES void multiply_model(std::span<const Index> distance, std::span<const double> number,
                                        const double* x, std::size_t rows, double* sum, double* size) {
    std::fill_n(sum, rows, 0.0);
    std::fill_n(size, rows, 0.0);
    for (std::size_t k = 0; k < distance.size();) {
        const auto add = [&]<std::size_t terms>() {
            add_terms<terms>(&distance[k], &number[k], x, rows, sum, size);
            k += terms;
        };
        switch (distance.size() - k) {  // the usual stencils in one go, or in a few
            case 1:
                add.template operator()<1>();
                break;
            case 2:
                add.template operator()<2>();
                break;
            case 3:
            case 4:
                add.template operator()<3>();
                break;
            case 5:
            case 6:
                add.template operator()<5>();
                break;
            case 7:
            case 8:
                add.template operator()<7>();
                break;
            default:
                add.template operator()<9>();
        }
    }
}

}  // namespace

HostCsr::HostCsr(CsrView A, Again again) : A_(A), longest_row_(longest_row(A)) {
    if (again == Again::never || A.rows < samples) return;
    for (int candidate = 0; candidate < candidates; ++candidate) {
        take_as_model(sample(candidate, A.rows));
        int like = 0;
        for (int s = 0; s < samples; ++s) like += is_like_model(sample(s, A.rows)) ? 1 : 0;
        if (like < enough) continue;
        alike_.resize(static_cast<std::size_t>(A.rows));
        parallel_rows(A, [&](std::size_t i) { alike_[i] = is_like_model(static_cast<Index>(i)) ? 1 : 0; });
        return;
    }
    distance_.clear();
    number_.clear();
}

Index HostCsr::alike() const { return static_cast<Index>(std::ranges::count(alike_, 1)); }

void HostCsr::take_as_model(Index row) {
    distance_.clear();
    number_.clear();
    for (const auto [j, a] : A_.row(row)) {
        distance_.push_back(j - row);
        number_.push_back(a);
    }
}

bool HostCsr::is_like_model(Index row) const {
    const auto entries = A_.row(row);
    if (entries.size() != distance_.size()) return false;
    for (std::size_t k = 0; k < distance_.size(); ++k) {
        const auto [j, a] = entries[k];
        if (j - row != distance_[k] || a != number_[k]) return false;
    }
    return true;
}

void HostCsr::multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const {
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t first = i;
        if (!alike_.empty()) i = first_unlike(i, end);
        if (first < i) multiply_alike(first, i, x, sum + (first - begin), size + (first - begin));
        if (i < end) multiply_row(i, x, sum[i - begin], size[i - begin]);
    }
}

std::size_t HostCsr::first_unlike(std::size_t begin, std::size_t end) const {
    const void* const found = std::memchr(&alike_[begin], 0, end - begin);
    return found == nullptr ? end : static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - alike_.data());
}

void HostCsr::multiply_row(std::size_t i, std::span<const double> x, double& sum, double& size) const {
    double row = 0, absolute = 0;
    for (const auto [j, a] : A_.row(i)) {
        const double term = a * x[j];
        row += term;
        absolute += std::abs(term);
    }
    sum = row;
    size = absolute;
}

template <class Sum>
void HostCsr::subtract_row(Sum& r, std::size_t i, std::span<const double> x) const {
    for (const auto [j, a] : A_.row(i)) r.add_product(-a, x[j]);
}

void HostCsr::subtract(CompensatedSum& r, std::size_t i, std::span<const double> x) const { subtract_row(r, i, x); }
void HostCsr::subtract(ExactSum& r, std::size_t i, std::span<const double> x) const { subtract_row(r, i, x); }

void HostCsr::multiply_alike(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                             double* size) const {
    multiply_model(distance_, number_, x.data() + begin, end - begin, sum, size);
}

}  // namespace glsolve::inline v0_1
