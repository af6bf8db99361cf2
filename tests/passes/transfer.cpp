// What leads from one level to another: rectangular products, against double precision.
#include "formats/transfer.hpp"

#include <cmath>
#include <glsolve/generate.hpp>

#include "core/random.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Rows of 0 to `longest` entries.
CsrMatrix random_rectangle(Index rows, Index columns, Index longest, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < rows; ++i) {
        const auto count = static_cast<Index>(random.uniform() * static_cast<double>(longest + 1));
        for (Index k = 0; k < count; ++k) {
            entries.push_back({i, static_cast<Index>(random.uniform() * columns), random.uniform() + 0.5});
        }
    }
    return csr_from_triplets(rows, columns, entries);
}

std::vector<double> powers_of_two(Index count) {
    std::vector<double> scale(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < scale.size(); ++i) scale[i] = std::ldexp(1.0, static_cast<int>(i % 5) - 2);
    return scale;
}

/// y <- P x, or y <- y + P x, both with rows and columns scaled.
void check_transfer(const CsrMatrix& P) {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<double> row_scale = powers_of_two(P.rows), column_scale = powers_of_two(P.columns);
    Transfer transfer(backend, P, row_scale, column_scale);
    Vector x(backend, P.columns, "x"), y(backend, P.rows, "y"), sum(backend, P.rows, "sum");
    const Texels x_numbers = random_numbers(static_cast<std::size_t>(P.columns), 3),
                 before = random_numbers(static_cast<std::size_t>(P.rows), 4);
    x.upload(x_numbers);
    backend.upload(y.id(), Texels(static_cast<std::size_t>(y.layout().extent().texels()) * 4, -3e9f));
    sum.upload(before);
    transfer.multiply(y, x);
    transfer.add(sum, x);
    const Texels product = y.download_texels(), added = sum.download_texels();
    double worst = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(P.rows); ++i) {
        double exact = 0, size = 0;
        for (Offset k = P.offsets[i]; k < P.offsets[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(P.column[static_cast<std::size_t>(k)]);
            const double term = row_scale[i] * P.value[static_cast<std::size_t>(k)] * column_scale[j]
                                * static_cast<double>(x_numbers[j]);
            exact += term, size += std::abs(term);
        }
        const double unit = 6e-8 * static_cast<double>(P.offsets[i + 1] - P.offsets[i] + 3);
        const double b = static_cast<double>(before[i]);
        worst = std::max(worst, std::abs(static_cast<double>(product[i]) - exact) / (unit * size + 1e-30));
        worst = std::max(worst, std::abs(static_cast<double>(added[i]) - b - exact) / (unit * (size + std::abs(b))));
    }
    CHECK(worst <= 1);
    for (auto i = static_cast<std::size_t>(P.rows); i < product.size(); ++i) {
        REQUIRE(product[i] == 0);
        REQUIRE(added[i] == 0);
    }
}

}  // namespace

TEST_CASE("transfers between vectors of two lengths match double precision", "[passes][transfer][transfer_add]") {
    check_transfer(random_rectangle(1, 1, 1, 1));
    check_transfer(random_rectangle(3, 17, 4, 2));
    check_transfer(random_rectangle(17, 3, 2, 3));
    check_transfer(random_rectangle(70, 300, 20, 4));
    check_transfer(random_rectangle(300, 70, 3, 5));
    if (!is_slow()) check_transfer(random_rectangle(1000, 4100, 50, 6));  // slices of different lengths
    // All rows alike: the number of slots is a constant of the shader.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 90; ++i) {
        for (Index k = 0; k < 3; ++k) entries.push_back({i, (i + 7 * k) % 30, 0.3 + 0.1 * k + 0.01 * i});
    }
    check_transfer(csr_from_triplets(90, 30, entries));
    check_transfer(
        CsrMatrix{.rows = 5, .columns = 7, .offsets = {0, 0, 0, 0, 0, 0}, .column = {}, .value = {}});  // nothing
}
