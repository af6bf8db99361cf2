#include "factors/invert_block.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t most = 4;
using Block = std::array<std::array<double, most>, most>;  // by rows

/// Solves A X = diag(s) by Gauss and Jordan's elimination. Of the rows and columns that had no pivot yet the largest
/// entry becomes the next one; of the diagonal, if A is symmetric.
class Elimination {
  public:
    Elimination(const Block& A, std::span<const double> s) : b_(s.size()), A_(A) {
        for (std::size_t i = 0; i < b_; ++i) X_[i][i] = s[i];
    }

    /// The smallest pivot: its size, or itself if A is symmetric.
    double run(bool symmetric) {
        double smallest = std::numeric_limits<double>::infinity();
        for (std::size_t step = 0; step < b_; ++step) {
            const auto [r, c] = next_pivot(symmetric);
            const double pivot = A_[r][c];
            // Not std::min: what is not a number stays.
            const double size = symmetric ? pivot : std::abs(pivot);
            if (!(size >= smallest)) smallest = size;
            row_of_[c] = r;
            has_row_[r] = has_column_[c] = true;
            eliminate(r, c);
        }
        return smallest;
    }
    /// X
    double operator()(std::size_t i, std::size_t j) const { return X_[row_of_[i]][j]; }

  private:
    std::array<std::size_t, 2> next_pivot(bool symmetric) const {
        std::array<std::size_t, 2> best{};
        double largest = -1;
        for (std::size_t r = 0; r < b_; ++r) {
            for (std::size_t c = 0; c < b_; ++c) {
                if (has_row_[r] || has_column_[c] || (symmetric && r != c)) continue;
                if (std::abs(A_[r][c]) <= largest) continue;
                largest = std::abs(A_[r][c]);
                best = {r, c};
            }
        }
        return best;
    }
    void eliminate(std::size_t r, std::size_t c) {
        const double pivot = A_[r][c];
        for (std::size_t j = 0; j < b_; ++j) {
            A_[r][j] /= pivot;
            X_[r][j] /= pivot;
        }
        for (std::size_t i = 0; i < b_; ++i) {
            if (i == r) continue;
            const double factor = A_[i][c];
            for (std::size_t j = 0; j < b_; ++j) {
                A_[i][j] -= factor * A_[r][j];
                X_[i][j] -= factor * X_[r][j];
            }
        }
    }

    std::size_t b_;
    Block A_, X_{};
    std::array<std::size_t, most> row_of_{};
    std::array<bool, most> has_row_{}, has_column_{};
};

}  // namespace

double invert_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse) {
    const std::size_t b = S.size();
    Block scaled{};
    for (std::size_t i = 0; i < b; ++i) {
        for (std::size_t j = 0; j < b; ++j) scaled[i][j] = S[i] * D[j * b + i];
    }
    Elimination X(scaled, S);
    const double smallest = X.run(false);
    for (std::size_t i = 0; i < b; ++i) {
        for (std::size_t j = 0; j < b; ++j) inverse[j * b + i] = X(i, j);
    }
    return smallest;
}

double invert_symmetric_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse) {
    const std::size_t b = S.size();
    Block scaled{};
    for (std::size_t i = 0; i < b; ++i) {
        for (std::size_t j = 0; j < b; ++j) scaled[i][j] = S[i] * D[j * b + i] * S[j];
    }
    Elimination X(scaled, S);
    const double smallest = X.run(true);
    for (std::size_t i = 0; i < b; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            inverse[j * b + i] = inverse[i * b + j] = S[i] * X(i, j);  // to the last bit
    }
    return smallest;
}

}  // namespace glsolve::inline v0_1
