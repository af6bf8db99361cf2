// Passes between vectors and textures of the caller's, against plain loops.
#include <cmath>
#include <limits>

#include "device/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/outside_texture.hpp"

namespace tests_of_textures {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Rows of a rectangle in a texture, and where they stand in a vector.
struct Example {
    Extent texture;
    int components;  // of the texture
    int x, y;        // the rectangle's first texel
    int columns;     // numbers of a row
    int height, planes, pitch, lines;
    int log2_in, component;

    int rows() const { return height * planes; }
    int texels_wide() const { return ((columns - 1) >> log2_in) + 1; }
    Index length() const { return pitch * lines * planes; }
    template <class Function>
    void each(const Function& f) const {  // f(number in the vector, float in the texture)
        for (int row = 0; row < rows(); ++row) {
            for (int column = 0; column < columns; ++column) {
                const int at = (y + row) * texture.width + x + (column >> log2_in);
                f(static_cast<std::size_t>((row / height * lines + row % height) * pitch + column),
                  static_cast<std::size_t>(4 * at + component + (column & ((1 << log2_in) - 1))));
            }
        }
    }
};

const std::vector<Example> examples{
    {{1, 1}, 1, 0, 0, 1, 1, 1, 1, 1, 0, 0},         {{7, 5}, 1, 0, 0, 7, 5, 1, 7, 5, 0, 0},
    {{9, 8}, 1, 1, 2, 7, 5, 1, 7, 5, 0, 0},         {{9, 8}, 2, 2, 3, 6, 5, 1, 8, 5, 0, 1},
    {{9, 8}, 4, 0, 1, 9, 7, 1, 12, 7, 0, 3},        {{5, 6}, 4, 1, 1, 16, 5, 1, 16, 5, 2, 0},
    {{70, 12}, 1, 3, 0, 67, 4, 3, 68, 5, 0, 0},     {{20, 13}, 4, 2, 1, 72, 4, 3, 72, 5, 2, 0},
    {{130, 67}, 1, 0, 0, 130, 67, 1, 130, 67, 0, 0}};

}  // namespace

TEST_CASE("a vector is taken from a texture of the caller's", "[passes][textures][texture_take]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& e : examples) {
        CAPTURE(e.texture.width, e.texture.height, e.components, e.columns, e.pitch, e.log2_in, e.component);
        const std::vector<float> texels = random_numbers(static_cast<std::size_t>(e.texture.texels()) * 4, 3);
        const OutsideTexture texture(backend, e.texture, e.components, texels);
        std::vector<float> expected(static_cast<std::size_t>(e.length()), 0.0f);
        e.each([&](std::size_t i, std::size_t at) { expected[i] = 2 * texels[at]; });
        Vector y(backend, e.length(), "y"), m(backend, e.length(), "mask");
        std::vector<float> mask(expected.size());
        for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = static_cast<float>(i % 3);  // 0, 1, 2
        m.upload(mask);
        for (const bool masked : {false, true}) {
            y.upload(std::vector<float>(expected.size(), std::numeric_limits<float>::quiet_NaN()));
            backend.encode({.pass = PassId::texture_take,
                            .output = {y.id()},
                            .input = {texture.id(), m.id()},
                            .scalar = {scalar_arg(2)},
                            .integer = {y.layout().log2_width, e.x, e.y, e.columns, e.pitch, e.lines, e.height,
                                        static_cast<int>(e.length()), e.log2_in, e.component, 0, masked ? 1 : 0}});
            std::vector<float> got = y.download_texels();
            for (std::size_t i = 0; masked && i < mask.size(); ++i) {
                if (mask[i] == 0) expected[i] = 0;
            }
            expected.resize(got.size(), 0.0f);  // the padding
            CHECK(got == expected);
        }
    }
}

TEST_CASE("what is not zero in a texture of the caller's is not zero in a vector, however small it is",
          "[passes][textures][texture_take]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<float> numbers{0, -0.0f, 1e-44f, -1e-40f, 1e-37f, -1e-20f, 1, -2};
    std::vector<float> texels(numbers.size() * 4, 0.0f);
    for (std::size_t i = 0; i < numbers.size(); ++i) texels[4 * i] = numbers[i];
    const OutsideTexture texture(backend, {8, 1}, 1, texels);
    Vector y(backend, 8, "y"), m(backend, 8, "no mask");
    const auto take = [&](const ScalarArg& a) {
        backend.encode({.pass = PassId::texture_take,
                        .output = {y.id()},
                        .input = {texture.id(), m.id()},
                        .scalar = {a},
                        .integer = {y.layout().log2_width, 0, 0, 8, 8, 1, 1, 8, 0, 0, 0, 0}});
        return y.download_texels();
    };
    constexpr float least = 0x1p-100f;
    CHECK(take(scalar_arg(0.5f)) == std::vector<float>{0, 0, least, -least, least, -5e-21f, 0.5f, -1});
    CHECK(take(scalar_arg(0)) == std::vector<float>(8, 0.0f));
}

TEST_CASE("a vector is put into a texture of the caller's, and nothing beside it is touched",
          "[passes][textures][texture_put]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Example& e : examples) {
        CAPTURE(e.texture.width, e.texture.height, e.components, e.columns, e.pitch, e.log2_in, e.component);
        const std::vector<float> texels = random_numbers(static_cast<std::size_t>(e.texture.texels()) * 4, 4);
        const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(e.length()), 5);
        Vector x(backend, e.length(), "x");
        x.upload(numbers);
        for (const int length : {e.length(), e.length() - e.pitch / 2}) {  // and what is behind it
            const OutsideTexture texture(backend, e.texture, e.components, texels);
            std::vector<float> expected = texture.download();
            e.each([&](std::size_t i, std::size_t at) {
                const std::size_t first_of_texel = e.log2_in == 2 ? i / 4 * 4 : i;
                if (first_of_texel < static_cast<std::size_t>(length)) expected[at] = numbers[i];
            });
            backend.encode({.pass = PassId::texture_put,
                            .output = {texture.id()},
                            .input = {x.id()},
                            .integer = {e.x, e.y, e.texels_wide(), e.rows(), x.layout().log2_width, e.pitch, e.lines,
                                        e.height, e.log2_in, length, e.log2_in == 2 ? 15 : 1 << e.component}});
            CHECK(texture.download() == expected);
        }
    }
}

TEST_CASE("a texture keeps what it holds where x is refused, and numbers that are none are left out",
          "[passes][textures][texture_put][texture_take]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const float none = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    const std::vector<float> texels{1, 0, 0, 1, none, 0, 0, 1, 3, 0, 0, 1, infinite, 0, 0, 1};
    const OutsideTexture texture(backend, {4, 1}, 1, texels);
    const std::vector<float> before = texture.download();
    Vector y(backend, 4, "y"), other(backend, 4, "other");
    backend.encode({.pass = PassId::texture_take,
                    .output = {y.id()},
                    .input = {texture.id(), other.id()},
                    .scalar = {scalar_arg(1)},
                    .integer = {0, 0, 0, 4, 4, 1, 1, 4, 0, 0, 1}});
    CHECK(y.download_texels() == std::vector<float>{1, 0, 3, 0});
    Scalar refused(backend, "refused");
    for (const float no : {1.0f, 0.0f}) {
        fill(refused, no);
        backend.encode({.pass = PassId::texture_put,
                        .output = {texture.id()},
                        .input = {y.id()},
                        .integer = {0, 0, 4, 1, 0, 4, 1, 1, 0, 4, 1},
                        .status = refused.id()});
        const std::vector<float> after = texture.download();
        CHECK(after[8] == 3);
        CHECK(std::isnan(after[4]) == (no == 1));
        CHECK((after[12] == infinite) == (no == 1));
    }
}

TEST_CASE("runs see residuals so large that they may stop at the reference", "[passes][textures][texture_gain]") {
    const auto gain = [](float b, float start, float scaled, float unit, float tolerance, float absolute) {
        Harness h(PassId::texture_gain, {1, 1});
        const float r = start * unit, s = scaled * unit;
        h.input("squares", {b * b, 7, 7, 7})
            .input("unit", {unit, unit, unit, unit})
            .input("start", {r * r, s * s, 7, 7});
        h.constant("tolerance", tolerance).constant("absolute", absolute).constant("reference", 1e-4f).run();
        CHECK(h.difference("gain") == 0);
        return h.output("gain")[0];
    };
    const float none = std::numeric_limits<float>::quiet_NaN();
    for (const auto& [b, start, scaled, unit, tolerance, absolute] :
         {std::array{3.0f, 3.0f, 3.0f, 0.25f, 1e-4f, 0.0f}, std::array{3.0f, 0.5f, 100.0f, 0.25f, 1e-6f, 0.0f},
          std::array{1e-15f, 2e-15f, 1e-12f, 0x1p49f, 1e-5f, 0.0f}, std::array{5.0f, 2.0f, 1.0f, 0.125f, 0.0f, 0.1f}}) {
        CAPTURE(b, start, scaled, tolerance, absolute);
        const float wanted = std::max(tolerance * b, absolute), got = gain(b, start, scaled, unit, tolerance, absolute);
        int exponent = 0;
        CHECK(std::frexp(got, &exponent) == 0.5f);
        // Where |r| has become what is wanted, |S r| is smaller by the same factor.
        const float seen = got * scaled * (wanted / start);
        CHECK(seen >= 0.999e-4f);
        CHECK(seen <= 2.001e-4f);
    }
    CHECK(gain(3, 2e-4f, 3, 0.25f, 1e-4f, 0) == 0);  // met
    CHECK(gain(3, 0.9f, 3, 0.25f, 1e-4f, 1) == 0);   // met, absolutely
    CHECK(gain(0, 1, 1, 0, 1e-4f, 0) == 0);          // b = 0
    CHECK(gain(3, 3, 3, 0.25f, 0, 0) == 0);          // nothing would do
    CHECK(gain(3, none, 3, 0.25f, 1e-4f, 0) == 0);
}

TEST_CASE("what is worse than the guess is refused", "[passes][textures][texture_verdict]") {
    const auto refused = [](float b, float start, float end, float square = 7) {
        Harness h(PassId::texture_verdict, {1, 1});
        h.input("squares", {b * b, square, 7, 7}).input("unit", {0.5f, 0.5f, 0.5f, 0.5f});
        h.input("start", {start * start / 4, 7, 7, 7}).input("end", {end * end / 4, 7, 7, 7}).run();
        CHECK(h.difference("refused") == 0);
        return h.output("refused") == Texels(4, 1.0f);
    };
    const float none = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    CHECK_FALSE(refused(1, 1, 0.1f));
    CHECK_FALSE(refused(1, 1, 50));  // on the way it may grow
    CHECK_FALSE(refused(1, 1e6f, 9e5f));
    CHECK_FALSE(refused(1, 0.01f, 1.5f));
    CHECK(refused(1, 1, 2000));
    CHECK(refused(1, 1e6f, 2e6f));
    CHECK(refused(1, 1, none));
    CHECK(refused(1, 1, infinite));
    CHECK(refused(none, 1, 1));
    CHECK_FALSE(refused(1, none, 0.5f));  // whatever helps
    CHECK(refused(0, 0, 0, 0));           // b is too small to be squared
}

TEST_CASE("the outcome of a run has a mark", "[passes][textures][texture_mark]") {
    Harness h(PassId::texture_mark, {1, 1});
    h.input("unit", {0.25f, 0.25f, 0.25f, 0.25f}).input("taken", {3, 3, 3, 3}).constant("number", 16777216.0f).run();
    CHECK(h.difference("mark") == 0);
    CHECK(h.output("mark") == Texels{0.25f, 16777216.0f, 3, 0});
}

TEST_CASE("vectors are brought near length 1 by a power of two", "[passes][textures][texture_unit]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    Scalar squares(backend, "squares"), unit(backend, "unit");
    for (const float size : {1.0f, 0.5f, 0.999999f, 3.0f, 1e-15f, 7e14f, 1e18f, 1e-18f}) {
        CAPTURE(size);
        const float square = size * size;
        backend.upload(squares.id(), std::vector<float>{-1, square, -1, -1});
        backend.encode({.pass = PassId::texture_unit, .output = {unit.id()}, .input = {squares.id()}});
        std::vector<float> got(4);
        backend.read(unit.id(), got);
        int exponent = 0;
        CHECK(std::frexp(got[0], &exponent) == 0.5f);  // a power of two
        CHECK(got[0] * std::sqrt(square) >= 0.4999999f);
        CHECK(got[0] * std::sqrt(square) <= 1.0000001f);
        CHECK(got == std::vector<float>(4, got[0]));
    }
    for (const float none :
         {0.0f, 1e-38f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
        backend.upload(squares.id(), std::vector<float>{1, none, 1, 1});
        backend.encode({.pass = PassId::texture_unit, .output = {unit.id()}, .input = {squares.id()}});
        std::vector<float> got(4);
        backend.read(unit.id(), got);
        CHECK(got == std::vector<float>(4, 0.0f));
    }
}

}  // namespace tests_of_textures
