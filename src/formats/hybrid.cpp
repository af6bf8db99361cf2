#include <fmt/format.h>

#include <algorithm>

#include "formats/ell.hpp"
#include "formats/ell_width.hpp"
#include "formats/product_costs.hpp"
#include "formats/rest.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset entries_a_piece = 32;  // of COO: so many follow one another in a piece, unless a row ends before

/// Rows of the rest.
enum class RestOf : std::uint8_t {
    rows,   ///< CSR over the rows that have any, very long ones in pieces
    pieces  ///< COO: equally long pieces, cut where a row ends
};

/// The entries of each row behind its first `width` ones beside the diagonal.
std::vector<EntryRange> behind(CsrView A, int width, RestOf how) {
    std::vector<EntryRange> ranges;
    Offset room = entries_a_piece;  // of the piece at work
    for (Index i = 0; i < A.rows; ++i) {
        Offset begin = A.offsets[static_cast<std::size_t>(i)];
        const Offset end = A.offsets[static_cast<std::size_t>(i) + 1];
        for (int slots = width; begin < end && slots > 0; ++begin)
            slots -= A.column[static_cast<std::size_t>(begin)] != i ? 1 : 0;
        if (end - begin == 1 && A.column[static_cast<std::size_t>(begin)] == i) continue;
        if (how == RestOf::rows) {
            add_in_pieces(ranges, {i, begin, end}, usual_piece);
            continue;
        }
        while (begin < end) {
            const Offset part = std::min(room, end - begin);
            ranges.push_back({i, begin, begin + part});
            begin += part;
            room = room == part ? entries_a_piece : room - part;
        }
    }
    return ranges;
}

int width_of(const FormatInput& in, const std::vector<Index>& rows) {
    if (in.width >= 0) return in.width;
    if (in.ell_width == EllWidth::paper) return paper_ell_width(rows, in.A.rows);
    return cheapest_ell_width(rows, in.A.rows);
}

constexpr double of_rest = 0.8;  // so much longer its bytes take, since its columns lie far apart

FormatPrediction predict(const FormatInput& in, int width, const std::vector<Index>& rows_with, RestOf how) {
    FormatPrediction p = predict_ell(in, width);
    double rest = 0;
    for (std::size_t j = static_cast<std::size_t>(width); j < rows_with.size(); ++j) rest += rows_with[j];
    const auto rows = static_cast<double>(layout_of(in.A.rows).extent().texels());
    const double ranges = static_cast<std::size_t>(width) < rows_with.size()
                              ? std::max<double>(rows_with[static_cast<std::size_t>(width)], rest / entries_a_piece)
                              : 0;
    p.passes = rest > 0 ? 2 : 1;
    const char* const other = how == RestOf::rows ? "CSR" : "COO";
    p.note = width == 0 ? fmt::format("{} holds {:.0f} nonzeros off the diagonal", other, rest)
                        : fmt::format("ELL holds up to {} nonzeros of each row off the diagonal, {} the other {:.0f}",
                                      width, other, rest);
    // Of four entries a value, columns, four elements of x, and to find their rows; of four ranges offsets, owners,
    // four elements of x, a sum written and read.
    if (rest > 0) p.bytes += 16 * (12 * rest / 4 + 8 * ranges / 4 + 6 * rows);
    const double rest_memory = rest > 0 ? 16 * (2 * rest / 4 + 3 * ranges / 4 + rows) : 0;
    p.memory += rest_memory;
    predict_seconds(p, in, {.longest = 0.8 * width, .mean = static_cast<double>(width)});
    if (rest > 0 && in.costs) {
        const double steps_of_pieces = width > 0 ? 6 : 8, steps_of_rows = 12;
        p.predicted_seconds += in.costs->step * (how == RestOf::rows ? steps_of_rows : steps_of_pieces)
                               + of_rest * rest_memory / in.costs->bytes_per_second;
    }
    return p;
}

std::unique_ptr<AssembledMatrix> make(Backend& backend, const FormatInput& in, int width, RestOf how) {
    const DiagonalPart diagonal = diagonal_part(in.A, in.scale);
    auto matrix = make_ell(backend, in, width, diagonal);
    const std::vector<EntryRange> ranges = behind(in.A, width, how);
    if (!ranges.empty()) matrix->take_rest(std::make_unique<Rest>(backend, in, ranges, diagonal.differences));
    return matrix;
}

template <RestOf how>
FormatPrediction predict_hybrid(const FormatInput& in) {
    const std::vector<Index> rows = rows_with(in.A);
    return predict(in, width_of(in, rows), rows, how);
}
FormatPrediction predict_coo(const FormatInput& in) { return predict(in, 0, rows_with(in.A), RestOf::pieces); }

template <RestOf how>
std::unique_ptr<AssembledMatrix> make_hybrid(Backend& backend, const FormatInput& in) {
    return make(backend, in, width_of(in, rows_with(in.A)), how);
}
std::unique_ptr<AssembledMatrix> make_coo(Backend& backend, const FormatInput& in) {
    return make(backend, in, 0, RestOf::pieces);
}

template <RestOf how>
std::vector<StoredNumber> hybrid_parts(const FormatInput& in) {
    return ell_parts(in, width_of(in, rows_with(in.A)), how == RestOf::rows ? "csr" : "coo");
}

/// One piece, the next one, and so on in turn.
std::vector<StoredNumber> coo_parts(const FormatInput& in) {
    std::vector<StoredNumber> parts;
    Offset taken = 0;
    for (const EntryRange& range : behind(in.A, 0, RestOf::pieces)) {
        for (Offset k = range.begin; k < range.end; ++k) {
            const Index j = in.A.column[static_cast<std::size_t>(k)];
            const bool odd = (taken + k - range.begin) / entries_a_piece % 2 != 0;
            if (j != range.row) parts.push_back({range.row, j, odd ? "next piece" : "piece"});
        }
        taken += range.end - range.begin;
    }
    return parts;
}

}  // namespace

/// HEC (Cheng 2018, section 1.5): the first K nonzeros of each row in ELL, the others in CSR over the rows that have
/// any.
constinit const FormatRow hec_format{.kind = FormatKind::hec,
                                     .name = "hec",
                                     .predict = predict_hybrid<RestOf::rows>,
                                     .make = make_hybrid<RestOf::rows>,
                                     .parts = hybrid_parts<RestOf::rows>,
                                     .least = least_bytes_of_ell,
                                     .weight = {1.44, 1.4}};
/// HYB (Bell and Garland 2009): the others in COO.
constinit const FormatRow hyb_format{.kind = FormatKind::hyb,
                                     .name = "hyb",
                                     .predict = predict_hybrid<RestOf::pieces>,
                                     .make = make_hybrid<RestOf::pieces>,
                                     .parts = hybrid_parts<RestOf::pieces>,
                                     .least = least_bytes_of_ell,
                                     .weight = {1.47, 1.4}};
/// COO: all but the diagonal in pieces of equal length.
constinit const FormatRow coo_format{.kind = FormatKind::coo,
                                     .name = "coo",
                                     .predict = predict_coo,
                                     .make = make_coo,
                                     .parts = coo_parts,
                                     .least = least_bytes_of_ell,
                                     .weight = {1.0, 1.1}};

}  // namespace glsolve::inline v0_1
