// The program as its users call it: exit codes, files, what is printed where.
#include <fmt/format.h>
#include <sys/wait.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "program/run_program.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

namespace tests_of_program {

using namespace glsolve;
using namespace glsolve::test;
namespace fs = std::filesystem;

namespace {

/// The device that these tests use: OpenGL where there is one.
const std::string& device() {
    static const std::string options = run("info").out.find("missing: no headless") == std::string::npos
                                           ? "--backend opengl --stage fragment"
                                           : "--backend host";
    return options;
}

}  // namespace

TEST_CASE("generate, solve, read back: the answer is true", "[program]") {
    const Folder folder;
    const Result made = run(fmt::format("generate poisson2d 20 -o '{}'", folder / "A.mtx.gz"));
    CHECK(made.code == 0);
    CHECK_THAT(made.out, ContainsSubstring("400 x 400"));
    const CsrMatrix A = read_matrix_market(folder / "A.mtx.gz");
    CHECK(A.value == poisson2d(20).value);

    const auto b = test::matching_right_hand_side(A);
    write_matrix_market(folder / "b.mtx", b);
    const Result solved = run(fmt::format("solve '{}' -b '{}' -o '{}' --json '{}' --method cg {}", folder / "A.mtx.gz",
                                          folder / "b.mtx", folder / "x.mtx", folder / "r.json", device()));
    CHECK(solved.code == 0);
    CHECK(solved.err.empty());
    CHECK_THAT(solved.out, ContainsSubstring("converged") && ContainsSubstring("dia: 5 diagonals"));
    const auto x = read_matrix_market_vector(folder / "x.mtx");
    CHECK(test::true_residual(A, x, b) <= 1e-8);

    const auto report = nlohmann::json::parse(contents(folder / "r.json"));
    CHECK(report["status"] == "converged");
    CHECK(report["relative_residual"].get<double>() == Approx(test::true_residual(A, x, b)).epsilon(1e-6));
    CHECK_FALSE(report.contains("error_infinity"));  // b was given: nothing is known of x
}

TEST_CASE("the keys of the JSON report are kept stable", "[program]") {
    const Folder folder;
    run(fmt::format("generate anisotropic 9 0.5 -o '{}'", folder / "A.mtx"));
    const Result solved = run(fmt::format("solve '{}' --json - --method cg --profile {}", folder / "A.mtx", device()));
    CHECK(solved.code == 0);
    const auto report = nlohmann::json::parse(solved.out);  // nothing but JSON on standard output
    for (const char* key :
         {"matrix", "device", "method", "preconditioner", "status", "reason", "iterations", "corrections",
          "relative_residual", "error_infinity", "seconds", "reads", "history", "passes"}) {
        INFO(key);
        CHECK(report.contains(key));
    }
    for (const char* key : {"file", "rows", "columns", "nonzeros", "format", "format_reason"})
        CHECK(report["matrix"].contains(key));
    for (const char* key : {"backend", "stage", "renderer", "version"}) CHECK(report["device"].contains(key));
    for (const char* key : {"read", "setup", "solve"}) CHECK(report["seconds"][key].get<double>() >= 0);
    for (const char* key : {"name", "calls", "milliseconds", "gigabytes_per_second"})
        CHECK(report["passes"][0].contains(key));
    CHECK(report["matrix"]["rows"] == 81);
    CHECK(report["history"][0][0] == 0);
    CHECK(report["history"][0][1] == 1.0);
    CHECK(report["error_infinity"].get<double>() < 1e-5);
    CHECK_FALSE(nlohmann::json::parse(run(fmt::format("solve '{}' --json - {}", folder / "A.mtx", device())).out)
                    .contains("passes"));
}

TEST_CASE("exit codes say how it ended", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson3d 5 -o '{}'", folder / "A.mtx"));
    CHECK(run(fmt::format("solve '{}' --backend host --quiet", folder / "A.mtx")).code == 0);
    const Result limited =
        run(fmt::format("solve '{}' --backend host --method cg --max-iterations 2", folder / "A.mtx"));
    CHECK(limited.code == 1);
    CHECK_THAT(limited.out, ContainsSubstring("max_iterations"));

    for (const std::string bad :
         {"", "solve", "solve no-such-file.mtx", "dance", "generate", "generate poisson2d 0 -o x",
          "generate poisson2d 3", "generate random-spd 10 3 -o x"}) {
        const Result result = run(bad);
        INFO(bad);
        CHECK(result.code == 2);
        CHECK_FALSE((result.err + result.out).empty());
    }
    for (const std::string option : {"--method gauss", "--backend metal", "--tolerance -1", "--tolerance nan",
                                     "--tolerance x", "--max-iterations -5", "--plot a.pdf", "--format crs",
                                     "--no-such-option", "--backend host --stage compute", "-b no-such-file.mtx"}) {
        const Result result = run(fmt::format("solve '{}' {}", folder / "A.mtx", option));
        INFO(option);
        CHECK(result.code == 2);
        CHECK_FALSE(result.err.empty());
    }
    // No driver at all.
    const Result absent = run(fmt::format("solve '{}' --backend opengl", folder / "A.mtx"),
                              "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent DISPLAY= WAYLAND_DISPLAY=");
    CHECK(absent.code == 3);
    CHECK_THAT(absent.err,
               ContainsSubstring("egl-device") && ContainsSubstring("egl-surfaceless") && ContainsSubstring("glfw"));
}

TEST_CASE("auto takes the host where there is no GPU or the system is small, and says so", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 6 -o '{}'", folder / "A.mtx"));
    run(fmt::format("generate poisson2d 160 -o '{}'", folder / "large.mtx"));
    const auto solve = [&](const char* file, const std::string& environment) {
        const Result solved = run(fmt::format("solve '{}' --method cg", folder / file), environment);
        CHECK(solved.code == 0);
        return solved.out;
    };
    const std::string none = "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent DISPLAY= WAYLAND_DISPLAY=";
    CHECK_THAT(solve("A.mtx", none), ContainsSubstring("host: it solves a system of this size before a GPU is opened"));
    CHECK_THAT(solve("large.mtx", none),
               ContainsSubstring("host: OpenGL could not be used") || ContainsSubstring("host: there is no GPU here"));
    CHECK_THAT(solve("large.mtx", ""), ContainsSubstring("host: OpenGL is drawn by the processor here")
                                           || ContainsSubstring("host: there is no GPU here")
                                           || !ContainsSubstring("host reference"));
    const Result info = run("info", none);
    CHECK(info.code == 0);
    CHECK_THAT(info.out, ContainsSubstring("missing"));
}

TEST_CASE("threads of the host are limited, and the answer stays the same", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 150 -o '{}'", folder / "A.mtx"));
    for (const char* threads : {"1", "2", "3"}) {
        CHECK(run(fmt::format("solve '{}' --forget --backend host --threads {} -o '{}'", folder / "A.mtx", threads,
                              folder / threads))
                  .code
              == 0);
        CHECK(contents(folder / threads) == contents(folder / "1"));
    }
    CHECK(run(fmt::format("solve '{}' --threads 65", folder / "A.mtx")).code == 2);
    CHECK(run(fmt::format("solve '{}' --threads -1", folder / "A.mtx")).code == 2);
}

TEST_CASE("bad input is refused with file and line, and nothing is written", "[program]") {
    const Folder folder;
    write(folder / "bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n3 1 1.0\n");
    const Result bad =
        run(fmt::format("solve '{}' -o '{}' --json '{}'", folder / "bad.mtx", folder / "x.mtx", folder / "r.json"));
    CHECK(bad.code == 2);
    CHECK_THAT(bad.err, ContainsSubstring("bad.mtx:4"));
    CHECK_FALSE(fs::exists(folder / "x.mtx"));
    CHECK_FALSE(fs::exists(folder / "r.json"));

    write(folder / "wide.mtx", "%%MatrixMarket matrix coordinate real general\n2 3 1\n1 1 1.0\n");
    CHECK_THAT(run(fmt::format("solve '{}' --method cg", folder / "wide.mtx")).err, ContainsSubstring("2 x 3"));
    write(folder / "A.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 2 1.0\n");
    write(folder / "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n1\n2\n3\n");
    const Result mismatch = run(fmt::format("solve '{}' -b '{}'", folder / "A.mtx", folder / "b.mtx"));
    CHECK(mismatch.code == 2);
    CHECK_THAT(mismatch.err,
               ContainsSubstring("b.mtx") && ContainsSubstring("3 elements") && ContainsSubstring("2 rows"));
    write(folder / "zero.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1.0\n2 1 1.0\n");
    CHECK_THAT(run(fmt::format("solve '{}' --method cg --backend host", folder / "zero.mtx")).err,
               ContainsSubstring("row 2") && ContainsSubstring("zero on the diagonal"));
    CHECK(run(fmt::format("solve '{}' -o /nonexistent/x.mtx --backend host", folder / "A.mtx")).code == 2);
}

TEST_CASE("devices are written to, not replaced; a missing folder is found out before any work", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 6 -o '{}'", folder / "A.mtx"));
    CHECK(run(fmt::format("solve '{}' -o /dev/null --backend host", folder / "A.mtx")).code == 0);
    CHECK(fs::is_character_file("/dev/null"));
    const Result missing = run(fmt::format("solve '{}' -o '{}' --backend host", folder / "A.mtx", folder / "no/x.mtx"));
    CHECK(missing.code == 2);
    CHECK(missing.out.empty());
    CHECK_THAT(missing.err, ContainsSubstring("no/x.mtx") && ContainsSubstring("does not exist"));
    // A link stays a link.
    write(folder / "target.mtx", "old");
    fs::create_symlink(folder / "target.mtx", folder / "link.mtx");
    CHECK(run(fmt::format("solve '{}' -o '{}' --backend host", folder / "A.mtx", folder / "link.mtx")).code == 0);
    CHECK(fs::is_symlink(folder / "link.mtx"));
    CHECK(read_matrix_market_vector(folder / "target.mtx").size() == 36);
}

TEST_CASE("what is read is not written, and a folder is no file", "[program]") {
    const Folder folder;
    const std::string A = folder / "A.mtx", b = folder / "b.mtx";
    run(fmt::format("generate poisson2d 5 -o '{}' -b '{}'", A, b));
    for (const std::string& options :
         {fmt::format("-o '{}'", A), fmt::format("-b '{}' -o '{}'", b, b), fmt::format("--json '{}'", A)}) {
        const Result refused = run(fmt::format("solve '{}' {} --backend host", A, options));
        CHECK(refused.code == 2);
        CHECK_THAT(refused.err, ContainsSubstring("is read as input"));
    }
    CHECK(run(fmt::format("analyze '{}' --json '{}'", A, A)).code == 2);
    CHECK_THAT(run(fmt::format("solve '{}' -o /tmp --backend host", A)).err, ContainsSubstring("is a folder"));
    CHECK(read_matrix_market(folder / "A.mtx").value == poisson2d(5).value);
}

TEST_CASE("nothing but the report is printed when piped; quiet prints nothing", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 30 -o '{}'", folder / "A.mtx"));
    const Result loud = run(fmt::format("solve '{}' {}", folder / "A.mtx", device()));
    CHECK(loud.err.empty());
    CHECK(loud.out.find('\r') == std::string::npos);
    const Result quiet = run(fmt::format("solve '{}' --quiet {}", folder / "A.mtx", device()));
    CHECK(quiet.code == 0);
    CHECK(quiet.out.empty());
    CHECK(quiet.err.empty());
}

TEST_CASE("pictures are drawn, whatever the file is called", "[program]") {
    if (std::system("command -v gnuplot >/dev/null") != 0) {
        WARN("skipped: gnuplot is not installed (package gnuplot-nox)");
        return;
    }
    const Folder folder;
    const std::string name = "it's `touch harm` $(touch harm) \"quoted\".mtx";
    write_matrix_market(folder.path / name, poisson2d(12));
    // The shell that starts the program must not see the name either.
    write(folder / "run.sh", fmt::format("cd '{}' && exec '{}' solve \"$1\" --plot \"$2\" --backend host --quiet\n",
                                         folder.path.string(), GLSOLVE_PROGRAM));
    for (const std::string picture : {"curve.svg", "curve.png", "it's a curve.svg"}) {
        write(folder / "name", name);
        const std::string command =
            fmt::format("sh '{}' \"$(cat '{}')\" \"{}\"", folder / "run.sh", folder / "name", picture);
        CHECK(std::system(command.c_str()) == 0);
        CHECK(fs::file_size(folder.path / picture) > 1000);
    }
    CHECK(contents(folder / "curve.png").substr(1, 3) == "PNG");
    CHECK_THAT(contents(folder / "curve.svg"), ContainsSubstring("true residual"));
    CHECK_FALSE(fs::exists(folder / "harm"));
    for (const auto& entry : fs::directory_iterator(folder.path)) CHECK(entry.path().extension() != ".part");
}

TEST_CASE("a plot without gnuplot is refused before any work", "[program]") {
    const Folder folder;
    run(fmt::format("generate poisson2d 5 -o '{}'", folder / "A.mtx"));
    const Result result =
        run(fmt::format("solve '{}' --plot '{}' -o '{}'", folder / "A.mtx", folder / "c.svg", folder / "x.mtx"),
            "PATH=/nonexistent");
    CHECK(result.code == 2);
    CHECK_THAT(result.err, ContainsSubstring("gnuplot"));
    CHECK_FALSE(fs::exists(folder / "x.mtx"));
}

TEST_CASE("info lists devices, rates and limits", "[program]") {
    const Result info = run("info");
    CHECK(info.code == 0);
    CHECK_THAT(info.out, ContainsSubstring("opengl") && ContainsSubstring("host"));
    if (device().find("opengl") != std::string::npos) {
        CHECK_THAT(info.out, ContainsSubstring("GB/s") && ContainsSubstring("dependent pass")
                                 && ContainsSubstring("limits") && ContainsSubstring("fragment")
                                 && ContainsSubstring("compute"));
    }
}

TEST_CASE("info --report solves in each stage, as a table to send in", "[program]") {
    if (device().find("opengl") == std::string::npos) return;
    const Result info = run("info --report");
    CHECK(info.code == 0);
    CHECK_THAT(info.out, ContainsSubstring("fragment stage:") && ContainsSubstring("compute stage:")
                             && ContainsSubstring("| poisson2d 128, cg + jacobi | converged |")
                             && ContainsSubstring("gmres + jacobi | converged |")
                             && !ContainsSubstring("precision_limit"));
}

TEST_CASE("help and version", "[program]") {
    CHECK(run("--help").code == 0);
    CHECK_THAT(run("--help").out, ContainsSubstring("solve") && ContainsSubstring("Exit codes"));
    CHECK(run("solve --help").code == 0);
    CHECK(std::regex_search(run("--version").out, std::regex(R"(\d+\.\d+\.\d+)")));
}

TEST_CASE("analyze tells what a matrix is like and draws it", "[program]") {
    const Folder folder;
    REQUIRE(run("generate poisson2d 20 -o '" + folder / "a.mtx" + "'").code == 0);
    const Result text = run("analyze '" + folder / "a.mtx" + "'");
    CHECK(text.code == 0);
    for (const char* word :
         {"400 x 400, 1920 nonzeros", "symmetric", "dominance", "bandwidth    20", "dia: 5 diagonals", "#"}) {
        CHECK_THAT(text.out, ContainsSubstring(word));
    }
    const Result json = run("analyze '" + folder / "a.mtx" + "' --json -");
    CHECK(json.code == 0);
    const auto report = nlohmann::json::parse(json.out);
    CHECK(report["bandwidth"]["lower"] == 20);
    CHECK(report["format"]["chosen"] == "dia");
    std::vector<std::string> formats;
    for (const auto& prediction : report["format"]["predictions"]) formats.push_back(prediction["format"]);
    std::sort(formats.begin(), formats.end());
    CHECK(formats
          == std::vector<std::string>{"bcsr", "coo", "csr", "dense", "dia", "ell", "hec", "hyb", "runs", "sell"});
    const Result picture = run("analyze '" + folder / "a.mtx" + "' --plot '" + folder / "a.svg" + "'");
    if (picture.err.find("gnuplot-nox") == std::string::npos) {
        CHECK(picture.code == 0);
        CHECK_THAT(contents(folder / "a.svg"), ContainsSubstring("</svg>"));
    }
    CHECK(run("analyze '" + folder / "none.mtx" + "'").code == 2);
}

TEST_CASE("--seconds ends a solve with the best x: exit code 1", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(40));
    const std::string solve = fmt::format("solve '{}' --backend host --method cg --seconds", folder / "A.mtx");
    const Result r = run(fmt::format("{} 1e-9 -o '{}' --json '{}'", solve, folder / "x.mtx", folder / "r.json"));
    CHECK(r.code == 1);
    CHECK_THAT(r.out, ContainsSubstring("time_limit: the time limit of 1e-09 s is over; best true relative residual"));
    CHECK_THAT(r.out, ContainsSubstring("(limit 1e-09 s)"));
    const auto report = nlohmann::json::parse(contents(folder / "r.json"));
    CHECK(report["status"] == "time_limit");
    CHECK(report["seconds"]["limit"] == 1e-9);
    CHECK(read_matrix_market_vector(folder / "x.mtx").size() == 1600);
    CHECK(run(solve + " 1e9").code == 0);
    CHECK(run(solve + " -1").code == 2);
}

TEST_CASE("--method auto says what it chose, and why", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const Result r = run(fmt::format("solve '{}' --method auto --forget --backend host", folder / "A.mtx"));
    CHECK(r.code == 0);
    CHECK(r.out.find("direct, preconditioner none") != std::string::npos);
    CHECK(r.out.find("chosen by auto: symmetric") != std::string::npos);
}

TEST_CASE("the text tells the format in one clause, and all about it with --verbose", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const std::string solve = fmt::format("solve '{}' --backend host", folder / "A.mtx");
    const std::string text = run(solve).out, verbose = run(solve + " --verbose").out;
    CHECK_THAT(text, ContainsSubstring("dia: 5 diagonals") && !ContainsSubstring("fetched for each product"));
    CHECK_THAT(verbose, ContainsSubstring("dia: 5 diagonals") && ContainsSubstring("fetched for each product"));
}

TEST_CASE("every format solves, measured ones too, and says why it was chosen", "[program]") {
    const Folder folder;
    REQUIRE(run("generate random-spd 900 9000 -o '" + folder / "a.mtx" + "'").code == 0);
    for (const std::string& format :
         std::vector<std::string>{"ell", "csr", "hec", "hyb", "coo", "bcsr", "sell", "runs", "dia", "dense", "measure",
                                  "sell --slice-height 64 --sort-window 128"}) {
        CAPTURE(format);
        const Result r = run("solve '" + folder / "a.mtx" + "' --json - --format " + format + " " + device());
        CHECK(r.code == 0);
        const auto report = nlohmann::json::parse(r.out);
        CHECK(report["relative_residual"].get<double>() <= 1e-8);
        CHECK(report["error_infinity"].get<double>() < 1e-6);
        const std::string reason = report["matrix"]["format_reason"];
        CHECK_THAT(reason, ContainsSubstring(format == "measure" ? "measured" : "asked for"));
    }
    const Result refused = run("solve '" + folder / "a.mtx" + "' --format sell --slice-height 5");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--slice-height 5"));
}

TEST_CASE("a Matrix Market array is a dense matrix, and is solved directly on request", "[program]") {
    const Folder folder;
    const int n = 300;
    {
        std::ofstream file(folder / "a.mtx");
        file << "%%MatrixMarket matrix array real general\n" << n << ' ' << n << '\n';
        for (int j = 0; j < n; ++j) {
            for (int i = 0; i < n; ++i) file << std::sin(1 + i * (j + 0.5)) << '\n';
        }
    }
    const Result r = run("solve '" + folder / "a.mtx" + "' --method direct --tolerance 1e-12 --json - " + device());
    CAPTURE(r.err);
    CHECK(r.code == 0);
    CHECK_THAT(r.err, !ContainsSubstring("conjugate"));
    const auto report = nlohmann::json::parse(r.out);
    CHECK(report["method"] == "direct");
    CHECK(report["preconditioner"] == "none");
    CHECK(report["matrix"]["nonzeros"] == n * n);
    CHECK(report["relative_residual"].get<double>() <= 1e-12);
    CHECK(run("solve '" + folder / "a.mtx" + "' --method direct --precision two-float").code == 2);
}

}  // namespace tests_of_program
