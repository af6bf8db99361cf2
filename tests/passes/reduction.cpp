// What reduce.glsl and reduce.compute.glsl make: sums, inner products, norms, extremes of any length, against double
// precision.
#include <algorithm>
#include <cmath>
#include <limits>

#include "device/reductions.hpp"
#include "device/verbs.hpp"
#include "papers/methods/published.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_reduction {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Texels read(const Scalar& s) {
    Texels texel(4);
    s.backend().read(s.id(), texel);
    return texel;
}

}  // namespace

TEST_CASE("dot adds up vectors of any length", "[passes][sum]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto x = random_numbers(static_cast<std::size_t>(n), 1), y = random_numbers(static_cast<std::size_t>(n), 2);
    Vector vx(backend, n, "x"), vy(backend, n, "y");
    vx.upload(x);
    vy.upload(y);
    Reductions reductions(backend, n);
    Scalar s(backend, "s");
    fill(s, 12345.0f);
    reductions.dot(s, vx, vy);

    double exact = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        exact += static_cast<double>(x[i]) * static_cast<double>(y[i]);
        size += std::abs(static_cast<double>(x[i]) * static_cast<double>(y[i]));
    }
    const Texels texel = read(s);
    CHECK(std::abs(static_cast<double>(texel[0]) - exact) <= 1e-6 * size);
    for (int c = 1; c < 4; ++c) CHECK(texel[static_cast<std::size_t>(c)] == texel[0]);
}

TEST_CASE("four sums in one tree stay apart", "[passes][sum]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Extent domain = layout_of(n).extent();
    PartialSums partial(backend, domain);
    const auto count = static_cast<std::size_t>(backend.extent(partial.id()).texels());
    const Texels terms = random_numbers(count * 4, 5);
    backend.upload(partial.id(), terms);
    Scalar s(backend, "s");
    sum(s, partial, Finish::keep_components);
    std::array<double, 4> exact{};
    for (std::size_t i = 0; i < terms.size(); ++i) exact[i % 4] += static_cast<double>(terms[i]);
    const Texels texel = read(s);
    for (std::size_t c = 0; c < 4; ++c) {
        CHECK(static_cast<double>(texel[c]) == Approx(exact[c]).margin(1e-6 * static_cast<double>(count)));
    }
}

TEST_CASE("a million times 0.001 is a thousand", "[passes][sum]") {
    if (is_slow()) return;
    Backend& backend = backend_under_test();
    const Session session(backend);
    Vector x(backend, 1'000'000, "x"), one(backend, 1'000'000, "one");
    fill(x, 0.001f);
    fill(one, 1.0f);
    Reductions reductions(backend, 1'000'000);
    Scalar s(backend, "s");
    reductions.dot(s, x, one);
    CHECK(static_cast<double>(read(s)[0]) == Approx(1000).epsilon(1e-6));
}

TEST_CASE("one stage of a sum matches double precision where tiles reach over the edge", "[passes][sum]") {
    // The tile belongs to the stage, so the extents of the output do too.
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Extent tile = backend.reduction_shape().tile;
    const Extent input{3 * tile.width - 1, 2 * tile.height + 1}, output{3, 3};
    const Storage x(backend, input, Element::real, "x"), y(backend, output, Element::real, "y");
    const Texels numbers = random_numbers(static_cast<std::size_t>(input.texels()) * 4, 8);
    backend.upload(x.id(), numbers);
    const Storage z(backend, input, Element::real, "z");
    const Texels others = random_numbers(numbers.size(), 9);
    backend.upload(z.id(), others);
    for (const bool products : {false, true}) {
        backend.encode({.pass = PassId::sum,
                        .output = {y.id()},
                        .input = {x.id(), z.id()},
                        .integer = {input.width, input.height, products ? 1 : 0}});
        Texels sums(36);
        backend.read(y.id(), sums);
        std::vector<double> exact(36, 0.0);
        for (int j = 0; j < input.height; ++j) {
            for (int i = 0; i < input.width; ++i) {
                for (int c = 0; c < 4; ++c) {
                    const auto from = static_cast<std::size_t>(4 * (j * input.width + i) + c);
                    const int to = (j / tile.height) * 3 + i / tile.width;
                    exact[static_cast<std::size_t>(4 * to + c)] +=
                        static_cast<double>(numbers[from]) * (products ? static_cast<double>(others[from]) : 1);
                }
            }
        }
        for (std::size_t i = 0; i < 36; ++i) CHECK(static_cast<double>(sums[i]) == Approx(exact[i]).margin(1e-3));
    }
}

TEST_CASE("a NaN anywhere makes the sum NaN", "[passes][sum]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    auto numbers = random_numbers(1025, 3);
    numbers[777] = std::numeric_limits<float>::quiet_NaN();
    Vector x(backend, 1025, "x");
    x.upload(numbers);
    Reductions reductions(backend, 1025);
    Scalar s(backend, "s");
    reductions.dot(s, x, x);
    CHECK(std::isnan(read(s)[0]));
}

namespace {

/// Numbers whose sum is a million times smaller than the sum of their sizes.
std::vector<float> ill_conditioned(std::size_t count) {
    std::vector<float> numbers = random_numbers(count, 21);
    for (std::size_t i = 0; i + 1 < count; i += 2) {
        numbers[i + 1] = -numbers[i] * (1 + 2e-6f * static_cast<float>(i % 7 + 1) / 4);
    }
    return numbers;
}

}  // namespace

TEST_CASE("reductions of vectors of any length",
          "[passes][sum][measures][measures_stage]"
          "[measures_last][extremes][extremes_stage][extremes_last]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    CAPTURE(n);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto count = static_cast<std::size_t>(n);
    std::vector<float> x = random_numbers(count, 1);
    const std::vector<float> y = random_numbers(count, 2);
    if (count > 2) x[count / 2] = x[count - 1] = 7;  // the first of two is the largest
    Vector vx(backend, n, "x"), vy(backend, n, "y");
    vx.upload(x);
    vy.upload(y);
    Reductions reductions(backend, n);
    Scalar s(backend, "s");
    double sum = 0, size = 0, dot = 0, squares = 0, largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto a = static_cast<double>(x[i]);
        sum += a, size += std::abs(a), squares += a * a;
        dot += a * static_cast<double>(y[i]);
        largest = std::max(largest, std::abs(a));
    }
    fill(s, 99);
    reductions.sum(s, vx);
    for (const float v : read(s)) CHECK(std::abs(static_cast<double>(v) - sum) <= 1e-6 * size);
    reductions.dot(s, vx, vy);
    for (const float v : read(s)) CHECK(std::abs(static_cast<double>(v) - dot) <= 2e-6 * size);
    const Measures measures = reductions.read_measures(vx);
    CHECK(std::abs(static_cast<double>(measures.sum) - sum) <= 1e-6 * size);
    CHECK(static_cast<double>(measures.one_norm) == Approx(size).epsilon(1e-6));
    CHECK(static_cast<double>(measures.squares) == Approx(squares).epsilon(1e-6));
    CHECK(static_cast<double>(measures.infinity_norm) == largest);
    const Extremes extremes = reductions.read_extremes(vx);
    const auto [low, high] = std::minmax_element(x.begin(), x.end(), [](float a, float b) { return a < b; });
    if (count == 0) {
        CHECK(extremes.smallest.index == -1);
        return;
    }
    CHECK(extremes.smallest.value == *low);
    CHECK(extremes.smallest.index == low - x.begin());
    CHECK(extremes.largest.value == *high);
    CHECK(extremes.largest.index == std::max_element(x.begin(), x.end()) - x.begin());
}

TEST_CASE("compensated sums of vectors of any length",
          "[passes][accuracy][compensated_sum][compensated_dot][compensated_stage][compensated_last]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    Backend& backend = backend_under_test();
    if (!backend.info().two_float_fault.empty()) return;
    const Offset n = GENERATE(from_range(edge_lengths()));
    CAPTURE(n);
    const Session session(backend);
    const auto count = static_cast<std::size_t>(n);
    const std::vector<float> x = ill_conditioned(count), y = random_numbers(count, 2);
    Vector vx(backend, n, "x"), vy(backend, n, "y");
    vx.upload(x);
    vy.upload(y);
    Reductions reductions(backend, n);
    long double sum = 0, size = 0, dot = 0;
    for (std::size_t i = 0; i < count; ++i) {
        sum += static_cast<long double>(x[i]);
        size += std::abs(static_cast<long double>(x[i]));
        dot += static_cast<long double>(x[i]) * static_cast<long double>(y[i]);
    }
    const auto error = [](double v, long double exact) { return std::abs(static_cast<long double>(v) - exact); };
    CHECK(error(reductions.read_compensated_sum(vx), sum) <= 1e-13L * size);
    CHECK(error(reductions.read_compensated_dot(vx, vy), dot) <= 2e-13L * size);
    if (count % 2 == 0 && count > 0) {
        CHECK(size / std::abs(sum) > 3e5L);
        CHECK(error(reductions.read_compensated_sum(vx), sum) <= 1e-7L * std::abs(sum));
    }
}

TEST_CASE("compensated sums of large, small and infinite numbers", "[passes][compensated_sum][compensated_dot]") {
    Backend& backend = backend_under_test();
    if (!backend.info().two_float_fault.empty()) return;
    const Session session(backend);
    Vector x(backend, 5000, "x"), y(backend, 5000, "y");
    Reductions reductions(backend, 5000);
    fill(x, 1e36f);
    fill(y, 1e-30f);
    CHECK(reductions.read_compensated_dot(x, y) == Approx(5e9));
    std::vector<float> numbers = random_numbers(5000, 8);
    numbers[77] = std::numeric_limits<float>::infinity();
    x.upload(numbers);
    CHECK(!std::isfinite(reductions.read_compensated_sum(x)));
}

TEST_CASE("extremes pass NaN over, norms do not", "[passes][extremes][measures]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    std::vector<float> numbers = random_numbers(3000, 3);
    numbers[1234] = std::numeric_limits<float>::quiet_NaN();
    numbers[17] = -50;
    numbers[2999] = std::numeric_limits<float>::infinity();
    Vector x(backend, 3000, "x");
    x.upload(numbers);
    Reductions reductions(backend, 3000);
    const Extremes extremes = reductions.read_extremes(x);
    CHECK(extremes.smallest.value == -50);
    CHECK(extremes.smallest.index == 17);
    CHECK(extremes.largest.index == 2999);
    const Measures measures = reductions.read_measures(x);
    CHECK(std::isnan(measures.one_norm));
    CHECK(std::isnan(measures.infinity_norm));
    x.upload(std::vector<float>(3000, std::numeric_limits<float>::infinity()));
    CHECK(reductions.read_extremes(x).smallest.index == 0);  // a number, too
    x.upload(std::vector<float>(3000, std::numeric_limits<float>::quiet_NaN()));
    CHECK(reductions.read_extremes(x).largest.index == -1);
}

TEST_CASE("of equal extremes the first one is found, also among NaN", "[passes][extremes]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    // More than a tile without padding, on every device; one in a hundred is a NaN in the second half.
    const std::size_t count = is_slow() ? 3000 : 300'001;
    std::vector<float> numbers = random_numbers(count, 33);
    for (float& v : numbers) v = std::round(3 * v);
    const std::vector<float> chance = random_numbers(count, 34);
    for (std::size_t i = count / 2; i < count; ++i) {
        if (chance[i] > 0.98f) numbers[i] = std::numeric_limits<float>::quiet_NaN();
    }
    const auto from = static_cast<std::size_t>(GENERATE(0, 2, 5)) * count / 11;
    for (std::size_t i = 0; i < from; ++i) numbers[i] = std::clamp(numbers[i], -2.0f, 2.0f);
    std::size_t low = from, high = from;
    for (std::size_t i = from; i < count; ++i) {
        if (numbers[i] < numbers[low]) low = i;
        if (numbers[i] > numbers[high]) high = i;
    }
    Vector x(backend, static_cast<Offset>(count), "x");
    x.upload(numbers);
    Reductions reductions(backend, static_cast<Offset>(count));
    const Extremes extremes = reductions.read_extremes(x);
    CHECK(extremes.smallest.value == numbers[low]);
    CHECK(extremes.smallest.index == static_cast<Offset>(low));
    CHECK(extremes.largest.value == numbers[high]);
    CHECK(extremes.largest.index == static_cast<Offset>(high));
}

TEST_CASE("the summation example: a million times 0.001", "[passes][accuracy][sumTexel][compensated_sum]") {
    if (backend_under_test().holds_doubles()) return;  // whose low parts are zero
    if (is_slow()) return;
    Backend& backend = backend_under_test();
    const Session session(backend);
    Vector x(backend, 1'000'000, "x");
    fill(x, 0.001f);
    Reductions reductions(backend, 1'000'000);
    Scalar s(backend, "s");
    reductions.sum(s, x);
    CHECK(static_cast<double>(read(s)[0]) == Approx(1000).epsilon(1e-6));
    CHECK(reductions.read_compensated_sum(x) == Approx(1e6 * static_cast<double>(0.001f)).epsilon(1e-12));
    // As published: four long sums, one texel after the other. Their rounding errors are a feature of the method.
    sumTexel(s, x);
    const double published = std::abs(static_cast<double>(sumTexture(s)) / 1000 - 1);
    CHECK(published > 1e-4);
    CHECK(published < 1e-2);
}

}  // namespace tests_of_reduction
