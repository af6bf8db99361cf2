// The code that the documents show is compiled and run: each block stands word for word in a source of the tests.
#include <filesystem>
#include <fstream>
#include <glsolve/options.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "support/catch.hpp"

namespace tests_of_readme {

namespace fs = std::filesystem;
using namespace glsolve;

namespace {

const fs::path source_folder = GLSOLVE_SOURCE_FOLDER;

std::string contents(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> sources(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(source_folder / folder)) found.push_back(contents(entry.path()));
    return found;
}

/// What stands under a heading, up to the next one of the same rank; without a heading the whole page.
std::string section(const std::string& page, const std::string& heading) {
    if (heading.empty()) return page;
    const std::size_t begin = page.find("\n" + heading + "\n");
    if (begin == std::string::npos) return "";
    const std::string rank = heading.substr(0, heading.find(' ') + 1);
    return page.substr(begin, page.find("\n" + rank, begin + 1) - begin);
}

/// The blocks of a page in one of these languages.
std::vector<std::string> blocks(const std::string& page, const std::vector<std::string>& languages) {
    const std::string_view fence = "```";
    std::vector<std::string> found;
    for (std::size_t at = page.find(fence); at != std::string::npos; at = page.find(fence, at)) {
        const std::size_t line_end = page.find('\n', at), end = page.find(fence, line_end);
        REQUIRE(end != std::string::npos);
        const std::string language = page.substr(at + fence.size(), line_end - at - fence.size());
        for (const std::string& wanted : languages) {
            if (language == wanted) found.push_back(page.substr(line_end + 1, end - line_end - 1));
        }
        at = end + fence.size();
    }
    return found;
}

}  // namespace

TEST_CASE("the examples of README and docs are the compiled ones", "[core]") {
    struct Page {
        const char *file, *heading;
        std::vector<std::string> languages;
        const char* folder;  // of the sources
        std::size_t at_least;
    };
    const Page page = GENERATE(Page{"README.md", "", {"cpp"}, "tests/examples", 2},
                               Page{"CONTRIBUTING.md", "", {"cpp"}, "tests/examples", 1},
                               Page{"docs/embedding.md", "## Lifecycle", {"cpp"}, "tests/examples", 1},
                               Page{"docs/methods.md", "## New numbers, same places", {"cpp"}, "tests/examples", 1},
                               Page{"docs/textures.md", "", {"cpp"}, "tests/examples", 1},
                               Page{"docs/fluids.md", "", {"cpp", "glsl"}, "tests/fluids", 4},
                               Page{"docs/fluids-collocated.md", "", {"cpp", "glsl"}, "tests/fluids", 2});
    CAPTURE(page.file, page.heading);
    const std::vector<std::string> compiled = sources(page.folder);
    const std::vector<std::string> shown =
        blocks(section(contents(source_folder / page.file), page.heading), page.languages);
    for (const std::string& block : shown) {
        INFO(block);
        bool found = false;
        for (const std::string& source : compiled) found = found || source.find(block) != std::string::npos;
        CHECK(found);
    }
    CHECK(shown.size() >= page.at_least);
}

TEST_CASE("docs/methods.md and docs/preconditioners.md have a line for each of the tables", "[core][readme]") {
    const auto has_line = [](const std::string& page, std::string_view name) {
        const std::string wanted = std::string("`").append(name).append("`");
        for (std::size_t at = page.find("\n| `"); at != std::string::npos; at = page.find("\n| `", at + 1)) {
            if (page.substr(at, page.find(" | ", at + 2) - at).find(wanted) != std::string::npos) return true;
        }
        return false;
    };
    const std::string methods = contents(source_folder / "docs/methods.md"),
                      preconditioners = contents(source_folder / "docs/preconditioners.md");
    for (const Method method : all_methods()) {
        INFO(name(method));
        if (method != Method::automatic) CHECK(has_line(methods, name(method)));
    }
    for (const PreconditionerKind kind : all_preconditioners()) {
        INFO(name(kind));
        CHECK(has_line(preconditioners, name(kind)));
    }
}

}  // namespace tests_of_readme
