/// The entries of a file as most programs write them, read by all cores at a time: one on each line, numbers and blanks
/// alone. Whatever else may stand in a file is left to MatrixMarketText, which has the words for it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "io/matrix_market_text.hpp"
#include "io/text_source.hpp"

namespace glsolve::inline v0_1 {

/// In the order of the file. Of a pattern all values are 1.
struct PlainEntries {
    std::vector<Index> row, column;  ///< counted from 0; empty for an array
    std::vector<double> value;
};

/// `begin`: where the first entry's line begins in the text. None where the text cannot be read in pieces (pipes,
/// gzip), and where one line is not plain or they are not as many as declared. `progress` is called by this thread.
/// A thread reads `piece_bytes` at a time.
std::optional<PlainEntries> read_plain_entries(const TextSource& text, std::uint64_t begin,
                                               const MatrixMarketHeader& header, const MatrixMarketSizes& sizes,
                                               const std::function<void(double)>& progress,
                                               std::uint64_t piece_bytes = std::uint64_t{1} << 20);

}  // namespace glsolve::inline v0_1
