/// Rectangular matrices on a device, between vectors of two lengths: prolongation and restriction. What textures hold
/// is up to the formats that make them: boxes, slices, CSR (transfer_formats.hpp).
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device/vectors.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// P with its rows and columns multiplied by factors, in single or half precision. With rows and columns exchanged P^T
/// is made of the same numbers.
struct TransferInput {
    CsrView P;
    std::span<const double> row_scale, column_scale;
    /// Points along each axis of the lattices that rows and columns are, the first axis fastest; zeros: there is none.
    std::array<Index, 3> rows{}, columns{};
    bool halves = false;                      ///< the numbers in half precision
    std::span<const double> value = P.value;  ///< other numbers in P's places

    /// Entry `entry`, in row i: rounded the same way in P^T, whose factors come the other way round.
    float scaled(Index i, Offset entry) const {
        const auto e = static_cast<std::size_t>(entry);
        return static_cast<float>(
            value[e] * (row_scale[static_cast<std::size_t>(i)] * column_scale[static_cast<std::size_t>(P.column[e])]));
    }
    Element element() const { return halves ? Element::half : Element::real; }
};

class Transfer {
  public:
    /// The pass for  y <- P x,  or, with `add`,  y <- y + P x,  whose matrix is in `textures`.
    using MakeCall = std::function<PassCall(Vector& y, const Vector& x, std::span<const Storage> textures, bool add)>;

    Transfer(std::vector<Storage> textures, MakeCall make_call, const std::string& definitions);

    void multiply(Vector& y, const Vector& x);  // y <- P x
    void add(Vector& y, const Vector& x);       // y <- y + P x
    std::int64_t bytes() const;

  private:
    void run(Vector& y, const Vector& x, bool add);

    Backend& backend_;
    std::vector<Storage> textures_;
    MakeCall make_call_;
    VariantId variant_;
};

/// How transfers may be stored.
enum class TransferFormat : std::uint8_t { boxes, slices, csr };

/// What a product takes: in seconds where a device's costs are known, else in fetches.
struct TransferCost {
    bool possible = false;
    double fetches = 0, seconds = 0;
};

/// As asked for, or in what is predicted to take least. Throws InvalidInput where the device's textures cannot take it.
Transfer make_transfer(Backend& backend, const TransferInput& in, std::optional<TransferFormat> wanted = {});

/// What stands in the textures of a transfer in CSR: values, columns, and offsets of the rows.
struct CsrTextures {
    Index rows = 0, columns = 0;
    std::int32_t log2_values = 0, log2_columns = 0, log2_offsets = 0;  ///< their widths
    bool short_columns = false;                                        ///< two in a number
    int team = 1;
};
/// The transfer whose matrix is there already.
Transfer csr_transfer(std::vector<Storage> textures, const CsrTextures& of);

}  // namespace glsolve::inline v0_1
