#include "amg/interpolation_rows.hpp"

#include "amg/row_pieces.hpp"

namespace glsolve::inline v0_1 {

CsrMatrix interpolation_rows(const Splitting& splitting, Truncation truncation,
                             const std::function<InterpolateRow()>& make) {
    const std::vector<Index> number = coarse_numbers(splitting);
    constexpr Offset usual_terms = 64;  // of neighbours, and of theirs
    return rows_in_pieces(static_cast<Index>(splitting.size()), number.back(), usual_terms,
                          [&](RowPiece& piece, Index begin, Index end) {
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
                                  for (const RowEntry& entry : row) piece.add(number[entry.column], entry.value);
                                  piece.end_row();
                              }
                          });
}

}  // namespace glsolve::inline v0_1
