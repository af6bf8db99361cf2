// glsolve generate: each kind as the library makes it, and what is refused.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_generate {

using namespace glsolve;
using namespace glsolve::test;
namespace fs = std::filesystem;

TEST_CASE("generate writes each kind as the library makes it, with b = A x* beside it", "[program]") {
    struct Kind {
        std::string arguments;
        CsrMatrix A;
    };
    const std::vector<Kind> kinds{
        {"poisson2d 7", poisson2d(7)},
        {"poisson3d 4", poisson3d(4)},
        {"anisotropic 7 0.1", anisotropic(7, 0.1)},
        {"jumping-coefficients 9 1000", jumping_coefficients(9, 1000)},
        {"jumping-coefficients 9 1000 --inclusions", jumping_coefficients(9, 1000, Coefficients::inclusions)},
        {"convection-diffusion 7", convection_diffusion(7)},
        {"convection-diffusion 7 --velocity -2 .25 --diffusion 1e-3", convection_diffusion(7, {1e-3, -2, 0.25})},
        {"convection-diffusion 7 --recirculating", convection_diffusion(7, {.recirculating = true})},
        {"convection-diffusion 7 --peclet 1e4 --central",
         convection_diffusion(7, {.differences = Differences::central, .cell_peclet = 1e4})},
        {"convection-diffusion3d 4 --velocity 1 -2 3",
         convection_diffusion3d(4, {.velocity_x = 1, .velocity_y = -2, .velocity_z = 3})},
        {"convection-diffusion3d 4 --recirculating --peclet 100",
         convection_diffusion3d(4, {.recirculating = true, .cell_peclet = 100})},
        {"stokes2d 5", stokes2d(5)},
        {"darcy2d 4 1e6", darcy2d(4, 1e6)},
        {"darcy2d 4 10 --lumped", darcy2d(4, 10, MassMatrix::lumped)},
        {"helmholtz2d 7", helmholtz2d(7)},
        {"helmholtz2d 7 --points-per-wavelength 5.5 --absorbing", helmholtz2d_absorbing(7, 5.5)},
        {"circuit 40", circuit(40)},
        {"circuit 40 --degree 3 --voltage-sources 0.2 --controlled-sources 0",
         circuit(40, {.degree = 3, .voltage_sources = 0.2, .controlled_sources = 0})},
        {"thermal-shell 3 2 1", thermal_shell(3, 2, 1)},
        {"thermal-shell 3 2 2 --through-thickness 1e-3 --across-fibres 0.5 --fibre-angle -45 --thickness 0.1",
         thermal_shell(3, 2, 2, {1e-3, 0.5, -45, 0.1})},
        {"elasticity 3 1 2", elasticity(3, 1, 2).A},
        {"elasticity 1 2 1 --youngs-modulus 7 --poisson-ratio -0.1", elasticity(1, 2, 1, 7, -0.1).A},
        {"graph-laplacian 90 5", graph_laplacian(90, 5)},
        {"graph-laplacian 90 5 --power-law", graph_laplacian(90, 5, Degrees::power_law)},
        {"random-spd 50 300", random_spd(50, 300)},
    };
    const Folder folder;
    for (const auto& [arguments, A] : kinds) {
        INFO(arguments);
        const Result made = run(fmt::format("generate {} -o '{}' -b '{}' --solution '{}'", arguments, folder / "A.mtx",
                                            folder / "b.mtx", folder / "x.mtx"));
        CHECK(made.code == 0);
        CHECK(made.err.empty());
        const CsrMatrix written = read_matrix_market(folder / "A.mtx");
        CHECK(written.offsets == A.offsets);
        CHECK(written.column == A.column);
        CHECK(written.value == A.value);
        const auto x = read_matrix_market_vector(folder / "x.mtx");
        CHECK(x == known_answer(A.rows));
        std::vector<double> product(x.size());
        multiply(A, x, product);
        CHECK(read_matrix_market_vector(folder / "b.mtx") == product);
        CHECK_THAT(contents(folder / "A.mtx"), ContainsSubstring("% glsolve generate " + arguments.substr(0, 8)));
        // The comment is the command that gives the same again.
        const std::string comment = contents(folder / "b.mtx");
        const std::size_t begin = comment.find("glsolve generate ") + 8;
        const std::string again = comment.substr(begin, comment.find('\n', begin) - begin);
        CHECK(run(fmt::format("{} -o '{}'", again, folder / "again.mtx")).code == 0);
        CHECK(contents(folder / "again.mtx") == contents(folder / "A.mtx"));
    }
}

TEST_CASE("generate elasticity writes where the nodes are", "[program]") {
    const Folder folder;
    CHECK(run(fmt::format("generate elasticity 2 1 1 -o '{}' --coordinates '{}'", folder / "A.mtx", folder / "p.mtx"))
              .code
          == 0);
    // x the fastest, the clamped face x = 0 left out; column by column.
    CHECK_THAT(contents(folder / "p.mtx"),
               EndsWith("\n8 3\n1\n2\n1\n2\n1\n2\n1\n2\n0\n0\n1\n1\n0\n0\n1\n1\n0\n0\n0\n0\n1\n1\n1\n1\n"));
    const CsrMatrix nodes = read_matrix_market(folder / "p.mtx");
    CHECK(nodes.rows == 8);
    CHECK(nodes.columns == 3);
}

TEST_CASE("generate refuses what it cannot make, and writes nothing then", "[program]") {
    const Folder folder;
    for (const std::string bad : {"poisson2d 46341",
                                  "poisson2d 99999999999",
                                  "poisson3d -1",
                                  "anisotropic 4 nan",
                                  "jumping-coefficients 4",
                                  "jumping-coefficients 4 0",
                                  "convection-diffusion 4 --diffusion 0",
                                  "convection-diffusion 4 --velocity 1",
                                  "convection-diffusion 4 --velocity 1 2 --recirculating",
                                  "convection-diffusion 4 --peclet 9 --diffusion 1",
                                  "convection-diffusion 4 --peclet 0",
                                  "convection-diffusion3d 4 --velocity 1 2",
                                  "stokes2d 1",
                                  "darcy2d 4",
                                  "darcy2d 4 0.5",
                                  "helmholtz2d 4 --points-per-wavelength 2",
                                  "helmholtz2d 1 --absorbing",
                                  "circuit 1",
                                  "circuit 9 --voltage-sources 0.5",
                                  "thermal-shell 4 4",
                                  "thermal-shell 4 4 4 --thickness 0",
                                  "elasticity 4 4",
                                  "elasticity 4 0 4",
                                  "elasticity 1000 1000 1000",
                                  "elasticity 2 2 2 --poisson-ratio 0.5",
                                  "graph-laplacian 10 10",
                                  "graph-laplacian 10 1",
                                  "random-spd 10 101",
                                  "poisson2d 4 --coordinates p.mtx",
                                  "poisson4d 4"}) {
        const Result result = run(fmt::format("generate {} -o '{}'", bad, folder / "A.mtx"));
        INFO(bad);
        CHECK(result.code == 2);
        CHECK_FALSE(result.err.empty());
        CHECK_FALSE(fs::exists(folder / "A.mtx"));
    }
    CHECK_THAT(run(fmt::format("generate elasticity 1 0 1 -o '{}'", folder / "A.mtx")).err,
               ContainsSubstring("NY: '0' is no whole number from 1"));
    const Result missing =
        run(fmt::format("generate poisson2d 4 -o '{}' -b '{}'", folder / "A.mtx", folder / "no/b.mtx"));
    CHECK(missing.code == 2);
    CHECK_THAT(missing.err, ContainsSubstring("no/b.mtx") && ContainsSubstring("does not exist"));
    const Result twice = run(fmt::format("generate poisson2d 4 -o '{0}' -b '{0}'", folder / "A.mtx"));
    CHECK(twice.code == 2);
    CHECK_THAT(twice.err, ContainsSubstring("named twice"));
    CHECK(fs::is_empty(folder.path));
    CHECK(run("generate poisson2d 4 -o /dev/null -b /dev/null").code == 0);
}

TEST_CASE("matrices and vectors are converted, and solved in each form", "[program][convert]") {
    const Folder folder;
    REQUIRE(run(fmt::format("generate poisson2d 20 -o '{}' -b '{}'", folder / "A.mtx", folder / "b.npy")).code == 0);
    const auto convert = [&](const std::string& from, const std::string& to) {
        const Result result = run(fmt::format("convert '{}' '{}'", folder / from, folder / to));
        CAPTURE(from, to, result.err);
        CHECK(result.code == 0);
    };
    convert("A.mtx", "A.npz");
    convert("A.npz", "B.mtx.gz");
    convert("B.mtx.gz", "C.npz");
    CHECK(contents(folder / "A.npz") == contents(folder / "C.npz"));
    convert("b.npy", "b.mtx");
    convert("b.mtx", "c.npy");
    CHECK(contents(folder / "b.npy") == contents(folder / "c.npy"));
    CHECK(contents(folder / "b.mtx").starts_with("%%MatrixMarket matrix array"));
    CHECK(run(fmt::format("solve '{}' -b '{}' -o '{}' --backend host", folder / "A.npz", folder / "b.npy",
                          folder / "x.npy"))
              .code
          == 0);
    CHECK(contents(folder / "x.npy").size() == contents(folder / "b.npy").size());
    CHECK_THAT(run(fmt::format("convert '{}' -", folder / "A.npz")).out,
               StartsWith("%%MatrixMarket matrix coordinate"));
    for (const char* bad : {"A.npz x.csv", "absent.npz A.mtx", "b.npy", "A.npz A.npz"}) {
        const Result result = run_shell(fmt::format("cd '{}' && \"$G\" convert {}", folder.path.string(), bad));
        CAPTURE(bad);
        CHECK(result.code == 2);
        CHECK_FALSE(result.err.empty());
    }
    CHECK(run(fmt::format("solve '{}' -o '{}'", folder / "A.npz", folder / "x.npz")).code == 2);
    CHECK(run(fmt::format("generate poisson2d 4 -o '{}'", folder / "A.npy")).code == 2);
}

}  // namespace tests_of_generate
