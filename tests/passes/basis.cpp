// Bases of Krylov spaces: inner products with many vectors at once, linear combinations, directions of length 1.
#include "device/basis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <vector>

#include "device/verbs.hpp"
#include "support/basis.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_basis {

using namespace glsolve;
using namespace glsolve::test;

namespace {

std::vector<float> numbers_of(const Vector& v) {
    std::vector<float> texels = v.download_texels();
    CHECK(std::all_of(texels.begin() + v.layout().length, texels.end(), [](float padding) { return padding == 0; }));
    texels.resize(static_cast<std::size_t>(v.layout().length));
    return texels;
}

std::vector<float> numbers_of(Backend& backend, const BasisCoefficients& h) {
    std::vector<float> texels(static_cast<std::size_t>(backend.extent(h.id()).texels()) * 4);
    backend.read(h.id(), texels);
    return texels;
}

/// The largest |x_i - y_i|; infinite where one is no number.
template <class Expected>
double distance(const std::vector<float>& x, const Expected& y) {
    double most = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = std::abs(static_cast<double>(x[i]) - y(i));
        most = std::isfinite(difference) ? std::max(most, difference) : std::numeric_limits<double>::infinity();
    }
    return most;
}

}  // namespace

TEST_CASE("inner products with any vectors of a basis", "[passes][basis_dot][basis_sum][basis_last][normalise_layer]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = GENERATE(1, 5, 63, 1000, 4097, 40000);
    const int count = GENERATE(1, 2, 7, 33);
    if (is_slow() && n * count > 50000) return;
    CAPTURE(n, count);
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(n), 77);
    FilledBasis filled(backend, n, count);
    Vector w(backend, n, "w");
    w.upload(x);
    BasisCoefficients h(backend, count, "h");
    for (const Layers layers :
         {Layers{0, count}, Layers{0, (count + 1) / 2}, Layers{count / 2, 1}, Layers{count - 1, 1}}) {
        CAPTURE(layers.first, layers.count);
        filled.basis.project(h, w, layers);
        const std::vector<float> found = numbers_of(backend, h);
        for (int k = 0; k < static_cast<int>(found.size()); ++k) {
            const auto at = static_cast<std::size_t>(k);
            if (k < layers.first || k >= layers.first + layers.count) {
                CHECK(found[at] == 0);
            } else {
                const double size = std::sqrt(dot(x, x) * dot(filled.v[at], filled.v[at]));
                CHECK(static_cast<double>(found[at]) == Approx(dot(x, filled.v[at])).margin(2e-7 * size));
            }
        }
    }
}

TEST_CASE("sums of parts of a basis, in three stages", "[passes][basis_sum]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    if (is_slow()) return;
    const Offset n = length_in_three_stages(backend);
    if (n > 40'000'000) return;
    Basis basis(backend, layout_of(n), 2, "V");
    Vector x(backend, n, "x");
    Scalar one(backend, "1");
    fill(one, 1);
    fill(x, 1);
    basis.store(0, x, one, {});
    fill(x, 0.5f);
    basis.store(1, x, one, {});
    fill(x, 1);
    BasisCoefficients h(backend, 2, "h");
    basis.project(h, x, {0, 2});
    const std::vector<float> found = numbers_of(backend, h);
    CHECK(static_cast<double>(found[0]) == Approx(static_cast<double>(n)).epsilon(1e-6));
    CHECK(static_cast<double>(found[1]) == Approx(static_cast<double>(n) / 2).epsilon(1e-6));
}

TEST_CASE("linear combinations of the vectors of a basis",
          "[passes][basis_subtract][basis_subtract_norm][basis_combine][basis_combine_jacobi]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = GENERATE(1, 6, 63, 1000, 4097);
    const int count = GENERATE(1, 4, 6, 33);
    if (is_slow() && n * count > 50000) return;
    CAPTURE(n, count);
    FilledBasis filled(backend, n, count);
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(n), 5), d = random_numbers(x.size(), 6);
    const Layers layers{count > 4 ? 1 : 0, count > 4 ? count - 2 : count};
    std::vector<float> h(static_cast<std::size_t>(BasisCoefficients::blocks(count)) * 4,
                         1e30f);  // what must not be used
    const std::vector<float> numbers = random_numbers(h.size(), 9);
    std::vector<double> sum(x.size(), 0.0);
    for (int k = layers.first; k < layers.first + layers.count; ++k) {
        const auto at = static_cast<std::size_t>(k);
        h[at] = numbers[at];
        for (std::size_t i = 0; i < x.size(); ++i)
            sum[i] += static_cast<double>(h[at]) * static_cast<double>(filled.v[at][i]);
    }
    BasisCoefficients coefficients(backend, count, "h");
    backend.upload(coefficients.id(), h);
    Vector y(backend, n, "y"), diagonal(backend, n, "d");
    diagonal.upload(d);
    const double accuracy = 1e-6 * count;

    y.upload(x);
    filled.basis.subtract(y, coefficients, layers);
    std::vector<float> found = numbers_of(y);
    CHECK(distance(found, [&](std::size_t i) { return static_cast<double>(x[i]) - sum[i]; }) <= accuracy);

    y.upload(x);
    PartialSums partial(backend, y.layout().extent());
    Scalar square(backend, "square");
    filled.basis.subtract(y, coefficients, layers, partial);
    glsolve::sum(square, partial, Finish::add_components);
    found = numbers_of(y);
    std::array<float, 4> texel{};
    backend.read(square.id(), texel);
    CHECK(static_cast<double>(texel[0]) == Approx(dot(found, found)).epsilon(1e-6));
    CHECK(distance(found, [&](std::size_t i) { return static_cast<double>(x[i]) - sum[i]; }) <= accuracy);

    filled.basis.combine(y, coefficients, layers);
    found = numbers_of(y);
    CHECK(distance(found, [&](std::size_t i) { return sum[i]; }) <= accuracy);
    filled.basis.combine(y, coefficients, layers, &diagonal);
    found = numbers_of(y);
    CHECK(distance(found, [&](std::size_t i) { return static_cast<double>(d[i]) * sum[i]; }) <= 2 * accuracy);
}

TEST_CASE("directions have length 1, or are zeros", "[passes][normalise][normalise_jacobi][normalise_layer]") {
    const PassId pass = GENERATE(PassId::normalise, PassId::normalise_jacobi);
    const Offset n = GENERATE(from_range(edge_lengths()));
    const float square = GENERATE(4.0f, 1e-20f, 0.0f, -1.0f, std::numeric_limits<float>::infinity(),
                                  std::numeric_limits<float>::quiet_NaN());
    const bool stopped = GENERATE(false, true);
    Harness h(pass, layout_of(n).extent());
    h.input("x", random_vector(n, 1)).scalar("square", 1, square).stopped(stopped);
    if (pass == PassId::normalise_jacobi) h.input("d", random_vector(n, 2));
    h.run();
    CHECK(h.difference("y") < 4e-7);
    const bool there = square > 0 && std::isfinite(square) && !stopped;
    CHECK((there || std::all_of(h.output("y").begin(), h.output("y").end(), [](float y) { return y == 0; })));
}

TEST_CASE("a basis that no texture holds is refused in words", "[passes]") {
    CHECK(most_layers(layout_of(16), 16) == 64);
    const Layout huge = layout_of(100'000'000);
    Backend& backend = backend_under_test();
    const Session session(backend);
    CHECK_THROWS_WITH(Basis(backend, huge, 1000, "V"),
                      ContainsSubstring("a basis of 1000 vectors of 100000000 numbers fits no texture"));
}

}  // namespace tests_of_basis
