#include "formats/format_table.hpp"

#include <algorithm>
#include <array>

#include "formats/dense.hpp"
#include "formats/dia.hpp"
#include "formats/ell.hpp"
#include "formats/sliced.hpp"

namespace glsolve::inline v0_1 {
namespace {

template <bool runs>
FormatPrediction predict_slices(const FormatInput& in) {
    return predict_sliced(in, sliced_shape(in.slicing.height, runs));
}

template <bool runs>
std::unique_ptr<AssembledMatrix> make_slices(Backend& backend, const FormatInput& in) {
    return make_sliced(backend, in, sliced_shape(in.slicing.height, runs));
}

// Of equally good ones the first is chosen.
constexpr auto table = std::to_array<FormatRow>({
    {FormatKind::dia, "dia", predict_dia, make_dia},
    {FormatKind::ell, "ell", predict_ell, make_ell},
    {FormatKind::runs, "runs", predict_slices<true>, make_slices<true>, least_of_sliced},
    {FormatKind::sell, "sell", predict_slices<false>, make_slices<false>, least_of_sliced},
    {FormatKind::dense, "dense", predict_dense, make_dense},
});

}  // namespace

std::span<const FormatRow> format_table() { return table; }

const FormatRow& format_row(FormatKind kind) {
    return *std::find_if(table.begin(), table.end(), [&](const FormatRow& row) { return row.kind == kind; });
}

std::string_view name(FormatKind format) {
    if (format == FormatKind::automatic) return "auto";
    if (format == FormatKind::measure) return "measure";
    return format_row(format).name;
}

std::vector<FormatKind> all_formats() {
    std::vector<FormatKind> all{FormatKind::automatic, FormatKind::measure};
    for (const FormatRow& row : table) all.push_back(row.kind);
    return all;
}

}  // namespace glsolve::inline v0_1
