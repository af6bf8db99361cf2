// `glsolve analyze --measure` and `--plot-format`.
#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_formats {

using namespace glsolve::test;

TEST_CASE("analyze times the formats on a device, and draws their parts", "[program]") {
    const Folder folder;
    const std::string file = fmt::format("'{}'", folder / "a.mtx");
    REQUIRE(run("generate graph-laplacian 60 5 --power-law -o " + file).code == 0);
    const Result json = run("analyze " + file + " --measure --ell-width measure --json - --backend host");
    CAPTURE(json.err);
    CHECK(json.code == 0);
    const auto format = nlohmann::json::parse(json.out)["format"];
    std::string fastest;
    double least = 1e300;
    for (const auto& prediction : format["predictions"]) {
        const double seconds = prediction["seconds"];
        if (seconds > 0 && seconds < least) least = seconds, fastest = prediction["format"];
    }
    CHECK(fastest == format["chosen"]);
    CHECK_THAT(format["reason"].get<std::string>(), ContainsSubstring("measured"));
    CHECK_THAT(run("analyze " + file + " --measure --backend host").out, ContainsSubstring(" ms; "));

    const Result refused = run("analyze " + file + " --stage compute");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--stage requires --measure"));

    {
        std::ofstream wide(folder / "wide.mtx");
        wide << "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1\n2 3 1\n";
    }
    const Result wide = run(fmt::format("analyze '{}' --measure --backend host", folder / "wide.mtx"));
    CHECK(wide.code == 2);
    CHECK_THAT(wide.err, ContainsSubstring("2 x 3; --measure takes a square matrix"));

    const Result drawn = run("analyze " + file + " --format hec --plot-format '" + folder / "hec.svg" + "'");
    if (drawn.err.find("gnuplot-nox") == std::string::npos) {
        CHECK(drawn.code == 0);
        std::ifstream picture(folder / "hec.svg");
        const std::string text{std::istreambuf_iterator<char>(picture), {}};
        for (const char* part : {"ell", "csr", "diagonal"}) CHECK_THAT(text, ContainsSubstring(part));
        REQUIRE(run("generate poisson2d 15 -o " + file).code == 0);
        const Result large = run("analyze " + file + " --plot-format '" + folder / "large.svg" + "'");
        CHECK(large.code == 2);
        CHECK_THAT(large.err, ContainsSubstring("225 x 225; --plot-format draws square matrices of up to 200 rows"));
    }
}

}  // namespace tests_of_formats
