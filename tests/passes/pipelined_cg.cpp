// The passes of pipelined conjugate gradients: the update of its vectors, the inner products, the control of the loop,
// the restart after a correction. What ends a product in inner products: steps.cpp.
#include <cmath>
#include <limits>
#include <string>

#include "device/stop.hpp"
#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/oracle/oracle.hpp"

namespace tests_of_pipelined_cg {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

Texels splat(float v) { return Texels(4, v); }

/// How M^-1 is given: not at all, as a diagonal, or as what it has made of vectors.
enum class Form : int { none, jacobi, preconditioned };

struct Variant {
    PassId pass;
    Form form;
};

const Variant updates[] = {{PassId::pipelined_update, Form::none},
                           {PassId::pipelined_update_jacobi, Form::jacobi},
                           {PassId::pipelined_update_preconditioned, Form::preconditioned}};
const Variant two_float_updates[] = {{PassId::pipelined_update_two_float, Form::none},
                                     {PassId::pipelined_update_two_float_jacobi, Form::jacobi},
                                     {PassId::pipelined_update_two_float_preconditioned, Form::preconditioned}};
const Variant all_dots[] = {{PassId::pipelined_dots, Form::none},
                            {PassId::pipelined_dots_jacobi, Form::jacobi},
                            {PassId::pipelined_dots_preconditioned, Form::preconditioned}};

Texels low_part(Offset n, std::uint32_t seed) {
    Texels texels = random_vector(n, seed);
    for (float& number : texels) number *= 0x1p-26f;
    return texels;
}

void add_preconditioner(Harness& h, Form form, Offset n) {
    if (form == Form::jacobi) h.input("d", random_vector(n, 5));
    if (form == Form::preconditioned) h.input("z", random_vector(n, 6)).input("u", random_vector(n, 7));
}

Harness update(const Variant& variant, Offset n) {
    Harness h(variant.pass, layout_of(n).extent());
    h.input("p", random_vector(n, 2)).input("r", random_vector(n, 3)).input("s", random_vector(n, 4));
    h.in_place("p", "p").in_place("r", "r");
    if (row(variant.pass).two_float) {
        h.input("r_low", low_part(n, 8)).input("s_low", low_part(n, 9)).in_place("r_low", "r_low");
    } else {
        h.input("y", random_vector(n, 1)).in_place("y", "y");
    }
    add_preconditioner(h, variant.form, n);
    if (variant.form == Form::preconditioned) h.in_place("z", "z");
    return h;
}

std::vector<std::string> outputs(const Variant& variant) {
    std::vector<std::string> names = {"r", "p"};
    names.emplace_back(row(variant.pass).two_float ? "r_low" : "y");
    if (variant.form == Form::preconditioned) names.emplace_back("z");
    return names;
}

/// A healthy iteration: |r| = 2 sqrt(0.25) = 1 after 1.5, nothing to stop for.
Harness control() {
    Harness h(PassId::pipelined_control, {1, 1});
    h.input("state", {1.5f, 1e-7f, 6e-8f, 2})
        .input("step", {0.4f, 0.3f, 0.5f, 0})
        .input("lengths", {3, 0.7f, 5, 0})
        .input("status", {0, 6, 1.5f, 1.5f})
        .input("sums", {0.25f, 0.5f, 1.5f, 0.5f});
    for (const char* name : {"state", "step", "lengths", "status"}) h.in_place(name, name);
    return h.constant("target", 1e-3f).constant("norm", 2).constant("tolerated", 0.1f).integer("limit", 1000);
}

Stop stop_of(const Harness& h) { return static_cast<Stop>(static_cast<int>(h.output("status")[0])); }

void check_by_formula(const Harness& h) {
    for (const char* name : {"state", "step", "lengths", "status"}) CHECK(h.difference(name, tiny) < 2e-6);
}

void check_texel(const Harness& h, const char* name, std::array<double, 4> expected) {
    for (std::size_t i = 0; i < 4; ++i) {
        CAPTURE(name, i);
        CHECK(static_cast<double>(h.output(name)[i]) == Approx(expected[i]).epsilon(1e-5));
    }
}

}  // namespace

TEST_CASE("pipelined_update matches double precision",
          "[passes][pipelined_update][pipelined_update_jacobi][pipelined_update_preconditioned]") {
    const Variant variant = GENERATE(from_range(std::begin(updates), std::end(updates)));
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h = update(variant, n);
    h.scalar("step", 1, 0.7f, 0.9f).run();
    for (const std::string& name : outputs(variant)) {
        CAPTURE(name);
        CHECK(h.difference(name) < 1e-6);
        const Texels& texels = h.output(name);
        for (auto i = static_cast<std::size_t>(n); i < texels.size(); ++i) REQUIRE(texels[i] == 0);
    }
}

TEST_CASE("pipelined_update in two floats matches double precision",
          "[passes][pipelined_update_two_float][pipelined_update_two_float_jacobi]"
          "[pipelined_update_two_float_preconditioned]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    const Variant variant = GENERATE(from_range(std::begin(two_float_updates), std::end(two_float_updates)));
    const Offset n = GENERATE(1, 5, 1023, 1025);
    Harness h = update(variant, n);
    h.scalar("step", 0.75f).run();  // a step that is formed without rounding
    const Texels r = random_vector(n, 3), r_low = low_part(n, 8), s = random_vector(n, 4), s_low = low_part(n, 9);
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto both = [i](const Texels& hi, const Texels& lo) {
            return static_cast<double>(hi[i]) + static_cast<double>(lo[i]);
        };
        const double made = both(h.output("r"), h.output("r_low"));
        REQUIRE(std::abs(made - (both(r, r_low) - 0.75 * both(s, s_low))) <= 0x1p-45);
        if (i >= static_cast<std::size_t>(n)) REQUIRE(made == 0);
    }
    CHECK(h.difference("p") < 1e-6);
    if (variant.form == Form::preconditioned) CHECK(h.difference("z") < 1e-6);
}

TEST_CASE("an update takes alpha and beta from one texel",
          "[passes][pipelined_update_jacobi][pipelined_step_two_float]") {
    const Offset n = 333;
    Backend& backend = backend_under_test();
    const Session session(backend);
    Vector y(backend, n, "y"), y_low(backend, n, "y, low"), p(backend, n, "p"), r(backend, n, "r"), s(backend, n, "s"),
        d(backend, n, "d");
    std::uint32_t seed = 0;
    for (Vector* v : {&y, &p, &r, &s, &d}) v->upload(random_numbers(static_cast<std::size_t>(n), ++seed));
    fill(y_low, 0);
    Scalar step(backend, "step"), status(backend, "status");
    backend.upload(step.id(), std::vector<float>{0.75f, 0.3f, 9, 9});
    fill(status, 0);
    const Texels before_y = y.download_texels(), before_p = p.download_texels(), before_r = r.download_texels(),
                 its_s = s.download_texels(), its_d = d.download_texels();
    SECTION("in single precision") {
        backend.encode({.pass = PassId::pipelined_update_jacobi,
                        .output = {y.id(), r.id(), p.id()},
                        .input = {y.id(), p.id(), r.id(), s.id(), d.id()},
                        .scalar = {scalar_arg(step)},
                        .status = status.id()});
        const Texels after_r = r.download_texels(), after_p = p.download_texels();
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const auto at = [i](const Texels& v) { return static_cast<double>(v[i]); };
            const double next_r = at(before_r) - 0.75 * at(its_s);
            REQUIRE(at(after_r) == Approx(next_r).margin(1e-6));
            REQUIRE(at(after_p) == Approx(at(its_d) * next_r + 0.3 * at(before_p)).margin(1e-6));
        }
    }
    SECTION("y in two floats") {
        backend.encode({.pass = PassId::pipelined_step_two_float,
                        .output = {y.id(), y_low.id()},
                        .input = {y.id(), y_low.id(), p.id()},
                        .scalar = {scalar_arg(step)},
                        .status = status.id()});
    }
    const Texels after_y = y.download_texels();
    for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
        const double next = static_cast<double>(before_y[i]) + 0.75 * static_cast<double>(before_p[i]);
        REQUIRE(static_cast<double>(after_y[i]) == Approx(next).margin(1e-6));
    }
}

TEST_CASE("a step of no length takes nothing, and makes the direction", "[passes][pipelined_update]") {
    const bool two_floats = GENERATE(false, true);
    const Variant variant = GENERATE_COPY(from_range(std::begin(updates), std::end(updates)));
    const Variant mine = two_floats ? two_float_updates[static_cast<int>(variant.form)] : variant;
    Harness h = update(mine, 333);
    Texels poison = random_vector(333, 4);
    poison[9] = GENERATE(infinity, not_a_number);
    h.input("s", poison).input("p", poison).scalar("step", 0).run();
    CHECK(h.output("r") == random_vector(333, 3));
    if (mine.form == Form::none) CHECK(h.output("p") == random_vector(333, 3));
    CHECK(h.difference("p") < 1e-6);
    if (!two_floats) CHECK(h.output("y") == random_vector(333, 1));
}

TEST_CASE("pipelined updates change nothing when stopped", "[passes][pipelined_update][pipelined_step_two_float]") {
    for (const auto* variants : {updates, two_float_updates}) {
        for (int k = 0; k < 3; ++k) {
            Harness h = update(variants[k], 333);
            h.scalar("step", 0.5f).stopped(true).run();
            CHECK(h.output("r") == random_vector(333, 3));
            CHECK(h.output("p") == random_vector(333, 2));
            if (variants == updates) CHECK(h.output("y") == random_vector(333, 1));
            if (variants[k].form == Form::preconditioned) CHECK(h.output("z") == random_vector(333, 6));
        }
    }
    Harness h(PassId::pipelined_step_two_float, layout_of(333).extent());
    h.input("y", random_vector(333, 1)).input("y_low", low_part(333, 2)).input("x", random_vector(333, 3));
    h.in_place("y", "y").in_place("y_low", "y_low").scalar("a", 0.5f).stopped(true).run();
    CHECK(h.output("y") == random_vector(333, 1));
}

TEST_CASE("pipelined_dots makes all inner products at once",
          "[passes][pipelined_dots][pipelined_dots_jacobi][pipelined_dots_preconditioned]") {
    const Variant variant = GENERATE(from_range(std::begin(all_dots), std::end(all_dots)));
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h(variant.pass, layout_of(n).extent());
    h.input("p", random_vector(n, 2)).input("r", random_vector(n, 3)).input("s", random_vector(n, 4));
    add_preconditioner(h, variant.form, n);
    h.run();
    const Texels p = random_vector(n, 2), r = random_vector(n, 3), s = random_vector(n, 4), d = random_vector(n, 5);
    Texels z = r, u = s;
    if (variant.form == Form::preconditioned) z = random_vector(n, 6), u = random_vector(n, 7);
    std::array<double, 4> exact{};
    for (std::size_t i = 0; i < r.size(); ++i) {
        const auto at = [i](const Texels& v) { return static_cast<double>(v[i]); };
        const double factor = variant.form == Form::jacobi ? at(d) : 1;
        exact[0] += at(r) * factor * at(z);
        exact[1] += at(p) * at(s);
        exact[2] += factor * at(u) * at(s);
        exact[3] += factor * at(z) * at(s);
    }
    for (std::size_t k = 0; k < 4; ++k) {
        double sum = 0;
        for (std::size_t i = k; i < h.output("sum").size(); i += 4) sum += static_cast<double>(h.output("sum")[i]);
        CHECK(sum == Approx(exact[k]).margin(1e-6 * static_cast<double>(n) + 1e-6));
    }
}

TEST_CASE("pipelined_control goes on while all is well", "[passes][pipelined_control]") {
    Harness h = control();
    h.run();
    check_by_formula(h);
    CHECK(stop_of(h) == Stop::running);
    // alpha = nu / mu = 0.5, beta = (0.5 * 1.5 - 0.5) / 0.5
    check_texel(h, "step", {0.5, 0.5, 0.25, 0});
    // Of the last update, alpha = 0.4, beta = 0.3: (p,Mp) = 3, (y,Mp) = 0.7, (y,My) = 5 before it.
    const double yy = 5 + 2 * 0.4 * 0.7 + 0.16 * 3;
    check_texel(h, "lengths", {0.25 + 0.09 * 3, 0.3 * (0.7 + 0.4 * 3), yy, 0});
    check_texel(h, "state", {1.5, 1e-7 + oracle::half_ulp() * (2 * std::sqrt(yy) + 1), 6e-8, 2});
    check_texel(h, "status", {0, 7, 1, 1});
}

TEST_CASE("pipelined_control begins with a new direction where beta is nothing but rounding",
          "[passes][pipelined_control]") {
    Harness h = control();
    h.input("sums", {0.25f, 0.5f, GENERATE(0.5f, 1.0000002f, -3e38f), 0.5f}).run();
    CHECK(stop_of(h) == Stop::running);
    check_texel(h, "step", {0.5, 0, 0.25, 0});
}

TEST_CASE("pipelined_control stops for each of its reasons", "[passes][pipelined_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    Harness h = control();
    Stop expected = Stop::running;
    float nu = 0.25f;
    SECTION("target") {
        h.constant("target", 1.1f);
        expected = Stop::target;
    }
    SECTION("target, and nothing is left of r") {
        h.input("sums", splat(0));
        nu = 0;
        expected = Stop::target;
    }
    SECTION("reduced") {
        h.input("state", {11, 1e-7f, 6e-8f, 2});
        expected = Stop::reduced;
    }
    SECTION("drifted") {
        h.input("state", {1.5f, 0.11f, 6e-8f, 2});
        expected = Stop::drifted;
    }
    SECTION("limit") {
        h.integer("limit", 7);
        expected = Stop::limit;
    }
    SECTION("indefinite") {
        h.input("sums", {nu, GENERATE(0.0f, -1.0f), 1.5f, 0.5f});
        expected = Stop::indefinite;
    }
    SECTION("the preconditioner is not definite") {
        nu = -0.25f;
        h.input("sums", {nu, 0.5f, 1.5f, 0.5f});
        expected = Stop::indefinite;
    }
    SECTION("alpha overflows") {
        nu = 1e30f;
        h.input("sums", {nu, 1e-10f, 1.5f, 0.5f}).input("state", {1e16f, 1e-7f, 6e-8f, 2});
        expected = Stop::indefinite;
    }
    SECTION("a sum is not finite") {
        Texels sums{nu, 0.5f, 1.5f, 0.5f};
        sums[GENERATE(as<std::size_t>{}, 0, 1, 2, 3)] = GENERATE(as<float>{}, infinity, -infinity, not_a_number);
        h.input("sums", sums);
        nu = 0.5f;  // as it was
        expected = Stop::not_finite;
    }
    h.run();
    CHECK(stop_of(h) == expected);
    CHECK(h.output("status")[1] == (expected == Stop::not_finite ? 6 : 7));
    // A correction continues from nu; no step is taken any more.
    CHECK(h.output("step") == Texels{0, 0, nu, 0});
    CHECK(h.difference("state") < 1e-6);
    CHECK(h.difference("lengths") < 1e-6);
    for (const char* name : {"state", "lengths"}) {
        for (const float number : h.output(name)) CHECK(std::isfinite(number));
    }
}

TEST_CASE("pipelined_control asks for no corrections where none come", "[passes][pipelined_control]") {
    for (const bool alone : {false, true}) {
        Harness fallen = control();
        fallen.input("state", {11, 1e-7f, 6e-8f, 2}).constant("tolerated", alone ? 1e30f : 0.1f).run();
        CHECK(stop_of(fallen) == (alone ? Stop::running : Stop::reduced));
        Harness drifted = control();
        drifted.input("state", {1.5f, 1, 6e-8f, 2}).constant("tolerated", alone ? 1e30f : 0.1f).run();
        CHECK(stop_of(drifted) == (alone ? Stop::running : Stop::drifted));
        Harness met = control();
        met.constant("target", 1.1f).constant("tolerated", alone ? 1e30f : 0.1f).run();
        CHECK(stop_of(met) == Stop::target);
    }
}

TEST_CASE("pipelined_control changes nothing once stopped, whatever the sums hold", "[passes][pipelined_control]") {
    Harness h = control();
    h.input("sums", splat(GENERATE(0.5f, infinity, not_a_number))).input("status", {2, 6, 1, 1}).stopped(true).run();
    CHECK(h.output("state") == Texels{1.5f, 1e-7f, 6e-8f, 2});
    CHECK(h.output("step") == Texels{0.4f, 0.3f, 0.5f, 0});
    CHECK(h.output("lengths") == Texels{3, 0.7f, 5, 0});
    CHECK(h.output("status") == Texels{2, 6, 1, 1});
}

TEST_CASE("pipelined_restart begins anew from the true residual", "[passes][pipelined_restart]") {
    Harness h(PassId::pipelined_restart, {1, 1});
    h.input("step", {0, 0, 2, 0}).input("lengths", {5, 3, 4, 0}).input("rz", splat(0.25f)).input("rr", splat(0.81f));
    h.constant("rescale", 4).constant("keep", 1);
    double beta = 0, kept = 0;
    SECTION("and keeps the direction") {
        h.run();
        beta = 0.25 / (2 * 4);
        kept = 5 - 2;  // (p,Mp) without the residual
    }
    SECTION("with a new direction") { h.constant("keep", 0).run(); }
    SECTION("where (r,z) was 0 or NaN") { h.input("step", {0, 0, GENERATE(0.0f, not_a_number), 0}).run(); }
    SECTION("with a new direction, where nothing is a number") {
        h.constant("keep", 0).input("step", splat(not_a_number)).input("lengths", splat(not_a_number)).run();
    }
    check_by_formula(h);
    check_texel(h, "step", {0, beta, 0.25, 0});
    check_texel(h, "lengths", {kept, 0, 0, 0});
    check_texel(h, "state", {0.9, 0, oracle::half_ulp() * 0.9, 0.9 / 0.5});
    check_texel(h, "status", {0, -1, 0.9, 0.9});  // the step of no length ends as iteration 0
}

}  // namespace tests_of_pipelined_cg
