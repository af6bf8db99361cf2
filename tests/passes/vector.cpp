// fill, axpby, multiply: every edge of the layout, against double precision.
#include <cmath>
#include <limits>

#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_vector {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double few_ulps = 4e-7;

Harness update(Offset n) {
    Harness h(PassId::axpby, layout_of(n).extent());
    h.input("z", random_vector(n, 1)).input("x", random_vector(n, 2)).in_place("y", "z");
    return h;
}

bool padding_is_zero(const Texels& texels, Offset length) {
    for (auto i = static_cast<std::size_t>(length); i < texels.size(); ++i) {
        if (texels[i] != 0) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("fill writes the numbers and leaves the padding zero", "[passes][fill]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const float value = GENERATE(0.7f, 0.0f);  // zeros may come without a program
    const Layout layout = layout_of(n);
    Harness h(PassId::fill, layout.extent());
    h.integer("length", static_cast<std::int32_t>(n))
        .integer("log2_width", layout.log2_width)
        .constant("value", value)
        .run();
    const Texels& y = h.output("y");
    for (Offset i = 0; i < n; ++i) REQUIRE(y[static_cast<std::size_t>(i)] == value);
    CHECK(padding_is_zero(y, n));
    CHECK(h.difference("y") == 0);
}

TEST_CASE("a scalar is filled whatever it holds", "[passes][fill]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    Scalar s(backend, "s");
    for (const float value : {0.0f, 3.5f}) {
        backend.upload(s.id(), Texels(4, std::numeric_limits<float>::quiet_NaN()));
        fill(s, value);
        Texels texel(4);
        backend.read(s.id(), texel);
        CHECK(texel == Texels(4, value));
    }
}

TEST_CASE("squares matches double precision", "[passes][squares]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h(PassId::squares, layout_of(n).extent());
    h.input("x", random_vector(n, 1)).run();
    CHECK(h.difference("sum") < 2e-6);
}

TEST_CASE("multiply matches double precision", "[passes][multiply]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness m(PassId::multiply, layout_of(n).extent());
    m.input("x", random_vector(n, 4)).input("y", random_vector(n, 5)).scalar("a", -0.75f).run();
    CHECK(m.difference("z") < few_ulps);
    CHECK(padding_is_zero(m.output("z"), n));
}

TEST_CASE("axpby matches double precision", "[passes][axpby]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Harness h = update(n);
    h.scalar("a", -0.75f, 1.3f, 0.6f).scalar("b", 2, 0.3f, 0.7f).run();
    CHECK(h.difference("y") < few_ulps);
    CHECK(padding_is_zero(h.output("y"), n));
}

TEST_CASE("a vector whose factor is zero counts as zeros, whatever it holds", "[passes][axpby]") {
    const float poison =
        GENERATE(1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN());
    const Texels poisoned(random_vector(77, 1).size(), poison);
    Harness only_x = update(77);
    only_x.input("z", poisoned).scalar("a", 1).scalar("b", 0).run();
    CHECK(only_x.output("y") == random_vector(77, 2));
    Harness only_y = update(77);
    only_y.input("x", poisoned).scalar("a", 2, 5, 0).scalar("b", 1).run();
    CHECK(only_y.output("y") == random_vector(77, 1));
}

TEST_CASE("a number is added where another one is not zero", "[passes][add_where]") {
    Harness h(PassId::add_where, layout_of(6).extent());
    h.input("x", {1, 2, 3, 4, 5, 6, 7, 8}).input("m", {-1, 0, 1, 1e-30f, 0, 2, 0, 0}).scalar("a", -3, 4, 2).run();
    CHECK(h.output("y") == Texels{-5, 0, -3, -2, 0, 0, 0, 0});
    CHECK(h.difference("y") == 0);
}

TEST_CASE("axpby computes a x + b z as a person would", "[passes][axpby]") {
    Harness h(PassId::axpby, layout_of(5).extent());
    h.input("z", {1, 2, 3, 4, 5, 0, 0, 0}).input("x", {10, 20, 30, 40, 50, 0, 0, 0}).in_place("y", "z");
    h.scalar("a", 1, 3, 2).scalar("b", -1).run();
    CHECK(h.output("y") == Texels{14, 28, 42, 56, 70, 0, 0, 0});
}

TEST_CASE("a quotient with a zero denominator is 0", "[passes][axpby]") {
    for (const float n : {5.0f, 0.0f}) {
        Harness axpy = update(77);
        axpy.scalar("a", 1, n, 0).scalar("b", 1).run();
        CHECK(axpy.output("y") == random_vector(77, 1));
    }
    Harness xpay = update(77);
    xpay.scalar("a", 1).scalar("b", 1, 5, 0).run();
    CHECK(xpay.output("y") == random_vector(77, 2));
}

TEST_CASE("a stopped pass keeps the old values bit for bit, whatever its inputs hold", "[passes][guard]") {
    const float poison =
        GENERATE(1.0f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN());
    Harness h = update(1025);
    Texels x = random_vector(1025, 2);
    x[7] = poison;
    h.input("x", x).scalar("a", 2).scalar("b", 1).stopped(true).run();
    CHECK(h.output("y") == random_vector(1025, 1));
    h.stopped(false).run();
    CHECK(h.output("y") != random_vector(1025, 1));
    CHECK(h.difference("y") < few_ulps);
}

TEST_CASE("infinities and NaN pass through where they are, and nowhere else", "[passes][axpby]") {
    Harness h = update(64);
    Texels x = random_vector(64, 2);
    x[5] = std::numeric_limits<float>::infinity();
    x[11] = std::numeric_limits<float>::quiet_NaN();
    h.input("x", x).scalar("a", 0.5f).scalar("b", 1).run();
    CHECK(std::isinf(h.output("y")[5]));
    CHECK(std::isnan(h.output("y")[11]));
    for (std::size_t i = 0; i < 64; ++i) {
        if (i != 5 && i != 11) CHECK(std::isfinite(h.output("y")[i]));
    }
}

TEST_CASE("record writes one texel and no other", "[passes][record]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Storage history(backend, {32, 8}, Element::real, "history");
    const Storage value(backend, {1, 1}, Element::real, "value");
    const Texels before = random_numbers(std::size_t{32} * 8 * 4, 9);
    backend.upload(history.id(), before);
    backend.upload(value.id(), Texels{1, 2, 3, 4});
    backend.encode({.pass = PassId::record, .output = {history.id()}, .input = {value.id()}, .integer = {29, 3, 1, 1}});
    Texels after(before.size());
    backend.read(history.id(), after);
    Texels expected = before;
    for (std::size_t c = 0; c < 4; ++c) expected[(std::size_t{3} * 32 + 29) * 4 + c] = static_cast<float>(c + 1);
    CHECK(after == expected);
}

TEST_CASE("a wrong call is refused by name before anything is drawn", "[passes]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Storage small(backend, {2, 2}, Element::real, "small"), large(backend, {4, 2}, Element::real, "large");
    const Storage integers(backend, {2, 2}, Element::integer, "integers");
    const auto axpby = [&](StorageId y, StorageId x) {
        backend.encode({.pass = PassId::axpby, .output = {y}, .input = {y, x}});
    };
    CHECK_THROWS_WITH(axpby(small.id(), StorageId{}), ContainsSubstring("axpby") && ContainsSubstring("x"));
    CHECK_THROWS_WITH(axpby(small.id(), integers.id()), ContainsSubstring("element type"));
    CHECK_THROWS_WITH(backend.encode({.pass = PassId::multiply, .output = {small.id()}, .input = {small.id()}}),
                      ContainsSubstring("multiply"));
    CHECK_THROWS_WITH(backend.encode({.pass = PassId::multiply,
                                      .output = {large.id()},
                                      .input = {large.id(), large.id()},
                                      .status = small.id()}),
                      ContainsSubstring("not guarded"));
}

}  // namespace tests_of_vector
