#include "io/matrix_market_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/number_text.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Layout = MatrixMarketHeader::Layout;
using Field = MatrixMarketHeader::Field;
using Symmetry = MatrixMarketHeader::Symmetry;

/// Is it that word, whatever the case of its letters?
bool is_word(std::string_view word, std::string_view wanted) {
    const auto same_letter = [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); };
    return std::equal(word.begin(), word.end(), wanted.begin(), wanted.end(), same_letter);
}

/// The value that goes with `word` in a list of accepted words.
template <typename Value, std::size_t N>
Value parse_keyword(const LineReader& lines, std::string_view word, std::string_view what,
                    const std::array<std::pair<std::string_view, Value>, N>& accepted) {
    std::string list;
    for (const auto& [name, value] : accepted) {
        if (is_word(word, name)) return value;
        list += list.empty() ? name : fmt::format(", {}", name);
    }
    lines.fail(fmt::format("{} {} is not supported; accepted: {}", what, quoted(word), list));
}

MatrixMarketHeader parse_header(const LineReader& lines, std::string_view line) {
    using namespace std::string_view_literals;
    constexpr std::array banners{std::pair{"%%MatrixMarket"sv, true}};
    constexpr std::array objects{std::pair{"matrix"sv, false}, std::pair{"vector"sv, true}};
    constexpr std::array layouts{std::pair{"coordinate"sv, Layout::coordinate}, std::pair{"array"sv, Layout::array}};
    constexpr std::array fields{std::pair{"real"sv, Field::real}, std::pair{"double"sv, Field::real},
                                std::pair{"integer"sv, Field::integer}, std::pair{"pattern"sv, Field::pattern},
                                std::pair{"unsigned-integer"sv, Field::integer}};
    // Of real numbers hermitian is symmetric.
    constexpr std::array symmetries{
        std::pair{"general"sv, Symmetry::general}, std::pair{"symmetric"sv, Symmetry::symmetric},
        std::pair{"skew-symmetric"sv, Symmetry::skew}, std::pair{"hermitian"sv, Symmetry::symmetric}};
    Fields words(line);
    parse_keyword(lines, words.next(), "the first word", banners);
    MatrixMarketHeader header;
    header.vector = parse_keyword(lines, words.next(), "the object", objects);
    header.layout = parse_keyword(lines, words.next(), "the format", layouts);
    std::string_view fourth = words.next();
    header.names_field =
        std::ranges::none_of(symmetries, [&](const auto& each) { return is_word(fourth, each.first); });
    if (header.names_field)
        header.field = parse_keyword(lines, std::exchange(fourth, words.next()), "the field", fields);
    header.symmetry = parse_keyword(lines, fourth, "the symmetry", symmetries);
    if (const std::string_view word = words.next(); !word.empty()) {
        lines.fail(fmt::format("{} is too much in the header; accepted: five words", quoted(word)));
    }
    return header;
}

}  // namespace

void EntryLines::add(Offset entry, std::int64_t line) {
    const std::int64_t distance = line - entry;
    if (runs_.empty() || distance != runs_.back().distance) runs_.push_back({entry, distance});
}

std::int64_t EntryLines::line_of(Offset entry) const {
    const auto later = std::upper_bound(runs_.begin(), runs_.end(), entry,
                                        [](Offset wanted, const Run& run) { return wanted < run.first; });
    return entry + std::prev(later)->distance;
}

MatrixMarketText::MatrixMarketText(LineReader lines) : lines_(std::move(lines)) {
    const std::optional<std::string_view> line = lines_.next();
    if (!line) lines_.fail("the file is empty; its first line has to begin with %%MatrixMarket");
    header_ = parse_header(lines_, *line);
    check_header();
    if (!header_.names_field) {
        lines_.mention("line 1 names no field, and was taken for real");
        remark(1, "the header names no field; real was taken, as the entries have values");
    }
    read_sizes();
}

void MatrixMarketText::check_header() const {
    if (header_.vector && header_.symmetry != Symmetry::general) {
        lines_.fail("a vector has no symmetry; accepted: vector with general");
    }
    if (header_.field != Field::pattern) return;
    if (header_.layout == Layout::array) {
        lines_.fail("an array cannot be a pattern; accepted: array with real, double or integer");
    }
    if (header_.symmetry == Symmetry::skew) {
        lines_.fail("a pattern cannot be skew-symmetric; accepted: pattern with general or symmetric");
    }
}

std::string MatrixMarketText::size_line_words() const {
    const bool array = header_.layout == Layout::array;
    if (header_.vector) return array ? "rows" : "rows and entries";
    return array ? "rows and columns" : "rows, columns and entries";
}

std::int64_t MatrixMarketText::parse_size(std::string_view word, std::string_view what, std::int64_t most) const {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number) {
        lines_.fail(fmt::format("the number of {} is {}; whole numbers of {} are needed", what, quoted(word),
                                size_line_words()));
    }
    if (*number < 0 || *number > most) {
        lines_.fail(fmt::format("the number of {} is {}; accepted: 0 to {}", what, quoted(word), most));
    }
    return *number;
}

/// AmgX writes a second header, which changes what the file holds. Those of other programs, as %%GraphBLAS, are
/// comments, as a rule about the type of the entries; where the file cannot be read, they may be the reason.
void MatrixMarketText::check_second_header(std::string_view line) {
    Fields words(line);
    const std::string_view first = words.next();
    if (is_word(first, "%%MatrixMarket")) {
        lines_.fail("a second header, %%MatrixMarket, before any sizes; one file holds one matrix");
    }
    if (!is_word(first, "%%AMGX") && !is_word(first, "%%NVAMG")) {
        const bool named = first.size() > 2 && std::isalpha(static_cast<unsigned char>(first[2])) != 0;
        if (named) lines_.mention(fmt::format("line {}, {}, was taken for a comment", lines_.line(), quoted(first)));
        return;
    }
    for (std::string_view word = words.next(); !word.empty(); word = words.next()) {
        if (word == "1" || is_word(word, "sorted")) continue;
        lines_.fail(fmt::format(
            "the second header, {}, is AmgX's, and says {}: the file is more than a matrix, or another one than its "
            "entries tell; accepted: '1 1' (numbers, no blocks) and 'sorted', and right-hand sides in files of their "
            "own",
            quoted(first), quoted(word)));
    }
}

/// The line of the sizes: the first behind the header that is neither blank nor a comment.
std::string_view MatrixMarketText::size_line() {
    while (const std::optional<std::string_view> line = lines_.next()) {
        // NOLINTBEGIN(bugprone-unchecked-optional-access): the loop's condition has checked it
        const std::string_view first_word = Fields(*line).next();
        if (first_word.starts_with("%%")) check_second_header(*line);
        if (!first_word.empty() && first_word.front() != '%') return *line;
        // NOLINTEND(bugprone-unchecked-optional-access)
    }
    lines_.fail(fmt::format("the file ends without sizes; {} are needed", size_line_words()));
}

void MatrixMarketText::read_sizes() {
    constexpr auto most_rows = std::numeric_limits<Index>::max();
    Fields fields(size_line());
    sizes_.line = lines_.line();
    sizes_.rows = static_cast<Index>(parse_size(fields.next(), "rows", most_rows));
    std::string_view rest = fields.next();
    one_size_ = header_.layout == Layout::array && !header_.vector && rest.empty();
    if (one_size_) {
        sizes_.columns = header_.symmetry == Symmetry::general ? 1 : sizes_.rows;  // general: until its length is known
    } else {
        sizes_.columns = header_.vector
                             ? 1
                             : static_cast<Index>(parse_size(std::exchange(rest, fields.next()), "columns", most_rows));
    }
    if (header_.layout == Layout::array) {
        if (header_.vector && rest == "1") rest = fields.next();  // its columns, as some programs have it
        sizes_.entries = array_length();
    } else if (header_.vector && rest.empty()) {  // as Lis writes it: all rows are there
        sizes_.entries = sizes_.rows;
    } else {
        sizes_.entries = parse_size(std::exchange(rest, fields.next()), "entries", std::numeric_limits<Offset>::max());
    }
    if (!rest.empty())
        lines_.fail(fmt::format("{} is too much on this line; accepted: {}", quoted(rest), size_line_words()));
    check_shape();
    check_room();
    check_emptiness();
}

void MatrixMarketText::check_shape() const {
    if (header_.symmetry != Symmetry::general && sizes_.rows != sizes_.columns) {
        lines_.fail(fmt::format("{} rows and {} columns in a symmetric file; as many of both are needed", sizes_.rows,
                                sizes_.columns));
    }
}

/// Before memory is taken: the entries declared have to fit in the bytes that follow.
void MatrixMarketText::check_room() const {
    // The last line may lack its newline.
    const std::uint64_t most = (lines_.most_bytes_left() + 1) / least_entry_bytes();
    if (static_cast<std::uint64_t>(sizes_.entries) > most) {
        lines_.fail(
            fmt::format("{} entries are declared; accepted: {}, which is all that the rest of the file can hold",
                        sizes_.entries, most));
    }
}

/// Before rows take memory: room for them has to be tied to entries, which the file's bytes have to hold, so that
/// neither a tiny file nor a long comment can ask for gigabytes.
void MatrixMarketText::check_emptiness() const {
    constexpr Offset per_entry = 16;
    const Offset lines = Offset{sizes_.rows} + sizes_.columns;
    // Of a pipe the number of entries may be any: a multiple of it may not fit.
    const Offset needed = (lines - always_readable_lines + per_entry - 1) / per_entry;
    if (sizes_.entries < needed) {
        lines_.fail(
            fmt::format("{} rows and columns are too many for {} entries; accepted: {} together, and {} more for "
                        "each entry",
                        lines, sizes_.entries, always_readable_lines, per_entry));
    }
}

Offset MatrixMarketText::array_length() const {
    const Offset n = sizes_.rows;
    switch (header_.symmetry) {
        case Symmetry::symmetric:
            return n * (n + 1) / 2;
        case Symmetry::skew:
            return n * (n - 1) / 2;
        default:
            return n * sizes_.columns;
    }
}

std::uint64_t MatrixMarketText::least_entry_bytes() const {
    if (header_.layout == Layout::array) return std::string_view("1\n").size();
    const std::size_t words = (header_.vector ? 1 : 2) + (header_.field == Field::pattern ? 0 : 1);
    return words * std::string_view("1 ").size();
}

/// The next line that is neither blank nor a comment; empty at the end.
std::string_view MatrixMarketText::next_data_line() {
    while (const std::optional<std::string_view> line = lines_.next()) {
        // NOLINTBEGIN(bugprone-unchecked-optional-access): the loop's condition has checked it
        const std::string_view first_word = Fields(*line).next();
        if (!first_word.empty() && first_word.front() != '%') return *line;
        // NOLINTEND(bugprone-unchecked-optional-access)
    }
    return {};
}

std::string_view MatrixMarketText::next_entry_line(Offset read_so_far) {
    const std::string_view line = next_data_line();
    if (line.empty()) {
        lines_.fail(fmt::format("the file ends after {} of {} entries; all that line {} declares are needed",
                                read_so_far, sizes_.entries, sizes_.line));
    }
    return line;
}

/// Reads to the end of the file, where nothing may be left.
void MatrixMarketText::finish() {
    if (!next_data_line().empty()) {
        const bool half = header_.layout == Layout::array && header_.symmetry != Symmetry::general;
        lines_.fail(fmt::format(
            "more entries than the {} that line {} declares{}; nothing but comments may follow them", sizes_.entries,
            sizes_.line, half ? " (of a symmetric array the lower triangle, column by column)" : ""));
    }
}

void MatrixMarketText::expect_no_more(Fields& fields, std::string_view accepted) const {
    const std::string_view word = fields.next();
    if (!word.empty()) lines_.fail(fmt::format("{} is too much on this line; accepted: {}", quoted(word), accepted));
}

Index MatrixMarketText::parse_index(std::string_view word, std::string_view what, Index size) const {
    const std::optional<std::int64_t> number = parse_integer(word);
    if (!number || *number < 1 || *number > size) {
        lines_.fail(fmt::format("the {} is {}; accepted: whole numbers from 1 to {}", what, quoted(word), size));
    }
    return static_cast<Index>(*number - 1);
}

double MatrixMarketText::parse_value(std::string_view word) {
    std::optional<double> value = parse_real(word);
    const bool plain = value.has_value();
    if (!value) value = parse_real_without_letter(word);
    if (value && !plain && !without_letter_) {
        without_letter_ = true;
        remark(lines_.line(), fmt::format("{} has no letter before its exponent, as Fortran writes those of three "
                                          "digits; it was read, as others like it are",
                                          quoted(word)));
    }
    if (!value) {
        lines_.fail(fmt::format("the value is {}; a number such as 1, -2.5 or 1.0E+03 is needed", quoted(word)));
    }
    if (!std::isfinite(*value)) {
        lines_.fail(fmt::format("the value {} is not finite in double precision; accepted: up to {:.3g} either way",
                                quoted(word), std::numeric_limits<double>::max()));
    }
    if (header_.field == Field::integer && *value != std::trunc(*value)) {
        lines_.fail(fmt::format("the value is {} in an integer file; a whole number is needed", quoted(word)));
    }
    return *value;
}

Triplet MatrixMarketText::parse_entry(std::string_view line) {
    const bool pattern = header_.field == Field::pattern;
    Fields fields(line);
    Triplet entry;
    entry.row = parse_index(fields.next(), "row", sizes_.rows);
    entry.column = header_.vector ? 0 : parse_index(fields.next(), "column", sizes_.columns);
    entry.value = pattern ? 1.0 : parse_value(fields.next());
    expect_no_more(fields, header_.vector ? (pattern ? "row" : "row and value")
                           : pattern      ? "row and column"
                                          : "row, column and value");
    if (header_.symmetry == Symmetry::skew && entry.row == entry.column && entry.value != 0) {
        lines_.fail(fmt::format("{} on the diagonal of a skew-symmetric matrix; accepted: 0", entry.value));
    }
    return entry;
}

std::vector<Triplet> MatrixMarketText::read_entries() {
    // Gzip data may promise far more than they hold: from where it gets unlikely, memory grows with what is read.
    constexpr std::uint64_t likely_per_byte = 4;
    std::vector<Triplet> entries;
    entries.reserve(std::min<std::uint64_t>(sizes_.entries, likely_per_byte * lines_.stored_bytes()));
    for (Offset k = 0; k < sizes_.entries; ++k) {
        entries.push_back(parse_entry(next_entry_line(k)));
        entry_lines_.add(k, lines_.line());
    }
    finish();
    return entries;
}

std::vector<double> MatrixMarketText::read_array() {
    std::vector<double> values;
    values.reserve(std::min<std::uint64_t>(sizes_.entries, lines_.stored_bytes()));
    for (Offset k = 0; k < sizes_.entries; ++k) values.push_back(parse_array_line(next_entry_line(k)));
    if (one_size_) read_shape_by_length(values);
    finish();
    return values;
}

double MatrixMarketText::parse_array_line(std::string_view line) {
    Fields fields(line);
    const double value = parse_value(fields.next());
    expect_no_more(fields, "one value");
    return value;
}

/// One size n: how many values there are tells a vector from a square matrix.
void MatrixMarketText::read_shape_by_length(std::vector<double>& values) {
    const Offset n = sizes_.rows;
    std::string_view why = "a matrix with a symmetry is square";
    if (header_.symmetry == Symmetry::general) {
        for (std::string_view line = next_data_line(); !line.empty(); line = next_data_line()) {
            values.push_back(parse_array_line(line));
        }
        sizes_.entries = std::ssize(values);
        if (sizes_.entries != n && sizes_.entries != n * n) {
            fail_at(sizes_.line,
                    fmt::format("the number of columns is missing, and {} values are neither a vector of {} "
                                "rows nor a square matrix; rows and columns are needed",
                                sizes_.entries, n));
        }
        why = sizes_.entries == n ? "there are as many values as a vector has" : "there are as many as a square has";
        if (sizes_.entries != n) sizes_.columns = sizes_.rows;
    }
    remark(sizes_.line, fmt::format("the number of columns is missing; {}", why));
}

Index MatrixMarketText::first_row(Index column) const {
    switch (header_.symmetry) {
        case Symmetry::symmetric:
            return column;
        case Symmetry::skew:
            return column + 1;
        default:
            return 0;
    }
}

}  // namespace glsolve::inline v0_1
