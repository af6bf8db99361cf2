// Mistakes in a caller's GLSL: each is refused as InvalidInput, with what the compiler says of it.
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"

namespace tests_of_operator_mistakes {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Mistake {
    const char* what;
    const char* source;
    int line;  ///< that compilers name; 0: none, or one that depends on the compiler
    bool is_one_in_cuda = true;
};

constexpr Mistake mistakes[] = {
    {"undeclared variable", "vec4 apply(ivec2 at) {\n    return wrong * x(at);\n}\n", 2},
    {"undeclared function", "vec4 apply(ivec2 at) {\n    return\n        wrong(at);\n}\n", 3},
    {"type mismatch", "vec4 apply(ivec2 at) {\n    vec4 y = ivec2(1, 2);\n    return y;\n}\n", 2},
    {"missing semicolon", "vec4 apply(ivec2 at) {\n    vec4 y = x(at)\n    return y;\n}\n", 3},
    {"missing return", "vec4 twice(vec4 v) {\n    v *= 2.0;\n}\nvec4 apply(ivec2 at) {\n    return twice(x(at));\n}\n",
     1, false},
    {"wrong arity", "vec4 twice(vec4 v) { return 2.0 * v; }\nvec4 apply(ivec2 at) {\n    return twice(x(at), 1);\n}\n",
     3},
    {"bad swizzle", "vec4 apply(ivec2 at) {\n    return x(at).xyk;\n}\n", 2},
    {"assignment to const",
     "const float two = 2.0;\nvec4 apply(ivec2 at) {\n    two = 3.0;\n    return two * x(at);\n}\n", 3},
    {"brace that is not closed", "vec4 apply(ivec2 at) {\n    return x(at);\n", 0},
    {"brace that closes nothing", "vec4 apply(ivec2 at) {\n    return x(at);\n}\n}\n", 4},
    {"comment that is not closed", "vec4 apply(ivec2 at) {\n    return x(at);\n}\n/* and so on\n", 0},
    {"recursion",
     "vec4 again(ivec2 at);\nvec4 apply(ivec2 at) { return again(at); }\n"
     "vec4 again(ivec2 at) { return x(at) + again(at); }\n",
     0, false},
    {"declared, not defined", "vec4 later(ivec2 at);\nvec4 apply(ivec2 at) { return later(at); }\n", 0},
    {"redefinition", "vec4 apply(ivec2 at) { return x(at); }\nvec4 apply(ivec2 at) { return x(at); }\n", 2},
    {"redefinition of ours", "vec4 apply(ivec2 at) { return x(at); }\nvoid kernel(ivec2 at) {}\n", 2},
    {"reserved word", "vec4 apply(ivec2 at) {\n    float goto = 1.0;\n    return x(at);\n}\n", 2},
    {"preprocessor", "#if 1\nvec4 apply(ivec2 at) { return x(at); }\n", 0},
};

}  // namespace

TEST_CASE("mistakes in a function are told as the caller's, with the compiler's words",
          "[solvers][operators][mistakes]") {
    if (!backend_under_test().can().glsl) return;
    const bool cuda = device_under_test().info().backend == BackendKind::cuda;
    for (const Mistake& mistake : mistakes) {
        if (cuda && !mistake.is_one_in_cuda) continue;
        std::string said;
        try {
            const Solver solver(device_under_test(), GlslOperator{.width = 8, .height = 8, .source = mistake.source});
            said = "nothing";
        } catch (const InvalidInput& refusal) {
            said = refusal.what();
        } catch (const std::exception& other) {
            said = std::string("another exception: ") + other.what();
        }
        CAPTURE(mistake.what, said);
        CHECK_THAT(said, StartsWith(cuda ? "operator: CUDA's compiler does not compile the source"
                                         : "operator: the driver does not compile the source"));
        CHECK_THAT(said, ContainsSubstring("rror"));
        if (mistake.line > 0 && !cuda)
            CHECK_THAT(said, ContainsSubstring("line " + std::to_string(mistake.line) + ":"));
        CHECK(said.find("pass function") == std::string::npos);
        // The device works on.
        CHECK_NOTHROW(
            Solver(device_under_test(),
                   GlslOperator{.width = 8, .height = 8, .source = "vec4 apply(ivec2 at) { return 2.0 * x(at); }"}));
    }
}

}  // namespace tests_of_operator_mistakes
