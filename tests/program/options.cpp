// What is typed wrongly is named, with what may have been meant; and what may be typed in several ways.
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/switches.hpp"
#include "options/option_table.hpp"
#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_options {

using namespace glsolve;
using namespace glsolve::test;

namespace {

void check_refused(const char* words, const char* complaint) {
    CAPTURE(words);
    const Result r = run(words);
    CHECK(r.code == 2);
    CHECK_THAT(r.err, ContainsSubstring(complaint));
}

}  // namespace

TEST_CASE("a word that is no command is named, with the one that may have been meant", "[program][options]") {
    struct Typed {
        const char *words, *named, *meant;
    };
    for (const auto& [words, named, meant] :
         {Typed{"solv A.mtx", "'solv'", "did you mean solve?"},
          Typed{"sovle A.mtx --method cg", "'sovle'", "did you mean solve?"},
          Typed{"Solve A.mtx", "'Solve'", "did you mean solve?"},
          Typed{"gen poisson2d 4 -o x", "'gen'", "did you mean generate?"},
          Typed{"anaylze A.mtx", "'anaylze'", "did you mean analyze?"},
          Typed{"ifno --help", "'ifno'", "did you mean info?"},
          Typed{"generate poison2d 4 -o x", "'poison2d'", "did you mean poisson2d?"},
          Typed{"generate poisson 4 -o x", "'poisson'", "poisson2d or poisson3d?"},
          Typed{"generate elastic --help", "'elastic'", "did you mean elasticity?"},
          Typed{"dance", "'dance'", "There are: solve, compare"}}) {
        CAPTURE(words);
        const Result r = run(words);
        CHECK(r.code == 2);
        CHECK(r.out.empty());
        CHECK_THAT(r.err, StartsWith("glsolve: ") && ContainsSubstring(named) && ContainsSubstring(meant));
    }
    CHECK_THAT(run("dance").err, !ContainsSubstring("did you mean"));
    CHECK_THAT(run("").err,
               ContainsSubstring("needs a command: solve, compare, analyze, convert, warm, info, generate"));
}

TEST_CASE("an option that there is not is named, with the one that may have been meant", "[program][options]") {
    struct Typed {
        const char *words, *complaint;
    };
    for (const auto& [words, complaint] :
         {Typed{"solve A.mtx --metod cg", "--metod is no option of glsolve solve; did you mean --method?"},
          Typed{"--backend host solve A.mtx",
                "--backend stands before the command; options of glsolve solve stand behind it"},
          Typed{"solve --metod=cg", "--metod is no option of glsolve solve; did you mean --method?"},
          Typed{"solve A.mtx -method cg", "-method is no option of glsolve solve; did you mean --method?"},
          Typed{"solve --tolerence 1e-8 A.mtx", "--tolerence is no option of glsolve solve; did you mean --tolerance?"},
          Typed{"solve A.mtx --precoditioner ssor", "did you mean --preconditioner?"},
          Typed{"compare A.mtx --method cg", "did you mean --methods?"},
          Typed{"analyze A.mtx --spectum", "did you mean --spectrum?"},
          Typed{"generate poisson2d 4 -o x --outptu y", "glsolve generate poisson2d; did you mean --output?"},
          Typed{"info --reprot", "did you mean --report?"}, Typed{"--verison", "did you mean --version?"}}) {
        check_refused(words, complaint);
    }
    const Result strange = run("solve A.mtx --wxyzvuq");
    CHECK_THAT(strange.err, ContainsSubstring("--wxyzvuq is no option") && !ContainsSubstring("did you mean"));
    // All of them, in the order typed.
    CHECK_THAT(run("solve A.mtx --toleranse 1 --formt ell").err,
               ContainsSubstring(
                   "--toleranse is no option of glsolve solve; did you mean --tolerance?\nglsolve: --formt is no"));
    CHECK_THAT(run("solve A.mtx B.mtx C.mtx D.mtx").err,
               ContainsSubstring("glsolve solve has no use for 'B.mtx', 'C.mtx', 'D.mtx'"));
}

TEST_CASE("a name that there is not is named, with the one that may have been meant", "[program][options]") {
    struct Typed {
        const char *option, *complaint;
    };
    for (const auto& [option, complaint] :
         {Typed{"solve A.mtx --method gmre", "--method: 'gmre' is not among them; did you mean gmres?"},
          Typed{"solve A.mtx --method bicgstb", "did you mean bicgstab?"},
          Typed{"solve A.mtx --method gauss_seidel", "did you mean gauss-seidel?"},
          Typed{"solve A.mtx --method lu", "'lu' is not among them. Accepted: cg, "},
          Typed{"solve A.mtx --preconditioner jacoby", "did you mean jacobi?"},
          Typed{"solve A.mtx --preconditioner multi", "did you mean multigrid?"},
          Typed{"solve A.mtx --backend opengel", "did you mean opengl?"},
          Typed{"solve A.mtx --stage comptue", "did you mean compute?"},
          Typed{"solve A.mtx --format dai", "did you mean dia?"},
          Typed{"solve A.mtx --precision singel", "did you mean single?"},
          Typed{"solve A.mtx --amg-coarsening pims", "did you mean pmis?"},
          Typed{"compare A.mtx --methods cg,gmrse", "'gmrse' is not among them; did you mean gmres?"},
          Typed{"compare A.mtx --backends host,opengl-fragmnet", "did you mean opengl-fragment?"}}) {
        CAPTURE(option);
        const Result r = run(option);
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring(complaint) && ContainsSubstring("Accepted: "));
    }
}

TEST_CASE("a value that will not do is named, with what would", "[program][options]") {
    struct Typed {
        const char *words, *complaint;
    };
    for (const auto& [words, complaint] :
         {Typed{"solve A.mtx --tol", "--tolerance needs a value: a number"},
          Typed{"solve A.mtx --restart", "--restart needs a value: a whole number"},
          Typed{"solve A.mtx --stage", "--stage needs a value: auto|fragment|compute"},
          Typed{"solve A.mtx --tol 1 --tol 2", "--tolerance is given 2 times, and takes one value"},
          Typed{"solve A.mtx --tol abc", "--tolerance: 'abc' is no number from 0 on"},
          Typed{"solve A.mtx --tol -1", "--tolerance: '-1' is no number from 0 on"},
          Typed{"solve A.mtx --tol nan", "--tolerance: 'nan' is no number from 0 on"},
          Typed{"solve A.mtx --max-iter 1e3", "--max-iterations: '1e3' is no whole number from 0 on"},
          Typed{"solve A.mtx --max-iter 99999999999999999999",
                "'99999999999999999999' is no whole number from 0 to 9223372036854775807"},
          Typed{"solve A.mtx --restart 0", "--restart: '0' is no whole number from 1 to 1024"},
          Typed{"solve A.mtx --amg-steps 17", "--amg-steps: '17' is no whole number from 0 to 16"},
          Typed{"solve A.mtx --amg-strength x", "--amg-strength: 'x' is no number"},
          Typed{"solve A.mtx --relaxation 0", "--relaxation: '0' is no number above 0; without this option"},
          Typed{"solve A.mtx --preconditioner-relaxation -1", "'-1' is no number above 0"},
          Typed{"generate poisson2d 99999999999 -o x", "N: '99999999999' is no whole number from 1 to 2147483647"},
          Typed{"generate anisotropic 5 abc -o x", "EPS: 'abc' is no number"}}) {
        check_refused(words, complaint);
    }
}

TEST_CASE("names are taken whatever their case, and options under the names that others use", "[program][options]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const auto report = [&](const std::string& options) {
        const Result r = run(fmt::format("solve '{}' --json - {}", folder / "A.mtx", options));
        CAPTURE(options, r.err);
        CHECK(r.code == 0);
        return nlohmann::json::parse(r.out);
    };
    const auto capitals = report("--method BiCGStab --preconditioner Block-Jacobi --backend HOST --format ELL");
    CHECK(capitals["method"] == "bicgstab");
    CHECK(capitals["preconditioner"] == "block-jacobi");
    CHECK(capitals["device"]["backend"] == "host");
    CHECK(capitals["matrix"]["format"] == "ell");
    for (const char* tolerance : {"--tolerance", "--tol", "--rtol"}) {
        CHECK(report(fmt::format("--backend host {} 1e-3", tolerance))["tolerance"] == 1e-3);
    }
    for (const char* solver : {"--method", "--solver"}) {
        CHECK(report(fmt::format("--backend host {} MINRES", solver))["method"] == "minres");
    }
    for (const char* preconditioner : {"--preconditioner", "--precond", "--pc"}) {
        CHECK(report(fmt::format("--backend host {} SSOR", preconditioner))["preconditioner"] == "ssor");
    }
    for (const char* limit : {"--max-iterations", "--max-iter", "--maxiter", "--max-it"}) {
        CHECK(run(fmt::format("solve '{}' --backend host --method cg --tolerance 1e-12 {} 2", folder / "A.mtx", limit))
                  .code
              == 1);
    }
    const Result compared =
        run(fmt::format("compare '{}' --methods CG,cg,Gmres --backends Host --json - --tol 1e-6", folder / "A.mtx"));
    CHECK(compared.code == 0);
    CHECK(nlohmann::json::parse(compared.out)["runs"].size() == 2);
}

TEST_CASE("an output whose ending promises another format is refused before any work", "[program][options]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(4));
    const auto solve = [&](const std::string& name) {
        return run(fmt::format("solve '{}' --backend host -o '{}'", folder / "A.mtx", folder / name));
    };
    for (const char* name : {"x.npz.gz", "x.csv", "x.json", "x.mat", "x.h5", "x.png", "x.npy.gz", "x.mtx.bz2"}) {
        CAPTURE(name);
        const Result r = solve(name);
        CHECK(r.code == 2);
        CHECK_THAT(r.err, ContainsSubstring("--output") && ContainsSubstring(name) && ContainsSubstring("Matrix Market")
                              && ContainsSubstring(".mtx.gz"));
        CHECK_FALSE(fs::exists(folder / name));
    }
    CHECK_THAT(solve("x.NPZ").err, ContainsSubstring("accepted for a vector: .npy"));
    for (const char* name : {"x.mtx", "x.mtx.gz", "x", "x.gz", "x.txt", "x.sol", "solution.2", ".x", "npy"}) {
        CAPTURE(name);
        CHECK(solve(name).code == 0);
        CHECK(read_matrix_market_vector(folder / name).size() == 16);
    }
    check_refused("generate poisson2d 4 -o A.npy", ".npz");
    check_refused("generate poisson2d 4 -o A.mtx -b b.csv", "Matrix Market");
    check_refused("generate poisson2d 4 -o A.mtx -x x.npz", ".npy");
    check_refused("generate elasticity 2 2 2 -o A.mtx --coordinates c.vtk", "Matrix Market");
}

TEST_CASE("jacobi is left out where the diagonal has zeros and nobody has asked for it", "[program][options]") {
    const Folder folder;
    write(folder / "A.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 4\n1 1 2\n2 3 1\n3 2 1\n3 3 -1\n");
    const auto report = [&](const std::string& options) {
        const Result r = run(fmt::format("solve '{}' --backend host --json - {}", folder / "A.mtx", options));
        CAPTURE(options, r.err);
        CHECK(r.code == 0);
        return nlohmann::json::parse(r.out);
    };
    for (const char* method : {"gmres", "fgmres", "bicgstab2", "idr"}) {
        CAPTURE(method);
        const auto told = report(std::string("--method ") + method);
        CHECK(told["preconditioner"] == "none");
        REQUIRE(told.contains("method_reason"));
        CHECK_THAT(told["method_reason"].get<std::string>(),
                   ContainsSubstring("no preconditioner, since row 2 has a zero on the diagonal"));
        const Result asked =
            run(fmt::format("solve '{}' --backend host --method {} --preconditioner jacobi", folder / "A.mtx", method));
        CHECK(asked.code == 2);
        CHECK_THAT(asked.err, ContainsSubstring("row 2 has a zero on the diagonal"));
    }
    for (const char* method : {"minres", "cgnr"}) {  // where it is a scaling, which minds no zeros
        const auto told = report(std::string("--method ") + method);
        CHECK(told["preconditioner"] == "jacobi");
        CHECK_FALSE(told.contains("preconditioner_remark"));
    }
    write_matrix_market(folder / "B.mtx", poisson2d(4));
    CHECK(nlohmann::json::parse(run(fmt::format("solve '{}' --backend host --method gmres --json -", folder / "B.mtx"))
                                    .out)["preconditioner"]
          == "jacobi");
    const Result compared = run(fmt::format("compare '{}' --methods gmres,idr --backends host", folder / "A.mtx"));
    CHECK(compared.code == 0);
    CHECK_THAT(compared.out, ContainsSubstring("jacobi: none") && !ContainsSubstring("refused"));
}

TEST_CASE("help can be asked for in words, and the version in a letter", "[program][options]") {
    for (const char* command : {"", "solve", "generate", "generate poisson2d"}) {
        CAPTURE(command);
        const Result asked = run(fmt::format("help {}", command)), option = run(fmt::format("{} --help", command));
        CHECK(asked.code == 0);
        CHECK_FALSE(asked.out.empty());
        CHECK(asked.out == option.out);
        CHECK(asked.err.empty());
    }
    check_refused("help solv", "'solv' is no command of glsolve; did you mean solve?");
    CHECK(run("-V").code == 0);
    CHECK(run("-V").out == run("--version").out);
}

TEST_CASE("help shows what is common, and all of it where all is asked for", "[program][options]") {
    const auto has = [](const std::string& help, std::string_view option) {
        return std::regex_search(help, std::regex(fmt::format("\n *(-\\w,)?{}[, {{]", option)));
    };
    for (const char* command : {"solve", "compare", "analyze"}) {
        CAPTURE(command);
        const Result brief = run(fmt::format("{} --help", command)), all = run(fmt::format("{} --help-all", command));
        CHECK(brief.code == 0);
        CHECK(all.code == 0);
        CHECK(all.err.empty());
        CHECK(brief.out.size() < all.out.size());
        CHECK_THAT(brief.out, ContainsSubstring("--help-all lists "));
        int options = 0, of_them_common = 0;
        for (const OptionSection& section : option_sections()) {
            for (const OptionRow& row : section.rows) {
                const std::string option = cli::switch_of(row);
                if (!has(all.out, option)) continue;
                INFO(option);
                CHECK(row.in_program);
                CHECK(has(brief.out, option) == row.common);
                CHECK_THAT(all.out, ContainsSubstring(fmt::format("\n{}:\n", section.heading)));
                ++options;
                of_them_common += row.common ? 1 : 0;
            }
        }
        CHECK(options > (std::string(command) == "analyze" ? 15 : 40));
        CHECK(of_them_common > 0);
    }
    // solve takes all of them.
    const std::string all = run("solve --help-all").out;
    for (const OptionSection& section : option_sections()) {
        for (const OptionRow& row : section.rows) {
            const std::string option = cli::switch_of(row);
            INFO(option);
            CHECK(has(all, option) == row.in_program);
        }
    }
}

TEST_CASE("reports have the options of their method and of their preconditioner", "[program][options]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const auto report = [&](const char* options) {
        const Result r = run(fmt::format("solve '{}' --backend host --json - {}", folder / "A.mtx", options));
        CAPTURE(options, r.err);
        CHECK(r.code == 0);
        return nlohmann::json::parse(r.out);
    };
    const auto gmres = report("--method gmres --restart 7 --preconditioner ick --fill-level 2");
    CHECK(gmres["gmres"] == nlohmann::json{{"restart", 7}, {"orthogonalisation", "cgs2"}, {"least_squares", "device"}});
    CHECK(gmres["preconditioning"]["level"] == 2);
    CHECK_FALSE(gmres["preconditioning"].contains("fill"));
    CHECK_FALSE(gmres.contains("chebyshev"));
    CHECK(report("--method idr --idr-s 2")["idr"] == nlohmann::json{{"s", 2}});
    CHECK(report("--method chebyshev --chebyshev-form published")["chebyshev"]["form"] == "published");
    CHECK(report("--method sor --relaxation 1.5")["options"]["relaxation"] == 1.5);
    const auto amg = report("--method cg --preconditioner amg --amg-no-half");
    CHECK(amg["amg"].contains("levels"));
    CHECK(amg["amg_options"]["half_floats"] == false);
    const auto text = [&](const char* options) {
        return run(fmt::format("solve '{}' --backend host {}", folder / "A.mtx", options)).out;
    };
    CHECK_THAT(text("--method gmres --restart 7"), ContainsSubstring("gmres(7), cgs2, least squares on the device, "));
    CHECK_THAT(text("--method idr --idr-s 2"), ContainsSubstring("idr(2), preconditioner"));
    CHECK_THAT(text("--method cg"), ContainsSubstring("cg, preconditioner"));
}

}  // namespace tests_of_options
