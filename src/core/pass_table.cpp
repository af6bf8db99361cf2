#include "core/pass_table.hpp"

#include <iterator>

namespace glsolve::inline v0_1 {
namespace {

#include "pass_rows.inc"

static_assert(std::size(table) == pass_count);

}  // namespace

std::span<const PassRow> pass_table() { return table; }

const PassRow& row(PassId pass) { return table[static_cast<std::size_t>(pass)]; }

}  // namespace glsolve::inline v0_1
