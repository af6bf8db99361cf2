// The public headers behind those of a host, whose macros know no namespaces.
#include "headers/facts.hpp"
#include "support/catch.hpp"

namespace tests_of_headers {

using namespace headers_test;

TEST_CASE("the public headers mean the same after a host's headers", "[core][headers]") {
    const Facts expected = alone();
    CHECK(expected.names.front() == "converged");
    CHECK(after_x11() == expected);
    CHECK(after_opengl() == expected);
    CHECK(after_egl() == expected);
    CHECK(after_glew() == expected);
    CHECK(after_windows() == expected);
}

}  // namespace tests_of_headers
