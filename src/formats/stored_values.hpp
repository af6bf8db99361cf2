/// The numbers of a matrix on a device.
#pragma once

#include <optional>
#include <span>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// Rounded to single precision, with low parts: what rounding has lost, where that is anything; or rounded to half
/// precision; or doubles, where the backend holds these.
class StoredValues {
  public:
    StoredValues() = default;
    StoredValues(Backend& backend, const FormatInput& in, Extent extent, std::span<const double> values);
    /// Filled by passes: values that single precision holds.
    explicit StoredValues(Storage values) : values_(std::move(values)) {}

    StorageId id() const { return values_.id(); }
    /// Any storage, where there are none: kernels without A_LOW do not read it.
    StorageId low() const { return low_ ? low_->id() : values_.id(); }
    bool has_low() const { return low_.has_value(); }
    std::int64_t bytes() const;

  private:
    Storage values_;
    std::optional<Storage> low_;
};

}  // namespace glsolve::inline v0_1
