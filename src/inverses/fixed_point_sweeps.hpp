/// Sweeps that make incomplete factors, on the device (src/factors/fixed_point.hpp).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "device/assembled_matrix.hpp"
#include "device/vectors.hpp"
#include "factors/fixed_point.hpp"
#include "factors/levels.hpp"
#include "formats/packed_numbers.hpp"

namespace glsolve::inline v0_1 {

/// V on the device, and what is made of it there.
class FixedPointSweeps {
  public:
    /// `pattern` must outlive the object.
    FixedPointSweeps(Backend& backend, const FixedPointPattern& pattern);

    /// V = C, whose numbers stand in the places of the pattern.
    void begin(std::span<const float> c);
    void sweep(int times);
    /// V; waits.
    std::vector<double> numbers() const;

    /// L D^-1 or D^-1 U. Throws InvalidInput where rows are too long for a shader's loop.
    std::unique_ptr<AssembledMatrix> triangle(Triangle which);
    /// 1 / D
    Vector reciprocals();

  private:
    std::vector<std::int32_t> padded_terms() const;
    template <class Place>
    Storage places(const Place& place) const;
    void fill(StorageId y, const Storage& n, const Storage& d);

    Backend& backend_;
    const FixedPointPattern& pattern_;
    Vector v_, w_, c_;
    PackedNumbers terms_, first_term_;
    Storage itself_, pivot_of_row_;
};

}  // namespace glsolve::inline v0_1
