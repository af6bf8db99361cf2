// Programs that are compiled in processes of their own are those that this process compiles, and whatever is wrong with
// the processes, there are programs.
#include "cuda/compilers.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "cuda/support.hpp"
#include "support/catch.hpp"
#include "support/folder.hpp"

namespace tests_of_compilers {

using namespace glsolve;

namespace {

constexpr int architecture = 90;

std::string text_of(int factor) {
    return fmt::format("extern \"C\" __global__ void pass(float* x) {{ x[threadIdx.x] *= {}; }}\n", factor);
}

}  // namespace

TEST_CASE("a program is the same from a process of its own", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    cuda::Compilers compilers(*compiler, GLSOLVE_PROGRAM);
    for (const int factor : {2, 3}) {
        const cuda::Compiled here = cuda::compile(*compiler, text_of(factor), architecture);
        const cuda::Compiled there = compilers.compile(text_of(factor), architecture);
        CHECK_FALSE(here.code.empty());
        CHECK(there.code == here.code);
    }
    CHECK(compilers.compiled_by_processes() == 2);
}

TEST_CASE("several threads have programs compiled at a time", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    cuda::Compilers compilers(*compiler, GLSOLVE_PROGRAM);
    std::array<cuda::Compiled, 6> made;
    std::vector<std::thread> threads;
    for (std::size_t k = 0; k < made.size(); ++k) {
        threads.emplace_back([&, k] { made[k] = compilers.compile(text_of(static_cast<int>(k) + 2), architecture); });
    }
    for (std::thread& thread : threads) thread.join();
    CHECK(compilers.compiled_by_processes() == 6);
    for (std::size_t k = 0; k < made.size(); ++k) {
        CHECK(made[k].code == cuda::compile(*compiler, text_of(static_cast<int>(k) + 2), architecture).code);
    }
}

TEST_CASE("what the compiler says comes back from its process", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    cuda::Compilers compilers(*compiler, GLSOLVE_PROGRAM);
    const std::string mistake = "extern \"C\" __global__ void pass() { nothing_of_that_name(); }\n";
    const cuda::Compiled there = compilers.compile(mistake, architecture);
    CHECK(there.code.empty());
    CHECK(there.log.find("nothing_of_that_name") != std::string::npos);
    CHECK(there.log == cuda::compile(*compiler, mistake, architecture).log);
    CHECK(compilers.compiled_by_processes() == 1);
}

TEST_CASE("without processes that work, this one compiles", "[programs]") {
    const cuda::Compiler* compiler = test::compiler_or_skip();
    if (compiler == nullptr) return;
    const test::Folder folder;
    std::filesystem::create_directory(folder.path);
    const std::string answer = GENERATE("exit", "cat >&0", "head -c 20 >&0", "head -c 64 >&0; exec sleep 600");
    const std::string program = (folder / "program").string();
    std::ofstream(program) << "#!/bin/sh\n" << answer << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    for (const std::string& tried : {std::string(), std::string("/nothing/of/that/name"), program}) {
        INFO(tried << ": " << answer);
        cuda::Compilers compilers(*compiler, tried);
        CHECK_FALSE(compilers.compile(text_of(5), architecture).code.empty());
        CHECK_FALSE(compilers.compile(text_of(6), architecture).code.empty());
        CHECK(compilers.compiled_by_processes() == 0);
    }
}

}  // namespace tests_of_compilers
