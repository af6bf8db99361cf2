#include <glsolve/generate.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <numeric>

namespace glsolve::inline v0_1 {
namespace {

/// SplitMix64 (Steele, Lea, Flood 2014). The standard library's distributions differ from one library to the next;
/// files made from a seed should not.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    /// Standard normal, by Box and Muller.
    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }

  private:
    std::uint64_t state_;
};

/// A grid operator: `weight[d]` couples neighbours along axis d, Dirichlet boundaries outside.
CsrMatrix grid_operator(Index N, const std::vector<double>& weight) {
    const double unknowns = std::pow(static_cast<double>(N), static_cast<double>(weight.size()));
    if (N < 1 || unknowns > std::numeric_limits<Index>::max()) {
        throw InvalidInput(
            fmt::format("a grid of {}^{} unknowns: between 1 and 2^31 - 1 are possible", N, weight.size()));
    }
    const auto n = static_cast<Index>(unknowns);
    const double center = 2 * std::accumulate(weight.begin(), weight.end(), 0.0);
    CsrMatrix A;
    A.rows = A.columns = n;
    A.offsets.reserve(static_cast<std::size_t>(n) + 1);
    std::vector<Index> stride(weight.size());
    Index s = 1;
    for (Index& each : stride) {
        each = s;
        s = static_cast<Index>(std::int64_t{s} * N);
    }
    const auto add = [&](Index column, double value) {
        A.column.push_back(column);
        A.value.push_back(value);
    };
    for (Index i = 0; i < n; ++i) {
        const auto place = [&](std::size_t d) { return i / stride[d] % N; };
        for (std::size_t d = weight.size(); d-- > 0;) {
            if (place(d) > 0) add(i - stride[d], -weight[d]);
        }
        add(i, center);
        for (std::size_t d = 0; d < weight.size(); ++d) {
            if (place(d) < N - 1) add(i + stride[d], -weight[d]);
        }
        A.offsets.push_back(A.nonzeros());
    }
    return A;
}

}  // namespace

CsrMatrix poisson2d(Index N) { return grid_operator(N, {1, 1}); }

CsrMatrix poisson3d(Index N) { return grid_operator(N, {1, 1, 1}); }

CsrMatrix anisotropic(Index N, double epsilon) {
    if (!(epsilon > 0) || !std::isfinite(epsilon)) {
        throw InvalidInput(fmt::format("anisotropic: epsilon is {}; a positive number is needed", epsilon));
    }
    return grid_operator(N, {1, epsilon});
}

CsrMatrix random_spd(Index rows, Offset nonzeros, std::uint64_t seed) {
    const Offset most = Offset{rows} * rows;
    if (rows < 1 || nonzeros < rows || nonzeros > most) {
        throw InvalidInput(fmt::format(
            "random-spd: {} rows with {} nonzeros; at least 1 row, and from {} (the diagonal) to {} nonzeros", rows,
            nonzeros, rows, most));
    }
    Random random(seed);
    std::vector<Triplet> entries;
    entries.reserve(static_cast<std::size_t>(nonzeros));
    std::vector<double> row_sum(static_cast<std::size_t>(rows), 0.0);
    for (Offset pair = 0; pair < (nonzeros - rows) / 2; ++pair) {
        const auto i = static_cast<Index>(random.uniform() * rows);
        const auto j = static_cast<Index>(random.uniform() * rows);
        const double value = random.normal();
        if (i == j) continue;
        entries.push_back({i, j, value});
        entries.push_back({j, i, value});
        row_sum[static_cast<std::size_t>(i)] += std::abs(value);
        row_sum[static_cast<std::size_t>(j)] += std::abs(value);
    }
    for (Index i = 0; i < rows; ++i) {
        entries.push_back({i, i, row_sum[static_cast<std::size_t>(i)] + 0.01 + random.uniform()});
    }
    return csr_from_triplets(rows, rows, entries);
}

std::vector<double> known_answer(Index size, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> x(static_cast<std::size_t>(size));
    std::generate(x.begin(), x.end(), [&] { return 0.5 + random.uniform(); });
    return x;
}

}  // namespace glsolve::inline v0_1
