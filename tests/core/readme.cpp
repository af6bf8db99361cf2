// The README's C++ is compiled and run: each block stands word for word in one of tests/examples.
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace fs = std::filesystem;

namespace {

const fs::path source_folder = GLSOLVE_SOURCE_FOLDER;

std::string contents(const fs::path& file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

}  // namespace

TEST_CASE("the README's examples are the compiled ones", "[core]") {
    std::vector<std::string> examples;
    for (const auto& entry : fs::directory_iterator(source_folder / "tests/examples"))
        examples.push_back(contents(entry.path()));
    const std::string readme = contents(source_folder / "README.md");
    int blocks = 0;
    for (std::size_t begin = readme.find("```cpp\n"); begin != std::string::npos;
         begin = readme.find("```cpp\n", begin)) {
        begin += 7;
        const std::string block = readme.substr(begin, readme.find("```", begin) - begin);
        INFO(block);
        bool found = false;
        for (const std::string& example : examples) found = found || example.find(block) != std::string::npos;
        CHECK(found);
        ++blocks;
    }
    CHECK(blocks >= 3);
}
