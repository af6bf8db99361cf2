/// A diagonal M^-1, given by its numbers.
#pragma once

#include "device/preconditioner.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

class Diagonal final : public Preconditioner {
  public:
    Diagonal(Backend& backend, std::span<const double> numbers)
        : numbers_(backend, static_cast<Offset>(numbers.size()), "diagonal") {
        numbers_.upload(std::vector<float>(numbers.begin(), numbers.end()));
    }

    /// Filled by passes.
    Diagonal(Backend& backend, Offset length) : numbers_(backend, length, "diagonal") {}

    void apply(Vector& z, const Vector& r) override { hadamard(z, numbers_, r); }
    const Vector* diagonal() const override { return &numbers_; }
    /// To be filled.
    Vector& numbers() { return numbers_; }

  private:
    Vector numbers_;
};

}  // namespace glsolve::inline v0_1
