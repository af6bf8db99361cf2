/// How a pass is cut into pieces that are made together: work groups, tiles of reductions and of asynchronous passes.
/// Measured once for each kind of device; knows no API.
#pragma once

#include <string>
#include <string_view>
#include <tuple>

#include <glsolve/device.hpp>
#include "device/layout.hpp"
#include "device/pass_table.hpp"
#include "device/reduction_plan.hpp"

namespace glsolve::inline v0_1 {

/// What a work group does, for a pass over a domain of this size.
struct WorkGroup {
    Extent invocations{16, 16};
    int repeats = 1;  ///< texels of each invocation
    int team = 1;     ///< invocations, side by side, that share the work of a texel

    Extent texels() const { return {invocations.width / team, invocations.height * repeats}; }
    friend auto operator<=>(const WorkGroup& a, const WorkGroup& b) {
        const auto all = [](const WorkGroup& w) {
            return std::tuple(w.invocations.width, w.invocations.height, w.repeats, w.team);
        };
        return all(a) <=> all(b);
    }
};

/// Of a large domain each invocation makes several texels: reading the scalar arguments and adding up the terms of sums
/// costs as much as some texels do. Of a small one the groups are small, so that all of a device has work.
WorkGroup work_group(Extent domain);
/// The same of any pass: those without sums or scalars have less to share. `team`: invocations for each texel
/// (PassCall::team); the group then has the same texels.
WorkGroup work_group(const PassRow& row, Extent domain, int team);

/// What is made together in an asynchronous pass.
struct AsynchronousTiles {
    int groups = 1;  ///< each with a tile of texels
    Extent invocations = {256, 1};
};

/// The larger a tile, the fewer rows have stale neighbours; at least two, so that there are any.
AsynchronousTiles asynchronous_tiles(Extent domain, bool software);

/// How each stage adds up. llvmpipe's threads share out squares of 64 texels: of a long vector, 256 texels wide, tiles
/// of 32 x 8 leave a column that is as high as several squares. On an H200, where neighbours should read neighbours,
/// tiles are narrow. Work groups of an H200 are fastest with 32 reads an invocation under way, which makes 512 of them
/// for 16 million numbers. On a processor, short vectors gain nothing from that many. Inner products with a basis take
/// long for each texel, so they should fill several squares, too.
constexpr ReductionShape reduction_shape(Stage stage, bool software, Summed what) {
    if (software && stage == Stage::fragment && what == Summed::bases) return {{8, 8}, 1024};
    if (software) return stage == Stage::compute ? ReductionShape{{16, 16}, 256} : ReductionShape{{32, 8}, 1024};
    return stage == Stage::compute ? ReductionShape{{64, 128}, 1024} : ReductionShape{{4, 32}, 1024};
}

/// Reductions at once: how many work groups have room to leave what they made: a line of so many, and so many lines.
inline constexpr int left_width = 64;

/// The definitions of a program, with the tile where it reduces: sizes of tiles are constants of the shaders that sum
/// them. `at_once`: the stage goes on to the end.
std::string with_tile(const PassRow& row, std::string_view definitions, const ReductionShape& shape, bool at_once);

}  // namespace glsolve::inline v0_1
