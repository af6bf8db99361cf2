// What passes make of sparse matrices row by row, beside what the host makes of them: strong entries, aggregates,
// interpolation, products.
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>

#include "amg/aggregation.hpp"
#include "amg/interpolation.hpp"
#include "amg/sparse_product.hpp"
#include "base/random.hpp"
#include "formats/team.hpp"
#include "matrix/csr_entries.hpp"
#include "multigrid/host_rows.hpp"
#include "multigrid/sparse_interpolation.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/differences.hpp"

namespace tests_of_rows {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Symmetric, of random couplings between random unknowns and along a line; some unknowns have none that is strong, and
/// one has many neighbours.
CsrMatrix random_matrix(Index n, Index couplings, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    std::vector<double> diagonal(static_cast<std::size_t>(n), 1e-3);
    const auto couple = [&](Index i, Index j, double a) {
        if (i == j) return;
        entries.push_back({i, j, -a});
        entries.push_back({j, i, -a});
        diagonal[static_cast<std::size_t>(i)] += a;
        diagonal[static_cast<std::size_t>(j)] += a;
    };
    const auto any = [&] { return static_cast<Index>(random.uniform() * n) % n; };
    for (Index k = 0; k < couplings; ++k) {
        const Index i = any();
        const auto near = static_cast<Index>(random.uniform() * 9) - 4;
        couple(i, std::clamp<Index>(i + near, 0, n - 1), random.uniform() < 0.2 ? 1e-3 : 0.25 + random.uniform());
        if (k % 7 == 0) couple(i, any(), 1e-3);
    }
    for (Index i = 0; i < n; i += std::max<Index>(n / 20, 1)) couple(0, i, 0.5);
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, diagonal[static_cast<std::size_t>(i)]});
    return csr_from_triplets(n, n, entries);
}

/// S A S
CsrMatrix scaled(CsrMatrix A, const std::vector<double>& scale) {
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) a *= scale[static_cast<std::size_t>(i)] * scale[static_cast<std::size_t>(j)];
    }
    return A;
}

/// D P
CsrMatrix of_rows(const std::vector<double>& d, CsrMatrix P) {
    for (Index i = 0; i < P.rows; ++i) {
        for (const auto [j, p] : P.row(i)) p *= d[static_cast<std::size_t>(i)];
    }
    return P;
}

std::vector<Index> sizes() {
    std::vector<Index> made{1, 2, 31, 32, 33, 300};
    if (!is_slow()) made.insert(made.end(), {1024, 1025, 12000, 33000});
    // So many rows have an invocation each, in place of a work group.
    if (has_teams(backend_under_test())) made.push_back(140'000);
    return made;
}

}  // namespace

TEST_CASE(
    "sums before",
    "[passes][rows][prefix_sum][sums_of_groups][sums_before][sums_before_base][offsets_of_rows][offsets_of_rows_base]"
    "[integer_parts]") {
    Backend& backend = backend_under_test();
    if (!backend.can().ranges) {
        WARN("skipped: this device writes no integers");
        return;
    }
    const Session session(backend);
    for (const Index n : sizes()) {
        Random random(static_cast<std::uint64_t>(n));
        const EntryLayout layout = EntryLayout::of(n, backend.info().max_texture_size);
        const Storage parts(backend, layout.extent(n), Element::integer, "parts");
        std::vector<std::int32_t> texels(static_cast<std::size_t>(layout.extent(n).texels()) * 4, 77);
        RowTexels expected;
        std::vector<std::int32_t> before{0};
        for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) {
            const auto x = static_cast<std::int32_t>(random.uniform() * 50), y = static_cast<std::int32_t>(i % 7);
            texels[4 * i] = x;
            texels[4 * i + 1] = y;
            expected = {.texels = expected.texels + x, .entries = expected.entries + y};
            before.push_back(before.back() + 4 * x);
        }
        backend.upload(parts.id(), std::span<const std::int32_t>(texels));
        const PrefixSums made = prefix_sums(backend, layout, parts, n, 4);
        CHECK(made.size.texels == expected.texels);
        CHECK(made.size.entries == expected.entries);
        const auto all = static_cast<std::size_t>(backend.extent(made.offsets.id()).texels()) * 4;
        std::vector<std::int32_t> offsets = download_integers(backend, made.offsets.id(), all);
        before.resize(all, before.back());  // behind the last row there is nothing
        CHECK(offsets == before);
    }
}

TEST_CASE("aggregates, interpolation and P^T A P are those of the host",
          "[passes][rows][independent_set][strong_columns][independent_keys][independent_reach]"
          "[independent_decide][root_flags][aggregates_near][aggregates_far][members]"
          "[members_counts][prolongation][prolongation_counts][prolongation_tentative]"
          "[prolongation_counts_tentative][transposed_rows][transposed_rows_counts]"
          "[rows_product][rows_product_counts][rows_product_diagonal][rows_product_diagonal_counts]"
          "[put_row_sums][rows_diagonal][rows_diagonal_tentative][rows_lumped][rows_lumped_tentative]") {
    Backend& backend = backend_under_test();
    if (!backend.can().ranges) {
        WARN("skipped: this device writes no integers");
        return;
    }
    const Session session(backend);
    const double rounding = backend.holds_doubles() ? 1e-13 : 1e-6;
    for (const Index n : sizes()) {
        for (const bool is_scaled : {false, true}) {
            const CsrMatrix A = random_matrix(n, 3 * n, static_cast<std::uint64_t>(n) + 1);
            Random random(3);
            std::vector<double> scale(static_cast<std::size_t>(n), 1.0), reciprocal(scale);
            for (std::size_t i = 0; is_scaled && i < scale.size(); ++i) {
                scale[i] = std::ldexp(1.0, static_cast<int>(random.uniform() * 5) - 2);
                reciprocal[i] = 1 / scale[i];
            }
            INFO(n << " unknowns, scaled: " << is_scaled);
            const DeviceRows rows =
                *upload_rows(backend, EntryLayout::of(n, backend.info().max_texture_size), A, scale);
            CHECK(rows.at.size.entries == A.nonzeros() - n);
            const CsrMatrix scaled_A = scaled(A, scale);
            CHECK(worst_difference(download_rows(rows.at), scaled_A) < rounding * largest_of(scaled_A));

            Vector t(backend, n, "t"), d(backend, n, "d");
            upload_floats(t, reciprocal.size(), [&](std::size_t i) { return reciprocal[i]; });
            const RowFacts facts = look_at_rows(rows.at, d, is_scaled ? &t : nullptr);
            CHECK(facts.has_positive_diagonal());
            double bound = 0;
            for (Index i = 0; i < n; ++i) {
                double sum = 0;
                for (const auto [j, a] : A.row(i)) sum += std::abs(a);
                bound = std::max(bound, sum / entry(A, i, i));
            }
            CHECK(std::abs(facts.bound - bound) < 1e-5 * bound);

            const double threshold = 0.078125, omega = 0.625;
            const Strength S = symmetric_strength(A, threshold);
            const Storage strong = strong_columns(rows.at, d, threshold);
            const Aggregates expected = around_roots(S);
            const DeviceAggregates aggregates = aggregates_around_roots(rows.at, strong.id());
            CHECK(aggregates.count == expected.count);
            CHECK(download_integers(backend, aggregates.of.id(), expected.of.size()) == expected.of);
            if (expected.count == 0) continue;

            const DeviceInterpolation way =
                smoothed_interpolation(rows.at, d, strong.id(), aggregates, omega, is_scaled ? &t : nullptr);
            const NearNullSpace ones = constants(n);
            const CsrMatrix T = tentative_prolongation(ones, expected.of, expected.count).T;
            const CsrMatrix plain = smoothed(A, &S, T, omega), P = of_rows(reciprocal, plain);
            const CsrMatrix P_made = download_rows(way.P.at, expected.count), Pt_made = download_rows(way.Pt.at, n);
            CHECK(P_made.offsets == P.offsets);
            CHECK(P_made.column == P.column);
            CHECK(worst_difference(P_made, P) < 3 * rounding * largest_of(P));
            CHECK(worst_difference(Pt_made, transpose(P_made)) == 0);
            CHECK(way.P.at.size.entries == P.nonzeros());
            CHECK(way.Pt.at.size.entries == P.nonzeros());

            const CsrMatrix coarse = galerkin_product(transpose(plain), A, plain);
            const DeviceRows made = *galerkin_rows(way, rows.at, d);
            Vector sums(backend, expected.count, "row sums");
            std::vector<double> ones_c(static_cast<std::size_t>(expected.count), 1.0), of_coarse(ones_c);
            multiply(coarse, ones_c, of_coarse);
            upload_floats(sums, of_coarse.size(), [&](std::size_t i) { return of_coarse[i]; });
            put_row_sums(made.at, sums);
            CHECK(made.at.size.entries == coarse.nonzeros() - expected.count);
            CHECK(worst_difference(download_rows(made.at), coarse) < 5 * rounding * largest_of(coarse));
        }
    }
}

}  // namespace tests_of_rows
