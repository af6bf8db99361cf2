#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {

void StoredMatrix::add(Extent extent, std::span<const float> values) {
    storages_.emplace_back(backend_, extent, Element::real, "matrix values");
    backend_.upload(storages_.back().id(), values);
}

void StoredMatrix::add(Extent extent, std::span<const std::int32_t> structure) {
    storages_.emplace_back(backend_, extent, Element::integer, "matrix structure");
    backend_.upload(storages_.back().id(), structure);
}

PassCall StoredMatrix::call(PassId pass, const Vector& y, const Vector& x) const {
    PassCall call{.pass = pass, .output = {y.id()}, .input = {x.id()}, .integer = integers_, .variant = variant_};
    for (std::size_t i = 0; i < storages_.size(); ++i) call.input[i + 1] = storages_[i].id();
    return call;
}

std::int64_t StoredMatrix::bytes() const {
    std::int64_t texels = 0;
    for (const Storage& storage : storages_) texels += backend_.extent(storage.id()).texels();
    return 16 * texels;
}

void StoredMatrix::multiply(Vector& y, const Vector& x) { backend_.encode(call(passes_.multiply, y, x)); }

void StoredMatrix::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    PassCall c = call(passes_.multiply_dot, y, x);
    c.output[1] = sum.id();
    backend_.encode(c);
}

void StoredMatrix::residual(Vector& r, const Vector& b, const Vector& x) {
    PassCall c = call(passes_.residual, r, x);
    c.input[storages_.size() + 1] = b.id();
    backend_.encode(c);
}

std::array<std::int32_t, max_integers> tile_integers(const Layout& rows, const TileGrid& grid, int count,
                                                     bool differences) {
    return {rows.log2_width, grid.log2_columns,  count, grid.tile.height, static_cast<std::int32_t>(rows.length),
            grid.count - 1,  differences ? 1 : 0};
}

}  // namespace glsolve::inline v0_1
