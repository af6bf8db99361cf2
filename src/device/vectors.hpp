/// Vectors, scalars and partial sums on a device: storages with a meaning.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <glsolve/csr.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host_array.hpp"
#include "base/parallel.hpp"
#include "device/backend.hpp"

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
    void clear();
    /// Reads the numbers and the padding behind them; waits.
    std::vector<float> download_texels() const;

  private:
    Layout layout_;
    Storage storage_;
};

/// n numbers of each of four right-hand sides or solutions: texel i holds the i-th of all of them, in RGBA. One product
/// serves all four.
class MultiVector {
  public:
    MultiVector(Backend& backend, Index n, std::string_view label)
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

inline float high_part(double number) { return static_cast<float>(number); }
inline float low_part(double number) { return static_cast<float>(number - static_cast<double>(high_part(number))); }

/// y <- element(i) for each number, where y holds doubles, and zeros behind them.
template <class Element>
void upload_doubles(Vector& y, std::size_t count, const Element& element) {
    HostArray<double> texels(static_cast<std::size_t>(y.layout().extent().texels()) * 4);
    const std::span<double> numbers = texels.all();
    parallel_each(numbers.size(), [&](std::size_t i) { numbers[i] = i < count ? element(i) : 0.0; });
    y.backend().upload(y.id(), std::span<const double>(numbers));
}

/// Fills a storage of real numbers: fill(numbers) gets a span of floats, or of doubles where it holds these.
template <class Fill>
void upload_reals(Backend& backend, StorageId y, const Fill& fill) {
    if (backend.holds_doubles()) {
        const HostArray<double> numbers(static_cast<std::size_t>(backend.extent(y).texels()) * 4);
        fill(numbers.all());
        backend.upload(y, std::span<const double>(numbers.all()));
    } else {
        backend.upload(y, [&](std::span<float> numbers) { fill(numbers); });
    }
}

/// y <- part(element(i)) for each number of a storage of floats, and zeros behind them. Has any number a low part?
template <class Element, class Part>
bool upload_parts(Backend& backend, StorageId y, std::size_t count, const Element& element, const Part& part) {
    bool any_low = false;
    backend.upload(y, [&](std::span<float> texels) {
        const auto low_bits = parallel_parts(std::ssize(texels), usual_grain, [&](Offset begin, Offset end) {
            const auto first = static_cast<std::size_t>(begin), last = static_cast<std::size_t>(end);
            const std::size_t behind = std::clamp(count, first, last);
            std::uint32_t bits = 0;  // without a branch: such loops take several numbers at a time
            for (std::size_t i = first; i < behind; ++i) {
                const double number = element(i);
                texels[i] = part(number);
                bits |= std::bit_cast<std::uint32_t>(low_part(number)) << 1;  // not the sign
            }
            std::ranges::fill(texels.subspan(behind, last - behind), 0.0f);
            return bits;
        });
        any_low = std::ranges::any_of(low_bits, [](std::uint32_t bits) { return bits != 0; });
    });
    return any_low;
}

/// The same of a vector. (A double has no low part.)
template <class Element, class Part>
bool upload_parts(Vector& y, std::size_t count, const Element& element, const Part& part) {
    if (!y.backend().holds_doubles()) return upload_parts(y.backend(), y.id(), count, element, part);
    upload_doubles(y, count, element);
    return false;
}

/// y <- element(i), rounded.
template <class Element>
void upload_floats(Vector& y, std::size_t count, const Element& element) {
    upload_parts(y, count, element, high_part);
}

/// y + y_low <- element(i), rounded to two floats. What single precision holds, as pixels and ones are, has no low part
/// to be sent.
template <class Element>
void upload_two_floats(Vector& y, Vector& y_low, std::size_t count, const Element& element) {
    if (upload_parts(y, count, element, high_part)) {
        upload_parts(y_low, count, element, low_part);
    } else {
        y_low.clear();
    }
}

/// Calls take(i, y_i) for the first `count` numbers, on all cores, without rounding; waits.
template <class Take>
void download_numbers(const Vector& y, std::size_t count, const Take& take) {
    Backend& backend = y.backend();
    const auto take_all = [&](const auto& numbers) {
        parallel_each(std::min(numbers.size(), count),
                      [&](std::size_t i) { take(i, static_cast<double>(numbers[i])); });
    };
    const Ticket ticket = backend.read_later(y.id());
    if (backend.holds_doubles()) {
        backend.collect_doubles(ticket, [&](std::span<const double> numbers) { take_all(numbers); });
    } else {
        backend.collect(ticket, [&](std::span<const float> numbers) { take_all(numbers); });
    }
}

/// Calls take(i, (y + y_low)_i) for the first `count` numbers, on all cores; waits. Large vectors come in bands: while
/// one is taken, the next is on its way. (Doubles have no low part.)
template <class Take>
void download_two_floats(const Vector& y, const Vector& y_low, std::size_t count, const Take& take) {
    constexpr std::int64_t texels_of_a_band = 1 << 18;
    struct Band {
        Ticket high, low;
        std::size_t first;
    };
    Backend& backend = y.backend();
    if (backend.holds_doubles()) {
        download_numbers(y, count, take);
        return;
    }
    const Extent extent = y.layout().extent();
    const auto bands = static_cast<int>(std::clamp<std::int64_t>(extent.texels() / texels_of_a_band, 1, 8));
    const int height = (extent.height + bands - 1) / bands;
    std::vector<Band> queued;
    for (int line = 0; line < extent.height; line += height) {
        const Lines lines{line, std::min(height, extent.height - line)};
        queued.push_back({backend.read_later(y.id(), lines), backend.read_later(y_low.id(), lines),
                          static_cast<std::size_t>(Extent{extent.width, line}.texels()) * 4});
    }
    for (const Band& band : queued) {
        const std::size_t behind = count - std::min(count, band.first);
        backend.collect(band.high, [&](std::span<const float> high) {
            backend.collect(band.low, [&](std::span<const float> low) {
                parallel_each(std::min(high.size(), behind), [&](std::size_t i) {
                    take(band.first + i, static_cast<double>(high[i]) + static_cast<double>(low[i]));
                });
            });
        });
    }
}

/// n numbers in two floats each, hi + lo: some 48 bits (shaders/two_float.glsl).
struct TwoFloatVector {
    TwoFloatVector(Backend& backend, Offset length, std::string_view label)
        : hi(backend, length, label), lo(backend, length, std::string(label) + ", low") {}

    Vector hi, lo;

    std::size_t length() const { return static_cast<std::size_t>(hi.layout().length); }
    void upload(std::span<const double> numbers) {
        upload_two_floats(hi, lo, length(), [&](std::size_t i) { return numbers[i]; });
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
