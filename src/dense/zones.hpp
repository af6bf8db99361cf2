/// Vector zones: how a dense matrix lies in a texture (J. Xia and D. Wei, Computer Engineering 35 (2009), section 3.1;
/// in Chinese). Column j of an n x n matrix fills a zone, the rectangle of texels that a Vector of n numbers fills; the
/// zones stand side by side, in a grid that is nearly square. The paper's texture is n/2 x n/2 texels large; here zones
/// and grid may have a rest, which holds zeros, so that any n will do.
///
/// That is the layout as published. Who makes four rows of A x there jumps from zone to zone, a few texels of each. In
/// *strips* the zones of a line of the grid are cut up from top to bottom every four texels, and the first strips of
/// all of them stand side by side, then the second ones ...: what is read together lies together, in lines of a cache
/// as in blocks of a texture.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// How the zones of a line of the grid lie beside each other.
enum class ZoneOrder : std::uint8_t { published, strips };

/// The grid of `count` zones of vectors of n numbers. Throws InvalidInput when a texture cannot hold them.
TileLayout zone_grid(Index n, int count, int max_texture_size);

/// A dense matrix on a device: textureA.
class ZoneMatrix {
  public:
    /// n x n, undefined content. The zones are four times as many as texels of a column: the last may be empty.
    ZoneMatrix(Backend& backend, Index n, std::string_view label, ZoneOrder order = ZoneOrder::strips);

    /// Takes the matrix from the host; `low`: and what rounding to single precision loses, where that is anything.
    /// `place(at)` calls at(i, j, a) for each entry that is not zero.
    using Entry = std::function<void(Index i, Index j, double a)>;
    void upload(const std::function<void(const Entry&)>& place, bool low);
    /// The same of all entries, column by column, in single precision; on all cores.
    void upload(std::span<const double> columns);
    /// Reads the matrix, column by column; waits.
    std::vector<float> download() const;

    Index size() const { return n_; }
    const Layout& rows() const { return rows_; }
    const TileLayout& grid() const { return grid_; }
    /// Strips are 2^this texels wide: four, or as wide as a zone.
    int log2_strip() const { return log2_strip_; }
    StorageId id() const { return values_.id(); }
    /// The low parts, or none.
    StorageId low() const { return low_ ? low_->id() : StorageId{}; }
    Backend& backend() const { return values_.backend(); }
    std::int64_t bytes() const { return 16 * grid_.extent().texels() * (low_ ? 2 : 1); }

  private:
    /// Number of the float that holds entry (i, j).
    std::size_t number(Index i, Index j) const;

    Index n_;
    Layout rows_;
    TileLayout grid_;
    int log2_strip_;
    Storage values_;
    std::optional<Storage> low_;
};

}  // namespace glsolve::inline v0_1
