// When passes begin and end, as Backend::mark_laps says.
#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace tests_of_laps {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Two passes, marked, and one that is not.
std::vector<Lap> laps_of(Backend& backend) {
    Vector x(backend, 5000, "x"), y(backend, 5000, "y");
    backend.mark_laps(true);
    fill(x, 2);
    copy(y, x);
    backend.mark_laps(false);
    fill(y, 3);
    backend.finish();
    return backend.take_laps();
}

}  // namespace

TEST_CASE("laps begin before they end, one after the other", "[passes]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<Lap> laps = laps_of(backend);
    REQUIRE(laps.size() == 2);
    CHECK(laps[0].pass != laps[1].pass);
    CHECK(backend.take_laps().empty());
    double before = -1e300;
    for (const Lap& lap : laps) {
        const std::optional<double> begin = backend.try_time(lap.begin), end = backend.try_time(lap.end);
        REQUIRE(begin.has_value());
        REQUIRE(end.has_value());
        CHECK(*begin >= before);
        CHECK(*end >= *begin);
        before = *end;
    }
}

TEST_CASE("laps of passes that are waited for are those of the clock", "[passes]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    backend.profile(true);
    const std::vector<Lap> laps = laps_of(backend);
    double seconds = 0, in_laps = 0;
    for (const auto& [pass, time] : backend.profile()) seconds += time.seconds;
    backend.profile(false);
    REQUIRE(laps.size() == 2);
    CHECK(laps[1].clock_begin >= laps[0].clock_end);
    for (const Lap& lap : laps) {
        CHECK(lap.clock_end > lap.clock_begin);
        CHECK(lap.end.value == 0);  // no mark
        in_laps += lap.clock_end - lap.clock_begin;
    }
    CHECK(in_laps < seconds);  // of three passes
}

}  // namespace tests_of_laps
