// The levels of multigrid, as the program shows them.
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

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
        CHECK_THAT(refused.err, Catch::Contains("host-rows"));
    }
    CHECK_THAT(run("solve --help").out, Catch::Contains("--amg-host-rows"));
}
