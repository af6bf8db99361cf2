#include "on_device.hpp"

#include "device_clock.hpp"
#include "formats/choose_format.hpp"
#include "formats/measured_width.hpp"

namespace glsolve::bench::hec {

OnDevice::OnDevice(Backend& backend, CsrView A)
    : backend_(backend), A_(A), ones_(static_cast<std::size_t>(A.rows), 1.0), vectors_(backend, A.rows) {}

FormatInput OnDevice::input() const {
    FormatInput in = for_device(
        backend_,
        {.A = A_, .scale = ones_, .max_texture_size = backend_.info().max_texture_size, .ell_width = EllWidth::paper});
    in.exact_halves = false;
    return in;
}

std::int64_t OnDevice::bytes(FormatKind format) {
    const std::int64_t bytes = format_row(format).make(backend_, input())->bytes();
    backend_.trim();
    return bytes;
}

double OnDevice::seconds(FormatKind format, const FormatInput& in) {
    double seconds = 0;
    {
        const auto matrix = format_row(format).make(backend_, in);
        seconds = seconds_of({.backend = &backend_}, [&] { matrix->multiply(vectors_.y, vectors_.x); });
    }
    backend_.trim();
    return seconds;
}

int OnDevice::measured_width() {
    const Session session(backend_);
    FormatInput in = input();
    in.ell_width = EllWidth::measure;
    return with_measured_width(backend_, in, FormatKind::hec).width;
}

}  // namespace glsolve::bench::hec
