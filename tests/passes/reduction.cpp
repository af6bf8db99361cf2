// dot, sum, sum_last: sums of any length, against double precision and against the reference.
#include <cmath>

#include "core/verbs.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

using namespace glsolve;
using namespace glsolve::test;

namespace {

Texels read(const Scalar& s) {
    Texels texel(4);
    s.backend().read(s.id(), texel);
    return texel;
}

}  // namespace

TEST_CASE("dot adds up vectors of any length", "[passes][dot][sum][sum_last]") {
    const Offset n = GENERATE(from_range(edge_lengths()));
    Backend& backend = backend_under_test();
    const Session session(backend);
    const auto x = random_numbers(static_cast<std::size_t>(n), 1), y = random_numbers(static_cast<std::size_t>(n), 2);
    Vector vx(backend, n, "x"), vy(backend, n, "y");
    vx.upload(x);
    vy.upload(y);
    PartialSums partial(backend, vx.layout().extent());
    Scalar s(backend, "s");
    fill(s, 12345.0f);
    dot(s, vx, vy, partial);

    double exact = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        exact += static_cast<double>(x[i]) * static_cast<double>(y[i]);
        size += std::abs(static_cast<double>(x[i]) * static_cast<double>(y[i]));
    }
    const Texels texel = read(s);
    CHECK(std::abs(static_cast<double>(texel[0]) - exact) <= 1e-6 * size);
    for (int c = 1; c < 4; ++c) CHECK(texel[static_cast<std::size_t>(c)] == texel[0]);
}

TEST_CASE("four sums in one tree stay apart", "[passes][sum][sum_last]") {
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
    PartialSums partial(backend, x.layout().extent());
    Scalar s(backend, "s");
    dot(s, x, one, partial);
    CHECK(static_cast<double>(read(s)[0]) == Approx(1000).epsilon(1e-6));
}

TEST_CASE("one stage of a sum matches the reference where tiles reach over the edge", "[passes][sum]") {
    // The tile belongs to the stage, so the extents of the output do too.
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Extent tile = backend.reduction_shape().tile;
    const Extent input{3 * tile.width - 1, 2 * tile.height + 1}, output{3, 3};
    const Storage x(backend, input, Element::real, "x"), y(backend, output, Element::real, "y");
    const Texels numbers = random_numbers(static_cast<std::size_t>(input.texels()) * 4, 8);
    backend.upload(x.id(), numbers);
    backend.encode(
        {.pass = PassId::sum, .output = {y.id()}, .input = {x.id()}, .integer = {input.width, input.height}});
    Texels sums(36);
    backend.read(y.id(), sums);
    std::vector<double> exact(36, 0.0);
    for (int j = 0; j < input.height; ++j) {
        for (int i = 0; i < input.width; ++i) {
            for (int c = 0; c < 4; ++c) {
                const std::int64_t from = std::int64_t{j} * input.width + i,
                                   to = (j / tile.height) * 3 + i / tile.width;
                exact[static_cast<std::size_t>(4 * to + c)] +=
                    static_cast<double>(numbers[static_cast<std::size_t>(4 * from + c)]);
            }
        }
    }
    for (std::size_t i = 0; i < 36; ++i) CHECK(static_cast<double>(sums[i]) == Approx(exact[i]).margin(1e-3));
}

TEST_CASE("a NaN anywhere makes the sum NaN", "[passes][dot][sum]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    auto numbers = random_numbers(1025, 3);
    numbers[777] = std::numeric_limits<float>::quiet_NaN();
    Vector x(backend, 1025, "x");
    x.upload(numbers);
    PartialSums partial(backend, x.layout().extent());
    Scalar s(backend, "s");
    dot(s, x, x, partial);
    CHECK(std::isnan(read(s)[0]));
}
