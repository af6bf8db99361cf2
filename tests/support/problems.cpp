#include "support/problems.hpp"

#include <cmath>
#include <glsolve/generate.hpp>
#include <utility>

#include "base/exact_sum.hpp"

namespace glsolve::test {
namespace {

/// Diagonals from 1e-20 to 1e+20, coupled weakly: far outside what single precision can square.
CsrMatrix wide_range(Index n) {
    std::vector<Triplet> entries;
    const auto d = [&](Index i) { return std::pow(10.0, -20 + 40.0 * i / (n - 1)); };
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, d(i)});
        if (i + 1 < n) {
            const double coupling = 0.3 * std::sqrt(d(i) * d(i + 1));
            entries.push_back({i, i + 1, coupling});
            entries.push_back({i + 1, i, coupling});
        }
    }
    return csr_from_triplets(n, n, entries);
}

}  // namespace

std::vector<Problem> spd_problems() {
    return {
        {"one by one", csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, 3.7}}), true, true},
        {"poisson1d-like 2 x 2",
         csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 2}, {0, 1, -1}, {1, 0, -1}, {1, 1, 2}}), true, true},
        {"poisson2d 16", poisson2d(16), true, true},
        {"poisson2d 31", poisson2d(31), true, true},
        {"poisson3d 7", poisson3d(7), true, true},
        {"anisotropic 20 0.01", anisotropic(20, 0.01), true, true},
        {"random-spd 300 3000", random_spd(300, 3000), true},
        {"diagonals from 1e-20 to 1e+20", wide_range(101), true},
    };
}

std::vector<Problem> other_problems() {
    CsrMatrix shifted = poisson2d(8);  // eigenvalues on both sides of zero
    for (Index i = 0; i < shifted.rows; ++i) {
        for (Offset k = shifted.offsets[i]; k < shifted.offsets[i + 1]; ++k) {
            if (shifted.column[k] == i) shifted.value[k] -= 1.5;
        }
    }
    return {
        {"one by one, negative", csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, -3.7}})},
        {"convection-diffusion 16", convection_diffusion(16)},
        {"convection-diffusion 20, recirculating", convection_diffusion(20, {.recirculating = true})},
        {"shifted poisson2d 8", shifted},
    };
}

std::vector<Problem> all_problems() {
    std::vector<Problem> problems = spd_problems();
    for (Problem& problem : other_problems()) problems.push_back(std::move(problem));
    return problems;
}

CsrMatrix skew_symmetric(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; i += 2) {
        entries.push_back({i, i + 1, 1.0 + i});
        entries.push_back({i + 1, i, -1.0 - i});
    }
    return csr_from_triplets(n, n, entries);
}

double true_residual(CsrView A, const std::vector<double>& x, const std::vector<double>& b) {
    std::vector<double> r(b.size());
    multiply(A, x, r);
    double squares = 0, squares_b = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        squares += (b[i] - r[i]) * (b[i] - r[i]);
        squares_b += b[i] * b[i];
    }
    return std::sqrt(squares) / (squares_b > 0 ? std::sqrt(squares_b) : 1);
}

double exact_residual(CsrView A, const std::vector<double>& x, const std::vector<double>& b) {
    double residual = 0, right = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        ExactSum sum(b[i]);
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            sum.add_product(-A.value[e], x[static_cast<std::size_t>(A.column[e])]);
        }
        residual = std::hypot(residual, sum.high());
        right = std::hypot(right, b[i]);
    }
    return residual / (right > 0 ? right : 1);
}

std::vector<double> matching_right_hand_side(CsrView A) {
    std::vector<double> b(static_cast<std::size_t>(A.rows));
    multiply(A, known_answer(A.rows), b);
    return b;
}

}  // namespace glsolve::test
