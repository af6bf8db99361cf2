// The passes of BiCGStab: its vectors, the control of the loop, the restart after a correction.
#include <cmath>
#include <limits>

#include "device/stop.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_bicgstab {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Texels splat(float v) { return Texels(4, v); }

/// A healthy iteration: |r| = 0.5 after 1, nothing to stop for.
Harness control() {
    Harness h(PassId::bicgstab_control, {1, 1});
    h.input("state", {1, 1e-7f, 6e-8f, 1})
        .input("rho", splat(2))
        .input("factors", {0.3f, 0.7f, 0, 0})
        .input("status", {0, 6, 1, 0})
        .input("sums", {0.5f, 0.25f, 4, 0})
        .input("products", {0.6f, 0.8f, 0.5f, 0})
        .input("sigma", splat(1.5f))
        .input("shadow", splat(1));
    for (const char* name : {"state", "rho", "factors", "status"}) h.in_place(name, name);
    h.constant("target", 1e-3f).constant("norm", 2).constant("tolerated", 0.1f).integer("limit", 1000);
    return h;
}

Stop stop_of(const Harness& h) { return static_cast<Stop>(static_cast<int>(h.output("status")[0])); }

void check_by_formula(const Harness& h) {
    for (const char* name : {"state", "rho", "factors", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

}  // namespace

TEST_CASE("bicgstab_direction matches double precision", "[passes][bicgstab_direction][bicgstab_direction_jacobi]") {
    const PassId pass = GENERATE(PassId::bicgstab_direction, PassId::bicgstab_direction_jacobi);
    const Offset n = GENERATE(from_range(edge_lengths()));
    const bool stopped = GENERATE(false, true);
    Harness h(pass, layout_of(n).extent());
    h.input("p", random_vector(n, 1))
        .input("r", random_vector(n, 2))
        .input("v", random_vector(n, 3))
        .in_place("p", "p");
    if (pass == PassId::bicgstab_direction_jacobi) h.input("d", random_vector(n, 4));
    h.scalar("factors", 0.8f, 0.7f, 0.9f).stopped(stopped).run();
    CHECK(h.difference("p") < 6e-7);
    if (pass == PassId::bicgstab_direction_jacobi) CHECK(h.difference("u") < 6e-7);
    if (stopped) CHECK(h.output("p") == random_vector(n, 1));
}

TEST_CASE("a first direction takes nothing from what was there before", "[passes][bicgstab_direction]") {
    Harness h(PassId::bicgstab_direction, layout_of(64).extent());
    Texels poison = random_vector(64, 1);
    poison[9] = not_a_number;
    h.input("p", poison).input("r", random_vector(64, 2)).input("v", poison).in_place("p", "p");
    h.scalar("factors", 0).run();
    CHECK(h.output("p") == random_vector(64, 2));
}

TEST_CASE("bicgstab_half matches double precision", "[passes][bicgstab_half][bicgstab_half_jacobi]") {
    const PassId pass = GENERATE(PassId::bicgstab_half, PassId::bicgstab_half_jacobi);
    const Offset n = GENERATE(from_range(edge_lengths()));
    const float alpha = GENERATE(0.7f, -1.25f, std::numeric_limits<float>::infinity());
    Harness h(pass, layout_of(n).extent());
    h.input("r", random_vector(n, 1)).input("v", random_vector(n, 2));
    if (pass == PassId::bicgstab_half_jacobi) h.input("d", random_vector(n, 3));
    h.scalar("alpha", 1, alpha).run();
    CHECK(h.difference("s") < 4e-7);
    if (pass == PassId::bicgstab_half_jacobi) CHECK(h.difference("w") < 6e-7);
    if (std::isinf(alpha)) CHECK(h.output("s") == random_vector(n, 1));  // a step of no length
}

TEST_CASE("bicgstab_products matches double precision", "[passes][bicgstab_products]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h(PassId::bicgstab_products, layout_of(n).extent());
    h.input("t", random_vector(n, 1)).input("s", random_vector(n, 2)).run();
    CHECK(h.difference("sum") < 2e-6);
}

TEST_CASE("bicgstab_update matches double precision", "[passes][bicgstab_update]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const bool stopped = GENERATE(false, true);
    Harness h(PassId::bicgstab_update, layout_of(n).extent());
    std::uint32_t seed = 0;
    for (const char* name : {"y", "r", "u", "w", "s", "t", "shadow"}) h.input(name, random_vector(n, ++seed));
    h.in_place("y", "y").in_place("r", "r");
    h.scalar("alpha", 1, 0.7f, 0.9f).scalar("products", 1, 0.6f).stopped(stopped).run();
    CHECK(h.difference("y") < 8e-7);
    CHECK(h.difference("r") < 8e-7);
    CHECK(h.difference("sum") < 4e-6);
    if (stopped) CHECK(h.output("y") == random_vector(n, 1));
}

TEST_CASE("bicgstab_control goes on, and prepares the next direction", "[passes][bicgstab_control]") {
    Harness h = control();
    h.run();
    check_by_formula(h);
    CHECK(stop_of(h) == Stop::running);
    CHECK(h.output("status")[1] == 7);
    CHECK(h.output("rho")[0] == 0.5f);
    // beta = (0.5 / 2) (alpha / omega), alpha = 2 / 1.5, omega = 0.6 / 0.8
    CHECK(static_cast<double>(h.output("factors")[0]) == Approx(0.25 * (2 / 1.5) / 0.75));
    CHECK(static_cast<double>(h.output("factors")[1]) == Approx(0.75));
}

TEST_CASE("bicgstab_control stops for each of its reasons", "[passes][bicgstab_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    Harness h = control();
    Stop expected = Stop::running;
    SECTION("the target") {
        h.constant("target", 0.6f);
        expected = Stop::target;
    }
    SECTION("the drift") {
        h.input("state", {1e6f, 1e-7f, 6e-8f, 1});
        expected = Stop::drifted;
    }
    SECTION("the shadow is orthogonal to the residual") {
        h.input("sums", {1e-8f, 0.25f, 4, 0});
        expected = Stop::breakdown;
    }
    SECTION("the shadow is orthogonal to the direction") {
        h.input("sigma", splat(0));
        expected = Stop::breakdown;
    }
    SECTION("t is orthogonal to s") {
        h.input("products", {0, 0.8f, 0.5f, 0});
        expected = Stop::breakdown;
    }
    SECTION("a sum is no number") {
        h.input("sums", {0.5f, not_a_number, 4, 0});
        expected = Stop::not_finite;
    }
    SECTION("iterations are used up") {
        h.integer("limit", 7);
        expected = Stop::limit;
    }
    h.run();
    CHECK(stop_of(h) == expected);
    for (const char* name : {"rho", "factors"}) CHECK(h.difference(name) < 1e-6);
}

TEST_CASE("bicgstab_control changes nothing after the stop", "[passes][bicgstab_control]") {
    Harness h = control();
    h.stopped(true).run();
    CHECK(h.output("status") == Texels{0, 6, 1, 0});
    CHECK(h.output("factors") == Texels{0.3f, 0.7f, 0, 0});
}

TEST_CASE("bicgstab_restart begins anew", "[passes][bicgstab_restart]") {
    Harness h(PassId::bicgstab_restart, {1, 1});
    h.input("rr", splat(9)).run();
    check_by_formula(h);
    CHECK(h.output("rho")[0] == 9);
    CHECK(h.output("factors") == splat(0));
    CHECK(h.output("status") == Texels{0, 0, 3, 0});
}

// --- BiCGStab(2)
// ------------------------------------------------------------------------------------------------------

TEST_CASE("bicgstab2_half matches double precision", "[passes][bicgstab2_half]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const float alpha = GENERATE(0.7f, std::numeric_limits<float>::infinity());
    const bool stopped = GENERATE(false, true);
    Harness h(PassId::bicgstab2_half, layout_of(n).extent());
    std::uint32_t seed = 0;
    for (const char* name : {"y", "r", "u", "v"}) h.input(name, random_vector(n, ++seed));
    h.in_place("y", "y").in_place("r", "r").scalar("alpha", 1, alpha).stopped(stopped).run();
    CHECK(h.difference("y") < 4e-7);
    CHECK(h.difference("r") < 4e-7);
    if (stopped || std::isinf(alpha)) CHECK(h.output("y") == random_vector(n, 1));
}

TEST_CASE("bicgstab2_beta is the ratio of two sums, and none where there is none", "[passes][bicgstab2_beta]") {
    const float gamma = GENERATE(0.5f, 0.0f, not_a_number);
    Harness h(PassId::bicgstab2_beta, {1, 1});
    h.input("rs", splat(3)).input("gamma", splat(gamma)).run();
    CHECK(h.output("beta")[0] == (gamma == 0.5f ? 6.0f : 0.0f));
    CHECK(h.output("rho")[0] == 3);
    CHECK(h.difference("beta") < 1e-6);
}

TEST_CASE("bicgstab2_second matches double precision", "[passes][bicgstab2_second]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const bool stopped = GENERATE(false, true);
    Harness h(PassId::bicgstab2_second, layout_of(n).extent());
    std::uint32_t seed = 0;
    for (const char* name : {"u", "r", "s", "v", "w"}) h.input(name, random_vector(n, ++seed));
    for (const char* name : {"u", "r", "s"}) h.in_place(name, name);
    h.scalar("alpha", 1, 0.7f, 0.9f).scalar("beta", 0.6f).stopped(stopped).run();
    for (const char* name : {"u", "r", "s"}) CHECK(h.difference(name) < 6e-7);
    if (stopped) CHECK(h.output("r") == random_vector(n, 2));
}

TEST_CASE("bicgstab2_products matches double precision", "[passes][bicgstab2_products]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h(PassId::bicgstab2_products, layout_of(n).extent());
    h.input("r", random_vector(n, 1)).input("s", random_vector(n, 2)).input("t", random_vector(n, 3)).run();
    CHECK(h.difference("sum") < 2e-6);
}

TEST_CASE("bicgstab2_omegas solves for the smallest residual", "[passes][bicgstab2_omegas]") {
    Harness h(PassId::bicgstab2_omegas, {1, 1});
    // r = (1, 2, 3), s = (1, 0, 1), t = (0, 1, 1):  the normal equations [2 1; 1 2] omega = (4, 5)
    h.input("products", {4, 2, 1, 2}).input("rt", splat(5)).input("rho", splat(3)).input("gamma", splat(2)).run();
    CHECK(h.output("omegas")[0] == Approx(1).epsilon(1e-6));
    CHECK(h.output("omegas")[1] == Approx(2).epsilon(1e-6));
    CHECK(h.output("omegas")[2] == 1.5f);
    CHECK(h.difference("omegas") < 1e-6);
    h.input("products", {0, 0, 0, 0}).run();  // no plane at all
    CHECK(h.output("omegas") == Texels(4, 0.0f));
}

TEST_CASE("bicgstab2_update matches double precision", "[passes][bicgstab2_update]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const bool stopped = GENERATE(false, true);
    Harness h(PassId::bicgstab2_update, layout_of(n).extent());
    std::uint32_t seed = 0;
    for (const char* name : {"y", "r", "u", "s", "t", "v", "w", "shadow"}) h.input(name, random_vector(n, ++seed));
    for (const char* name : {"y", "r", "u"}) h.in_place(name, name);
    h.scalar("omegas", 0.7f).stopped(stopped).run();
    for (const char* name : {"y", "r", "u"}) CHECK(h.difference(name) < 1e-6);
    CHECK(h.difference("sum") < 4e-6);
    if (stopped) CHECK(h.output("y") == random_vector(n, 1));
}

TEST_CASE("bicgstab2_control goes on, and stops for each of its reasons", "[passes][bicgstab2_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    const auto with = [](const char* name, Texels texel) {
        Harness h(PassId::bicgstab2_control, {1, 1});
        h.input("state", {1, 1e-7f, 6e-8f, 1})
            .input("rho", splat(2))
            .input("factors", splat(0.3f))
            .input("status", {0, 6, 1, 0})
            .input("sums", {0.5f, 0.25f, 4, 0})
            .input("omegas", {0.6f, 0.8f, 1.5f, 0})
            .input("shadow", splat(1));
        if (name != nullptr) h.input(name, std::move(texel));
        for (const char* out : {"state", "rho", "factors", "status"}) h.in_place(out, out);
        h.constant("target", 1e-3f).constant("norm", 2).constant("tolerated", 0.1f).integer("limit", 10).run();
        for (const char* out : {"state", "rho", "factors", "status"}) CHECK(h.difference(out, tiny) < 2e-6);
        return h;
    };
    const Harness well = with(nullptr, {});
    CHECK(stop_of(well) == Stop::running);
    CHECK(well.output("status")[1] == 7);
    CHECK(static_cast<double>(well.output("factors")[0]) == Approx(1.5 * 0.5 / (-0.8 * 2)));
    CHECK(well.output("rho")[0] == 0.5f);
    CHECK(stop_of(with("sums", {not_a_number, 0.25f, 4, 0})) == Stop::not_finite);
    CHECK(stop_of(with("sums", {0.5f, 1e-8f, 4, 0})) == Stop::target);
    CHECK(stop_of(with("omegas", {0.6f, 0, 1.5f, 0})) == Stop::breakdown);
    CHECK(stop_of(with("omegas", {0.6f, 0.8f, 0, 0})) == Stop::breakdown);
    CHECK(stop_of(with("sums", {1e-9f, 0.25f, 4, 0})) == Stop::breakdown);
    CHECK(stop_of(with("state", {1, 0.2f, 6e-8f, 1})) == Stop::drifted);
    CHECK(stop_of(with("status", {0, 9, 1, 0})) == Stop::limit);
}

}  // namespace tests_of_bicgstab
