#include "device/layout.hpp"

#include <glsolve/error.hpp>
#include <limits>

#include "device/reduction_plan.hpp"
#include "support/catch.hpp"

namespace tests_of_layout {

using namespace glsolve;

TEST_CASE("a vector's rectangle is a power of two wide, not too high, and just large enough", "[core]") {
    CHECK(layout_of(0).extent() == Extent{1, 1});
    CHECK(layout_of(4).extent() == Extent{1, 1});
    CHECK(layout_of(5).extent() == Extent{2, 1});
    CHECK(layout_of(1024).extent() == Extent{16, 16});
    CHECK(layout_of(4096).extent() == Extent{32, 32});
    CHECK(layout_of(4097).extent() == Extent{64, 17});
    CHECK(layout_of(1 << 16).extent() == Extent{64, 256});
    CHECK(layout_of((1 << 16) + 1).extent() == Extent{256, 65});
    CHECK(layout_of(1 << 20).extent() == Extent{256, 1024});
    CHECK(layout_of((1 << 22) + 1).extent() == Extent{512, 2049});
    CHECK(layout_of(1 << 24).extent() == Extent{1024, 4096});
    CHECK(layout_of(1 << 26).extent() == Extent{4096, 4096});
    CHECK(layout_of(Offset{1} << 30).extent() == Extent{16384, 16384});
    for (const Offset n : {1, 7, 63, 64, 65, 1000, 12345, 999'999, 16'777'217}) {
        const Layout layout = layout_of(n);
        const Offset texels = (n + 3) / 4;
        CHECK(layout.extent().texels() >= texels);
        CHECK(layout.extent().texels() - texels < layout.extent().width);
        CHECK(layout.height <= std::max(layout.extent().width, 4096));
    }
    CHECK_THROWS_AS(layout_of(-1), InvalidInput);
    CHECK_THROWS_AS(layout_of(Offset{std::numeric_limits<Index>::max()} + 1), InvalidInput);
}

TEST_CASE("packing keeps the numbers and pads with zeros", "[core]") {
    const std::vector<float> numbers{1, 2, 3, 4, 5};
    CHECK(pack(layout_of(5), numbers) == std::vector<float>{1, 2, 3, 4, 5, 0, 0, 0});
}

TEST_CASE("tiles stand above each other, and beside each other where that is too high", "[core]") {
    const TileLayout one = tile_grid({16, 10}, 5, 50);
    CHECK(one.extent() == Extent{16, 50});
    CHECK(one.texel(3, 17) == 3 * 160 + 17);
    const TileLayout two = tile_grid({16, 10}, 5, 49);
    CHECK(two.extent() == Extent{32, 30});
    CHECK(two.texel(3, 17) == (10 + 1) * 32 + 16 + 1);
    CHECK(tile_grid({16, 10}, 0, 49).extent() == Extent{16, 10});
    CHECK_THROWS_AS(tile_grid({16, 10}, 100, 49), InvalidInput);
}

TEST_CASE("a sum's stages end in one texel", "[core]") {
    CHECK(reduction_plan({1, 1}, {}) == std::vector<Extent>{{1, 1}});
    CHECK(reduction_plan({32, 32}, {}) == std::vector<Extent>{{1, 1}});
    CHECK(reduction_plan({512, 512}, {{4, 64}, 1024}) == std::vector<Extent>{{128, 8}, {1, 1}});
    CHECK(reduction_plan({2048, 2048}, {{4, 64}, 1024}) == std::vector<Extent>{{512, 32}, {128, 1}, {1, 1}});
    CHECK(reduction_plan({33, 33}, {{4, 64}, 1024}) == std::vector<Extent>{{9, 1}, {1, 1}});
}

}  // namespace tests_of_layout
