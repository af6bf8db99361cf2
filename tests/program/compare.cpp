// `glsolve compare` as its users call it: the table, the JSON, the picture, and what becomes of runs that fail.
#include <algorithm>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_compare {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// The report of `compare` on a matrix, with these options.
nlohmann::json compare(const std::string& matrix, const std::string& options, int code = 0) {
    const Result r = run(fmt::format("compare '{}' --json - {}", matrix, options));
    CAPTURE(options, r.err);
    CHECK(r.code == code);
    return nlohmann::json::parse(r.out);  // nothing but JSON on standard output
}

using Choices = std::tuple<std::string, std::string, std::string, std::string>;

Choices asked(const nlohmann::json& entry) {
    const auto& a = entry["asked"];
    return {a["method"], a["preconditioner"], a["format"], a["backend"]};
}

double seconds(const nlohmann::json& entry) {
    const auto& s = entry["report"]["seconds"];
    return s["setup"].get<double>() + s["solve"].get<double>();
}

}  // namespace

TEST_CASE("compare runs each combination once, and each is judged by its true residual", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(8));
    const auto report = compare(
        folder / "A.mtx", "--methods cg,gmres,cg --preconditioners jacobi,none --formats dia,ell --backends host");
    std::set<Choices> combinations;
    for (const auto& entry : report["runs"]) {
        combinations.insert(asked(entry));
        CHECK(entry["status"] == "converged");
        CHECK(entry["report"]["relative_residual"].get<double>() <= 1e-8);
        CHECK(entry["report"]["error_infinity"].get<double>() < 1e-6);
        CHECK(entry["report"]["method"] == entry["asked"]["method"]);
        CHECK(entry["report"]["matrix"]["format"] == entry["asked"]["format"]);
        CHECK(entry["report"]["device"]["backend"] == "host");
    }
    CHECK(combinations.size() == 8);
    CHECK(report["runs"].size() == 8);
    CHECK(report["left_out"] == 0);
    CHECK(std::is_sorted(report["runs"].begin(), report["runs"].end(),
                         [](const auto& x, const auto& y) { return seconds(x) < seconds(y); }));
}

TEST_CASE("compare takes all methods that there are, with the defaults of solve", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(5));
    const auto report = compare(folder / "A.mtx", "");
    std::set<std::string> methods, known;
    for (const auto& entry : report["runs"]) {
        const auto [method, preconditioner, format, backend] = asked(entry);
        methods.insert(method);
        const std::set<std::string> without{"direct", "jacobi", "cf-jacobi", "gauss-seidel", "sor", "ssor"};
        CHECK(preconditioner == (without.contains(method) ? "none" : "jacobi"));
        CHECK(format == "auto");
        CHECK(backend == "auto");
    }
    for (const Method method : all_methods()) {
        if (method != Method::automatic) known.insert(std::string(name(method)));
    }
    CHECK(methods == known);
    CHECK(known.contains("cg"));
}

TEST_CASE("compare tells what was asked for from what auto made of it", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(8));
    const auto report = compare(folder / "A.mtx", "--methods auto,cg --backends host");
    std::set<std::string> methods;
    for (const auto& entry : report["runs"]) {
        methods.insert(entry["asked"]["method"].get<std::string>());
        CHECK(entry["report"]["method"] == (entry["asked"]["method"] == "auto" ? "direct" : "cg"));
    }
    CHECK(methods == std::set<std::string>{"auto", "cg"});
    CHECK_THAT(run(fmt::format("compare '{}' --methods auto,cg --backends host", folder / "A.mtx")).out,
               ContainsSubstring("auto: direct"));
}

TEST_CASE("compare: what is refused, absent or does not converge is a row with a reason", "[program][compare]") {
    const Folder folder;
    // Jacobi cannot take the zero on the diagonal, conjugate gradients not the negative one.
    write(folder / "A.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 3 1\n3 2 1\n3 3 -1\n");
    const std::string options = "--methods cg,direct --preconditioners none,jacobi --backends host";
    const auto report = compare(folder / "A.mtx", options);
    REQUIRE(report["runs"].size() == 3);  // the direct method takes no preconditioner
    CHECK(report["runs"][0]["asked"]["method"] == "direct");
    CHECK(report["runs"][0]["status"] == "converged");
    CHECK(report["runs"][1]["asked"]["preconditioner"] == "none");
    CHECK(report["runs"][1]["status"] == "breakdown");
    CHECK_FALSE(report["runs"][1]["reason"].get<std::string>().empty());
    CHECK(report["runs"][2]["status"] == "refused");
    CHECK_THAT(report["runs"][2]["reason"].get<std::string>(), ContainsSubstring("zero on the diagonal"));
    CHECK_FALSE(report["runs"][2].contains("report"));

    const Result text = run(fmt::format("compare '{}' {}", folder / "A.mtx", options));
    CHECK(text.code == 0);
    CHECK(text.err.empty());
    CHECK_THAT(text.out, ContainsSubstring("3 x 3, 4 nonzeros") && ContainsSubstring("Not converged")
                             && ContainsSubstring("zero on the diagonal")
                             && ContainsSubstring("cg, jacobi, auto, host"));

    const auto none = compare(folder / "A.mtx", "--methods cg --backends host", 1);
    CHECK(none["runs"].size() == 1);

    const Result absent =
        run(fmt::format("compare '{}' --methods direct --backends opengl-fragment,host --json -", folder / "A.mtx"),
            "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent DISPLAY= WAYLAND_DISPLAY=");
    CHECK(absent.code == 0);
    const auto rows = nlohmann::json::parse(absent.out)["runs"];
    CHECK(rows[0]["status"] == "converged");
    CHECK(rows[1]["status"] == "no_device");
    CHECK_THAT(rows[1]["reason"].get<std::string>(), ContainsSubstring("egl-device"));
}

TEST_CASE("compare goes through the stages of OpenGL where there are any", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const auto report = compare(folder / "A.mtx", "--methods cg,bicgstab --backends opengl-fragment,host --repeat 2");
    CHECK(report["runs"].size() == 4);
    for (const auto& entry : report["runs"]) {
        if (entry["status"] == "no_device") continue;
        CHECK(entry["status"] == "converged");
        const bool host = entry["asked"]["backend"] == "host";
        CHECK(entry["report"]["device"]["backend"] == (host ? "host" : "opengl"));
        CHECK(entry["report"]["device"]["stage"] == (host ? "none" : "fragment"));
    }
}

TEST_CASE("compare: the time limit ends a run, the others go on", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(40));
    const auto report = compare(folder / "A.mtx", "--methods cg,gmres --backends host --seconds 1e-9", 1);
    REQUIRE(report["runs"].size() == 2);
    for (const auto& entry : report["runs"]) {
        CHECK(entry["status"] == "time_limit");
        CHECK_THAT(entry["reason"].get<std::string>(), ContainsSubstring("the time limit of 1e-09 s is over"));
    }
    CHECK(report["seconds_for_each"] == 1e-9);
    CHECK(compare(folder / "A.mtx", "--methods cg --backends host")["seconds_for_each"].is_null());
}

TEST_CASE("compare takes a right-hand side, and draws all curves in one picture", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(9));
    write_matrix_market(folder / "b.mtx", std::vector<double>(81, 1.0));
    const std::string arguments =
        fmt::format("compare '{}' -b '{}' --methods cg,gmres,direct --backends host --quiet --json '{}'",
                    folder / "A.mtx", folder / "b.mtx", folder / "r.json");
    const Result quiet = run(arguments);
    CHECK(quiet.code == 0);
    CHECK((quiet.out + quiet.err).empty());
    CHECK_FALSE(nlohmann::json::parse(contents(folder / "r.json"))["runs"][0]["report"].contains("error_infinity"));

    const Result drawn = run(fmt::format("{} --plot '{}'", arguments, folder / "curves.svg"));
    if (drawn.err.find("gnuplot-nox") == std::string::npos) {
        CHECK(drawn.code == 0);
        const std::string picture = contents(folder / "curves.svg");
        for (const char* curve : {"cg, jacobi: ", "gmres, jacobi: ", "direct, none: ", "tolerance"}) {
            CHECK_THAT(picture, ContainsSubstring(curve));
        }
        CHECK_THAT(picture, !ContainsSubstring("direct, none, "));  // what all share is not repeated
    }
}

TEST_CASE("compare refuses bad use before any work", "[program][compare]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(4));
    for (const std::string bad :
         {"--methods gauss", "--methods ''", "--methods ,", "--methods", "--backends metal", "--backends host-fragment",
          "--formats crs", "--preconditioners jacobi,ilu99", "--seconds -1", "--seconds nan", "--repeat 0",
          "--repeat 1.5", "--tolerance -1", "--plot a.pdf", "-b no-such-file.mtx", "--json /nonexistent/r.json"}) {
        const Result result = run(fmt::format("compare '{}' {}", folder / "A.mtx", bad));
        INFO(bad);
        CHECK(result.code == 2);
        CHECK(result.out.empty());
        CHECK_FALSE(result.err.empty());
    }
}

TEST_CASE("compare: of a matrix that is not square all but least squares is refused", "[program][compare]") {
    const Folder folder;
    write(folder / "wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 2\n1 1 1.0\n2 3 4.0\n");
    const Result result =
        run(fmt::format("compare '{}' --methods cg,cgnr,direct --backends host", folder / "wide.mtx"));
    CHECK(result.code == 0);
    CHECK_THAT(result.out, ContainsSubstring("refused: the matrix is 2 x 3; cg takes square ones only"));
    CHECK_THAT(result.out, ContainsSubstring("refused: the matrix is 2 x 3; direct takes square ones only"));
    CHECK_THAT(result.out, Matches("(.|\n)*cgnr +jacobi[^\n]*converged(.|\n)*"));
}

}  // namespace tests_of_compare
