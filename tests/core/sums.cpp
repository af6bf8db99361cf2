// Sums of products in more than double precision.
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/exact_sum.hpp"
#include "support/catch.hpp"

namespace tests_of_sums {

using namespace glsolve;

TEST_CASE("an exact sum loses nothing, whatever cancels and in whatever order", "[sums]") {
    std::mt19937 random(5);
    std::uniform_int_distribution<int> exponent(-400, 400);
    std::uniform_real_distribution<double> unit(0.5, 1);
    for (int round = 0; round < 50; ++round) {
        const double remains = std::ldexp(unit(random), exponent(random)), little = std::ldexp(remains, -60);
        std::vector<std::pair<double, double>> products{{remains, 1}, {little, 1}};
        for (int pair = 0; pair < 20; ++pair) {  // that cancel
            const double a = std::ldexp(unit(random), exponent(random)), b = std::ldexp(unit(random), exponent(random));
            products.insert(products.end(), {{a, b}, {-a, b}});
        }
        std::shuffle(products.begin(), products.end(), random);
        ExactSum exact;
        for (const auto& [a, b] : products) exact.add_product(a, b);
        CHECK(exact.high() == remains);
        CHECK(exact.low() == little);
    }
    // A long row: its parts may hold a few bits each, and be many.
    std::vector<double> terms;
    for (int k = 0; k < 1000; ++k) {
        const double bit = std::ldexp(1.0, 2 * k - 1000);
        terms.insert(terms.end(), {bit, std::ldexp(unit(random), exponent(random))});
    }
    for (std::size_t k = 0, count = terms.size(); k < count; ++k) terms.push_back(-terms[k]);
    terms.push_back(3);
    std::shuffle(terms.begin(), terms.end(), random);
    ExactSum many;
    for (const double term : terms) many.add(term);
    CHECK(many.high() == 3);
    CHECK(many.low() == 0);
    CHECK(ExactSum().high() == 0);
    ExactSum overflown(1);
    for (int k = 0; k < 100; ++k) overflown.add_product(1e300, 1e300);
    CHECK(!std::isfinite(overflown.high()));
}

TEST_CASE("a compensated sum is as good as one in twice the precision", "[sums]") {
    CompensatedSum twice(1);
    for (const double a : {1e15, 3.0, -1e15}) twice.add_product(a, 1.1);
    CHECK(twice.high() == Approx(1 + 3 * 1.1).epsilon(1e-15));
    double plain = 1;
    for (const double a : {1e15, 3.0, -1e15}) plain += a * 1.1;
    CHECK(std::abs(plain - 4.3) > 1e-3);
}

}  // namespace tests_of_sums
