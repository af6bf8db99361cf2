// Every program that the CUDA backend may ask for, through its compiler: no GPU is needed.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "compilers/cuda_programs.hpp"
#include "cuda/compile.hpp"
#include "cuda/program_text.hpp"
#include "cuda/support.hpp"
#include "device/backend.hpp"
#include "support/catch.hpp"
#include "support/choices.hpp"

namespace tests_of_programs {

using namespace glsolve;

namespace {

constexpr int architecture = 75;  // all that is younger has what it has

}  // namespace

TEST_CASE("CUDA's compiler takes the programs of all passes", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    const std::vector<test::CudaProgram> all = test::all_cuda_programs();
    CHECK(all.size() > pass_table().size());
    // The first of each kernel's file, and every sixth of all: all take the compiler many minutes.
    std::vector<test::CudaProgram> tried;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool is_first = i == 0 || all[i].row->file != all[i - 1].row->file;
        if (is_first || i % 6 == 0 || test::is_long_run()) tried.push_back(all[i]);
    }
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::vector<std::string> complaints;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < std::max(std::thread::hardware_concurrency(), 1u); ++t) {
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < tried.size(); i = next++) {
                const cuda::ProgramText text = cuda::program_text(*tried[i].row, tried[i].kind);
                const cuda::Compiled made = cuda::compile(*compiler, text.text, architecture);
                if (!made.code.empty()) continue;
                const std::lock_guard lock(mutex);
                complaints.push_back(fmt::format("{} [{}]\n{}", tried[i].row->name, tried[i].kind.definitions,
                                                 made.log.substr(0, 2000)));
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    INFO(fmt::format("{}", fmt::join(complaints, "\n")));
    CHECK(complaints.empty());
}

TEST_CASE("mistakes in the caller's function are told with the caller's lines", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    cuda::ProgramKind kind;
    kind.source = fmt::format(
        "#line 1 {}\nvec4 apply(ivec2 at) {{\n    return x(at) * thickness;\n}}\n"
        "vec4 diagonal(ivec2 at) {{ return inside(at); }}\n",
        callers_source);
    const PassRow& row = glsolve::row(PassId::function_multiply);
    const cuda::Compiled made = cuda::compile(*compiler, cuda::program_text(row, kind).text, architecture);
    CHECK(made.code.empty());
    const std::string words = cuda::about_callers_source(made.log);
    INFO(made.log);
    CHECK_THAT(words, ContainsSubstring("line 2: error") && ContainsSubstring("thickness"));
}

TEST_CASE("functions of the caller's may use what GLSL has for real numbers", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    cuda::ProgramKind kind;
    kind.source =
        "const float weights[3] = float[3](1.0, .5, 2.5e-1);\n"
        "float share(in vec3 v, out float rest) { rest = fract(v.y); return dot(v, vec3(1.0)) / length(v.rgb); }\n"
        "vec4 apply(ivec2 at) {\n"
        "    vec4 v = x(at) + x(at, ivec3(0, 1, 0)); /* a\n comment */ float rest;\n"
        "    float s = share(v.xyz, rest) + smoothstep(0.0, 1.0, v.w) + pow(2.0, rest) + weights[at.x % 3];\n"
        "    v = mix(v, sin(v) + exp(cos(v.wzyx)), 0.25) + clamp(v, 0.0, 1.0) * sign(v.x) + step(0.5, v);\n"
        "    return max(v, vec4(s)) * inversesqrt(float(max(at.x, 1))) + normalize(v).brga * mod(v, 3.0).x;\n"
        "}\n"
        "vec4 diagonal(ivec2 at) { return inside(at); }\n";
    const PassRow& row = glsolve::row(PassId::function_multiply);
    for (const PassId pass : {PassId::function_multiply, PassId::function_residual_two_float}) {
        const cuda::Compiled made =
            cuda::compile(*compiler, cuda::program_text(glsolve::row(pass), kind).text, architecture);
        INFO(row.name << "\n" << made.log);
        CHECK_FALSE(made.code.empty());
    }
}

}  // namespace tests_of_programs
