/// A factor for each row of a matrix.
#pragma once

#include <span>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

/// Where all are the same, as where the diagonal is, they need not be read one by one: large vectors take as long as
/// memory takes to hand them out.
class RowFactors {
  public:
    /// `each` must outlive the object.
    explicit RowFactors(std::span<const double> each)
        : each_(each),
          first_(each.empty() ? 1 : each[0]),
          alike_(!parallel_any(each.size(), [&](std::size_t i) { return each[i] != each[0]; })) {}

    std::size_t size() const { return each_.size(); }
    bool alike() const { return alike_; }
    std::span<const double> each() const { return each_; }
    double operator[](std::size_t i) const { return alike_ ? first_ : each_[i]; }

  private:
    std::span<const double> each_;
    double first_;
    bool alike_;
};

}  // namespace glsolve::inline v0_1
