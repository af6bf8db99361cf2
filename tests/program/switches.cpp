// The library names members of its options, the program its switches: no complaint is left in the other's language.
#include "cli/switches.hpp"

#include <map>
#include <regex>
#include <set>
#include <vector>

#include "options/option_table.hpp"
#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_switches {

using namespace glsolve::cli;
using namespace glsolve::test;

namespace {

const fs::path source = GLSOLVE_SOURCE_FOLDER;

std::vector<std::string> found(const std::string& text, const std::string& pattern) {
    const std::regex regex(pattern);
    std::vector<std::string> all;
    for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) all.push_back((*at)[1]);
    return all;
}

/// The members of the options, whose names nobody who types switches knows.
std::set<std::string> members() {
    std::set<std::string> names;
    for (const char* header : {"options.hpp", "multigrid.hpp"}) {
        for (const std::string& member :
             found(contents(source / "include/glsolve" / header), R"(\n    [\w:<>]+ (\w*_\w*) ?[=;])")) {
            names.insert(member);
        }
    }
    return names;
}

/// The files of the library's rooms.
std::vector<fs::path> sources() {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(source / "src")) {
        const std::string path = entry.path().generic_string();
        const bool others = path.find("/src/cli/") != std::string::npos;
        if (!others && (path.ends_with(".cpp") || path.ends_with(".hpp"))) files.push_back(entry.path());
    }
    return files;
}

/// What no switch sets, so that the program's user never hears of it.
bool has_no_switch(const std::string& text) {
    static const std::regex none("near_null_vectors|lanczos_steps|Slicing::sort_window");
    return std::regex_search(text, none);
}

}  // namespace

TEST_CASE("every message that names a member of the options is said with its switch", "[program][switches]") {
    const std::set<std::string> names = members();
    REQUIRE(names.contains("fixed_iterations"));
    REQUIRE(names.contains("host_rows"));
    std::string any;
    for (const std::string& name : names) any += (any.empty() ? "" : "|") + name;
    const std::regex member("(^|[^\\w])(" + any + ")($|[^\\w])");
    int messages = 0;
    for (const fs::path& file : sources()) {
        for (const std::string& literal : found(contents(file), R"re("((?:[^"\\\n]|\\.)*)")re")) {
            // Words with blanks between them are a message.
            if (literal.find(' ') == std::string::npos || !std::regex_search(literal, member)) continue;
            if (has_no_switch(literal)) continue;
            ++messages;
            INFO(file.string() << ": " << literal << " -> " << in_switches(literal));
            CHECK_FALSE(std::regex_search(in_switches(literal), member));
        }
    }
    CHECK(messages >= 8);
}

TEST_CASE("every range of an option that is refused names its switch", "[program][switches]") {
    int ranges = 0;
    for (const glsolve::OptionSection& section : glsolve::option_sections()) {
        for (const glsolve::OptionRow& row : section.rows) {
            if (!row.in_program) continue;
            const std::string told = in_switches(glsolve::refusal(row, 99));
            INFO(row.name << ": " << told);
            if (row.refusal.empty()) {
                CHECK(std::regex_match(told, std::regex("--[a-z-]+ is 99; it has to be from .* to .*")));
                ++ranges;
            } else if (row.refusal.starts_with("tolerances")) {
                CHECK(told == row.refusal);  // it names them in words
            } else if (row.name != "seconds") {
                CHECK_THAT(told, ContainsSubstring("--"));
            }
        }
    }
    CHECK(ranges >= 20);
}

TEST_CASE("the library names no switches", "[program][switches]") {
    for (const fs::path& file : sources()) {
        if (file.generic_string().find("/src/cuda/") != std::string::npos) continue;  // switches of a compiler
        for (const std::string& literal : found(contents(file), R"re("((?:[^"\\\n]|\\.)*)")re")) {
            INFO(file.string() << ": " << literal);
            CHECK_FALSE(std::regex_search(literal, std::regex("(^| )--[a-z]")));
        }
    }
}

TEST_CASE("words that are no members stay as they are", "[program][switches]") {
    for (const char* text : {"", "the matrix is 2 x 3; cg takes square ones only", "my_fixed_iterations.mtx:3: row",
                             "amg: row 3 has a zero on the diagonal", "/data/sort_window/A.mtx"}) {
        CHECK(in_switches(text) == text);
    }
    CHECK(in_switches("fixed_iterations: the direct method has none")
          == "--fixed-iterations: the direct method has none");
}

TEST_CASE("complaints of the program have its switches in them", "[program][switches]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 8 -o '" + folder / "A.mtx" + "'").code == 0);
    const std::map<std::string, std::string> refused{
        {"--fixed-iterations 5 --max-iterations 5", "--fixed-iterations and --max-iterations: only one of them"},
        {"--fixed-iterations 5 --seconds 5", "--fixed-iterations and --seconds: only one of them"},
        {"--method gmres --fixed-iterations 100", "--fixed-iterations is 100"},
        {"--method sor --relaxation 2.5", "--relaxation is 2.5"},
        {"--method gmres --preconditioner sor --preconditioner-relaxation 2.5", "--preconditioner-relaxation is 2.5"},
        {"--preconditioner jacobi --factor-block 2", "(--factor-block)"},
        {"--method gmres --preconditioner ilu0 --factor-block 2 --factor-order rcm", "--factor-order rcm"},
        {"--preconditioner block-jacobi --sort-window 8", "--sort-window and --reorder"},
        {"--preconditioner multigrid --reorder rcm", "--sort-window and --reorder"},
        {"--method cgnr --reorder rcm", "--sort-window must be 0, and --reorder none"},
        {"--method chebyshev --smallest 2 --largest 1", "--smallest and --largest must be finite"},
        {"--preconditioner amg --amg-strength 2", "--amg-strength is 2"},
        {"--preconditioner amg --amg-truncation 3", "--amg-truncation is 3"},
        {"--modified 2", "--modified is 2"},
        {"--slice-height 6 --format sell", "--slice-height 6"},
        {"--precision half --method cgnr", "--precision single has room for it"}};
    for (const auto& [options, said] : refused) {
        CAPTURE(options);
        const bool names_method = options.find("--method") != std::string::npos;
        const Result r = run(fmt::format("solve '{}' --backend host {} {}", folder / "A.mtx",
                                         names_method ? "" : "--method cg", options));
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring(said));
        CHECK_FALSE(std::regex_search(r.err, std::regex("[a-z]_[a-z]")));
    }
}

}  // namespace tests_of_switches
