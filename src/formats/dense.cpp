#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "dense/product.hpp"
#include "formats/format_table.hpp"
#include "formats/product_costs.hpp"

namespace glsolve::inline v0_1 {
namespace {

ZoneMatrix with_values(ZoneMatrix matrix, const FormatInput& in) {
    const auto place = [&](const ZoneMatrix::Entry& entry) {
        for (Index i = 0; i < in.A.rows; ++i) {
            for (const auto [j, a] : in.A.row(i)) entry(i, j, in.scaled(i, j, a));
        }
    };
    matrix.upload(place, in.low_parts);
    return matrix;
}

struct OwnMatrix {
    ZoneMatrix matrix;
};

/// The products, with the matrix: a base, so that it is there before they are.
class DenseFormat final : private OwnMatrix, public DenseProduct {
  public:
    DenseFormat(Backend& backend, const FormatInput& in)
        : OwnMatrix{with_values(ZoneMatrix(backend, in.A.rows, "matrix values"), in)}, DenseProduct(matrix) {}
};

FormatPrediction predict_dense(const FormatInput& in) {
    const double n = in.A.rows, texels = static_cast<double>(layout_of(in.A.rows).extent().texels());
    FormatPrediction p;
    p.passes = 2;
    p.note = fmt::format("{:.3g} % of the entries are not zero",
                         100 * static_cast<double>(in.A.nonzeros()) / std::max(n * n, 1.0));
    // For each texel of y and each four columns: four texels of A and one of x; then y. Parts are few beside that.
    p.bytes = 16 * texels * (1.25 * n + 3);
    try {
        const TileLayout grid = zone_grid(in.A.rows, (in.A.rows + 3) / 4 * 4, in.max_texture_size);
        p.memory = 16 * static_cast<double>(grid.extent().texels());
    } catch (const InvalidInput& too_large) {
        p.memory = 16 * texels * n;
        p.impossible = too_large.what();
    }
    if (in.halves) p.impossible = "it has no half precision";
    constexpr double of_a_part = 32;
    predict_seconds(p, in, {.longest = of_a_part, .mean = of_a_part, .in_teams = false});
    return p;
}

std::unique_ptr<AssembledMatrix> make_dense(Backend& backend, const FormatInput& in) {
    return std::make_unique<DenseFormat>(backend, in);
}

std::vector<StoredNumber> parts_of_dense(const FormatInput& in) {
    std::vector<StoredNumber> made;
    for (Index i = 0; i < in.A.rows; ++i) {
        const std::span<const Index> columns = in.A.row(i).columns();
        for (Index j = 0; j < in.A.columns; ++j)
            if (j != i) made.push_back({i, j, std::ranges::binary_search(columns, j) ? "nonzeros" : "zeros"});
    }
    return made;
}

}  // namespace

/// Dense: every entry, zeros included, in vector zones (dense/zones.hpp); no index anywhere, but two passes a product.
constinit const FormatRow dense_format{FormatKind::dense, "dense", predict_dense, make_dense, parts_of_dense};

}  // namespace glsolve::inline v0_1
