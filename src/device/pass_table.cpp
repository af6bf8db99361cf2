#include "device/pass_table.hpp"

#include <algorithm>
#include <iterator>

namespace glsolve::inline v0_1 {
namespace {

#include "pass_rows.inc"

static_assert(std::size(table) == pass_count);
static_assert(std::ranges::all_of(table, [](const PassRow& row) {
    return row.outputs.size() <= max_outputs && row.inputs.size() <= max_inputs && row.scalars.size() <= max_scalars
           && row.integers.size() <= max_integers && row.constants.size() <= max_constants;
}));

}  // namespace

std::span<const PassRow> pass_table() { return table; }

const PassRow& row(PassId pass) { return table[static_cast<std::size_t>(pass)]; }

}  // namespace glsolve::inline v0_1
