// Standard input and output in place of files, guesses, and outputs that cannot be written.
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

namespace tests_of_pipes {

using namespace glsolve;
using namespace glsolve::test;

namespace {

bool has_gnuplot() { return std::system("command -v gnuplot >/dev/null") == 0; }

}  // namespace

TEST_CASE("- is standard input and output", "[program][pipes]") {
    const Folder folder;
    const std::string A = folder / "A.mtx", b = folder / "b.mtx", x = folder / "x.mtx";
    REQUIRE(run(fmt::format("generate poisson2d 12 -o '{}' -b '{}'", A, b)).code == 0);
    REQUIRE(run(fmt::format("solve '{}' -b '{}' -o '{}' --backend host", A, b, x)).code == 0);
    const std::vector<double> expected = read_matrix_market_vector(x);
    const auto solution = [](const Result& r) { return parse_matrix_market(r.out).value; };
    SECTION("a matrix, plain and gzipped") {
        for (const char* packed : {"", "| gzip"}) {
            const Result r =
                run_shell(fmt::format("cat '{}' {} | $G solve - -b '{}' -o - --backend host", A, packed, b));
            CHECK(r.code == 0);
            CHECK(solution(r) == expected);
            // The report is there all the same, and does not mix with the solution.
            CHECK_THAT(r.err,
                       ContainsSubstring("matrix       standard input: 144 x 144") && ContainsSubstring("converged"));
        }
    }
    SECTION("the whole way through pipes") {
        const Result r = run_shell("$G generate poisson2d 12 -o - | $G solve - -o - --backend host --quiet");
        CHECK(r.code == 0);
        CHECK(solution(r).size() == 144);
        CHECK_THAT(r.err, ContainsSubstring("standard output: 144 x 144") && !ContainsSubstring("converged"));
    }
    SECTION("a right-hand side, a guess, and coordinates") {
        CHECK(solution(run_shell(fmt::format("$G solve '{}' -b - -o - --backend host <'{}'", A, b))) == expected);
        const Result guessed =
            run_shell(fmt::format("$G solve '{}' -b '{}' --initial-guess - --json - --backend host <'{}'", A, b, x));
        CHECK(nlohmann::json::parse(guessed.out)["iterations"] == 0);
        CHECK(nlohmann::json::parse(guessed.out)["initial_guess"] == "standard input");
        const Result refused =
            run_shell(fmt::format("$G solve '{}' --amg-coordinates - --preconditioner amg <'{}'", A, b));
        CHECK(refused.code == 2);
        CHECK_THAT(refused.err, ContainsSubstring("standard input: 144 points"));
    }
    SECTION("analyze and compare read it, too") {
        CHECK_THAT(run_shell(fmt::format("$G analyze - <'{}'", A)).out, ContainsSubstring("standard input: 144 x 144"));
        const Result compared =
            run_shell(fmt::format("$G compare - -b '{}' --methods cg --backends host --json - <'{}'", b, A));
        CHECK(compared.code == 0);
        CHECK(nlohmann::json::parse(compared.out)["matrix"]["file"] == "standard input");
    }
    SECTION("generate writes each of its files there") {
        CHECK(parse_matrix_market(run("generate poisson2d 5 -o -").out).value == poisson2d(5).value);
        const Result r = run(fmt::format("generate elasticity 2 1 1 -o '{}' --coordinates -", folder / "E.mtx"));
        CHECK(parse_matrix_market(r.out).columns == 3);
        CHECK_THAT(r.err, ContainsSubstring("E.mtx: 24 x 24"));
    }
    SECTION("once each") {
        for (const std::string& twice : {std::string("solve - -b -"), fmt::format("solve '{}' -b - --guess -", A),
                                         std::string("compare - --rhs - --backends host")}) {
            const Result r = run_shell(fmt::format("$G {} <'{}'", twice, A));
            CHECK(r.code == 2);
            CHECK_THAT(r.err, ContainsSubstring("standard input, -, is named twice"));
        }
        for (const std::string& twice :
             {fmt::format("solve '{}' -o - --json -", A), std::string("generate poisson2d 4 -o - -b -")}) {
            const Result r = run(twice);
            CHECK(r.code == 2);
            CHECK(r.out.empty());
            CHECK_THAT(r.err, ContainsSubstring("standard output, -, is named twice"));
        }
    }
    SECTION("what is wrong with it is told with its line") {
        const Result r = run_shell("printf '%%%%MatrixMarket matrix array real general\\n1 1\\nx\\n' | $G solve -");
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring("standard input:3: the value is 'x'"));
    }
    SECTION("a reader that stops early ends it quietly; a full device and a closed stream do not") {
        const Result early = run_shell("{ $G generate poisson2d 300 -o -; echo $? >&2; } | head -1");
        CHECK(early.out == "%%MatrixMarket matrix coordinate real general\n");
        CHECK_THAT(early.err, !ContainsSubstring("cannot be written"));
        for (const char* to : {">/dev/full", ">&-"}) {
            const Result r = run_shell(fmt::format("$G solve '{}' -o - --backend host {}", A, to));
            CHECK(r.code == 2);
            CHECK_THAT(r.err, ContainsSubstring("standard output cannot be written"));
        }
        // What is opened next must not take the place of a closed standard output.
        const std::string alone = folder / "alone.mtx";
        CHECK(run_shell(fmt::format("$G solve '{}' -b '{}' -o '{}' --backend host >&-", A, b, alone)).code == 2);
        CHECK(read_matrix_market_vector(alone) == expected);
    }
    SECTION("a named pipe is read as a file is") {
        const Result r =
            run_shell(fmt::format("mkfifo '{0}' && {{ cat '{1}' >'{0}' & $G solve '{0}' -b '{2}' -o - "
                                  "--backend host --quiet; }}",
                                  folder / "pipe", A, b));
        CHECK(r.code == 0);
        CHECK(solution(r) == expected);
    }
}

TEST_CASE("an output that cannot be written is found before the matrix is read", "[program][pipes]") {
    const Folder folder;
    write(folder / "bad.mtx", "no matrix at all");
    const std::string bad = folder / "bad.mtx";
    const auto refused_first = [&](const std::string& words, const std::string& output) {
        CAPTURE(words, output);
        const Result r = run(fmt::format("{} '{}'", words, output));
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring(output + ": ") && !ContainsSubstring("bad.mtx"));
    };
    // A folder in which nobody can make a file, not even root.
    for (const std::string nowhere : {"/proc", "/nonexistent"}) {
        refused_first(fmt::format("solve '{}' -o", bad), nowhere + "/x.mtx");
        refused_first(fmt::format("solve '{}' --json", bad), nowhere + "/x.json");
        refused_first(fmt::format("compare '{}' --json", bad), nowhere + "/x.json");
        refused_first(fmt::format("analyze '{}' --json", bad), nowhere + "/x.json");
        refused_first("info --json", nowhere + "/x.json");
        refused_first(fmt::format("generate poisson2d 4 -o '{}' -b", folder / "A.mtx"), nowhere + "/b.mtx");
        if (!has_gnuplot()) continue;
        refused_first(fmt::format("solve '{}' --plot", bad), nowhere + "/x.svg");
        refused_first(fmt::format("solve '{}' --plot-error", bad), nowhere + "/x.svg");
        refused_first(fmt::format("compare '{}' --plot", bad), nowhere + "/x.png");
        refused_first(fmt::format("analyze '{}' --plot", bad), nowhere + "/x.png");
        refused_first(fmt::format("analyze '{}' --plot-amg", bad), nowhere + "/x.png");
    }
    // What is there stays as it is, and nothing is left behind.
    write(folder / "x.mtx", "old");
    CHECK(run(fmt::format("solve '{}' -o '{}'", bad, folder / "x.mtx")).code == 2);
    CHECK(contents(folder / "x.mtx") == "old");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 2);
    if (geteuid() == 0) return;  // to whom nothing is forbidden
    fs::permissions(folder / "x.mtx", fs::perms::owner_read);
    refused_first(fmt::format("solve '{}' -o", bad), folder / "x.mtx");
    CHECK(contents(folder / "x.mtx") == "old");
}

TEST_CASE("an output that fails keeps no other from being written", "[program][pipes]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const Result r =
        run(fmt::format("solve '{}' -o /dev/full --json '{}' --backend host", folder / "A.mtx", folder / "r.json"));
    CHECK(r.code == 2);
    CHECK_THAT(r.err, ContainsSubstring("/dev/full: cannot be written"));
    CHECK(nlohmann::json::parse(contents(folder / "r.json"))["status"] == "converged");
}

TEST_CASE("an initial guess is where a solve begins", "[program][pipes]") {
    const Folder folder;
    const CsrMatrix A = poisson2d(14);
    const std::string matrix = folder / "A.mtx", guess = folder / "guess.mtx", b = folder / "b.mtx";
    write_matrix_market(matrix, A);
    const std::vector<double> known = known_answer(A.rows);
    std::vector<double> rhs(known.size());
    multiply(A, known, rhs);
    write_matrix_market(b, rhs);
    const auto report = [&](const std::string& options) {
        const Result r = run(fmt::format("solve '{}' -b '{}' --backend host --json - {}", matrix, b, options));
        CAPTURE(options, r.err);
        REQUIRE(r.code == 0);
        return nlohmann::json::parse(r.out);
    };
    std::vector<double> near = known;
    for (std::size_t i = 0; i < near.size(); ++i) near[i] += i % 2 == 0 ? 1e-7 : -1e-7;
    write_matrix_market(guess, near);
    const auto from_zero = report("--method cg"),
               from_guess = report(fmt::format("--method cg --initial-guess '{}'", guess));
    CHECK_FALSE(from_zero.contains("initial_guess"));
    CHECK(from_guess["initial_guess"] == guess);
    CHECK(from_guess["iterations"] < from_zero["iterations"]);
    CHECK(from_guess["iterations"] > 0);
    for (const char* method :
         {"gmres", "minres", "bicgstab", "chebyshev", "cgnr", "direct", "ssor --preconditioner none"}) {
        CHECK(report(fmt::format("--guess '{}' --method {}", guess, method))["relative_residual"] <= 1e-8);
    }
    // One for all right-hand sides, or a column for each.
    write_matrix_market(guess, known);
    const Result both = run(fmt::format("solve '{}' --rhs-count 2 --x0 '{}' --backend host --json -", matrix, guess));
    const auto reports = nlohmann::json::parse(both.out)["right_hand_sides"];
    CHECK(reports[0]["iterations"] == 0);
    CHECK(reports[1]["iterations"] > 0);
    for (const std::string& size : {std::string("195 1"), std::string("196 2")}) {
        const int numbers = size == "195 1" ? 195 : 392;
        std::string text = "%%MatrixMarket matrix array real general\n" + size + "\n";
        for (int i = 0; i < numbers; ++i) text += "1\n";
        write(guess, text);
        const Result r = run(fmt::format("solve '{}' -b '{}' --initial-guess '{}'", matrix, b, guess));
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring("guess.mtx: " + size.substr(0, 3) + " elements")
                              && ContainsSubstring("is needed"));
    }
    CHECK(run(fmt::format("solve '{}' --initial-guess no.mtx", matrix)).code == 2);
    CHECK_THAT(run(fmt::format("solve '{0}' --initial-guess '{1}' -o '{1}'", matrix, guess)).err,
               ContainsSubstring("is read as input"));
}

TEST_CASE("a picture without iterations says so", "[program][pipes]") {
    if (!has_gnuplot()) {
        WARN("skipped: gnuplot is not installed (package gnuplot-nox)");
        return;
    }
    const Folder folder;
    const std::string A = folder / "A.mtx", zero = folder / "zero.mtx", picture = folder / "p.svg";
    write_matrix_market(A, poisson2d(4));
    write_matrix_market(zero, std::vector<double>(16, 0.0));
    for (const char* tolerance : {"1e-8", "0"}) {
        for (const char* words : {"solve", "compare --methods cg,gmres --backends host"}) {
            CAPTURE(words, tolerance);
            const Result r = run(fmt::format("{} '{}' -b '{}' --plot '{}' --quiet --tol {} {}", words, A, zero, picture,
                                             tolerance, words[0] == 's' ? "--backend host" : ""));
            CHECK(r.code == 0);
            CHECK(r.err.empty());
            CHECK_THAT(contents(picture), ContainsSubstring("no iterations"));
        }
    }
    CHECK(run(fmt::format("solve '{}' --plot '{}' --quiet --backend host", A, picture)).code == 0);
    CHECK_THAT(contents(picture), !ContainsSubstring("no iterations"));
}

TEST_CASE("info --json tells programs what info tells people", "[program][pipes]") {
    for (const char* arguments : {"info --json", "info --json -"}) {
        const Result r = run(arguments);
        CHECK(r.code == 0);
        const auto json = nlohmann::json::parse(r.out);
        CHECK(json["host"]["available"] == true);
        if (json["opengl"]["available"] == true) {
            CHECK_THAT(run("info").out, ContainsSubstring(json["opengl"]["renderer"].get<std::string>()));
            CHECK(json["opengl"]["limits"]["texture_size"].get<int>() >= 1024);
            CHECK(json["opengl"]["stages"].size() == 2);
            CHECK(json["opengl"]["stages"][0]["pass_seconds"].get<double>() > 0);
        } else {
            CHECK_FALSE(json["opengl"]["missing"].get<std::string>().empty());
        }
    }
    const Folder folder;
    const Result none = run(fmt::format("info --json '{}'", folder / "i.json"),
                            "__EGL_VENDOR_LIBRARY_FILENAMES=/nonexistent DISPLAY= WAYLAND_DISPLAY=");
    CHECK(none.code == 0);
    CHECK_THAT(none.out, ContainsSubstring("host"));  // the text as well, as with the other commands
    CHECK(nlohmann::json::parse(contents(folder / "i.json"))["opengl"]["available"] == false);
    CHECK(run("info --json --report").code == 2);
}

TEST_CASE("analyze says what a matrix has none of", "[program][pipes]") {
    const Folder folder;
    const std::string A = folder / "A.mtx";
    const auto analyzed = [&](const CsrMatrix& matrix, const std::string& options) {
        write_matrix_market(A, matrix);
        return run(fmt::format("analyze '{}' {}", A, options));
    };
    CsrMatrix negative = poisson2d(6);
    for (double& value : negative.value) value = -value;
    const Result text = analyzed(negative, "--spectrum");
    CHECK_THAT(text.out, ContainsSubstring("of A: the smallest at most -7.6") && ContainsSubstring("negative definite")
                             && ContainsSubstring("of D^-1 A: the smallest at most 0.09903, the largest at least 1.901")
                             && ContainsSubstring("at most 2 in size"));
    const auto json = nlohmann::json::parse(analyzed(negative, "--spectrum --json -").out)["spectrum"];
    CHECK(json["A"]["largest_at_least"].get<double>() == Approx(-0.3961).epsilon(1e-3));
    CHECK(json["A"]["negative_definite"] == true);
    CHECK(json["D^-1 A"]["definite"] == true);
    // The diagonal alone does not make it negative definite.
    const Result mixed = analyzed(
        csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, -1}, {0, 1, 3}, {1, 0, 3}, {1, 1, -1}}), "--spectrum");
    CHECK_THAT(mixed.out, ContainsSubstring("the smallest at most -4, the largest at least 2")
                              && ContainsSubstring("neither positive nor negative definite")
                              && !ContainsSubstring("): negative"));
    CHECK_THAT(analyzed(csr_from_triplets(0, 0, {}), "--spectrum").out,
               ContainsSubstring("of A: not computed: the matrix is empty")
                   && ContainsSubstring("of D^-1 A: not computed: the matrix is empty"));
    CHECK_THAT(analyzed(csr_from_triplets(2, 2, {}), "--spectrum").out,
               ContainsSubstring("of A: not computed: row 1 of the matrix is empty"));
    CHECK_THAT(analyzed(csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}}), "--spectrum").out,
               ContainsSubstring("of A: not computed: the matrix is not square"));
    const Result wide = analyzed(csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}}), "--amg");
    CHECK(wide.code == 2);
    CHECK_THAT(wide.err, ContainsSubstring("2 x 3; algebraic multigrid needs a square matrix"));
}

}  // namespace tests_of_pipes
