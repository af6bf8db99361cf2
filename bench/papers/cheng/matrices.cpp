#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>

#include "parts.hpp"

namespace glsolve::bench::hec {
namespace {

/// Bricks of an elastic body whose matrix has about as many rows, and entries a row.
struct StandIn {
    const char* of;
    Index nx, ny, nz;
};
constexpr std::array stand_ins{
    StandIn{"bcsstk28", 35, 20, 1},   //  4,410 rows, as bcsstk28
    StandIn{"bcsstk29", 53, 43, 1},   // 13,992 rows, as bcsstk29
    StandIn{"bcsstk33", 16, 13, 12},  //  8,736 rows; bcsstk33 has 8,738
};

bool is_pattern(CsrView A) {
    return std::ranges::all_of(A.value, [](double each) { return each == 1; });
}

/// -1 beside the diagonal; on it, the number of those in the row, and 1.
CsrMatrix with_made_values(CsrView A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        double sum = 1;
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index j = A.column[static_cast<std::size_t>(k)];
            if (j == i) continue;
            entries.push_back({i, j, -1});
            ++sum;
        }
        entries.push_back({i, i, sum});
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

PaperMatrix from_file(const std::string& name, const std::filesystem::path& file) {
    CsrMatrix A = read_matrix_market(file);
    if (!is_pattern(A)) return {name, test_system(name, std::move(A)), "the file"};
    return {name, test_system(name + ", made values", with_made_values(A)),
            "places: the file, which has no values; values: -1 beside the diagonal, row sums of 1"};
}

PaperMatrix generated(const StandIn& body, const std::string& name) {
    return {body.of, test_system(name, elasticity(body.nx, body.ny, body.nz).A),
            fmt::format("generated: an elastic body of {} x {} x {} bricks", body.nx, body.ny, body.nz)};
}

/// Its longest row is much longer than twice the mean one: HEC has a part in CSR.
PaperMatrix small_graph() {
    return {"", test_system("small graph", graph_laplacian(800, 12, Degrees::power_law)),
            "generated: a graph of 800 vertices whose degrees follow a power law"};
}

}  // namespace

std::vector<PaperMatrix> matrices_of(const Bench& bench) {
    if (bench.setting.quick) return {generated({"bcsstk29", 8, 5, 5}, "small body"), small_graph()};
    std::vector<PaperMatrix> matrices;
    for (const StandIn& body : stand_ins) {
        const auto file = bench.matrix_file(body.of);
        matrices.push_back(file ? from_file(body.of, *file) : generated(body, fmt::format("stand-in for {}", body.of)));
    }
    return matrices;
}

}  // namespace glsolve::bench::hec
