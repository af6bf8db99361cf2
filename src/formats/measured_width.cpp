#include "formats/measured_width.hpp"

#include <glsolve/error.hpp>
#include <set>

#include "formats/ell_width.hpp"
#include "formats/time_product.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The widths of both rules, and those that hold the whole of a half, three quarters and nine tenths of the rows.
std::set<int> candidates(CsrView A) {
    const std::vector<Index> rows = rows_with(A);
    std::set<int> widths{paper_ell_width(rows, A.rows), cheapest_ell_width(rows, A.rows)};
    for (const double longer : {0.5, 0.25, 0.1}) {
        const auto is_longer = [&](Index count) { return count > longer * A.rows; };
        widths.insert(static_cast<int>(std::ranges::find_if_not(rows, is_longer) - rows.begin()));
    }
    return widths;
}

}  // namespace

FormatInput with_measured_width(Backend& backend, const FormatInput& in, FormatKind format) {
    FormatInput made = in;
    const bool is_hybrid = format == FormatKind::hec || format == FormatKind::hyb;
    if (!is_hybrid || in.ell_width != EllWidth::measure || in.width >= 0) return made;
    TimedVectors vectors(backend, in.A.rows);
    double fastest = 0;
    for (const int width : candidates(in.A)) {
        FormatInput of = in;
        of.width = width;
        const FormatRow& row = format_row(format);
        if (!row.predict(of).possible()) continue;
        try {
            const double seconds = time_product(backend, *row.make(backend, of), vectors);
            if (fastest == 0 || seconds < fastest) {
                fastest = seconds;
                made.width = width;
            }
        } catch (const DeviceError&) {  // too large: another width may do
        }
        backend.trim();
    }
    return made;
}

}  // namespace glsolve::inline v0_1
