/// Sums of products in double precision without any rounding, but for what overflows or underflows.
///
/// Source:  J. R. Shewchuk, Discrete & Computational Geometry 18 (1997), Grow-Expansion, with the zeros left out.
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace glsolve::inline v0_1 {

/// The sum so far is that of its parts, exactly: no two of them have bits of the same weight, and the largest is last.
class ExactSum {
  public:
    explicit ExactSum(double start = 0) { add(start); }

    void add(double term) {
        std::size_t kept = 0;
        for (const double part : parts_) {
            // TwoSum (Knuth): next + lost = term + part, exactly.
            const double next = term + part, of_part = next - term;
            const double lost = (term - (next - of_part)) + (part - of_part);
            if (lost != 0 && std::isfinite(lost)) parts_[kept++] = lost;
            term = next;
        }
        parts_.resize(kept);
        parts_.push_back(term);
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
        for (const double part : rest.parts_) sum += part;
        return sum;
    }

    std::vector<double> parts_;  // few, but as many as there are bits in the worst case
};

}  // namespace glsolve::inline v0_1
