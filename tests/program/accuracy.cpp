// `glsolve solve --plot-error`: errors beside a reference answer, and what is said where there can be none.
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <nlohmann/json.hpp>

#include "program/run_program.hpp"
#include "support/catch.hpp"

namespace tests_of_accuracy {

using namespace glsolve;
using namespace glsolve::test;

namespace {

bool has_gnuplot() {
    static const bool found = std::system("command -v gnuplot >/dev/null") == 0;
    if (!found) WARN("skipped: gnuplot is not installed (package gnuplot-nox)");
    return found;
}

/// Solves the folder's A.mtx, and b.mtx where `options` say so; draws e.svg and writes r.json.
Result solve(const Folder& folder, const std::string& options) {
    return run(fmt::format("solve '{}' --backend host --plot-error '{}' --json '{}' -o '{}' {}", folder / "A.mtx",
                           folder / "e.svg", folder / "r.json", folder / "x.mtx", options));
}

nlohmann::json reference(const Folder& folder) {
    return nlohmann::json::parse(contents(folder / "r.json"))["reference"];
}

}  // namespace

TEST_CASE("errors are those beside the exact answer", "[program][accuracy]") {
    if (!has_gnuplot()) return;
    const Folder folder;
    // Whole numbers: b = A x is exact, and so x is the answer.
    const CsrMatrix A = poisson2d(12);
    std::vector<double> exact(144), b(144);
    for (std::size_t i = 0; i < exact.size(); ++i) exact[i] = static_cast<double>(i * i % 37) - 11;
    multiply(A, exact, b);
    write_matrix_market(folder / "A.mtx", A);
    write_matrix_market(folder / "b.mtx", b);
    const Result r = solve(folder, fmt::format("--method cg --tolerance 1e-4 -b '{}'", folder / "b.mtx"));
    CHECK(r.code == 0);
    CHECK_THAT(r.out,
               ContainsSubstring("sparse LU") && ContainsSubstring("true residual") && ContainsSubstring("median"));
    const std::vector<double> x = read_matrix_market_vector(folder / "x.mtx");
    double largest = 0;
    std::vector<double> errors;
    for (std::size_t i = 0; i < x.size(); ++i) {
        errors.push_back(std::abs(x[i] - exact[i]) / 25);  // 25: the largest component
        largest = std::max(largest, errors.back());
    }
    std::sort(errors.begin(), errors.end());
    CHECK(largest > 1e-9);
    const auto found = reference(folder);
    CHECK(found["largest_error"].get<double>() == Approx(largest).epsilon(1e-6));
    CHECK(found["median_error"].get<double>() == Approx((errors[71] + errors[72]) / 2).epsilon(1e-6));
    CHECK(found["relative_residual"].get<double>() < 1e-15);
    CHECK(found["uncertainty"].get<double>() < 1e-14);
    CHECK_THAT(contents(folder / "e.svg"),
               ContainsSubstring("</svg>") && ContainsSubstring("uncertainty of the reference"));
}

TEST_CASE("the reference answers the system as it is, not the one before rounding", "[program][accuracy]") {
    if (!has_gnuplot()) return;
    const Folder folder;
    const double small = 0x1p-20;
    const CsrMatrix A = csr_from_triplets(2, 2, {{{0, 0, 1.0}, {0, 1, 1.0}, {1, 0, 1.0}, {1, 1, 1 + small}}});
    write_matrix_market(folder / "A.mtx", A);
    // b = A x* is rounded, which moves the answer away from x*. Differences of such near numbers are exact.
    const std::vector<double> known = known_answer(2);
    std::vector<double> b(2);
    multiply(A, known, b);
    const double second = (b[1] - b[0]) / small, first = b[0] - second;
    CHECK(std::abs(second - known[1]) > 1e-11);

    solve(folder, "--method direct --tolerance 0");
    const std::vector<double> x = read_matrix_market_vector(folder / "x.mtx");
    const double error = std::max(std::abs(x[0] - first), std::abs(x[1] - second)) / std::max(first, second);
    CHECK(error < 1e-6);
    CHECK(reference(folder)["largest_error"].get<double>() == Approx(error).epsilon(1e-3).margin(1e-15));
}

TEST_CASE("where there can be no reference it says why, draws nothing, and keeps the rest", "[program][accuracy]") {
    if (!has_gnuplot()) return;
    const Folder folder;
    std::string options = "--method gmres", why;
    SECTION("a singular matrix") {
        write(folder / "A.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n2\n4\n");
        why = "singular";
    }
    SECTION("a matrix that is too ill-conditioned") {
        // Hilbert's, whose condition number is 1e28 here.
        std::string text = "%%MatrixMarket matrix array real general\n20 20\n";
        for (int i = 0; i < 400; ++i) text += fmt::format("{:.17g}\n", 1.0 / (i / 20 + i % 20 + 1));
        write(folder / "A.mtx", text);
        why = "ill-conditioned";
    }
    SECTION("a right-hand side of zeros") {
        write_matrix_market(folder / "A.mtx", poisson2d(3));
        write_matrix_market(folder / "b.mtx", std::vector<double>(9, 0.0));
        options = fmt::format("-b '{}'", folder / "b.mtx");
        why = "zero";
    }
    const Result r = solve(folder, options);
    CHECK(r.code == 2);
    CHECK_THAT(r.out, ContainsSubstring("status") && ContainsSubstring(why));
    CHECK_THAT(r.err, ContainsSubstring("e.svg: not drawn") && ContainsSubstring(why));
    CHECK_THAT(reference(folder)["refused"].get<std::string>(), ContainsSubstring(why));
    CHECK(read_matrix_market_vector(folder / "x.mtx").size() > 1);
    CHECK_FALSE(fs::exists(folder / "e.svg"));
}

}  // namespace tests_of_accuracy
