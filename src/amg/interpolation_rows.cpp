#include "amg/interpolation_rows.hpp"

#include <algorithm>
#include <numeric>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index grain = 4096;  ///< rows that are worth a thread

/// Entries of consecutive rows, one row after the other.
struct Piece {
    std::vector<Index> column;
    std::vector<double> value;
};

}  // namespace

CsrMatrix interpolation_rows(const Splitting& splitting, Truncation truncation,
                             const std::function<InterpolateRow()>& make) {
    const std::vector<Index> number = coarse_numbers(splitting);
    CsrMatrix P;
    P.rows = static_cast<Index>(splitting.size());
    P.columns = number.back();
    P.offsets.assign(splitting.size() + 1, 0);

    std::vector<Piece> pieces(parallel_ranges(P.rows, grain));
    parallel_for(P.rows, grain, [&](int range, Index begin, Index end) {
        Piece& piece = pieces[range];
        const InterpolateRow interpolate = make();
        Row row;
        for (Index i = begin; i < end; ++i) {
            row.clear();
            if (splitting[i] == Point::coarse) {
                row.push_back({i, 1});
            } else if (splitting[i] == Point::fine) {
                interpolate(i, row);
                truncate(row, truncation);
            }
            for (const RowEntry& entry : row) {
                piece.column.push_back(number[entry.column]);
                piece.value.push_back(entry.value);
            }
            P.offsets[i + std::size_t{1}] = static_cast<Offset>(row.size());
        }
    });
    std::partial_sum(P.offsets.begin(), P.offsets.end(), P.offsets.begin());
    P.column.resize(P.offsets.back());
    P.value.resize(P.offsets.back());
    parallel_for(P.rows, grain, [&](int range, Index begin, Index) {
        std::copy(pieces[range].column.begin(), pieces[range].column.end(), P.column.begin() + P.offsets[begin]);
        std::copy(pieces[range].value.begin(), pieces[range].value.end(), P.value.begin() + P.offsets[begin]);
    });
    return P;
}

}  // namespace glsolve::inline v0_1
