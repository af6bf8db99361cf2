#include "formats/kept_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/disk_cache.hpp"

namespace glsolve::inline v0_1 {
namespace {

template <class Number>
std::uint64_t hash_of(const std::vector<Number>& numbers) {  // FNV-1a, by whole numbers
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const Number n : numbers) hash = (hash ^ static_cast<std::uint64_t>(n)) * 0x100000001b3u;
    return hash;
}

/// The structure of the matrix, the device, and how formats are made: all that the choice depends on.
std::string key_of(const Backend& backend, const FormatInput& in) {
    std::string formats;
    for (const FormatRow* row : format_table) formats += fmt::format(" {}", row->name);
    const DeviceInfo& device = backend.info();
    return fmt::format(
        "device {}, {}, {}\nformats{}\nmatrix {} rows, {} nonzeros, {:016x} {:016x}\nslices {}, halves {}, "
        "doubles {}, K {}\n",
        name(device.backend), device.renderer, device.version, formats, in.A.rows, in.A.nonzeros(),
        hash_of(in.A.offsets), hash_of(in.A.column), in.slicing.height, in.halves, backend.holds_doubles(),
        name(in.ell_width));
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
