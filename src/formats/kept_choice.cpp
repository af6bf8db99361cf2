#include "formats/kept_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/disk_cache.hpp"
#include "matrix/structure_key.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The structure of the matrix, the device, and how formats are made: all that the choice depends on.
std::string key_of(const Backend& backend, const FormatInput& in) {
    std::string formats;
    for (const FormatRow* row : format_table) formats += fmt::format(" {}", row->name);
    return fmt::format("{}\nformats{}\n{}\nslices {}, halves {}, K {}\n", device_key(backend), formats,
                       structure_key(in.A), in.slicing.height, in.halves, name(in.ell_width));
}

DiskCache cache(const FormatInput& in) { return {in.kept_in, {}, "formats", "format"}; }

}  // namespace

std::optional<KeptChoice> find_choice(const Backend& backend, const FormatInput& in) {
    if (in.kept_in.empty()) return {};
    std::istringstream kept(cache(in).find(key_of(backend, in)));
    std::string word;
    double seconds = 0;
    int ell_width = 0;
    if (!(kept >> word >> seconds >> ell_width)) return {};
    const auto found = std::ranges::find(format_table, word, &FormatRow::name);
    if (found == format_table.end()) return {};
    return KeptChoice{(*found)->kind, seconds, ell_width};
}

void keep_choice(const Backend& backend, const FormatInput& in, const KeptChoice& choice) {
    if (in.kept_in.empty()) return;
    cache(in).keep(key_of(backend, in),
                   fmt::format("{} {:.9g} {}\n", name(choice.format), choice.seconds, choice.ell_width));
}

}  // namespace glsolve::inline v0_1
