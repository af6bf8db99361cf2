#include "kernels/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/shader_source.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The loops of shaders/pass/reduce.glsl and reduction.glsl take so many texels at a time.
constexpr bool suits_loops(Stage stage, bool software, Summed what) {
    const Extent tile = reduction_shape(stage, software, what).tile;
    return tile.width % 4 == 0 && tile.height % 8 == 0;
}
static_assert(suits_loops(Stage::fragment, true, Summed::vectors) && suits_loops(Stage::fragment, true, Summed::bases)
              && suits_loops(Stage::fragment, false, Summed::vectors)
              && suits_loops(Stage::compute, true, Summed::vectors)
              && suits_loops(Stage::compute, false, Summed::vectors));

}  // namespace

WorkGroup work_group(Extent domain) {
    if (domain.texels() >= 1 << 17) return {.repeats = 4};
    if (domain.texels() >= 1 << 15) return {};
    return {.invocations = {8, 4}};
}

namespace {

// Invocations of the only group of an ordered pass. Large teams stand for narrow levels, where the time goes into
// waiting for one another: a smaller group has done that sooner.
constexpr int in_order_on_processor = 8, in_order = 512, in_order_narrow = 256, narrow_team = 8;

/// Without teams.
WorkGroup plain_group(const PassRow& row, Extent domain) {
    if (has_compute_text(row)) return {};
    if (row.ordered) return {.invocations = {in_order_on_processor, 1}};
    if (row.asynchronous) return {.invocations = asynchronous_tiles(domain, false).invocations};
    // Invocations that add nothing up and read no scalars have nothing to share: one program for domains of any size.
    // So have short kernels that do read scalars: four texels for each time.
    if (!row.has_sum() && row.scalars.empty() && !row.in_parts) return {.invocations = {8, 8}};
    if (!row.has_sum() && row.elementwise) return {.invocations = {8, 8}, .repeats = 4};
    // One texel is one invocation's work.
    if (domain == Extent{1, 1} && !row.has_sum()) return {.invocations = {1, 1}};
    WorkGroup group = work_group(domain);
    if (row.in_parts && !row.has_sum()) group.repeats = 1;  // so long a loop: many invocations must be at it at once
    return group;
}

constexpr int most_of_teams = 512;   // invocations of a group: more would leave each too few registers
constexpr int usual_of_teams = 128;  // where nothing is added up: small groups fill a device sooner

WorkGroup with_teams(const PassRow& row, const WorkGroup& group, int team) {
    if (row.ordered) return {.invocations = {team >= narrow_team ? in_order_narrow : in_order, 1}, .team = team};
    if (row.kind == "rows") return {.invocations = {team, 1}, .team = team};  // a row, by itself
    const Extent texels = group.texels();
    const int width = texels.width * team;
    if (!row.has_sum()) return {.invocations = {width, std::max(usual_of_teams / width, 1)}, .team = team};
    const int height = std::clamp(most_of_teams / width, 1, texels.height);  // the sums are of these texels
    return {.invocations = {width, height}, .repeats = texels.height / height, .team = team};
}

}  // namespace

WorkGroup work_group(const PassRow& row, Extent domain, int team) {
    const WorkGroup group = plain_group(row, domain);
    return team == 1 || row.asynchronous ? group : with_teams(row, group, team);
}

AsynchronousTiles asynchronous_tiles(Extent domain, bool software) {
    const std::int64_t texels = domain.texels();
    const auto count = [](std::int64_t wanted, std::int64_t most) {
        return static_cast<int>(std::clamp<std::int64_t>(wanted, 2, most));
    };
    return {.groups = software ? count(texels >> 12, 8) : count(texels >> 10, 1 << 15),
            .invocations = {texels < 1024 ? 32 : 256, 1}};
}

std::string with_tile(const PassRow& row, std::string_view definitions, const ReductionShape& shape, bool at_once) {
    if (!row.reduces()) return std::string(definitions);
    return fmt::format("{}TILE_WIDTH {}\nTILE_HEIGHT {}\nMOST_AT_LAST {}\n{}", definitions, shape.tile.width,
                       shape.tile.height, shape.last, at_once ? fmt::format("AT_ONCE {}\n", left_width) : "");
}

}  // namespace glsolve::inline v0_1
