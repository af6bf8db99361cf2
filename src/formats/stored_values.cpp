#include "formats/stored_values.hpp"

#include "base/half.hpp"
#include "base/host_array.hpp"
#include "base/parallel.hpp"
#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Does half precision hold all of them?
bool are_halves(std::span<const double> values) {
    return !parallel_any(values.size(), [&](std::size_t i) {
        return static_cast<double>(rounded_to_half(static_cast<float>(values[i]))) != values[i];
    });
}

}  // namespace

StoredValues::StoredValues(Backend& backend, const FormatInput& in, Extent extent, std::span<const double> values) {
    const bool halves = in.halves || (in.exact_halves && are_halves(values));
    if (backend.holds_doubles() && !halves) {
        values_ = Storage(backend, extent, Element::real, "matrix values");
        backend.upload(values_.id(), values);
        return;
    }
    const HostArray<float> part(values.size());
    parallel_each(part.size(), [&](std::size_t i) { part[i] = high_part(values[i]); });
    values_ = Storage(backend, extent, halves ? Element::half : Element::real, "matrix values");
    backend.upload(values_.id(), std::span<const float>(part.all()));
    if (!in.low_parts || halves) return;
    if (!parallel_any(part.size(), [&](std::size_t i) { return low_part(values[i]) != 0; })) return;
    parallel_each(part.size(), [&](std::size_t i) { part[i] = low_part(values[i]); });
    low_.emplace(backend, extent, Element::real, "matrix values, low");
    backend.upload(low_->id(), std::span<const float>(part.all()));
}

std::int64_t StoredValues::bytes() const { return values_.backend().bytes(values_.id()) * (low_ ? 2 : 1); }

}  // namespace glsolve::inline v0_1
