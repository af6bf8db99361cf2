// How the program starts, where its time goes, and what it keeps on disk meanwhile.
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_starting {

using namespace glsolve::test;

namespace {

/// OpenGL, where a context can be had.
std::string some_device() {
    return run("info").out.find("renderer") == std::string::npos ? "--backend host"
                                                                 : "--backend opengl --stage fragment";
}

}  // namespace

TEST_CASE("the phases are those of the program, and add up to no more than it took", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 60 -o '{}'", folder / "A.mtx"));
    for (const std::string& device : {std::string("--backend host"), some_device()}) {
        const auto begin = std::chrono::steady_clock::now();
        const Result solved =
            run(fmt::format("solve '{}' --json - -o '{}' {}", folder / "A.mtx", folder / "x", device));
        const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        const auto phases = nlohmann::json::parse(solved.out).at("phases");
        double all = 0;
        for (const std::string phase :
             {"start", "read", "open", "compile", "set up", "upload", "solve", "judge", "write"}) {
            INFO(phase);
            REQUIRE(phases.contains(phase));
            CHECK(phases[phase] >= 0);
            all += phases[phase].get<double>();
        }
        CHECK(phases.size() == 9);
        CHECK(phases["read"] > 0);
        CHECK(phases["write"] > 0);
        CHECK(all > 0);
        CHECK(all <= took);
    }
    const std::string text = run(fmt::format("solve '{}'", folder / "A.mtx")).out;
    CHECK_THAT(text, ContainsSubstring("s in all: start") && ContainsSubstring("read"));
}

TEST_CASE("who starts a process that compiles for another is told what it is for", "[program]") {
    const Result refused = run_shell("\"$G\" compile-for-parent < /dev/null");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("compile-for-parent: only a process that needs programs compiled"));
}

TEST_CASE("processes that start at once share what they keep", "[program]") {
    const Folder folder;
    const std::string device = some_device();
    run(fmt::format("generate poisson2d 40 -o '{}'", folder / "A.mtx"));
    const Result all = run_shell(fmt::format(
        "export XDG_CACHE_HOME='{0}'; for i in 1 2 3 4 5 6; do \"$G\" solve '{1}' {2} --format dia --method cg "
        "--preconditioner "
        "jacobi -o '{0}/x'$i >/dev/null & done; wait; for i in 2 3 4 5 6; do cmp '{0}/x1' '{0}/x'$i || exit 1; done",
        folder.path.string(), folder / "A.mtx", device));
    CHECK(all.code == 0);
    CHECK(all.err.empty());
}

TEST_CASE("damaged and unfinished files among what is kept do no harm", "[program]") {
    const Folder folder;
    const std::string device = some_device();
    run(fmt::format("generate poisson2d 40 -o '{}'", folder / "A.mtx"));
    const auto solve = [&](const char* x) {
        return run_shell(fmt::format(
            "export XDG_CACHE_HOME='{0}'; \"$G\" solve '{1}' {2} --format dia --method cg -o '{0}/{3}' --quiet",
            folder.path.string(), folder / "A.mtx", device, x));
    };
    CHECK(solve("x1").code == 0);
    std::mt19937 random(5);
    for (int round = 0; round < 4; ++round) {
        for (const auto& entry : fs::directory_iterator(folder.path / "glsolve")) {
            std::string bytes = contents(entry.path());
            if (bytes.empty()) continue;
            if (round % 2 == 0) bytes.resize(random() % bytes.size());
            if (round % 2 == 1) bytes[random() % bytes.size()] ^= 0x55;
            write(entry.path().string(), bytes);
        }
        const Result solved = solve("x2");
        INFO(solved.err);
        CHECK(solved.code == 0);
        CHECK(contents(folder / "x2") == contents(folder / "x1"));
    }
}

}  // namespace tests_of_starting
