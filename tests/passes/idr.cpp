// The passes of IDR(s): its vectors, the small numbers of a step, omega, the end of a cycle.
#include <cmath>
#include <limits>

#include "device/stop.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_idr {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinite = std::numeric_limits<float>::infinity();

Stop stop_of(const Harness& h) { return static_cast<Stop>(static_cast<int>(h.output("status")[0])); }

/// Columns of eight numbers each, as `state` has them: a texel for the first four of each, then one for the others.
Texels state_of(const std::vector<std::vector<float>>& columns) {
    Texels state;
    for (std::size_t row = 0; row < 2; ++row) {
        for (const std::vector<float>& column : columns) {
            for (std::size_t i = 4 * row; i < 4 * row + 4; ++i) state.push_back(i < column.size() ? column[i] : 0.0f);
        }
    }
    return state;
}

/// Anything in the first four columns, then a lower triangle with a diagonal that is large.
std::vector<std::vector<float>> columns_of(int s) {
    std::vector<std::vector<float>> columns;
    std::uint32_t seed = 10;
    for (int j = 0; j < 4; ++j) columns.push_back(random_numbers(8, ++seed));
    columns[3] = {0.4f, 0, 0, 0};
    for (int j = 0; j < s; ++j) {
        std::vector<float> m = random_numbers(8, ++seed);
        for (int i = 0; i < 8; ++i) {
            float& number = m[static_cast<std::size_t>(i)];
            number = i < j || i >= s ? 0.0f : i == j ? 4 * number : number;
        }
        columns.push_back(m);
    }
    return columns;
}

/// Two bases of s vectors, in tiles of two columns.
void give_bases(Harness& h, Offset n, int s, bool with_g) {
    const Layout layout = layout_of(n);
    const Extent tile = layout.extent(), all{2 * tile.width, tile.height * ((s + 1) / 2)};
    const std::size_t numbers = static_cast<std::size_t>(all.texels()) * 4;
    h.input("basis_u", all, random_numbers(numbers, 101));
    if (with_g) h.input("basis_g", all, random_numbers(numbers, 102));
    h.integer("log2_width", layout.log2_width).integer("log2_columns", 1).integer("tile_height", tile.height);
}

}  // namespace

TEST_CASE("idr_direction matches double precision",
          "[passes][idr][idr_direction][idr_direction_jacobi][idr_direction_applied]") {
    const PassId pass = GENERATE(PassId::idr_direction, PassId::idr_direction_jacobi, PassId::idr_direction_applied);
    const Offset n = GENERATE(from_range(edge_lengths()));
    const int s = GENERATE(1, 4, 7);
    if (is_slow() && s == 4) return;
    Harness h(pass, layout_of(n).extent());
    const bool applied = pass == PassId::idr_direction_applied;
    give_bases(h, n, s, !applied);
    h.input(applied ? "z" : "r", random_vector(n, 1));
    if (pass == PassId::idr_direction_jacobi) h.input("d", random_vector(n, 2));
    h.input("state", {s + 4, 2}, state_of(columns_of(s))).scalar("omega", 0.8f, 0.7f, 0.9f);
    for (int k = 0; k < s; k += 3) {
        CAPTURE(n, s, k);
        h.integer("first", k).integer("count", s - k).run();
        CHECK(h.difference("u") < 4e-6);
    }
}

TEST_CASE("idr_update matches double precision", "[passes][idr][idr_update]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    const int s = GENERATE(1, 8);
    const bool stopped = GENERATE(false, true);
    Harness h(PassId::idr_update, layout_of(n).extent());
    give_bases(h, n, s, true);
    std::uint32_t seed = 0;
    for (const char* name : {"y", "r", "g", "u"}) h.input(name, random_vector(n, ++seed)).in_place(name, name);
    h.input("state", {s + 4, 2}, state_of(columns_of(s))).integer("count", s - 1).stopped(stopped).run();
    for (const char* name : {"y", "r", "g", "u"}) CHECK(h.difference(name) < 4e-6);
    if (stopped) CHECK(h.output("y") == random_vector(n, 1));
}

TEST_CASE("idr_step makes a column of M, the step and the next coefficients", "[passes][idr][idr_step]") {
    const int s = GENERATE(1, 2, 4, 5, 8);
    const bool stopped = GENERATE(false, true);
    for (int k = -1; k < s; ++k) {
        CAPTURE(s, k);
        Harness h(PassId::idr_step, {s + 4, 2});
        h.input("state", state_of(columns_of(s))).in_place("state", "state");
        std::vector<float> products = random_numbers(8, 5);
        for (int i = s; i < 8; ++i) products[static_cast<std::size_t>(i)] = 0;
        h.input("h", {1, 2}, products).integer("s", s).integer("k", k).stopped(stopped).run();
        CHECK(h.difference("state") < 4e-6);
        if (stopped) CHECK(h.output("state") == state_of(columns_of(s)));
    }
}

TEST_CASE("idr_step makes no step where it would divide by nothing, and says so", "[passes][idr][idr_step]") {
    const auto of_step = [](Texels h_of_step, std::vector<float> last) {
        std::vector<std::vector<float>> columns = columns_of(2);
        columns[3] = std::move(last);
        Harness h(PassId::idr_step, {6, 2});
        h.input("state", state_of(columns)).in_place("state", "state").input("h", {1, 2}, std::move(h_of_step));
        h.integer("s", 2).integer("k", 0).run();
        const Texels& state = h.output("state");
        return std::pair(state[12], static_cast<Stop>(static_cast<int>(state[13])));  // beta, why
    };
    const std::vector<float> well{1, 0, 0, 0};
    CHECK(of_step({2, 1, 0, 0, 0, 0, 0, 0}, well).second == Stop::running);
    CHECK(of_step({2, 1, 0, 0, 0, 0, 0, 0}, well).first != 0);
    CHECK(of_step({0, 1, 0, 0, 0, 0, 0, 0}, well) == std::pair(0.0f, Stop::breakdown));
    CHECK(of_step({not_a_number, 1, 0, 0, 0, 0, 0, 0}, well) == std::pair(0.0f, Stop::not_finite));
    CHECK(of_step({2, infinite, 0, 0, 0, 0, 0, 0}, well).second == Stop::not_finite);
    const std::vector<float> broken{0, static_cast<float>(Stop::breakdown), 0, 0};  // by the step before
    CHECK(of_step({2, 1, 0, 0, 0, 0, 0, 0}, broken).second == Stop::breakdown);
}

TEST_CASE("idr_omega is the shortest residual, but not too short a step", "[passes][idr][idr_omega]") {
    const auto omega = [](Texels products) {
        Harness h(PassId::idr_omega, {1, 1});
        h.input("products", std::move(products)).constant("kappa", 0.7f).run();
        CHECK(h.difference("omega") < 1e-6);
        return static_cast<double>(h.output("omega")[0]);
    };
    CHECK(omega({3, 4, 3, 3}) == Approx(0.75));  // cosine 0.87
    CHECK(omega({-3, 4, -3, 3}) == Approx(-0.75));
    CHECK(omega({0.1f, 4, 0.1f, 9}) == Approx(1.05));  // cosine 0.017
    CHECK(omega({-0.1f, 4, -0.1f, 9}) == Approx(-1.05));
    CHECK(omega({0, 4, 0, 9}) == Approx(1.05));  // a skew-symmetric matrix
    CHECK(omega({0, 0, 0, 9}) == 0);             // A r = 0
    CHECK(omega({not_a_number, 1, 1, 1}) == 0);
}

TEST_CASE("idr_control goes on, and stops for each of its reasons", "[passes][idr][idr_control]") {
    if (backend_under_test().holds_doubles()) return;  // whose drift is another
    const auto with = [](const char* name, Texels texel) {
        std::vector<std::vector<float>> columns = columns_of(1);
        Harness h(PassId::idr_control, {1, 1});
        h.input("control", {1, 1e-7f, 6e-8f, 1})
            .input("status", {0, 6, 1, 0})
            .input("sums", {0.3f, 4, 0.3f, 0.25f})
            .input("kept", Texels(4, 1.0f))
            .input("omega", Texels(4, 0.7f));
        if (name != nullptr && std::string_view(name) == "state") {
            columns[3] = texel;
        } else if (name != nullptr) {
            h.input(name, std::move(texel));
        }
        h.input("state", {5, 2}, state_of(columns));
        for (const char* out : {"control", "kept", "status"}) h.in_place(out, out);
        h.constant("target", 1e-3f)
            .constant("norm", 2)
            .constant("tolerated", 0.1f)
            .constant("growth", 100)
            .integer("limit", 10);
        h.run();
        for (const char* out : {"control", "kept", "status"}) CHECK(h.difference(out, tiny) < 2e-6);
        return h;
    };
    const Harness well = with(nullptr, {});
    CHECK(stop_of(well) == Stop::running);
    CHECK(well.output("status")[1] == 7);
    CHECK(well.output("control")[3] == 0.5f);
    CHECK(stop_of(with("sums", {0, not_a_number, 0, 0.25f})) == Stop::not_finite);
    CHECK(stop_of(with("sums", {0, 4, 0, 1e-8f})) == Stop::target);
    CHECK(well.output("kept") == Texels(4, 1.0f));
    CHECK(with("sums", {0, 4, 0, 9e3f}).output("kept") == Texels(4, 1.0f));
    const Harness larger = with("sums", {0, 4, 0, 2e4f}), lost = with("sums", {0, 4, 0, 4e12f});
    CHECK(stop_of(larger) == Stop::running);
    CHECK(stop_of(lost) == Stop::diverged);  // |r| is 2e6 times what it was
    for (const Harness* h : {&larger, &lost}) CHECK(h->output("kept") == Texels(4, 0.0f));
    CHECK(stop_of(with("omega", Texels(4, 0.0f))) == Stop::breakdown);
    CHECK(stop_of(with("state", {0, static_cast<float>(Stop::breakdown), 0, 0})) == Stop::breakdown);
    CHECK(stop_of(with("state", {0, static_cast<float>(Stop::not_finite), 0, 0})) == Stop::not_finite);
    CHECK(stop_of(with("control", {1, 0.2f, 6e-8f, 1})) == Stop::drifted);
    CHECK(stop_of(with("status", {0, 9, 1, 0})) == Stop::limit);
}

}  // namespace tests_of_idr
