// Storages in half precision: passes read them as floats, and never write them; what is multiplied are the rounded
// numbers.
#include "base/half.hpp"

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "base/random.hpp"
#include "device/verbs.hpp"
#include "formats/transfer.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_half {

using namespace glsolve;
using namespace glsolve::test;

namespace {

double rounded(double a) { return static_cast<double>(rounded_to_half(static_cast<float>(a))); }

/// Random numbers of all sizes, those included that half precision holds with fewer digits.
Texels of_all_sizes(std::size_t count) {
    Texels numbers = random_numbers(count, 3);
    for (std::size_t i = 0; i < count; ++i) numbers[i] *= std::ldexp(1.0f, static_cast<int>(i % 40) - 25);
    return numbers;
}

/// Three diagonals on either side; `sums`: rows nearly sum to zero, so products multiply differences.
CsrMatrix random_bands(Index n, bool sums) {
    Random random(9);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        double row = 0;
        for (const Index offset : {-17, -4, -1, 1, 4, 17}) {
            if (i + offset < 0 || i + offset >= n) continue;
            entries.push_back({i, i + offset, -0.1 - random.uniform()});
            row += entries.back().value;
        }
        entries.push_back({i, i, sums ? 0.01 - row : 1 + random.uniform()});
    }
    return csr_from_triplets(n, n, entries);
}

/// The largest error of y, in times of what single precision may do to sums of such `sizes`.
double worst_error(const Texels& y, const std::vector<double>& exact, const std::vector<double>& sizes) {
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(y[i]) - exact[i]) / (2e-6 * sizes[i] + 1e-30));
    }
    return worst;
}

}  // namespace

TEST_CASE("values that are halves anyway take half the memory, and products stay the same", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Make make = GENERATE(make_ell, make_csr, in_blocks<2>, make_slices<16, true>, make_dia);
    const bool exact = GENERATE(true, false);
    CsrMatrix A = random_bands(300, false);
    for (double& value : A.value) value = exact ? rounded(value) : value + 1e-5;
    const std::vector<double> ones(300, 1.0);
    FormatInput in{.A = A, .scale = ones, .low_parts = false};
    Vector x(backend, 300, "x"), y(backend, 300, "y"), z(backend, 300, "z");
    x.upload(random_numbers(300, 4));
    const auto plain = make(backend, in);
    in.exact_halves = true;
    const auto halves = make(backend, in);
    plain->multiply(y, x);
    halves->multiply(z, x);
    CHECK(y.download_texels() == z.download_texels());
    CHECK((halves->bytes() < plain->bytes()) == exact);
}

TEST_CASE("what goes up in half precision comes back rounded, and takes half the memory", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    backend.trim();
    const Extent extent{29, 7};
    const Texels numbers = of_all_sizes(static_cast<std::size_t>(extent.texels()) * 4);
    const std::int64_t before = backend.counters().bytes;
    const Storage halves(backend, extent, Element::half, "halves");
    CHECK(backend.counters().bytes - before == extent.texels() * 8);
    CHECK(backend.bytes(halves.id()) == extent.texels() * 8);
    backend.upload(halves.id(), numbers);
    Texels back(numbers.size());
    backend.read(halves.id(), back);
    int changed = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        REQUIRE(back[i] == rounded_to_half(numbers[i]));
        changed += back[i] != numbers[i] ? 1 : 0;
    }
    CHECK(changed > 700);
    CHECK_THROWS_AS(backend.upload(halves.id(), std::vector<std::int32_t>(numbers.size())), Error);
    CHECK_THROWS_AS(backend.upload(halves.id(), std::span(numbers).first(8)), Error);
}

TEST_CASE("passes read half precision as floats, and may not write it", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Extent extent{16, 3};
    const Texels numbers = of_all_sizes(static_cast<std::size_t>(extent.texels()) * 4);
    const Storage halves(backend, extent, Element::half, "halves"), floats(backend, extent, Element::real, "floats"),
        columns(backend, extent, Element::integer, "integers");
    backend.upload(halves.id(), numbers);
    const auto copy = [&](const Storage& y, const Storage& x) { glsolve::copy(backend, y.id(), x.id()); };
    copy(floats, halves);
    Texels read(numbers.size());
    backend.read(floats.id(), read);
    for (std::size_t i = 0; i < numbers.size(); ++i) REQUIRE(read[i] == rounded_to_half(numbers[i]));
    CHECK_THROWS_WITH(copy(halves, floats), ContainsSubstring("axpby") && ContainsSubstring("element type"));
    CHECK_THROWS_WITH(copy(halves, halves), ContainsSubstring("element type"));
    CHECK_THROWS_WITH(copy(floats, columns), ContainsSubstring("element type"));
}

TEST_CASE("matrices in half precision multiply as their rounded numbers do", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const Make make = GENERATE(make_dia, make_ell, make_csr, make_slices<16, true>, make_slices<16, false>);
    const bool sums = GENERATE(false, true);
    const CsrMatrix A = random_bands(is_slow() ? 60 : 1000, sums);
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> scale(n);
    for (std::size_t i = 0; i < n; ++i) scale[i] = sums ? 0.25 : std::ldexp(1.0, static_cast<int>(i % 5) - 2);
    const FormatInput in{.A = A, .scale = scale, .halves = true};
    const auto matrix = make(backend, in);
    FormatInput full = in;
    full.halves = full.low_parts = false;
    CHECK(matrix->bytes() < make(backend, full)->bytes());

    const Texels x = random_numbers(n, 5), b = random_numbers(n, 6);
    Vector on_x(backend, A.rows, "x"), on_b(backend, A.rows, "b"), y(backend, A.rows, "y"), r(backend, A.rows, "r");
    on_x.upload(x);
    on_b.upload(b);
    // Read at once: llvmpipe (Mesa 22.3.6) may read a texture early that it still draws into, once it draws elsewhere.
    matrix->multiply(y, on_x);
    const Texels y_numbers = y.download_texels();
    matrix->residual(r, on_b, on_x);
    std::vector<double> product(n), residual(n), size(n), unrounded(n);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0, all = 0, diagonal = 0;
        const auto here = static_cast<double>(x[i]);
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(A.column[static_cast<std::size_t>(k)]);
            const double a = in.scaled(static_cast<Index>(i), k), xj = static_cast<double>(x[j]);
            unrounded[i] += a * xj;
            diagonal += i == j || sums ? a : 0;  // or the row's sum
            if (i != j) sum += rounded(a) * (xj - (sums ? here : 0));
            all += std::abs(a) * (std::abs(xj) + std::abs(here));
        }
        product[i] = sum + rounded(diagonal) * here;
        residual[i] = static_cast<double>(b[i]) - product[i];
        size[i] = all + std::abs(static_cast<double>(b[i]));
    }
    CHECK(worst_error(y_numbers, product, size) <= 1);
    CHECK(worst_error(r.download_texels(), residual, size) <= 1);
    CHECK(worst_error(y_numbers, unrounded, size) > 10);
}

TEST_CASE("transfers take other numbers in P's places", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const bool lattices = GENERATE(false, true), halves = GENERATE(false, true);
    const std::array<Index, 3> points{12, 1, 1}, blocks{4, 1, 1}, none{};
    std::vector<Triplet> entries;
    for (Index i = 0; i < 12; ++i) entries.push_back({i, i / 3, 1.0 + i});
    const CsrMatrix P = csr_from_triplets(12, 4, entries);
    const std::vector<double> rows(12, 0.5), columns(4, 4.0);
    std::vector<double> others(12);
    for (std::size_t i = 0; i < 12; ++i) others[i] = 0.25 * static_cast<double>(7 * i % 12);  // halves hold them
    Transfer transfer =
        make_transfer(backend, {P, rows, columns, lattices ? points : none, lattices ? blocks : none, halves, others});
    Vector x(backend, 4, "x"), y(backend, 12, "y");
    x.upload(std::vector<float>{1, 2, 3, 4});
    transfer.multiply(y, x);
    const Texels got = y.download_texels();
    for (std::size_t i = 0; i < 12; ++i) {
        CHECK(static_cast<double>(got[i]) == 2 * others[i] * static_cast<double>(i / 3 + 1));
    }
}

TEST_CASE("transfers in half precision multiply with the same rounded numbers both ways", "[passes][half]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const bool lattices = GENERATE(false, true);
    // Each point between two centres of blocks of three, along x.
    const std::array<Index, 3> points{60, is_slow() ? 3 : 20, 1}, blocks{20, is_slow() ? 3 : 20, 1};
    Random random(3);
    std::vector<Triplet> entries;
    for (Index i = 0; i < points[0] * points[1]; ++i) {
        const Index line = i / points[0] * blocks[0], own = i % points[0] / 3;
        for (const Index block : {own, std::min(own + 1, blocks[0] - 1)}) {
            entries.push_back({i, line + block, random.uniform() + 0.1});
        }
    }
    const CsrMatrix P = csr_from_triplets(points[0] * points[1], blocks[0] * blocks[1], entries), Pt = transpose(P);
    // Not powers of two: in P^T the product of three factors is rounded in another order.
    std::vector<double> rows(static_cast<std::size_t>(P.rows)), columns(static_cast<std::size_t>(P.columns));
    for (double& s : rows) s = random.uniform() + 0.5;
    for (double& s : columns) s = random.uniform() + 0.5;
    const std::array<Index, 3> none{};
    const TransferInput down{P, rows, columns, lattices ? points : none, lattices ? blocks : none, true},
        up{Pt, columns, rows, lattices ? blocks : none, lattices ? points : none, true};
    TransferInput full = down;
    full.halves = false;
    Transfer prolongation = make_transfer(backend, down), restriction = make_transfer(backend, up);
    CHECK(prolongation.bytes() < make_transfer(backend, full).bytes());

    const Texels x = random_numbers(columns.size(), 5), z = random_numbers(rows.size(), 6);
    Vector coarse(backend, P.columns, "x"), fine(backend, P.rows, "z"), y(backend, P.rows, "y"),
        w(backend, P.columns, "w");
    coarse.upload(x);
    fine.upload(z);
    prolongation.multiply(y, coarse);
    const Texels y_numbers = y.download_texels();
    restriction.multiply(w, fine);
    std::vector<double> Px(rows.size()), Ptz(columns.size()), row_sizes(rows.size()), column_sizes(columns.size()),
        unrounded(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        for (Offset k = P.offsets[i]; k < P.offsets[i + 1]; ++k) {
            const auto j = static_cast<std::size_t>(P.column[static_cast<std::size_t>(k)]);
            const double p = static_cast<double>(down.scaled(static_cast<Index>(i), k)), h = rounded(p);
            Px[i] += h * static_cast<double>(x[j]);
            Ptz[j] += h * static_cast<double>(z[i]);
            unrounded[i] += p * static_cast<double>(x[j]);
            row_sizes[i] += 1.5 * p, column_sizes[j] += 1.5 * p;
        }
    }
    CHECK(worst_error(y_numbers, Px, row_sizes) <= 1);
    CHECK(worst_error(w.download_texels(), Ptz, column_sizes) <= 1);
    CHECK(worst_error(y_numbers, unrounded, row_sizes) > 10);
}

}  // namespace tests_of_half
