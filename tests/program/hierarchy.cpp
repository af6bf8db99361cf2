// The levels of multigrid, as the program shows them.
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_hierarchy {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("levels that the host works on are named in tables and in JSON", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(40));
    const std::string amg = fmt::format("'{}' --amg-coarsest 20 --amg-host-rows", folder / "A.mtx");
    const auto check = [](const nlohmann::json& hierarchy, Index rows) {
        const auto& levels = hierarchy["levels"];
        REQUIRE(levels.size() > 2);
        for (std::size_t k = 0; k < levels.size(); ++k) {
            CHECK(levels[k]["on_host"] == (k > 0 && levels[k]["rows"].get<Index>() <= rows));
        }
    };
    const std::string solve = "solve --backend host --preconditioner amg ";
    for (const Index rows : {0, 40, 400}) {
        CAPTURE(rows);
        const Result solved = run(fmt::format("{} {} {} --json '{}'", solve, amg, rows, folder / "r.json"));
        CHECK(solved.code == 0);
        CHECK((solved.out.find(", on the host") != std::string::npos) == (rows > 0));
        check(nlohmann::json::parse(contents(folder / "r.json"))["amg"], rows);
        const Result analyzed = run(fmt::format("analyze --amg {} {} --json -", amg, rows));
        CHECK(analyzed.code == 0);
        check(nlohmann::json::parse(analyzed.out)["amg"], rows);
    }
    for (const char* bad : {"-1", "many", "1e10"}) {
        CAPTURE(bad);
        const Result refused = run(fmt::format("{} {} {}", solve, amg, bad));
        CHECK(refused.code == 2);
        CHECK_THAT(refused.err, ContainsSubstring("host-rows"));
    }
    CHECK_THAT(run("solve --help-all").out, ContainsSubstring("--amg-host-rows"));
}

TEST_CASE("levels in half precision are named in tables and in JSON, and can be done without", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", jumping_coefficients(40, 10, Coefficients::cells));
    const std::string solve =
        fmt::format("solve --backend host --preconditioner amg --amg-coarsest 20 '{}' --json '{}'", folder / "A.mtx",
                    folder / "r.json");
    for (const bool halves : {true, false}) {
        CAPTURE(halves);
        const Result solved = run(solve + (halves ? "" : " --amg-no-half"));
        CHECK(solved.code == 0);
        CHECK((solved.out.find(", half") != std::string::npos) == halves);
        const auto levels = nlohmann::json::parse(contents(folder / "r.json"))["amg"]["levels"];
        REQUIRE(levels.size() > 2);
        CHECK((levels[0]["stored"] == "transfer half") == halves);
        CHECK((levels[1]["stored"].get<std::string>().find(", half") != std::string::npos) == halves);
    }
    CHECK_THAT(run("solve --help-all").out, ContainsSubstring("--amg-no-half"));
}

}  // namespace tests_of_hierarchy
