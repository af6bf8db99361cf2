#include "hec_on_device.hpp"

#include "device_clock.hpp"
#include "formats/choose_format.hpp"
#include "formats/ell_width.hpp"
#include "formats/measured_width.hpp"

namespace glsolve::bench {

HecOnDevice::HecOnDevice(Backend& backend, const CsrMatrix& A)
    : backend_(backend), A_(A), ones_(static_cast<std::size_t>(A.rows), 1.0), vectors_(backend, A.rows) {}

FormatInput HecOnDevice::input() const {
    FormatInput in = for_device(
        backend_,
        {.A = A_, .scale = ones_, .max_texture_size = backend_.info().max_texture_size, .ell_width = EllWidth::paper});
    in.exact_halves = false;
    return in;
}

std::int64_t HecOnDevice::bytes(FormatKind format) {
    const std::int64_t bytes = format_row(format).make(backend_, input())->bytes();
    backend_.trim();
    return bytes;
}

double HecOnDevice::seconds(FormatKind format, const FormatInput& in) {
    double seconds = 0;
    {
        const auto matrix = format_row(format).make(backend_, in);
        seconds = seconds_of({.backend = &backend_}, [&] { matrix->multiply(vectors_.y, vectors_.x); });
    }
    backend_.trim();
    return seconds;
}

int HecOnDevice::measured_width() {
    FormatInput in = input();
    in.ell_width = EllWidth::measure;
    return with_measured_width(backend_, in, FormatKind::hec).width;
}

int longest_row(const CsrMatrix& A) { return static_cast<int>(rows_with(A).size()); }

}  // namespace glsolve::bench
