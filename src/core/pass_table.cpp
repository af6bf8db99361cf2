#include "core/pass_table.hpp"

#include <algorithm>
#include <array>

#include "core/pass_rows/bicgstab.hpp"
#include "core/pass_rows/cg.hpp"
#include "core/pass_rows/dense.hpp"
#include "core/pass_rows/function.hpp"
#include "core/pass_rows/gmres.hpp"
#include "core/pass_rows/grid.hpp"
#include "core/pass_rows/iterations.hpp"
#include "core/pass_rows/minres.hpp"
#include "core/pass_rows/multigrid.hpp"
#include "core/pass_rows/pipelined_cg.hpp"
#include "core/pass_rows/products.hpp"
#include "core/pass_rows/reductions.hpp"
#include "core/pass_rows/textures.hpp"
#include "core/pass_rows/vectors.hpp"

namespace glsolve::inline v0_1 {
namespace {

template <std::size_t... n>
consteval std::array<PassRow, (n + ...)> join(const PassRow (&... family)[n]) {
    std::array<PassRow, (n + ...)> all;
    auto end = all.begin();
    ((end = std::copy(family, family + n, end)), ...);
    return all;
}

constexpr std::array<PassRow, pass_count> table =
    join(pass_rows::vectors, pass_rows::reductions, pass_rows::products, pass_rows::dense, pass_rows::cg,
         pass_rows::pipelined_cg, pass_rows::bicgstab, pass_rows::minres, pass_rows::gmres, pass_rows::iterations,
         pass_rows::multigrid, pass_rows::grid, pass_rows::function, pass_rows::textures);

consteval bool rows_in_order() {
    for (int i = 0; i < pass_count; ++i) {
        if (static_cast<int>(table[static_cast<std::size_t>(i)].id) != i) return false;
    }
    return true;
}
static_assert(rows_in_order(), "a row of the pass table stands at the place of its PassId");

}  // namespace

std::span<const PassRow> pass_table() { return table; }

const PassRow& row(PassId pass) { return table[static_cast<std::size_t>(pass)]; }

}  // namespace glsolve::inline v0_1
