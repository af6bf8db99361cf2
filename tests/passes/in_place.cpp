// Texels that are made where the device takes them from, and used where they have arrived.
#include <glsolve/error.hpp>
#include <stdexcept>

#include "device/vectors.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

namespace tests_of_in_place {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Below and above what OpenGL stages in a buffer.
Offset length() { return is_slow() ? GENERATE(5, 3000) : GENERATE(5, 3000, 400000); }

void upload(Vector& v, const Texels& texels) {
    v.backend().upload(v.id(), [&](std::span<float> to) {
        REQUIRE(to.size() == texels.size());
        std::copy(texels.begin(), texels.end(), to.begin());
    });
}

bool same(std::span<const float> texels, const Texels& as) {
    return std::equal(texels.begin(), texels.end(), as.begin(), as.end());
}

}  // namespace

TEST_CASE("texels are filled and used in place, those of several storages at a time", "[passes][in_place]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = length();
    Vector x(backend, n, "x"), y(backend, n, "y"), z(backend, n, "z");
    const Texels a = random_vector(n, 1), b = random_vector(n, 2), c = random_vector(n, 3);
    upload(x, a);
    upload(y, b);
    upload(z, c);
    int used = 0;
    backend.read(x.id(), [&](std::span<const float> of_x) {
        backend.read(y.id(), [&](std::span<const float> of_y) {
            backend.read(z.id(), [&](std::span<const float> of_z) {
                CHECK((same(of_x, a) && same(of_y, b) && same(of_z, c)));
                ++used;
            });
            CHECK((same(of_x, a) && same(of_y, b)));
        });
        CHECK(same(of_x, a));
    });
    CHECK(used == 1);
}

TEST_CASE("what throws while it has texels at hand does no harm", "[passes][in_place]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Offset n = length();
    Vector x(backend, n, "x"), y(backend, n, "y");
    const Texels a = random_vector(n, 1), b = random_vector(n, 2);
    upload(y, b);
    CHECK_THROWS_AS(backend.upload(x.id(), [](std::span<float>) { throw std::runtime_error("fill"); }),
                    std::runtime_error);
    upload(x, a);
    for (int twice = 0; twice < 2; ++twice) {
        CHECK_THROWS_AS(backend.read(x.id(),
                                     [&](std::span<const float>) {
                                         backend.read(y.id(),
                                                      [](std::span<const float>) { throw std::runtime_error("use"); });
                                     }),
                        std::runtime_error);
    }
    CHECK(same(x.download_texels(), a));
    CHECK(same(y.download_texels(), b));
    std::vector<float> too_small(4);
    Vector two(backend, 8, "two texels");
    CHECK_THROWS_AS(backend.read(two.id(), std::span(too_small)), Error);
}

}  // namespace tests_of_in_place
