// The passes of MINRES: its vectors, the control of the loop, the restart after a correction.
#include <cmath>
#include <limits>

#include "device/stop.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/oracle/oracle.hpp"

namespace tests_of_minres {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Texels splat(float v) { return Texels(4, v); }

/// d, e, f, tau
const Texels a_step{0.6f, -0.4f, 0.3f, 0.8f};

/// Inputs of these names, vectors 1, 2, ...; the last one is y.
Harness vectors(PassId pass, Offset n, const Texels& step, std::initializer_list<const char*> names) {
    Harness h(pass, layout_of(n).extent());
    std::uint32_t seed = 0;
    for (const char* name : names) h.input(name, random_vector(n, ++seed));
    return h.input("step", {1, 1}, step).in_place("y", "y");
}

Harness update(Offset n, const Texels& step = a_step, PassId pass = PassId::minres_update) {
    Harness h = vectors(pass, n, step, {"u_before", "w_before", "w", "y"});
    h.input("u", random_vector(n, 5)).input("q", random_vector(n, 6));
    if (pass == PassId::minres_update_preconditioned) h.input("z_before", random_vector(n, 7));
    h.in_place("u_next", "u_before").in_place("w_next", "w_before");
    return h.scalar("lanczos", 0.9f).scalar("pi", 1, 0.7f);
}

/// After an even number of iterations, or an odd one, with the vectors that `update` has.
Harness finish(Offset n, bool even, const Texels& step = a_step) {
    Harness h = even ? vectors(PassId::minres_finish, n, step, {"z_odd", "w_even", "w_odd", "y"})
                     : vectors(PassId::minres_finish, n, step, {"z_even", "w_odd", "w_even", "y"});
    h.input(even ? "z_even" : "z_odd", random_vector(n, 8));
    return h.input("status", {1, 1}, Texels{1, even ? 6.0f : 7.0f, 0.8f, 0.8f});
}

/// A healthy iteration, |r| = 0.8 before it: nothing to stop for.
Harness control(PassId pass = PassId::minres_control) {
    Harness h(pass, {1, 1});
    h.input("lanczos", {0.5f, -1.5f, 1, 1e-7f})
        .input("rotation", {0.6f, 0.8f, -0.9f, 0.7f})
        .input("step", a_step)
        .input("status", {0, 6, 0.8f, 0.8f})
        .input("pi", splat(3))
        .input("sums", {1.44f, 4, 0, 0});
    for (const char* name : {"lanczos", "rotation", "step", "status"}) h.in_place(name, name);
    return h.constant("target", 1e-3f).constant("norm", 2).constant("caution", 1).integer("limit", 1000);
}

/// The same with a preconditioner of either sign: (r,r) = 0.64 as before, 0.5 in the norm of M^-1, beta = 1.2.
Harness preconditioned_control(float sigma, float uz) {
    Harness h = control(PassId::minres_control_preconditioned);
    h.input("lanczos", {0.5f, -1.5f, sigma, 1e-7f}).input("sums", {0.9f, 4, 0, 0}).input("uz", splat(uz));
    return h.input("norms", {0.5f, 0.7f, 0, 0}).in_place("norms", "norms");
}

Stop stop_of(const Harness& h) { return static_cast<Stop>(static_cast<int>(h.output("status")[0])); }

void check_by_formula(const Harness& h) {
    for (const char* name : {"lanczos", "rotation", "step", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

void check_padding(const Harness& h, const char* name, Offset n) {
    const Texels& texels = h.output(name);
    for (auto i = static_cast<std::size_t>(n); i < texels.size(); ++i) REQUIRE(texels[i] == 0);
}

}  // namespace

TEST_CASE("minres_update matches double precision", "[passes][minres_update][minres_update_preconditioned]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const bool stopped = GENERATE(false, true);
    Harness h = update(n, a_step, GENERATE(PassId::minres_update, PassId::minres_update_preconditioned));
    h.stopped(stopped).run();
    for (const char* name : {"u_next", "w_next", "y"}) {
        CHECK(h.difference(name) < 1e-6);
        check_padding(h, name, n);
    }
    CHECK(h.difference("sum") < 4e-6);
    if (!stopped) return;
    CHECK(h.output("u_next") == random_vector(n, 1));
    CHECK(h.output("w_next") == random_vector(n, 2));
    CHECK(h.output("y") == random_vector(n, 4));
}

TEST_CASE("minres_update does what its formulas say", "[passes][minres_update]") {
    Harness h = update(7);
    h.run();
    const Texels u_before = random_vector(7, 1), w_before = random_vector(7, 2), w = random_vector(7, 3),
                 y = random_vector(7, 4), u = random_vector(7, 5), q = random_vector(7, 6);
    // A scalar argument of the harness has equal components: a = c = sigma = 0.9, pi = 0.7.
    const double a = 0.9, alpha = 0.7 * a * a;
    double squares_u = 0, squares_y = 0;
    for (std::size_t i = 0; i < 7; ++i) {
        const auto at = [i](const Texels& v) { return static_cast<double>(v[i]); };
        const double next_u = a * a * at(q) - alpha * a * at(u) + a * at(u_before);
        const double next_w = 0.6 * at(u_before) - 0.4 * at(w) + 0.3 * at(w_before), next_y = at(y) + 0.8 * next_w;
        CHECK(at(h.output("u_next")) == Approx(next_u).margin(1e-6));
        CHECK(at(h.output("w_next")) == Approx(next_w).margin(1e-6));
        CHECK(at(h.output("y")) == Approx(next_y).margin(1e-6));
        squares_u += next_u * next_u;
        squares_y += next_y * next_y;
    }
    const Texels& sums = h.output("sum");
    double sum_u = 0, sum_y = 0;
    for (std::size_t i = 0; i < sums.size(); i += 4) {
        sum_u += static_cast<double>(sums[i]);
        sum_y += static_cast<double>(sums[i + 1]);
    }
    CHECK(sum_u == Approx(squares_u).epsilon(1e-5));
    CHECK(sum_y == Approx(squares_y).epsilon(1e-5));
}

TEST_CASE("no step takes nothing, whatever the vectors hold", "[passes][minres_update][minres_finish]") {
    const bool updates = GENERATE(true, false);
    Harness h = updates ? update(64, splat(0)) : finish(64, true, splat(0));
    Texels poison = random_vector(64, 3);
    poison[9] = not_a_number;
    h.input(updates ? "w" : "w_odd", poison).run();
    CHECK(h.output("y") == random_vector(64, 4));
}

TEST_CASE("minres_finish takes the same step as the update", "[passes][minres_finish]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h = finish(n, GENERATE(true, false)), next = update(n);
    h.run();
    next.run();
    CHECK(h.difference("y") < 1e-6);
    check_padding(h, "y", n);
    CHECK(h.expected("y") == next.expected("y"));
}

TEST_CASE("minres_control goes on, and prepares the next iteration", "[passes][minres_control]") {
    Harness h = control();
    h.run();
    check_by_formula(h);
    CHECK(stop_of(h) == Stop::running);
    CHECK(h.output("status")[1] == 7);
    // alpha = 3 / 4, beta = 1.2, delta = c dbar + s alpha, gbar = s dbar - c alpha
    const double delta = 0.6 * -0.9 + 0.8 * 0.75, gbar = 0.8 * -0.9 - 0.6 * 0.75, gamma = std::hypot(gbar, 1.2);
    const auto check = [&](const char* name, std::array<double, 4> expected) {
        for (std::size_t i = 0; i < 4; ++i) {
            CAPTURE(name, i);
            CHECK(static_cast<double>(h.output(name)[i]) == Approx(expected[i]).epsilon(1e-5));
        }
    };
    check("rotation", {gbar / gamma, 1.2 / gamma, -0.6 * 1.2, 0.8 * 1.2});
    check("step", {0.5 / gamma, -delta / gamma, -0.7 / gamma, 0.8 * gbar / gamma});
    check("status", {0, 7, 0.8 * 1.2 / gamma, 0.8 * 1.2 / gamma});
    const double rounding = oracle::half_ulp() * (2.0 * 2 + 0.8);
    check("lanczos", {1 / 1.2, -0.6, 1, std::hypot(1e-7, rounding)});
}

TEST_CASE("minres_control with a preconditioner knows two norms of r",
          "[passes][minres_control][minres_control_preconditioned]") {
    const float sigma = GENERATE(1.0f, -1.0f);
    Harness h = preconditioned_control(sigma, sigma * 1.44f);
    h.run();
    check_by_formula(h);
    CHECK(h.difference("norms", tiny) < 2e-6);
    CHECK(stop_of(h) == Stop::running);
    CHECK(h.output("lanczos")[2] == sigma);
    // The step and |r| in the norm of M^-1 are those without one; gbar and gamma as above.
    const double gbar = 0.8 * -0.9 - 0.6 * 0.75, gamma = std::hypot(gbar, 1.2), sine = 1.2 / gamma;
    CHECK(h.output("step")[0] == Approx(static_cast<double>(sigma) * 0.5 / gamma).epsilon(1e-5));
    CHECK(h.output("step")[3] == Approx(0.5 * gbar / gamma).epsilon(1e-5));
    CHECK(h.output("norms")[0] == Approx(0.5 * sine).epsilon(1e-5));
    CHECK(h.output("norms")[1] == Approx(std::hypot(0.75, 1.2)).epsilon(1e-5));
    const double part = 0.5 * sine * gbar / gamma * std::sqrt(0.9) / 1.2;
    CHECK(h.output("status")[3] == Approx(std::hypot(sine * sine * 0.8, part)).epsilon(1e-5));
}

TEST_CASE("minres_control finds a preconditioner that is not definite",
          "[passes][minres_control][minres_control_preconditioned]") {
    // Of one sign after the other, or zero for a vector that is not.
    const auto [sigma, uz] = GENERATE(std::pair{1.0f, -1.44f}, std::pair{-1.0f, 1.44f}, std::pair{1.0f, 0.0f});
    Harness h = preconditioned_control(sigma, uz);
    h.run();
    CHECK(stop_of(h) == Stop::indefinite);
    CHECK(h.output("step") == splat(0));
    for (const char* name : {"step", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
    CHECK(h.output("status")[1] == 6);
    CHECK(h.output("status")[2] == 0.8f);
}

TEST_CASE("minres_control ends where the Krylov space is complete, also with a preconditioner",
          "[passes][minres_control][minres_control_preconditioned]") {
    Harness h = preconditioned_control(1, 0);
    h.input("sums", {0, 4, 0, 0}).run();
    CHECK(stop_of(h) == Stop::target);
    CHECK(h.output("status")[2] == 0);
    for (const char* name : {"step", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

TEST_CASE("minres_control stops for each of its reasons", "[passes][minres_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    Harness h = control();
    Stop expected = Stop::running;
    bool takes_step = true;
    SECTION("the target") {
        h.constant("target", 0.6f);
        expected = Stop::target;
    }
    SECTION("the drift") {
        h.input("lanczos", {0.5f, -1.5f, 1, 90});
        expected = Stop::drifted;
    }
    SECTION("the drift, for a system that needs caution") {
        h.constant("caution", 1e10f);
        expected = Stop::drifted;
    }
    SECTION("the Krylov space is complete") {
        h.input("sums", {0, 4, 0, 0});
        expected = Stop::target;
    }
    SECTION("A r is nothing but rounding") {
        h.input("rotation", {1, 0, 0, 0}).input("pi", splat(1e-7f)).input("sums", {1e-16f, 4, 0, 0});
        expected = Stop::stationary;
        takes_step = false;
    }
    SECTION("a sum is no number") {
        h.input("sums", {not_a_number, 4, 0, 0});
        expected = Stop::not_finite;
        takes_step = false;
    }
    SECTION("iterations are used up") {
        h.integer("limit", 7);
        expected = Stop::limit;
    }
    h.run();
    CHECK(stop_of(h) == expected);
    for (const char* name : {"step", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
    CHECK((h.output("step") == splat(0)) == !takes_step);
    CHECK(h.output("status")[1] == (expected == Stop::not_finite ? 6 : 7));
    if (!takes_step) CHECK(h.output("status")[2] == 0.8f);
}

TEST_CASE("minres_control changes nothing after the stop", "[passes][minres_control]") {
    Harness h = control();
    h.stopped(true).run();
    CHECK(h.output("status") == Texels{0, 6, 0.8f, 0.8f});
    CHECK(h.output("step") == a_step);
    CHECK(h.output("rotation") == Texels{0.6f, 0.8f, -0.9f, 0.7f});
    CHECK(h.output("lanczos") == Texels{0.5f, -1.5f, 1, 1e-7f});
}

TEST_CASE("minres_restart begins anew", "[passes][minres_restart]") {
    Harness h(PassId::minres_restart, {1, 1});
    const float square = GENERATE(9.0f, 0.0f);
    h.input("rr", splat(square)).run();
    check_by_formula(h);
    CHECK(h.output("rotation") == Texels{-1, 0, 0, 0});
    CHECK(h.output("step") == splat(0));
    const float r = std::sqrt(square);
    CHECK(h.output("status") == Texels{0, 0, r, r});
    CHECK(h.output("lanczos")[0] == Approx(square == 0 ? 0.0f : h.expected("lanczos")[0]).epsilon(1e-6));
}

TEST_CASE("minres_restart takes the sign of the preconditioner",
          "[passes][minres_restart][minres_restart_preconditioned]") {
    Harness h(PassId::minres_restart_preconditioned, {1, 1});
    const auto [rr, uz] =
        GENERATE(std::pair{9.0f, 4.0f}, std::pair{9.0f, -4.0f}, std::pair{9.0f, 0.0f}, std::pair{0.0f, 0.0f});
    h.input("rr", splat(rr)).input("uz", splat(uz)).run();
    check_by_formula(h);
    CHECK(h.output("lanczos")[2] == (uz < 0 ? -1 : 1));
    CHECK(h.output("norms")[0] == (uz == 0 ? 0 : 2));
    CHECK(stop_of(h) == (rr > 0 && uz == 0 ? Stop::indefinite : Stop::running));
    CHECK(h.output("status")[2] == std::sqrt(rr));
}

}  // namespace tests_of_minres
