// GLSL's text in C++, token by token.
#include <string>

#include "kernels/cpp_text.hpp"
#include "support/catch.hpp"

namespace tests_of_text {

using namespace glsolve;

namespace {

CppText translated(std::string_view glsl, Reals reals = Reals::floats) {
    return cpp_text(glsl, reals, [](int source) { return "source " + std::to_string(source); });
}
std::string body(std::string_view glsl) { return translated(glsl).body; }

}  // namespace

TEST_CASE("numbers get the suffix of single precision, and integers none", "[text]") {
    CHECK(body("a = 1.0 + .5 - 2. * 1e-3 + 1.5E+2 + 3 + 0x1e + 7u;\n")
          == "a = 1.0f + .5f - 2.f * 1e-3f + 1.5E+2f + 3 + 0x1e + 7u;\n");
    CHECK(body("a = 1.0f + 2.0F; b = 3.0lf;\n") == "a = 1.0f + 2.0F; b = 3.0;\n");
    CHECK(body("v2.x = x1.y;\n") == "v2.x = x1.y;\n");
}

TEST_CASE("swizzles become calls, members of structures stay", "[text]") {
    CHECK(body("a = v.zw + w.xyzw.xx;\n") == "a = v.pick<2, 3>() + w.pick<0, 1, 2, 3>().pick<0, 0>();\n");
    CHECK(body("a = v.r + v.ba + v.st;\n") == "a = v.x + v.pick<2, 3>() + v.pick<0, 1>();\n");
    CHECK(body("struct Pair {\n    vec4 s, yx;\n};\na = p.s + p.yx;\n")
          == "struct Pair {\n    vec4 s, yx;\n};\na = p.s + p.yx;\n");
    CHECK(body("a = v.xyzwx;\n") == "a = v.xyzwx;\n");
}

TEST_CASE("arguments by reference, arrays, constants", "[text]") {
    CHECK(body("void f(inout Row row, out float y, in int k, inout vec4 terms[2]) { }\n")
          == "void f(Row& row, float& y, int k, vec4 terms[2]) { }\n");
    CHECK(body("const int c[3] = int[3](1, 2, 3);\n") == "static constexpr int c[3] = {1, 2, 3};\n");
    CHECK(body("    const float a = 1.0;\n") == "    const float a = 1.0f;\n");
}

TEST_CASE("where numbers are known only when a kernel runs, arrays are objects that ask for them", "[text]") {
    const auto given = [](std::string_view glsl) {
        return cpp_text(
                   glsl, Reals::floats, [](int) { return ""; }, Definitions::given)
            .body;
    };
    CHECK(given("const ivec3 gaps[COUNT] = ivec3[COUNT](GAPS);\n")
          == "const List<ivec3> gaps = given.list<ivec3>(\"GAPS\", COUNT);\n");
    CHECK(given("    vec4 x[quads + 1]; float f[2];\n") == "    Array<vec4> x{quads + 1}; Array<float> f{2};\n");
    CHECK(given("y[row] = x[at.y]; return x[0];\n") == "y[row] = x[at.y]; return x[0];\n");
    CHECK(given("const int reach = 3 * STRIDE;\n") == "const int reach = 3 * STRIDE;\n");
    CHECK(given("a = state.s + state.st + v.xy;\n") == "a = state.s + state.st + v.pick<0, 1>();\n");
}

TEST_CASE("what the struct has is left out, and lines stay where they are", "[text]") {
    const CppText made = translated(
        "#version 430 core\nuniform vec2 arg_table[3];\nlayout(rgba32f) writeonly uniform image2D i_y;\n"
        "#line 7 2\nshared vec4 terms[4], more;\nvec4 f(ivec2 at);\nvec4 f(ivec2 at) { return g(at); }  // why\n"
        "/* two\nlines */ int k;\n");
    CHECK(made.has_table);
    CHECK(made.group_shared == "__shared__ vec4 terms[4], more;\n");
    CHECK(made.body == "\n\n\n#line 7 \"source 2\"\n\n\nvec4 f(ivec2 at) { return g(at); }  \n \n int k;\n");
    CHECK_FALSE(translated("uniform ivec4 u_where;\n").has_table);
    CHECK(body("#line 5\n#line\n") == "#line 5\n#line\n");
}

TEST_CASE("what a careless hand writes in the first column of a function stays", "[text]") {
    CHECK(body("vec4 f(ivec2 at) {\nconst float h = g(at);\nreturn g(at);\n}\n")
          == "vec4 f(ivec2 at) {\nconst float h = g(at);\nreturn g(at);\n}\n");
    CHECK(body("return/*x*/y; void f(out highp float x, inout\tvec2 v) {}\n")
          == "return y; void f(float& x, vec2& v) {}\n");
}

TEST_CASE("where all numbers are doubles, so are literals and vectors", "[text]") {
    CHECK(translated("float f(inout vec4 v) { return 1.5 * v.x + float(ivec2(1, 2).x) + uintBitsToFloat(1u); }\n",
                     Reals::doubles)
              .body
          == "double f(dvec4& v) { return 1.5 * v.x + double(ivec2(1, 2).x) + uintBitsToReal(1u); }\n");
    CHECK(translated("shared vec4 terms[4];\n", Reals::doubles).group_shared == "__shared__ dvec4 terms[4];\n");
}

}  // namespace tests_of_text
