// The lines for the shell of README and docs/program.md run, each after those before it, in a folder that was empty.
#include <sstream>
#include <string>
#include <vector>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_readme {

using namespace glsolve::test;

namespace {

std::vector<std::string> shell_lines(const std::string& file) {
    const std::string readme = contents(GLSOLVE_SOURCE_FOLDER "/" + file);
    const std::string heading = "## From the shell\n\n```\n";
    const std::size_t begin = readme.find(heading);
    REQUIRE(begin != std::string::npos);
    const std::string block = readme.substr(begin + heading.size());
    std::istringstream text(block.substr(0, block.find("```")));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) {
        if (!line.empty()) lines.push_back(line);
    }
    return lines;
}

bool has(const char* program) { return std::system(fmt::format("command -v {} >/dev/null", program).c_str()) == 0; }

}  // namespace

TEST_CASE("the documents' lines for the shell run in an empty folder", "[readme]") {
    struct Page {
        const char* file;
        std::size_t at_least;
    };
    const Page page = GENERATE(Page{"README.md", 5}, Page{"docs/program.md", 20});
    const Folder folder;
    const std::vector<std::string> lines = shell_lines(page.file);
    CHECK(lines.size() >= page.at_least);
    const std::string programs = fs::path(GLSOLVE_PROGRAM).parent_path().string();
    for (const std::string& line : lines) {
        INFO(line);
        if (line.find("--plot") != std::string::npos && !has("gnuplot")) {
            WARN("skipped, since gnuplot is not installed (package gnuplot-nox): " + line);
            continue;
        }
        write(folder / ".line", line + "\n");
        // Every program of a pipe has to succeed.
        const std::string command =
            fmt::format("cd '{}' && PATH='{}':\"$PATH\" bash -o pipefail .line >.out 2>&1 </dev/null",
                        folder.path.string(), programs);
        const int status = std::system(command.c_str());
        INFO(contents(folder / ".out"));
        if (WEXITSTATUS(status) == 3 && run("info").out.find("missing: no headless") != std::string::npos) {
            WARN("skipped, since there is no OpenGL: " + line);
            continue;
        }
        CHECK(status == 0);
    }
}

}  // namespace tests_of_readme
