/// Vectors, scalars and partial sums on a device: storages with a meaning.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"

namespace glsolve::inline v0_1 {

/// n numbers, four to a texel; the padding is always zero.
class Vector {
  public:
    Vector(Backend& backend, Offset length, std::string_view label)
        : layout_(layout_of(length)), storage_(backend, layout_.extent(), Element::real, label) {}

    const Layout& layout() const { return layout_; }
    StorageId id() const { return storage_.id(); }
    Backend& backend() const { return storage_.backend(); }

    void upload(std::span<const float> numbers);
    /// Reads the numbers and the padding behind them; waits.
    std::vector<float> download_texels() const;

  private:
    Layout layout_;
    Storage storage_;
};

/// n numbers of each of four right-hand sides or solutions: texel i holds the i-th of all of them, in RGBA. One product
/// serves all four.
class Field {
  public:
    Field(Backend& backend, Index n, std::string_view label)
        : size_(n), layout_(layout_of(Offset{4} * n)), storage_(backend, layout_.extent(), Element::real, label) {}

    Index size() const { return size_; }
    /// Of its 4 n numbers.
    const Layout& layout() const { return layout_; }
    StorageId id() const { return storage_.id(); }
    Backend& backend() const { return storage_.backend(); }

    /// Four numbers for each unknown.
    void upload(std::span<const float> numbers) { backend().upload(id(), pack(layout_, numbers)); }
    /// Reads the numbers and the padding behind them; waits.
    std::vector<float> download_texels() const;

  private:
    Index size_;
    Layout layout_;
    Storage storage_;
};

/// n numbers in two floats each, hi + lo: some 48 bits (shaders/two_float.glsl).
struct TwoFloatVector {
    TwoFloatVector(Backend& backend, Offset length, std::string_view label)
        : hi(backend, length, label), lo(backend, length, std::string(label) + ", low") {}

    Vector hi, lo;

    void upload(std::span<const double> numbers);
    /// Reads hi + lo; waits.
    std::vector<double> download() const;
};

/// One number on the device: a texel whose four components are equal. (Sums of several things at once use the four
/// components for different numbers; a pass that does so says so.)
class Scalar {
  public:
    Scalar(Backend& backend, std::string_view label) : storage_(backend, {1, 1}, Element::real, label) {}

    StorageId id() const { return storage_.id(); }
    Backend& backend() const { return storage_.backend(); }

  private:
    Storage storage_;
};

/// Room for the partial sums of passes over one extent, and for the stages that add them up.
class PartialSums {
  public:
    PartialSums(Backend& backend, Extent domain);

    StorageId id() const { return partial_.id(); }
    Backend& backend() const { return partial_.backend(); }
    /// Storages for the outputs of all stages but the last.
    std::span<const Storage> stages() const { return stages_; }

  private:
    Storage partial_;
    std::vector<Storage> stages_;
};

}  // namespace glsolve::inline v0_1
