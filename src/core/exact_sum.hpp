/// Sums of products in double precision without any rounding, but for what overflows or underflows.
///
/// Source:  J. R. Shewchuk, Discrete & Computational Geometry 18 (1997), Grow-Expansion, with the zeros left out.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace glsolve::inline v0_1 {

/// The sum so far is that of its parts, exactly: no two of them have bits of the same weight, and the largest is last.
class ExactSum {
  public:
    explicit ExactSum(double start = 0) { add(start); }

    void add(double term) {
        std::size_t kept = 0;
        for (std::size_t k = 0; k < count_; ++k) {
            // TwoSum (Knuth): term + lost = term + part, exactly.
            const double part = parts_[k], next = term + part, of_part = next - term;
            const double lost = (term - (next - of_part)) + (part - of_part);
            if (lost != 0 && std::isfinite(lost)) parts_[kept++] = lost;
            term = next;
        }
        parts_[kept++] = term;
        count_ = kept;
    }
    void add_product(double a, double b) {
        const double product = a * b, lost = std::fma(a, b, -product);
        if (lost != 0 && std::isfinite(lost)) add(lost);
        add(product);
    }

    /// The sum, rounded; and what that leaves of it, rounded.
    double high() const { return total(0); }
    double low() const { return total(-high()); }

  private:
    /// From the smallest on.
    double total(double start) const {
        ExactSum rest = *this;
        if (start != 0) rest.add(start);
        double sum = 0;
        for (std::size_t k = 0; k < rest.count_; ++k) sum += rest.parts_[k];
        return sum;
    }

    static constexpr std::size_t most = 44;  // as many as have room between the largest number and the smallest, and 2
    std::array<double, most> parts_;
    std::size_t count_ = 0;
};

}  // namespace glsolve::inline v0_1
