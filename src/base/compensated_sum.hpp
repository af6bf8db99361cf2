/// Sums of products in double precision, as if computed in twice that precision and then rounded.
///
/// Source:  T. Ogita, S. M. Rump, S. Oishi, SIAM J. Sci. Comput. 26 (2005), algorithm 5.3 (Dot2).
#pragma once

#include <cmath>

namespace glsolve::inline v0_1 {

/// The sum so far is high() + low(). Of k terms it is off by at most  k^2 2^-106 sum |terms|,  and by what underflows:
/// 2^-1074 for each product.
class CompensatedSum {
  public:
    explicit CompensatedSum(double start = 0) : sum_(start) {}

    void add(double term) {
        // TwoSum (Knuth): next + lost = sum + term, exactly.
        const double next = sum_ + term, of_term = next - sum_;
        lost_ += (sum_ - (next - of_term)) + (term - of_term);
        sum_ = next;
    }
    void add_product(double a, double b) {
        const double product = a * b;
        lost_ += std::fma(a, b, -product);  // the product's rounding error, exactly
        add(product);
    }

    double high() const { return sum_ + lost_; }
    double low() const { return lost_ - (high() - sum_); }

  private:
    double sum_, lost_ = 0;
};

}  // namespace glsolve::inline v0_1
