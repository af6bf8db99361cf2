#include "matrices.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/matrix_market.hpp>
#include <random>

namespace glsolve::bench::gmres {

const std::array<PrintedMatrix, 9> printed_matrices{
    {{"c-26", 4307, 4.5, {0.006, 0.039, 0.005}, {{{0.015, 0.016}, {0.047, 0.063}, {0.140, 0.172}}}},
     {"crystk02", 13965, 35.2, {0.017, 0.047, 0.020}, {{{0.187, 0.031}, {0.343, 0.063}, {0.390, 0.094}}}},
     {"Language", 399130, 3.0, {0.193, 1.224, 0.369}, {{{7.594, 0.234}, {52.422, 0.563}, {239.203, 1.484}}}},
     {"Largebasis",
      440020,
      12.6,
      {0.163, 0.569, 0.325},
      {{{4.047, 0.218}, {10.312, 0.500}, {34.562, 1.406}}},
      {{{2.610, 0.250}, {6.624, 0.641}, {19.593, 1.934}}}},
     {"ASIC_680ks",
      682712,
      3.4,
      {0.104, 0.380, 0},
      {{{5.250, 0.187}, {14.954, 0.484}, {51.235, 1.531}}},
      {{{2.847, 0.247}, {8.638, 0.601}, {28.458, 1.860}}}},
     {"G3_circuit",
      1585478,
      2.9,
      {0.145, 0.193, 0},
      {{{11.046, 0.281}, {33.109, 0.765}, {110.797, 2.532}}},
      {{{6.938, 0.309}, {20.967, 0.877}, {69.005, 2.681}}}},
     {"kkt_power",
      2063494,
      3.9,
      {0.351, 0.698, 0},
      {{{16.375, 0.532}, {45.234, 1.297}, {157.063, 5.266}}},
      {{{9.870, 0.543}, {29.160, 1.367}, {102.412, 4.043}}}},
     {"memchip", 2707524, 5.5, {0.446, 1.001, 0}, {{{21.407, 0.672}, {61.782, 3.062}, {208.031, 4.782}}}},
     {"Freescale1", 3428755, 5.5, {0.600, 1.245, 0}, {{{27.234, 0.875}, {76.688, 2.187}, {258.297, 6.344}}}}}};

namespace {

constexpr double far_share = 0.02;  // of the entries: wires across the chip
constexpr double excess = 1e-4;     // of the diagonal over the sum of the row

CsrMatrix neighbours(Index rows, double entries_a_row) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto side = static_cast<Index>(std::lround(std::sqrt(rows)));
    // The nearest first: (1, 0), (0, 1), ... and back.
    std::vector<Index> offsets;
    for (Index ring = 1; ring <= 6; ++ring) {
        for (const Index to : {ring, ring * side, ring * side + ring, ring * side - ring}) {
            offsets.push_back(to);
            offsets.push_back(-to);
        }
    }
    CsrMatrix A{.rows = rows, .columns = rows};
    A.offsets.assign(1, 0);
    std::vector<Index> columns;
    for (Index i = 0; i < rows; ++i) {
        const double wanted = (entries_a_row - 1) * (0.5 + uniform(random));
        const auto count = static_cast<Index>(wanted + uniform(random));
        columns.clear();
        for (Index k = 0; k < count; ++k) {
            const bool is_far = uniform(random) < far_share;
            const Index near = i + offsets[static_cast<std::size_t>(k) % offsets.size()];
            const Index j = is_far ? static_cast<Index>(uniform(random) * rows) : near;
            if (j >= 0 && j < rows && j != i) columns.push_back(j);
        }
        columns.push_back(i);
        std::ranges::sort(columns);
        const auto repeated = std::ranges::unique(columns);
        columns.erase(repeated.begin(), repeated.end());
        double sum = 0;
        std::size_t diagonal = 0;
        for (const Index j : columns) {
            const double value = j == i ? 0 : 0.5 + uniform(random);
            if (j == i) diagonal = A.value.size();
            sum += value;
            A.column.push_back(j);
            A.value.push_back(-value);
        }
        A.value[diagonal] = (1 + excess) * sum + excess;
        A.offsets.push_back(static_cast<Offset>(A.value.size()));
    }
    return A;
}

}  // namespace

MadeMatrix matrix_of(const Bench& bench, const PrintedMatrix& printed, Index smaller) {
    const std::string name(printed.name);
    if (const auto file = bench.matrix_file(name)) return {name, read_matrix_market(*file), false};
    return {name + ", made", neighbours(std::max<Index>(printed.rows / smaller, 100), printed.entries_a_row), true};
}

}  // namespace glsolve::bench::gmres
