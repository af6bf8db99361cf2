/// What the diagonals of a matrix hold, as far as a device need not be told number by number.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// The diagonals (column - row) that hold nonzeros, ascending; stops counting beyond `most` and returns nothing then.
std::vector<Index> diagonal_offsets(CsrView A, std::size_t most);

/// Rows that a diagonal leaves out at regular distances, as those of a grid do where a line or a layer of it ends:
/// row i when  begin <= i mod period < begin + length.
struct Gap {
    Index period = 4, begin = 0, length = 0;

    bool operator==(const Gap&) const = default;
};

struct MatrixDiagonal {
    /// The same number in every row, but for the gap and where the diagonal leaves the matrix.
    struct Constant {
        double value = 0;
        Gap gap = {};
    };
    Index offset = 0;
    std::optional<Constant> constant = {};
};

/// The diagonals of S A S beside the main one. `offsets`: ascending, and all there are.
std::vector<MatrixDiagonal> describe_diagonals(const FormatInput& in, const std::vector<Index>& offsets);

/// What goes with them on the main diagonal (src/formats/diagonal_part.hpp). Where a constant diagonal has no entry
/// a product finds x_j = 0 and, when it multiplies differences, adds  value (0 - x_i): the row's sum makes up for it.
struct MainDiagonal {
    std::vector<double> values;  ///< empty where a constant serves
    bool differences = false;
    bool accurate = true;  ///< nowhere is more made up for than the row holds itself, so that its numbers do not drown
    std::optional<double> constant = {};  ///< serves for all: they differ by less than rounding errors of a row
};

enum class MayBeConstant : std::uint8_t { no, yes };
MainDiagonal describe_main_diagonal(const FormatInput& in, const std::vector<MatrixDiagonal>& beside,
                                    MayBeConstant may_be);

}  // namespace glsolve::inline v0_1
