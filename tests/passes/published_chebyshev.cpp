// The naive Chebyshev iteration as Chadov has it, against the same loop in double precision.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <numbers>

#include "base/random.hpp"
#include "papers/methods/published.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"

namespace tests_of_published_chebyshev {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr Index side = 15;

/// S P S with the 5-point matrix P and random S: its diagonal is uneven, and the eigenvalues of D^-1 A are those of
/// P / 4, which are known.
struct Example {
    CsrMatrix A = poisson2d(side);
    std::vector<float> b, reciprocal;
    PublishedChebyshevRule rule{.l_min = 1 - std::cos(std::numbers::pi / (side + 1)),
                                .l_max = 1 + std::cos(std::numbers::pi / (side + 1)),
                                .tolerance = 0,
                                .max_iterations = 24};

    Example() {
        Random random(5);
        std::vector<double> s(static_cast<std::size_t>(A.rows));
        for (double& number : s) number = 1 + random.uniform();
        for (std::size_t i = 0; i < s.size(); ++i) {
            for (auto e = static_cast<std::size_t>(A.offsets[i]); e < static_cast<std::size_t>(A.offsets[i + 1]); ++e)
                A.value[e] *= s[i] * s[static_cast<std::size_t>(A.column[e])];
            b.push_back(static_cast<float>(2 * random.uniform() - 1));
        }
        for (const double number : diagonal(A)) reciprocal.push_back(static_cast<float>(1 / number));
    }
};

struct HostRun {
    std::vector<double> x, relative;  // |r| / |b| after each step
};

/// Barrett et al., Templates, 1994, figure 2.11, with the errata.
HostRun on_host(const Example& example, int steps) {
    const std::size_t n = example.b.size();
    std::vector<double> r(example.b.begin(), example.b.end()), p(n, 0.0), product(n);
    const std::vector<double> diagonals = diagonal(example.A);
    const auto norm = [](const std::vector<double>& v) {
        double squares = 0;
        for (const double number : v) squares += number * number;
        return std::sqrt(squares);
    };
    const double d = (example.rule.l_max + example.rule.l_min) / 2, c = (example.rule.l_max - example.rule.l_min) / 2,
                 norm_b = norm(r);
    HostRun run{.x = p, .relative = {}};
    double alpha = 0;
    for (int k = 0; k < steps; ++k) {
        const double beta = k == 0 ? 0 : k == 1 ? std::pow(c * alpha, 2) / 2 : std::pow(c * alpha / 2, 2);
        alpha = k == 0 ? 1 / d : 1 / (d - beta / alpha);
        for (std::size_t i = 0; i < n; ++i) {
            p[i] = r[i] / diagonals[i] + beta * p[i];
            run.x[i] += alpha * p[i];
        }
        multiply(example.A, run.x, product);
        for (std::size_t i = 0; i < n; ++i) r[i] = static_cast<double>(example.b[i]) - product[i];
        run.relative.push_back(norm(r) / norm_b);
    }
    return run;
}

PublishedChebyshev on_device(const Example& example, const PublishedChebyshevRule& rule, Make make = make_csr) {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<double> unscaled(static_cast<std::size_t>(example.A.rows), 1.0);
    const auto A = make(backend, {example.A, unscaled});
    Vector reciprocal(backend, example.A.rows, "1 / a_ii");
    reciprocal.upload(example.reciprocal);
    return published_chebyshev(backend, *A, reciprocal, example.b, rule);
}

}  // namespace

TEST_CASE("the published Chebyshev iteration makes the steps of the textbook", "[passes]") {
    const Example example;
    const HostRun exact = on_host(example, example.rule.max_iterations);
    const Make make = GENERATE(make_csr, make_dia);
    const std::uint64_t reads = backend_under_test().counters().reads;
    const PublishedChebyshev run = on_device(example, example.rule, make);
    CHECK(run.iterations == example.rule.max_iterations);
    CHECK_FALSE(run.converged);
    CHECK(run.relative_residual == Approx(exact.relative.back()).epsilon(1e-3));
    // |b|, |r| after each step, and x.
    CHECK(backend_under_test().counters().reads - reads == static_cast<std::uint64_t>(run.iterations) + 2);
    double worst = 0, size = 0;
    for (std::size_t i = 0; i < exact.x.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(run.x[i]) - exact.x[i]));
        size = std::max(size, std::abs(exact.x[i]));
    }
    CHECK(worst < 1e-5 * size);
}

TEST_CASE("the published Chebyshev iteration ends at the first test that is met", "[passes]") {
    const Example example;
    PublishedChebyshevRule rule = example.rule;
    rule.tolerance = 1e-4;
    rule.max_iterations = 1000;
    const HostRun exact = on_host(example, 200);
    int steps = 1;
    while (exact.relative[static_cast<std::size_t>(steps - 1)] > rule.tolerance) ++steps;
    const PublishedChebyshev each = on_device(example, rule);
    CHECK(each.converged);
    CHECK(std::abs(each.iterations - steps) <= 1);
    rule.test_every = 16;
    const PublishedChebyshev seldom = on_device(example, rule);
    CHECK(seldom.converged);
    CHECK(seldom.iterations == (each.iterations + 15) / 16 * 16);
}

TEST_CASE("the published Chebyshev iteration with nothing to solve, or numbers that are none", "[passes]") {
    Example example;
    PublishedChebyshevRule rule = example.rule;
    rule.l_min = 0;
    CHECK_THROWS_WITH(on_device(example, rule), ContainsSubstring("0 < l_min <= l_max"));
    rule = example.rule;
    rule.test_every = 0;
    CHECK_THROWS_AS(on_device(example, rule), InvalidInput);
    example.b[7] = std::numeric_limits<float>::quiet_NaN();
    const PublishedChebyshev lost = on_device(example, example.rule);
    CHECK_FALSE(lost.converged);
    CHECK(lost.iterations == 1);
    std::ranges::fill(example.b, 0.0f);
    const PublishedChebyshev nothing = on_device(example, example.rule);
    CHECK(nothing.converged);
    CHECK(nothing.iterations == 0);
    CHECK(nothing.x == example.b);
    example.b.pop_back();
    CHECK_THROWS_WITH(on_device(example, example.rule), ContainsSubstring("as many are needed"));
}

}  // namespace tests_of_published_chebyshev
