/// The table of formats: what a format is asked before it is chosen, and how it is made. To add one is to add a row.
#pragma once

#include <algorithm>
#include <array>
#include <glsolve/choice.hpp>
#include <memory>
#include <optional>
#include <span>

#include "device/assembled_matrix.hpp"
#include "device/layout.hpp"

namespace glsolve::inline v0_1 {

struct DiaPlan;

/// Rows and columns of a block.
struct BlockShape {
    int rows = 0, columns = 0;
};

/// What the parts of a product cost on a device with many invocations (formats/product_costs.hpp).
struct ProductCosts {
    double pass = 0;              ///< seconds of a pass over next to nothing
    double step = 0;              ///< seconds until an invocation has one more nonzero of its rows
    double bytes_per_second = 0;  ///< of the matrix
};

/// What formats are made from: the matrix is square and goes to the device as S A S.
struct FormatInput {
    CsrView A;
    std::span<const double> scale;
    Slicing slicing = {};
    int max_texture_size = 16384;
    bool low_parts = true;  ///< keep what single precision cannot hold, for products in two floats
    int team = 0;           ///< invocations for four rows, where there are work groups (PassCall::team); 0: chosen
    EllWidth ell_width = EllWidth::cheapest;
    int width = -1;                                   ///< of hybrid formats, by whatever rule; negative: by ell_width
    BlockShape block = {};                            ///< of block formats (block_shapes); no rows: chosen
    bool halves = false;                              ///< values in half precision, without low parts
    bool short_columns = false;                       ///< columns of 16 bits, where they fit
    bool by_numbers = false;                          ///< Capabilities::by_numbers
    bool exact_halves = false;                        ///< half precision where that rounds no value
    std::optional<ProductCosts> costs = {};           ///< of the device; none: bytes decide
    std::string_view kept_in = {};                    ///< folder where measured choices are kept; empty: nowhere
    bool scaled_alike = false;                        ///< all factors of `scale` are known to be the same
    mutable std::shared_ptr<const DiaPlan> dia = {};  ///< what the prediction has found already, for who makes it

    /// What S A S has where A has a, in row i and column j.
    double scaled(Index i, Index j, double a) const {
        return scale[static_cast<std::size_t>(i)] * a * scale[static_cast<std::size_t>(j)];
    }
    /// The same of A's entry `entry`, in row i.
    double scaled(Index i, Offset entry) const {
        const auto e = static_cast<std::size_t>(entry);
        return scaled(i, A.column[e], A.value[e]);
    }
};

/// How long a product takes on a processor, beside others that fetch as many bytes
/// (docs/measurements/host-2026-11-29.md).
struct FormatWeight {
    double by_texels = 1;   ///< by a renderer, beside ELL
    double by_numbers = 1;  ///< Capabilities::by_numbers, beside CSR
};

struct FormatRow {
    FormatKind kind{};
    std::string_view name;
    FormatPrediction (*predict)(const FormatInput&) = nullptr;
    std::unique_ptr<AssembledMatrix> (*make)(Backend&, const FormatInput&) = nullptr;
    /// Which part of the format each nonzero is in, and the zeros that are stored among them; not the main diagonal.
    std::vector<StoredNumber> (*parts)(const FormatInput&) = nullptr;
    /// The fewest bytes that `predict` may find, where that takes long itself.
    double (*least)(const FormatInput&) = nullptr;
    FormatWeight weight = {};
};

/// Texels of a vector, and of the entries beside the diagonal, where every row has one on it.
inline double texels_of_rows(CsrView A) { return static_cast<double>(layout_of(A.rows).extent().texels()); }
inline double texels_of_entries(CsrView A) {
    return static_cast<double>(std::max<Offset>(A.nonzeros() - A.rows, 0)) / 4;
}

// Each in the file of its name.
extern const FormatRow dia_format, ell_format, runs_format, sell_format, csr_format, bcsr_format, hec_format,
    hyb_format, coo_format, dense_format;

/// Of equally good ones the first is chosen.
inline constexpr std::array format_table{&dia_format,  &ell_format, &runs_format, &sell_format, &csr_format,
                                         &bcsr_format, &hec_format, &hyb_format,  &coo_format,  &dense_format};

const FormatRow& format_row(FormatKind kind);

}  // namespace glsolve::inline v0_1
