// Interpolation from C points: against the formulas, written down once more with dense matrices.
#include <algorithm>
#include <glsolve/generate.hpp>
#include <set>
#include <string>

#include "amg/interpolation.hpp"
#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_amg_interpolation {

using namespace glsolve;

namespace {

struct Case {
    std::string name;
    CsrMatrix A;
    Strength S;
    Splitting splitting;
};

std::vector<Case> cases() {
    std::vector<Case> made;
    const auto add = [&](const std::string& name, const CsrMatrix& A, const Strength& S) {
        made.push_back({name + ", PMIS", A, S, split_pmis(S)});
        made.push_back({name + ", Ruge and Stüben", A, S, split_ruge_stueben(S, false)});
        made.push_back({name + ", Falgout", A, S, split_falgout(S)});
    };
    const auto classical = [&](const std::string& name, const CsrMatrix& A) {
        add(name, A, classical_strength(A, 0.25));
    };
    classical("grid", poisson2d(11));
    classical("brick", poisson3d(5));
    classical("lines", anisotropic(10, 1e-2));
    classical("jumps", jumping_coefficients(12, 1e3, Coefficients::inclusions));
    classical("upwind", convection_diffusion(12, {.diffusion = 1e-3, .recirculating = true}));
    classical("hubs", graph_laplacian(150, 5, Degrees::power_law));
    classical("any signs", random_spd(120, 900));
    CsrMatrix negative = random_spd(120, 900);
    for (double& a : negative.value) a = -a;
    classical("any signs, negative definite", negative);
    const CsrMatrix any = random_spd(100, 700), elastic = elasticity(2, 2, 2).A;
    add("strong positive entries", any, symmetric_strength(any, 0.02));
    add("elastic", elastic, symmetric_strength(elastic, 0.05));
    return made;
}

std::set<Index> strong(const Case& c, Index i, Point point) {
    std::set<Index> found;
    for (const Index j : c.S.row(i)) {
        if (c.splitting[j] == point) found.insert(j);
    }
    return found;
}

/// Stüben 2001, section 4.2.
Eigen::VectorXd direct_row(const Case& c, const Eigen::MatrixXd& A, Index i) {
    const std::set<Index> C = strong(c, i, Point::coarse);
    Eigen::VectorXd w = Eigen::VectorXd::Zero(A.rows());
    double diagonal = A(i, i);
    for (const double sign : {-1.0, 1.0}) {
        double all = 0, interpolated = 0;
        for (Index j = 0; j < A.rows(); ++j) {
            if (j == i || sign * A(i, j) <= 0) continue;
            all += A(i, j);
            if (C.contains(j)) interpolated += A(i, j);
        }
        if (interpolated == 0) diagonal += all;
        for (const Index j : C) {
            if (sign * A(i, j) > 0) w(j) = -all / interpolated * A(i, j);
        }
    }
    return w / diagonal;
}

/// De Sterck, Falgout, Nolting and Yang 2008, formula (4.10).
Eigen::VectorXd extended_row(const Case& c, const Eigen::MatrixXd& A, Index i) {
    const std::set<Index> F = strong(c, i, Point::fine);
    std::set<Index> C = strong(c, i, Point::coarse);
    for (const Index k : F) C.merge(strong(c, k, Point::coarse));
    const auto bar = [&](Index k, Index l) { return A(k, l) * A(k, k) > 0 ? 0 : A(k, l); };

    Eigen::VectorXd w = Eigen::VectorXd::Zero(A.rows());
    double diagonal = A(i, i);
    for (Index n = 0; n < A.rows(); ++n) {
        if (n != i && !C.contains(n) && !F.contains(n)) diagonal += A(i, n);
    }
    for (const Index j : C) w(j) = A(i, j);
    for (const Index k : F) {
        double sum = bar(k, i);
        for (const Index l : C) sum += bar(k, l);
        diagonal += sum == 0 ? A(i, k) : A(i, k) * bar(k, i) / sum;
        for (const Index j : C) w(j) += sum == 0 ? 0 : A(i, k) * bar(k, j) / sum;
    }
    return -w / diagonal;
}

using Interpolation = CsrMatrix (*)(CsrView, const Strength&, const Splitting&, Truncation);

template <typename RowOf>
void check_rows(const Case& c, Interpolation interpolation, const RowOf& row_of) {
    INFO(c.name);
    const CsrMatrix P = interpolation(c.A, c.S, c.splitting, {});
    const std::vector<Index> number = coarse_numbers(c.splitting);
    REQUIRE(P.rows == c.A.rows);
    REQUIRE(P.columns == number.back());
    REQUIRE_NOTHROW(check(P));
    const Eigen::MatrixXd A = test::dense(c.A), found = test::dense(P);
    for (Index i = 0; i < P.rows; ++i) {
        Eigen::VectorXd w = Eigen::VectorXd::Zero(P.rows);
        if (c.splitting[i] == Point::coarse) w(i) = 1;
        if (c.splitting[i] == Point::fine) w = row_of(c, A, i);
        for (Index j = 0; j < P.rows; ++j) {
            if (c.splitting[j] == Point::coarse)
                CHECK(found(i, number[j]) == Approx(w(j)).epsilon(1e-12).margin(1e-14));
        }
    }
}

std::vector<double> row_sums(const CsrMatrix& A) {
    std::vector<double> sums(static_cast<std::size_t>(A.rows));
    multiply(A, std::vector<double>(static_cast<std::size_t>(A.columns), 1.0), sums);
    return sums;
}

/// Whether rows of A that sum to zero are interpolated so that a constant stays one. Counts the F points among them.
int check_constants(const Case& c, Interpolation interpolation, Truncation truncation) {
    const std::vector<double> A = row_sums(c.A), P = row_sums(interpolation(c.A, c.S, c.splitting, truncation));
    int interpolated = 0;
    for (Index i = 0; i < c.A.rows; ++i) {
        if (c.splitting[i] != Point::fine || std::abs(A[i]) > 1e-12 || P[i] == 0) continue;
        CHECK(std::abs(P[i] - 1) < 1e-12);
        ++interpolated;
    }
    return interpolated;
}

void check_truncated(Row row, Truncation truncation, const Row& expected) {
    truncate(row, truncation);
    REQUIRE(row.size() == expected.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
        CHECK(row[k].column == expected[k].column);
        CHECK(row[k].value == Approx(expected[k].value).epsilon(1e-14));
    }
}

}  // namespace

TEST_CASE("direct interpolation is Stüben's formula", "[core][amg]") {
    for (const Case& c : cases()) check_rows(c, direct_interpolation, direct_row);
}

TEST_CASE("extended interpolation is formula (4.10)", "[core][amg]") {
    for (const Case& c : cases()) check_rows(c, extended_interpolation, extended_row);
}

TEST_CASE("interpolation on a line, by hand", "[core][amg]") {
    // 2 on the diagonal, -1 beside it; C F F C
    const CsrMatrix A = csr_from_triplets(4, 4,
                                          std::vector<Triplet>{{0, 0, 2},
                                                               {0, 1, -1},
                                                               {1, 0, -1},
                                                               {1, 1, 2},
                                                               {1, 2, -1},
                                                               {2, 1, -1},
                                                               {2, 2, 2},
                                                               {2, 3, -1},
                                                               {3, 2, -1},
                                                               {3, 3, 2}});
    const Strength S = classical_strength(A, 0.25);
    const Splitting splitting{Point::coarse, Point::fine, Point::fine, Point::coarse};
    CHECK(direct_interpolation(A, S, splitting, {}).value == std::vector<double>{1, 1, 1, 1});
    // b_k = -2, d = 2 - 1/2:  1 / 1.5  and  1/2 / 1.5
    const CsrMatrix P = extended_interpolation(A, S, splitting, {});
    CHECK(P.column == std::vector<Index>{0, 0, 1, 0, 1, 1});
    const std::vector<double> expected{1, 2.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3, 1};
    for (std::size_t k = 0; k < expected.size(); ++k) CHECK(P.value[k] == Approx(expected[k]).epsilon(1e-15));
}

TEST_CASE("constants are interpolated exactly, truncated or not", "[core][amg]") {
    int interpolated = 0;
    std::vector<Case> all = cases();
    const CsrMatrix large = poisson2d(150);  // rows of several threads
    const Strength S = classical_strength(large, 0.25);
    all.push_back({"large grid", large, S, split_pmis(S)});
    for (const Case& c : all) {
        INFO(c.name);
        for (const Truncation truncation : {Truncation{}, Truncation{0.2, 0}, Truncation{0, 2}, Truncation{0.3, 4}}) {
            interpolated += check_constants(c, direct_interpolation, truncation);
            interpolated += check_constants(c, extended_interpolation, truncation);
        }
    }
    CHECK(interpolated > 50000);
}

TEST_CASE("the rows of all threads make one matrix", "[core][amg]") {
    const Index N = 150;
    const CsrMatrix A = anisotropic(N, 1e-6);
    const Strength S = classical_strength(A, 0.25);
    Splitting splitting(static_cast<std::size_t>(A.rows), Point::fine);
    for (Index i = 0; i < A.rows; ++i) {
        if (i % N % 2 == 1) splitting[i] = Point::coarse;
    }
    // Of the line along x: the C points left and right, half of each.
    const CsrMatrix P = direct_interpolation(A, S, splitting, {});
    REQUIRE_NOTHROW(check(P));
    std::vector<Index> expected;
    for (Index i = 0; i < A.rows; ++i) {
        const Index x = i % N, line = i / N * (N / 2);
        if (x % 2 == 0 && x > 0) expected.push_back(line + x / 2 - 1);
        expected.push_back(line + x / 2);
    }
    CHECK(P.column == expected);
}

TEST_CASE("truncation keeps the largest and the sum", "[core][amg]") {
    const Row row{{5, 0.1}, {2, -0.2}, {9, 0.4}, {1, 0.2}};  // sums to 0.5
    check_truncated(row, {}, {{1, 0.2}, {2, -0.2}, {5, 0.1}, {9, 0.4}});
    check_truncated(row, {0.5, 0}, {{1, 0.25}, {2, -0.25}, {9, 0.5}});
    check_truncated(row, {0.51, 0}, {{9, 0.5}});
    check_truncated(row, {0, 2}, {{1, 0.5 * 0.2 / 0.6}, {9, 0.5 * 0.4 / 0.6}});
    check_truncated(row, {0.9, 3}, {{9, 0.5}});
    check_truncated({{0, 1.0}, {1, -1.0}, {2, 0.5}}, {0.6, 0}, {{0, 1.0}, {1, -1.0}});  // nothing to scale
    check_truncated({}, {0.5, 2}, {});
}

TEST_CASE("rows that cannot be interpolated are empty", "[core][amg]") {
    const CsrMatrix A = csr_from_triplets(
        4, 4,
        std::vector<Triplet>{
            {0, 0, 1}, {0, 1, -1}, {1, 0, -1}, {1, 1, 1}, {1, 2, -1}, {2, 1, -1}, {2, 2, 1}, {3, 3, 1}});
    const Strength S = classical_strength(A, 0.25);
    const Splitting far{Point::coarse, Point::fine, Point::fine, Point::alone};
    CHECK(direct_interpolation(A, S, far, {}).offsets == std::vector<Offset>{0, 1, 2, 2, 2});
    CHECK(extended_interpolation(A, S, far, {}).offsets == std::vector<Offset>{0, 1, 1, 2, 2});  // row 1: d = 0
    const Splitting none(4, Point::fine);
    CHECK(direct_interpolation(A, S, none, {}).nonzeros() == 0);
    CHECK(extended_interpolation(A, S, none, {}).nonzeros() == 0);
    CHECK(extended_interpolation(CsrMatrix{}, Strength{}, {}, {}).rows == 0);
}

}  // namespace tests_of_amg_interpolation
