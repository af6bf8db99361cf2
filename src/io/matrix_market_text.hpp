/// What a Matrix Market file says, line by line: everything about its text, nothing about the matrix made of it.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.hpp"

namespace glsolve::inline v0_1 {

struct MatrixMarketHeader {
    enum class Layout { coordinate, array };
    enum class Field { real, integer, pattern };
    enum class Symmetry { general, symmetric, skew };

    bool vector = false;      ///< a column, whose entries have no column number
    bool names_field = true;  ///< else it was left out
    Layout layout = Layout::coordinate;
    Field field = Field::real;
    Symmetry symmetry = Symmetry::general;
};

struct MatrixMarketSizes {
    Index rows = 0;
    Index columns = 0;
    Offset entries = 0;     ///< entries that the file holds, mirrored ones not counted
    std::int64_t line = 0;  ///< where the sizes stand
};

/// So many rows and columns together are read whatever the entries are: their offsets take 128 MiB.
inline constexpr Offset always_readable_lines = Offset{1} << 24;

/// The lines that entries stand on: mostly one after the other, so that only the gaps are kept.
class EntryLines {
  public:
    void add(Offset entry, std::int64_t line);
    std::int64_t line_of(Offset entry) const;

  private:
    /// From entry `first` on, entry k stands on line k + distance.
    struct Run {
        Offset first;
        std::int64_t distance;
    };
    std::vector<Run> runs_;
};

/// Reads one file from its header to its end. Every complaint is an InvalidInput that names the line.
class MatrixMarketText {
  public:
    /// Reads header and sizes.
    explicit MatrixMarketText(LineReader lines);

    const MatrixMarketHeader& header() const { return header_; }
    const MatrixMarketSizes& sizes() const { return sizes_; }

    const LineReader& lines() const { return lines_; }
    /// False: the length of an array will tell.
    bool knows_shape() const { return !one_size_; }

    /// The entries of a coordinate file as they stand there, and the end of the file.
    std::vector<Triplet> read_entries();

    /// The values of an array file as they stand there, and the end of the file. The sizes are known for certain then.
    std::vector<double> read_array();

    /// The first row that an array file stores of a column: symmetric ones only have the lower triangle.
    Index first_row(Index column) const;

    /// The line of one of the read entries, counted from 0.
    std::int64_t line_of(Offset entry) const { return entry_lines_.line_of(entry); }

    /// What was understood though it is not said as it should be: "name:line: ...". Complete when all has been read.
    const std::vector<std::string>& remarks() const { return remarks_; }

    /// Throws InvalidInput for the line of the sizes or any other.
    [[noreturn]] void fail_at(std::int64_t line, std::string_view problem) const { lines_.fail_at(line, problem); }

  private:
    void read_sizes();
    void read_shape_by_length(std::vector<double>& values);
    void remark(std::int64_t line, std::string_view words) { remarks_.push_back(lines_.at(line, words)); }
    void check_header() const;
    void check_second_header(std::string_view line);
    std::string_view size_line();
    void check_shape() const;
    void check_room() const;
    void check_emptiness() const;
    std::string size_line_words() const;
    Offset array_length() const;
    std::uint64_t least_entry_bytes() const;

    std::string_view next_data_line();
    std::string_view next_entry_line(Offset read_so_far);
    void finish();
    void expect_no_more(Fields& fields, std::string_view accepted) const;
    Triplet parse_entry(std::string_view line);
    double parse_array_line(std::string_view line);
    Index parse_index(std::string_view word, std::string_view what, Index size) const;
    double parse_value(std::string_view word);
    std::int64_t parse_size(std::string_view word, std::string_view what, std::int64_t most) const;

    LineReader lines_;
    MatrixMarketHeader header_;
    MatrixMarketSizes sizes_;
    EntryLines entry_lines_;
    std::vector<std::string> remarks_;
    bool one_size_ = false;        // of an array: its length will tell the shape
    bool without_letter_ = false;  // there has been a number like 1.0-100
};

}  // namespace glsolve::inline v0_1
