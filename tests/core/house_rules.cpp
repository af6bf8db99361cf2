// Who may include whom: solvers know no backend, backends know no solver, only src/opengl sees OpenGL.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace tests_of_house_rules {

namespace fs = std::filesystem;

namespace {

const fs::path source_folder = GLSOLVE_SOURCE_FOLDER;

std::vector<std::string> includes(const fs::path& file) {
    std::vector<std::string> found;
    std::ifstream stream(file);
    const std::regex pattern(R"(^ *# *include *[<"]([^>"]+)[>"])");
    std::string line;
    std::smatch match;
    while (std::getline(stream, line)) {
        if (std::regex_search(line, match, pattern)) found.push_back(match[1]);
    }
    return found;
}

std::string first_folder(const std::string& path) { return path.substr(0, path.find('/')); }

}  // namespace

TEST_CASE("folders of src include only what they may", "[core]") {
    const std::map<std::string, std::set<std::string>> allowed{
        {"base", {}},
        {"matrix", {"base"}},
        {"options", {"base"}},
        {"io", {"base", "matrix"}},
        {"generate", {"base", "matrix"}},
        {"device", {"base"}},
        {"refinement", {"base", "device", "matrix"}},
        {"amg", {"base", "matrix", "options"}},
        {"factors", {"base", "matrix"}},
        {"dense", {"device"}},
        {"formats", {"base", "dense", "device", "matrix"}},
        {"spectrum", {"base", "device", "refinement"}},
        {"inverses", {"base", "device", "factors", "formats", "matrix", "refinement"}},
        {"smoothers", {"device", "inverses", "matrix", "refinement", "spectrum"}},
        {"multigrid", {"amg", "base", "dense", "device", "formats", "matrix", "refinement", "smoothers"}},
        {"grid", {"base", "device", "formats", "matrix", "multigrid", "smoothers"}},
        {"preconditioners",
         {"amg", "base", "device", "formats", "grid", "inverses", "matrix", "multigrid", "options", "refinement",
          "smoothers"}},
        {"methods", {"base", "dense", "device", "matrix", "refinement", "smoothers", "spectrum"}},
        {"solver",
         {"base", "device", "formats", "grid", "matrix", "methods", "options", "preconditioners", "refinement",
          "smoothers", "spectrum"}},
        {"kernels", {"base", "device"}},
        {"host", {"base", "device", "kernels"}},
        {"opengl", {"base", "device", "kernels"}},
        {"cuda", {"base", "device", "kernels"}},
        {"c", {"base", "options"}},
        {"cli", {"base", "io", "matrix", "options"}},
    };
    for (const auto& entry : fs::directory_iterator(source_folder / "src")) {
        if (!entry.is_directory() || entry.path().filename() == "package") continue;
        INFO("the room " << entry.path().filename() << " has no line here");
        CHECK(allowed.contains(entry.path().filename().string()));
    }
    int files = 0;
    for (const auto& [folder, may] : allowed) {
        for (const auto& entry : fs::directory_iterator(source_folder / "src" / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            ++files;
            for (const std::string& include : includes(entry.path())) {
                const std::string other = first_folder(include);
                INFO(entry.path().string() << " includes " << include);
                if (allowed.contains(other)) CHECK((other == folder || may.contains(other)));
            }
        }
    }
    CHECK(files > 40);
}

TEST_CASE("only src/opengl sees OpenGL, and no public header sees a library of ours", "[core]") {
    for (const char* folder : {"src", "include"}) {
        for (const auto& entry : fs::recursive_directory_iterator(source_folder / folder)) {
            const std::string path = entry.path().generic_string();
            if (path.find("/src/opengl/") != std::string::npos || !entry.is_regular_file()) continue;
            for (const std::string& include : includes(entry.path())) {
                INFO(path << " includes " << include);
                const std::set<std::string> graphics{"GL", "EGL", "GLES3", "GLFW"};
                CHECK_FALSE(graphics.contains(first_folder(include)));
                if (std::string(folder) == "include") {
                    const std::set<std::string> hidden{"fmt", "glm", "nlohmann", "CLI", "zlib.h", "fast_float"};
                    CHECK_FALSE(hidden.contains(first_folder(include)));
                }
            }
        }
    }
}

TEST_CASE("tests take Catch2's names from support/catch.hpp, which knows both of its generations", "[core]") {
    const std::regex qualified(R"(\bCatch::(?!Session\b)\w+)");
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "tests")) {
        const std::string path = entry.path().generic_string();
        if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
        if (path.ends_with("/support/catch.hpp") || path.ends_with("/core/house_rules.cpp")) continue;
        std::ifstream stream(entry.path());
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number) {
            INFO(path << ":" << number << ": " << line);
            CHECK_FALSE(std::regex_search(line, qualified));
        }
    }
}

TEST_CASE("backends are asked what they can, not which they are", "[core]") {
    const std::regex compared(R"([!=]= *BackendKind::|BackendKind::\w+ *[!=]=)");
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "src")) {
        const std::string path = entry.path().generic_string();
        const bool may = path.find("/src/opengl/") != std::string::npos || path.find("/src/host/") != std::string::npos
                         || path.find("/src/cuda/") != std::string::npos || path.find("/src/cli/") != std::string::npos
                         || path.ends_with("/open_backend.cpp");
        if (!entry.is_regular_file() || may) continue;
        std::ifstream stream(entry.path());
        std::string line;
        for (int number = 1; std::getline(stream, line); ++number) {
            INFO(path << ":" << number << ": " << line);
            CHECK_FALSE(std::regex_search(line, compared));
        }
    }
}

TEST_CASE("no two types of the library share a name", "[core]") {
    // Two definitions of one name break the language's one-definition rule, and neither compiler nor linker need tell.
    const std::regex type(R"(^(?:class|struct|enum class|union) (\w+)(?: final)?(?: : .*)? \{)");
    const std::regex opens(R"(^namespace (.*)\{$)");
    std::map<std::string, std::set<std::string>> files;
    for (const char* folder : {"src", "include"}) {
        for (const auto& entry : fs::recursive_directory_iterator(source_folder / folder)) {
            if (entry.path().extension() != ".cpp" && entry.path().extension() != ".hpp") continue;
            std::ifstream stream(entry.path());
            std::vector<std::string> spaces;
            std::string line;
            std::smatch match;
            while (std::getline(stream, line)) {
                if (std::regex_search(line, match, opens)) {
                    spaces.push_back(match[1]);
                } else if (line.starts_with("}  // namespace")) {
                    REQUIRE_FALSE(spaces.empty());
                    spaces.pop_back();
                } else if (std::regex_search(line, match, type)) {
                    std::string name;
                    for (const std::string& space : spaces) name += space.empty() ? "unnamed::" : space + "::";
                    if (name.find("unnamed") == std::string::npos) files[name + match[1].str()].insert(entry.path());
                }
            }
        }
    }
    CHECK(files.size() > 300);
    for (const auto& [name, where] : files) {
        INFO(name << " is defined in " << *where.begin() << " and in " << *where.rbegin());
        CHECK(where.size() == 1);
    }
}

TEST_CASE("each file of tests has a namespace of its own", "[core]") {
    int files = 0;
    for (const auto& entry : fs::recursive_directory_iterator(source_folder / "tests")) {
        if (entry.path().extension() != ".cpp") continue;
        std::ifstream stream(entry.path());
        const std::string text{std::istreambuf_iterator<char>(stream), {}};
        if (text.find("\nTEST_CASE(") == std::string::npos) continue;
        INFO(entry.path());
        CHECK(text.find("\nnamespace tests_of_" + entry.path().stem().string() + " {\n") != std::string::npos);
        ++files;
    }
    CHECK(files > 100);
}

}  // namespace tests_of_house_rules
