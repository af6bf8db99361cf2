// Products with functions in GLSL, and their diagonals. On the host, which runs no GLSL, the identity.
#include "formats/function_matrix.hpp"
#include "matrix/csr_build.hpp"
#include "matrix/csr_entries.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/products.hpp"

namespace tests_of_function {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// What shaders without text of a caller's multiply by.
std::unique_ptr<StoredMatrix> identity(Backend& backend, Index n) {
    auto made = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{.passes = product_of::function, .integers = {layout_of(n).log2_width, n, 0}, .table = {0, 0}});
    made->take_values(Storage(backend, {1, 1}, Element::real, "no input"));
    for (int k = 0; k < 3; ++k) made->take_structure(Storage(backend, {1, 1}, Element::real, "no input"));
    return made;
}

ProductNumbers numbers(Index n) {
    const auto count = static_cast<std::size_t>(n);
    return {random_numbers(count, 1), random_numbers(count, 2), random_numbers(count, 3)};
}

/// Is double precision there for the caller's words?
double two_float_error() {
    return device_under_test().info().renderer.find("softpipe") == std::string::npos ? 1e-11 : 1e-5;
}

constexpr const char* heat = R"(
vec4 flow(ivec2 at, ivec3 to) { return inside(at, to) * (k(at) + k(at, to)) / 2.0; }
vec4 along(ivec2 at, ivec3 to) { return flow(at, to) * (x(at) - x(at, to)); }
vec4 apply(ivec2 at) {
    return shift * x(at) + along(at, ivec3(1, 0, 0)) + along(at, ivec3(-1, 0, 0)) + along(at, ivec3(0, 1, 0))
         + along(at, ivec3(0, -1, 0)) + along(at, ivec3(0, 0, 1)) + along(at, ivec3(0, 0, -1));
}
vec4 diagonal(ivec2 at) {
    return shift + flow(at, ivec3(1, 0, 0)) + flow(at, ivec3(-1, 0, 0)) + flow(at, ivec3(0, 1, 0))
         + flow(at, ivec3(0, -1, 0)) + flow(at, ivec3(0, 0, 1)) + flow(at, ivec3(0, 0, -1));
})";

}  // namespace

TEST_CASE("products with a function match double precision",
          "[passes][function_multiply][function_multiply_dot][function_residual][function_multiply_two_float]"
          "[function_residual_two_float][function_relax][function_relax_twice][function_chebyshev]"
          "[function_chebyshev_norms][function_multiply_dots][function_field][function_diagonal]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    for (const Index n : {1, 4, 5, 63, 1003}) {
        CAPTURE(n);
        const CsrMatrix A = assemble_csr(n, n, [&](auto&& entry) {
            for (Index i = 0; i < n; ++i) entry(i, i, 1);
        });
        Vector d(backend, n, "d"), poisoned(backend, n, "d");
        poison(d);
        backend.encode({.pass = PassId::function_diagonal,
                        .output = {d.id()},
                        .input = {poisoned.id(), poisoned.id(), poisoned.id(), poisoned.id(), poisoned.id()},
                        .integer = {layout_of(n).log2_width, n, 0}});
        check_products(backend, *identity(backend, n), A, &d, numbers(n), two_float_error());
    }
    if (backend.info().backend == BackendKind::host) return;
    struct Sides {
        Index width, height, depth;
    };
    for (const auto& [width, height, depth] :
         {Sides{8, 4, 3}, Sides{5, 7, 1}, Sides{3, 2, 4}, Sides{1, 9, 1}, Sides{40, 31, 2}}) {
        CAPTURE(width, height, depth);
        const Index n = width * height * depth;
        std::vector<float> k = random_numbers(static_cast<std::size_t>(n), 9);
        for (float& number : k) number = std::ldexp(std::round(64 * (1.5f + number)), -6);  // means are exact
        FunctionMatrix function(backend, {.width = width,
                                          .height = height,
                                          .depth = depth,
                                          .source = heat,
                                          .inputs = {{"k", k}},
                                          .constants = {{"shift", 0.5f}}});
        const CsrMatrix A = assemble_csr(n, n, [&](auto&& entry) {
            for (Index i = 0; i < n; ++i) {
                double sum = 0.5;
                const auto meet = [&](bool inside, Index j) {
                    if (!inside) return;
                    const double c = (static_cast<double>(k[static_cast<std::size_t>(i)])
                                      + static_cast<double>(k[static_cast<std::size_t>(j)]))
                                     / 2;
                    sum += c;
                    entry(i, j, -c);
                };
                const Index x = i % width, y = i / width % height, z = i / width / height;
                meet(x > 0, i - 1), meet(x + 1 < width, i + 1);
                meet(y > 0, i - width), meet(y + 1 < height, i + width);
                meet(z > 0, i - width * height), meet(z + 1 < depth, i + width * height);
                entry(i, i, sum);
            }
        });
        Vector d(backend, n, "d");
        poison(d);
        function.make_reciprocal_diagonal(d);
        check_products(backend, function.matrix(), A, &d, numbers(n), two_float_error());
        const CsrMatrix probed = function.probe();
        CHECK(probed.column == A.column);
    }
}

}  // namespace tests_of_function
