/// Formats of one matrix on a device: their bytes, and what a product takes.
#pragma once

#include <memory>
#include <vector>

#include "device/backend.hpp"
#include "formats/format_table.hpp"
#include "formats/time_product.hpp"

namespace glsolve::bench::hec {

class OnDevice {
  public:
    /// `A` must outlive it.
    OnDevice(Backend& backend, CsrView A);

    /// K by the paper's rule. Values in single precision even where half would hold them: made values would flatter.
    FormatInput input() const;
    /// The stored matrix's. Throws DeviceError or InvalidInput where the device cannot hold it.
    std::int64_t bytes(FormatKind format);
    /// Seconds of a product y = A x, x random, the median of some batches.
    double seconds(FormatKind format, const FormatInput& in);
    /// K of HEC by the clock (EllWidth::measure).
    int measured_width();

  private:
    Backend& backend_;
    CsrView A_;
    std::vector<double> ones_;
    TimedVectors vectors_;
};

}  // namespace glsolve::bench::hec
