// Several right-hand sides from the shell.
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"
#include "support/problems.hpp"

namespace tests_of_several {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Columns of a file, one behind the other.
std::vector<double> columns_of(const std::string& file) {
    const CsrMatrix X = read_matrix_market(file);
    std::vector<double> values(static_cast<std::size_t>(X.rows) * static_cast<std::size_t>(X.columns), 0.0);
    for (Index i = 0; i < X.rows; ++i) {
        for (Offset k = X.offsets[i]; k < X.offsets[i + 1]; ++k) {
            values[static_cast<std::size_t>(X.column[k]) * static_cast<std::size_t>(X.rows) + i] = X.value[k];
        }
    }
    return values;
}

}  // namespace

TEST_CASE("solve takes the columns of a file as right-hand sides", "[program][several]") {
    const Folder folder;
    const CsrMatrix A = poisson2d(9);
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> B, b(n);
    for (std::uint64_t k = 0; k < 3; ++k) {
        multiply(A, known_answer(A.rows, 30 + k), b);
        B.insert(B.end(), b.begin(), b.end());
    }
    write_matrix_market(folder / "A.mtx", A);
    write_matrix_market(folder / "B.mtx", std::span<const double>(B), "", 3);
    const Result r = run(fmt::format("solve '{0}' --rhs '{1}' -o '{2}' --json '{3}' --backend host", folder / "A.mtx",
                                     folder / "B.mtx", folder / "X.mtx", folder / "r.json"));
    CAPTURE(r.err);
    CHECK(r.code == 0);
    CHECK_THAT(r.out, ContainsSubstring("right-hand side") && ContainsSubstring("converged"));
    const std::vector<double> X = columns_of(folder / "X.mtx");
    REQUIRE(X.size() == 3 * n);
    const auto json = nlohmann::json::parse(contents(folder / "r.json"));
    REQUIRE(json["right_hand_sides"].size() == 3);
    for (std::size_t k = 0; k < 3; ++k) {
        const auto of = [&](const std::vector<double>& all) {
            return std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(k * n),
                                       all.begin() + static_cast<std::ptrdiff_t>((k + 1) * n));
        };
        CHECK(true_residual(A, of(X), of(B)) <= 1.001e-8);
        CHECK(json["right_hand_sides"][k]["status"] == "converged");
    }
}

TEST_CASE("the exit code is that of the worst right-hand side", "[program][several]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(9));
    const std::vector<double> B = [] {
        std::vector<double> all(3 * 81, 0.0);  // the first and the last are zero: solved at once
        for (std::size_t i = 0; i < 81; ++i) all[81 + i] = 1.0 + 0.1 * static_cast<double>(i % 5);
        return all;
    }();
    write_matrix_market(folder / "B.mtx", std::span<const double>(B), "", 3);
    const std::string system =
        fmt::format("solve '{}' -b '{}' --backend host --method cg ", folder / "A.mtx", folder / "B.mtx");
    CHECK(run(system).code == 0);
    const Result limited = run(system + "--max-iterations 2 --json -");
    CHECK(limited.code == 1);
    const auto sides = nlohmann::json::parse(limited.out)["right_hand_sides"];
    CHECK(sides[0]["status"] == "converged");
    CHECK(sides[1]["status"] == "max_iterations");
    CHECK(sides[2]["status"] == "converged");
}

TEST_CASE("several right-hand sides: known answers, and what is refused", "[program][several]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(9));
    const std::string solve = fmt::format("solve '{}' --backend host ", folder / "A.mtx");
    const Result known = run(solve + "--rhs-count 5 --json -");
    CHECK(known.code == 0);
    const auto sides = nlohmann::json::parse(known.out)["right_hand_sides"];
    REQUIRE(sides.size() == 5);
    for (const auto& side : sides) CHECK(side["error_infinity"].get<double>() < 1e-6);
    write_matrix_market(folder / "B.mtx", std::span<const double>(std::vector<double>(2 * 81, 1.0)), "", 2);
    const std::string file = fmt::format("-b '{}' ", folder / "B.mtx");
    CHECK(run(solve + file + "--rhs-count 2").code == 2);
    CHECK(run(solve + "--rhs-count 0").code == 2);
    const Result picture = run(solve + file + fmt::format("--plot '{}'", folder / "a.svg"));
    CHECK(picture.code == 2);
    const Result compared = run(fmt::format("compare '{}' {}", folder / "A.mtx", file));
    CHECK(compared.code == 2);
    CHECK_THAT(compared.err, ContainsSubstring("2 columns"));
    write_matrix_market(folder / "C.mtx", std::span<const double>(std::vector<double>(2 * 80, 1.0)), "", 2);
    CHECK(run(solve + fmt::format("-b '{}'", folder / "C.mtx")).code == 2);
}

TEST_CASE("more right-hand sides than memory holds are refused before they are tried", "[program][several]") {
    const Folder folder;
    write_matrix_market(folder / "A.mtx", poisson2d(4));
    const Result r =
        run(fmt::format("solve '{}' --backend host --rhs-count 100000000", folder / "A.mtx"), "ulimit -v 16000000;");
    CHECK(r.code == 2);
    CHECK_THAT(r.err, ContainsSubstring("100000000 right-hand sides need ") && ContainsSubstring(" bytes of memory")
                          && ContainsSubstring("16384000000 bytes can be had at most"));
}

}  // namespace tests_of_several
