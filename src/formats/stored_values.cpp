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
    if (halves) {
        const HostArray<float> part(values.size());
        parallel_each(part.size(), [&](std::size_t i) { part[i] = high_part(values[i]); });
        values_ = Storage(backend, extent, Element::half, "matrix values");
        backend.upload(values_.id(), std::span<const float>(part.all()));
        return;
    }
    const auto number = [&](std::size_t i) { return values[i]; };
    values_ = Storage(backend, extent, Element::real, "matrix values");
    const bool any_low = upload_parts(backend, values_.id(), values.size(), number, high_part);
    if (!in.low_parts || !any_low) return;
    low_.emplace(backend, extent, Element::real, "matrix values, low");
    upload_parts(backend, low_->id(), values.size(), number, low_part);
}

std::int64_t StoredValues::bytes() const { return values_.backend().bytes(values_.id()) * (low_ ? 2 : 1); }

}  // namespace glsolve::inline v0_1
