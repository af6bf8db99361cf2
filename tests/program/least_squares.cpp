// The program on a matrix that is not square: a straight line through four points.
#include <cmath>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_least_squares {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("solve: a tall matrix is a least-squares problem", "[program]") {
    const Folder folder;
    // Heights 1, 3, 4, 4 over 0, 1, 2, 3: the line 1.5 + t leaves residuals -0.5, 0.5, 0.5, -0.5.
    write(folder / "A.mtx",
          "%%MatrixMarket matrix coordinate real general\n4 2 7\n1 1 1\n2 1 1\n3 1 1\n4 1 1\n2 2 1\n3 2 2\n4 2 3\n");
    write(folder / "b.mtx", "%%MatrixMarket matrix array real general\n4 1\n1\n3\n4\n4\n");
    const std::string system = fmt::format("solve '{}' -b '{}' --backend host ", folder / "A.mtx", folder / "b.mtx");
    const Result result =
        run(system + fmt::format("--method auto -o '{}' --json '{}'", folder / "x.mtx", folder / "r.json"));
    CHECK(result.code == 0);
    CHECK_THAT(result.out, ContainsSubstring("chosen by auto: 4 x 2"));
    CHECK_THAT(result.out, ContainsSubstring("a least-squares solution"));
    const std::vector<double> x = read_matrix_market_vector(folder / "x.mtx");
    REQUIRE(x.size() == 2);
    CHECK(x[0] == Approx(1.5));
    CHECK(x[1] == Approx(1));
    const nlohmann::json report = nlohmann::json::parse(contents(folder / "r.json"));
    CHECK(report["method"] == "cgnr");
    CHECK(report["relative_residual"].get<double>() == Approx(1 / std::sqrt(42.0)));
    CHECK(report["normal_residual"].get<double>() <= 1e-8);

    const Result refused = run(system + "--method gmres");
    CHECK(refused.code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("4 x 2") && ContainsSubstring("cgnr"));
    const Result known = run(fmt::format("solve '{}' --method cgnr --backend host", folder / "A.mtx"));
    CHECK(known.code == 0);
    CHECK_THAT(known.out, ContainsSubstring("known answer"));
    write(folder / "short.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n3\n");
    const Result wrong = run(fmt::format("solve '{}' -b '{}' --method cgnr", folder / "A.mtx", folder / "short.mtx"));
    CHECK(wrong.code == 2);
    CHECK_THAT(wrong.err, ContainsSubstring("2 elements") && ContainsSubstring("4 rows"));
}

}  // namespace tests_of_least_squares
