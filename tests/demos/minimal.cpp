// minimal: what its pictures must show, not pixel for pixel.
#include <cmath>

#include "demos/demo_picture.hpp"

namespace tests_of_minimal {

using demo_tests::last_frame;
using demo_tests::Picture;

namespace {

/// The mean of red, which grows with the temperature, in a square of cells, each of which is two pixels wide.
double warmth(const Picture& picture, int x, int y) {
    double sum = 0;
    for (int j = -4; j <= 4; ++j) {
        for (int i = -4; i <= 4; ++i) sum += picture.red(2 * (x + i), 2 * (y + j));
    }
    return sum / 81;
}

}  // namespace

TEST_CASE("minimal: two hot spots spread", "[minimal]") {
    const Picture early = last_frame(GLSOLVE_DEMO_MINIMAL, 1), late = last_frame(GLSOLVE_DEMO_MINIMAL, 60);
    REQUIRE(early.width == 512);
    REQUIRE(early.height == 512);
    for (const Picture* picture : {&early, &late}) {  // the spots are where they were put, and the corners are cold
        CHECK(warmth(*picture, 80, 90) > 200);
        CHECK(warmth(*picture, 180, 165) > 150);
        CHECK(warmth(*picture, 12, 243) < 5);
    }
    // Beside the larger spot it becomes warm, and as warm on all sides of it: heat spreads in circles.
    CHECK(warmth(early, 80, 90 - 42) < 40);
    const double below = warmth(late, 80, 90 - 42), left = warmth(late, 80 - 42, 90), above = warmth(late, 80, 90 + 42);
    CHECK(below > 60);
    CHECK(std::abs(below - left) < 8);
    CHECK(std::abs(below - above) < 8);
    // The smaller one has cooled down more than the larger one.
    CHECK(warmth(late, 180, 165) < warmth(early, 180, 165));
}

}  // namespace tests_of_minimal
