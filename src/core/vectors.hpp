/// Vectors, scalars and partial sums on a device: storages with a meaning.
#pragma once

#include <glsolve/csr.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "core/host_array.hpp"
#include "core/parallel.hpp"

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
    void upload(std::span<const float> numbers);
    /// Reads the numbers and the padding behind them; waits.
    std::vector<float> download_texels() const;

  private:
    Index size_;
    Layout layout_;
    Storage storage_;
};

/// Room for all texels of a vector on the host.
inline HostArray<float> host_texels(const Layout& layout) {
    return HostArray<float>(static_cast<std::size_t>(layout.extent().texels()) * 4);
}

/// n numbers in two floats each, hi + lo: some 48 bits (shaders/two_float.glsl).
struct TwoFloatVector {
    TwoFloatVector(Backend& backend, Offset length, std::string_view label)
        : hi(backend, length, label), lo(backend, length, std::string(label) + ", low") {}

    Vector hi, lo;

    /// The numbers are those of element(i).
    template <class Element>
    void upload_each(const Element& element) {
        const auto n = static_cast<std::size_t>(hi.layout().length);
        const auto fill = [&](const auto& part) {
            return [&](std::span<float> texels) {
                parallel_each(texels.size(), [&](std::size_t i) { texels[i] = i < n ? part(element(i)) : 0; });
            };
        };
        hi.backend().upload(hi.id(), fill([](double number) { return static_cast<float>(number); }));
        lo.backend().upload(lo.id(), fill([](double number) {
                                return static_cast<float>(number - static_cast<double>(static_cast<float>(number)));
                            }));
    }
    void upload(std::span<const double> numbers) {
        upload_each([&](std::size_t i) { return numbers[i]; });
    }
    /// Calls take(i, hi + lo) for each number; waits.
    template <class Take>
    void download_each(const Take& take) const {
        hi.backend().read(hi.id(), [&](std::span<const float> high) {
            lo.backend().read(lo.id(), [&](std::span<const float> low) {
                parallel_each(static_cast<std::size_t>(hi.layout().length), [&](std::size_t i) {
                    take(i, static_cast<double>(high[i]) + static_cast<double>(low[i]));
                });
            });
        });
    }
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
