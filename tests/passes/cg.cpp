// The passes of conjugate gradients: the fused update, the control of the loop, the restart after a correction.
#include <cmath>
#include <limits>
#include <string>
#include <utility>

#include "device/stop.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/oracle/oracle.hpp"

namespace tests_of_cg {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Harness update(PassId pass, Offset n) {
    Harness h(pass, layout_of(n).extent());
    h.input("y", random_vector(n, 1))
        .input("p", random_vector(n, 2))
        .input("r", random_vector(n, 3))
        .input("q", random_vector(n, 4));
    h.in_place("y", "y").in_place("r", "r");
    if (pass == PassId::cg_update_jacobi) h.input("d", random_vector(n, 5));
    return h;
}

Texels splat(float v) { return Texels(4, v); }

/// A healthy iteration: |r| = 0.5 after 1, nothing to stop for.
Harness control() {
    Harness h(PassId::cg_control, {1, 1});
    h.input("state", {1, 1e-7f, 6e-8f, 1})
        .input("rho", splat(2))
        .input("beta", splat(0.3f))
        .input("status", {0, 6, 1, 0});
    h.input("sums", {0.5f, 0.25f, 4, 0}).input("pi", splat(1.5f));
    for (const char* name : {"state", "rho", "beta", "status"}) h.in_place(name, name);
    h.constant("target", 1e-3f).constant("norm", 2).constant("tolerated", 0.1f).integer("limit", 1000);
    return h;
}

Stop stop_of(const Harness& h) { return static_cast<Stop>(static_cast<int>(h.output("status")[0])); }

void check_by_formula(const Harness& h) {
    for (const char* name : {"state", "rho", "beta", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

}  // namespace

TEST_CASE("cg_update matches double precision", "[passes][cg_update][cg_update_jacobi]") {
    const PassId pass = GENERATE(PassId::cg_update, PassId::cg_update_jacobi);
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h = update(pass, n);
    h.scalar("alpha", 1, 0.7f, 0.9f).run();
    CHECK(h.difference("y") < 4e-7);
    CHECK(h.difference("r") < 4e-7);
    CHECK(h.difference("sum") < 2e-6);
    if (pass == PassId::cg_update_jacobi) CHECK(h.difference("z") < 1e-6);
    for (const char* name : {"y", "r"}) {
        const Texels& texels = h.output(name);
        for (auto i = static_cast<std::size_t>(n); i < texels.size(); ++i) REQUIRE(texels[i] == 0);
    }
}

namespace {

/// An update in two floats; low parts are what the high ones have no room for.
Harness two_float_update(PassId pass, Offset n) {
    const auto low = [&](std::uint32_t seed) {
        Texels texels = random_vector(n, seed);
        for (float& number : texels) number *= 0x1p-26f;
        return texels;
    };
    Harness h(pass, layout_of(n).extent());
    if (pass == PassId::cg_step_two_float) {
        h.input("y", random_vector(n, 1)).input("y_low", low(2)).input("x", random_vector(n, 3));
        return h.in_place("y", "y").in_place("y_low", "y_low");
    }
    h.input("r", random_vector(n, 1)).input("r_low", low(2)).input("q", random_vector(n, 3)).input("q_low", low(4));
    if (pass == PassId::cg_update_two_float_jacobi) h.input("d", random_vector(n, 5));
    return h.in_place("r", "r").in_place("r_low", "r_low");
}

std::pair<std::string, std::string> name_of_result(PassId pass) {
    return pass == PassId::cg_step_two_float ? std::pair{"y", "y_low"} : std::pair{"r", "r_low"};
}
std::string step_name(PassId pass) { return pass == PassId::cg_step_two_float ? "a" : "alpha"; }

}  // namespace

TEST_CASE("updates in two floats match double precision",
          "[passes][cg_update_two_float][cg_update_two_float_jacobi][cg_step_two_float]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    const PassId pass =
        GENERATE(PassId::cg_update_two_float, PassId::cg_update_two_float_jacobi, PassId::cg_step_two_float);
    const Offset n = GENERATE(1, 5, 1023, 1025);
    Harness h = two_float_update(pass, n);
    h.scalar(step_name(pass), 0.75f).run();  // a step that is formed without rounding
    const auto [hi, lo] = name_of_result(pass);
    for (std::size_t i = 0; i < h.output(hi).size(); ++i) {
        const double made = static_cast<double>(h.output(hi)[i]) + static_cast<double>(h.output(lo)[i]);
        const double expected = h.expected(hi)[i] + h.expected(lo)[i];
        REQUIRE(std::abs(made - expected) <= 0x1p-45);
        if (i >= static_cast<std::size_t>(n)) REQUIRE(made == 0);
    }
    if (pass != PassId::cg_step_two_float) CHECK(h.difference("sum") < 2e-6);
    if (pass == PassId::cg_update_two_float_jacobi) CHECK(h.difference("z") < 1e-6);
}

TEST_CASE("updates in two floats change nothing where the step is not a positive number, or when stopped",
          "[passes][cg_update_two_float][cg_step_two_float]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    const PassId pass =
        GENERATE(PassId::cg_update_two_float, PassId::cg_update_two_float_jacobi, PassId::cg_step_two_float);
    Harness h = two_float_update(pass, 333);
    const std::string step = step_name(pass);
    SECTION("(p,Ap) = 0") { h.scalar(step, 1, 1, 0).run(); }
    SECTION("(p,Ap) < 0") { h.scalar(step, 1, 1, -2).run(); }
    SECTION("(p,Ap) = NaN") { h.scalar(step, 1, 1, not_a_number).run(); }
    SECTION("infinity") { h.scalar(step, 1, infinity, 1).run(); }
    SECTION("stopped") { h.scalar(step, 1, 1, 1).stopped(true).run(); }
    const auto [hi, lo] = name_of_result(pass);
    CHECK(h.output(hi) == random_vector(333, 1));
    CHECK(h.difference(lo) == 0);
}

TEST_CASE("cg_update changes nothing where alpha is not a positive number, or when stopped", "[passes][cg_update]") {
    const PassId pass = GENERATE(PassId::cg_update, PassId::cg_update_jacobi);
    Harness h = update(pass, 333);
    SECTION("(p,Ap) = 0") { h.scalar("alpha", 1, 1, 0).run(); }
    SECTION("(p,Ap) < 0") { h.scalar("alpha", 1, 1, -2).run(); }
    SECTION("(p,Ap) = NaN") { h.scalar("alpha", 1, 1, not_a_number).run(); }
    SECTION("alpha = infinity") { h.scalar("alpha", 1, infinity, 1).run(); }
    SECTION("stopped") { h.scalar("alpha", 1, 1, 1).stopped(true).run(); }
    CHECK(h.output("y") == random_vector(333, 1));
    CHECK(h.output("r") == random_vector(333, 3));
}

TEST_CASE("cg_control goes on while all is well", "[passes][cg_control]") {
    Harness h = control();
    h.run();
    check_by_formula(h);
    CHECK(stop_of(h) == Stop::running);
    CHECK(h.output("status")[1] == 7);
    CHECK(h.output("status")[2] == Approx(0.5));
    CHECK(h.output("rho") == splat(0.5f));
    CHECK(h.output("beta")[0] == Approx(0.25));  // 0.5 / 2
    CHECK(h.output("state")[0] == 1);            // the largest residual
    CHECK(h.output("state")[1] == Approx(1e-7 + oracle::half_ulp() * (2 * 2 + 0.5)).epsilon(1e-4));  // the drift
}

TEST_CASE("cg_control leaves beta and rho to cg_direction where z comes later", "[passes][cg_control]") {
    Harness h = control();
    h.integer("rz_later", 1).run();
    CHECK(stop_of(h) == Stop::running);
    CHECK(h.output("rho") == splat(2));
    CHECK(h.output("beta") == splat(0.3f));
    CHECK(h.output("status")[1] == 7);
    check_by_formula(h);
}

TEST_CASE("cg_control stops for each of its reasons", "[passes][cg_control]") {
    Harness h = control();
    Stop expected = Stop::running;
    bool fresh = true;
    Texels rho = splat(2);
    SECTION("target") {
        h.constant("target", 0.6f);
        expected = Stop::target;
    }
    SECTION("reduced") {
        h.input("state", {5.1f, 1e-7f, 6e-8f, 1});
        expected = Stop::reduced;
    }
    SECTION("drifted") {
        h.input("state", {1, 0.06f, 6e-8f, 1});
        expected = Stop::drifted;
    }
    SECTION("limit") {
        h.integer("limit", 7);
        expected = Stop::limit;
    }
    SECTION("indefinite") {
        h.input("pi", splat(GENERATE(0.0f, -1.0f)));
        expected = Stop::indefinite;
        fresh = false;
    }
    SECTION("alpha overflows") {
        rho = splat(3e38f);
        h.input("rho", rho).input("pi", splat(1e-10f));
        expected = Stop::indefinite;
        fresh = false;
    }
    SECTION("(p,Ap) is not finite") {
        h.input("pi", splat(GENERATE(as<float>{}, infinity, -infinity, not_a_number)));
        expected = Stop::not_finite;
        fresh = false;
    }
    SECTION("a sum is not finite") {
        h.input("sums", {0.5f, GENERATE(as<float>{}, infinity, -infinity, not_a_number), 4, 0});
        expected = Stop::not_finite;
        fresh = false;
    }
    h.run();
    CHECK(stop_of(h) == expected);
    CHECK(h.output("status")[1] == (fresh ? 7 : 6));
    // The direction's rho stays: a correction continues from it.
    CHECK(h.output("rho") == rho);
    CHECK(h.difference("state") < 1e-6);
}

TEST_CASE("cg_control asks for no corrections where none come", "[passes][cg_control]") {
    for (const bool alone : {false, true}) {
        Harness fallen = control();
        fallen.input("sums", {0.5f, 1e-4f, 4, 0})
            .constant("tolerated", alone ? 1e30f : 0.1f)
            .run();  // |r| fell a hundredfold
        CHECK(stop_of(fallen) == (alone ? Stop::running : Stop::reduced));
        Harness drifted = control();
        drifted.input("state", {1, 1, 6e-8f, 1}).constant("tolerated", alone ? 1e30f : 0.1f).run();
        CHECK(stop_of(drifted) == (alone ? Stop::running : Stop::drifted));
        Harness met = control();
        met.input("sums", {0.5f, 1e-8f, 4, 0}).constant("tolerated", alone ? 1e30f : 0.1f).run();
        CHECK(stop_of(met) == Stop::target);
        check_by_formula(met);
    }
    for (const float drift : {1.0f, 20.0f}) {  // beside |r| = 0.5 and more drift from this iteration
        Harness h = control();
        h.input("state", {1, drift, 6e-8f, 1}).input("sums", {0.5f, 0.25f, 4, 0}).constant("tolerated", 10).run();
        CHECK(stop_of(h) == (drift < 5 ? Stop::running : Stop::drifted));
        check_by_formula(h);
    }
}

TEST_CASE("cg_control changes nothing once stopped, whatever the sums hold", "[passes][cg_control]") {
    Harness h = control();
    const float bad = GENERATE(0.5f, infinity, not_a_number);
    h.input("sums", splat(bad)).input("pi", splat(bad)).input("status", {2, 6, 1, 0}).stopped(true).run();
    CHECK(h.output("state") == Texels{1, 1e-7f, 6e-8f, 1});
    CHECK(h.output("rho") == splat(2));
    CHECK(h.output("beta") == splat(0.3f));
    CHECK(h.output("status") == Texels{2, 6, 1, 0});
}

TEST_CASE("cg_restart begins anew from the true residual", "[passes][cg_restart]") {
    Harness h(PassId::cg_restart, {1, 1});
    h.input("rho", splat(2)).input("rz", splat(0.7f)).input("rr", splat(0.81f));
    h.constant("rescale", 4).constant("keep", 1);
    SECTION("and keeps the direction") {
        h.run();
        CHECK(h.output("beta")[0] == Approx(0.7 / (2 * 4)));
    }
    SECTION("with a new direction") {
        h.constant("keep", 0).run();
        CHECK(h.output("beta") == splat(0));
    }
    SECTION("where rho was 0 or NaN") {
        h.input("rho", splat(GENERATE(0.0f, not_a_number))).run();
        CHECK(h.output("beta") == splat(0));
    }
    check_by_formula(h);
    CHECK(h.output("rho") == splat(0.7f));
    CHECK(h.output("status")[0] == 0);
    CHECK(h.output("status")[1] == 0);  // iterations are counted from the correction on
    CHECK(h.output("state")[0] == Approx(0.9));
}

TEST_CASE("cg_direction makes beta and rho of (r,z)", "[passes][cg_direction]") {
    Harness h(PassId::cg_direction, {1, 1});
    const bool stopped = GENERATE(false, true);
    const float rho = GENERATE(2.0f, 0.0f);
    h.input("rho", splat(rho)).input("beta", splat(0.3f)).input("rz", splat(0.5f)).stopped(stopped).run();
    for (const char* name : {"rho", "beta"}) CHECK(h.difference(name) < 1e-6);
    CHECK(h.output("rho") == splat(stopped ? rho : 0.5f));
    CHECK(h.output("beta")[0] == (stopped ? 0.3f : rho == 0 ? 0.0f : 0.25f));
}

}  // namespace tests_of_cg
