// Where eigenvalues lie, as `analyze --spectrum` tells it.
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_spectrum {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("analyze says where the eigenvalues lie, and where it cannot", "[program]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(6));
    const Result text = run(fmt::format("analyze '{}' --spectrum", folder / "A.mtx"));
    CHECK(text.code == 0);
    CHECK_THAT(text.out, ContainsSubstring("of D^-1 A: the smallest at most 0.09903, the largest at least 1.901")
                             && ContainsSubstring("positive definite"));  // 1 -+ cos(pi/7)
    const Result json = run(fmt::format("analyze '{}' --spectrum --json -", folder / "A.mtx"));
    const auto spectrum = nlohmann::json::parse(json.out)["spectrum"];
    CHECK(spectrum["A"]["smallest_at_most"].get<double>() == Approx(0.3961).epsilon(1e-3));
    CHECK(spectrum["A"]["largest_at_least"].get<double>() == Approx(7.604).epsilon(1e-3));
    CHECK(spectrum["A"]["definite"] == true);
    CHECK(spectrum["D^-1 A"]["gershgorin"].get<double>() == Approx(2));
    write_matrix_market(folder / "B.mtx", csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}}));
    const Result indefinite = run(fmt::format("analyze '{}' --spectrum", folder / "B.mtx"));
    CHECK(indefinite.code == 0);
    CHECK_THAT(indefinite.out, ContainsSubstring("the smallest at most -1, the largest at least 1")
                                   && ContainsSubstring("neither positive nor negative definite"));
    CHECK(indefinite.out.find("row 1 has a zero on the diagonal") != std::string::npos);
}

TEST_CASE("analyze --spectrum: bounds of eigenvalues from the inside, near them", "[program]") {
    const Folder folder;
    const auto spectrum = [&](const std::string& generate, const std::string& options) {
        REQUIRE(run(fmt::format("generate {} -o '{}'", generate, folder / "A.mtx")).code == 0);
        const Result r = run(fmt::format("analyze '{}' --spectrum --json - {}", folder / "A.mtx", options));
        REQUIRE(r.code == 0);
        return nlohmann::json::parse(r.out)["spectrum"];
    };
    const double pi = std::acos(-1.0), least = 8 * std::pow(std::sin(pi / 402), 2), most = 8 - least;
    const auto grid = spectrum("poisson2d 200", "")["A"];
    CHECK(grid["smallest_at_most"].get<double>() >= least * (1 - 1e-10));
    CHECK(grid["smallest_at_most"].get<double>() == Approx(least).epsilon(1e-6));
    CHECK(grid["largest_at_least"].get<double>() <= most);
    CHECK(grid["largest_at_least"].get<double>() == Approx(most).epsilon(0.01));
    const auto few = spectrum("poisson2d 200", "--steps 5")["A"];
    CHECK(few["steps"] == 5);
    CHECK(few["largest_at_least"].get<double>() < grid["largest_at_least"].get<double>());
    // Indefinite: both ends are far from zero.
    const auto flow = spectrum("stokes2d 8", "")["A"];
    CHECK(flow["smallest_at_most"].get<double>() < 0);
    CHECK(flow["largest_at_least"].get<double>() > 0);
    CHECK(flow["largest_at_least"].get<double>() <= flow["gershgorin"].get<double>());
    CHECK(flow["definite"] == false);
    CHECK(flow["negative_definite"] == false);
    CHECK_FALSE(spectrum("convection-diffusion 5", "")["A"].contains("smallest_at_most"));
    CHECK(run(fmt::format("analyze '{}' --steps 5", folder / "A.mtx")).code == 2);
}

}  // namespace tests_of_spectrum
