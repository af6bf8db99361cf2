#include "io/plain_entries.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <span>
#include <system_error>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::uint64_t longest_line = std::uint64_t{1} << 12;

using Field = MatrixMarketHeader::Field;
using Layout = MatrixMarketHeader::Layout;

/// Walks over plain lines, the last of which ends in LF.
class Cursor {
  public:
    explicit Cursor(const char* at, const char* end) : at_(at), end_(end) {}

    const char* at() const { return at_; }

    void skip_line() { at_ = std::find(at_, end_ - 1, '\n') + 1; }

    /// A whole number from 1 to `most`, counted from 0 afterwards.
    bool read_index(Index most, Index& index) {
        skip_blanks();
        std::int64_t number = 0;
        const char* const first = at_;
        for (; *at_ >= '0' && *at_ <= '9' && at_ - first < longest_index; ++at_) number = 10 * number + (*at_ - '0');
        index = static_cast<Index>(number - 1);
        return at_ != first && is_end_of_word() && number >= 1 && number <= most;
    }

    bool read_real(double& value) {
        skip_blanks();
        if (*at_ == '+' && (at_[1] == '.' || (at_[1] >= '0' && at_[1] <= '9'))) ++at_;
        const auto [stop, error] = fast_float::from_chars(at_, end_, value);
        if (error != std::errc{}) return false;
        at_ = stop;
        return is_end_of_word() && std::isfinite(value);
    }

    /// Nothing but blanks up to the end of the line.
    bool finish_line() {
        skip_blanks();
        if (*at_ == '\r') ++at_;
        return *at_++ == '\n';
    }

  private:
    static constexpr std::ptrdiff_t longest_index = 10;  // digits

    static bool is_blank(char c) { return c == ' ' || c == '\t'; }
    void skip_blanks() {
        while (is_blank(*at_)) ++at_;
    }
    bool is_end_of_word() const { return is_blank(*at_) || *at_ == '\n' || *at_ == '\r'; }

    const char *at_, *end_;
};

/// The lines of a text that begin from one place up to another.
struct Piece {
    std::uint64_t begin, end;
};

class PlainText {
  public:
    /// `begin`: of the first line.
    PlainText(const TextSource& text, std::uint64_t begin, std::uint64_t piece_bytes)
        : text_(text), begin_(begin), end_(end_of(text)), piece_bytes_(piece_bytes) {}

    bool is_readable() const {
        char before = 0;
        return begin_ > 0 && end_ > begin_ && text_.read_at(begin_ - 1, std::span(&before, 1)) == 1 && before == '\n';
    }
    Offset pieces() const { return static_cast<Offset>((end_ - begin_ + piece_bytes_ - 1) / piece_bytes_); }
    Piece piece(Offset k) const {
        const std::uint64_t first = begin_ + static_cast<std::uint64_t>(k) * piece_bytes_;
        return {first, std::min(first + piece_bytes_, end_)};
    }

    /// How many lines begin there: as many as end one byte before.
    Offset lines(const Piece& piece, std::vector<char>& buffer) const {
        const std::uint64_t bytes = piece.end - piece.begin;
        if (!read(piece.begin - 1, bytes, buffer)) return 0;
        return std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(bytes), '\n');
    }

    /// Calls line(cursor) at the beginning of each of so many lines, until it says no.
    template <class Line>
    bool each_line(const Piece& piece, Offset lines, std::vector<char>& buffer, const Line& line) const {
        const std::uint64_t behind = std::min(longest_line, end_ - piece.end);
        const std::uint64_t bytes = piece.end - piece.begin + 1 + behind;
        if (!read(piece.begin - 1, bytes, buffer)) return false;
        buffer[static_cast<std::size_t>(bytes)] = '\n';  // the last line may lack it
        Cursor cursor(buffer.data(), buffer.data() + bytes + 1);
        cursor.skip_line();
        for (Offset k = 0; k < lines; ++k) {
            if (cursor.at() > buffer.data() + bytes || !line(cursor)) return false;
        }
        const bool is_cut_off = cursor.at() > buffer.data() + bytes && piece.end + behind < end_;
        return !is_cut_off;
    }

  private:
    /// Behind the last character that is no blank.
    static std::uint64_t end_of(const TextSource& text) {
        std::uint64_t end = text.stored_bytes();
        std::vector<char> tail(static_cast<std::size_t>(std::min(end, longest_line)));
        if (text.read_at(end - tail.size(), tail) != tail.size()) return 0;
        while (!tail.empty() && (tail.back() == '\n' || tail.back() == '\r' || tail.back() == ' ')) {
            tail.pop_back();
            --end;
        }
        return end;
    }

    /// Into the buffer, which has room for one more.
    bool read(std::uint64_t place, std::uint64_t bytes, std::vector<char>& buffer) const {
        buffer.resize(std::max(buffer.size(), static_cast<std::size_t>(bytes) + 1));
        return text_.read_at(place, std::span(buffer).first(static_cast<std::size_t>(bytes))) == bytes;
    }

    const TextSource& text_;
    std::uint64_t begin_, end_, piece_bytes_;
};

/// Where the lines of each piece begin among all, and how many there are at last.
std::vector<Offset> first_lines(const PlainText& text) {
    std::vector<Offset> first(static_cast<std::size_t>(text.pieces()) + 1, 0);
    parallel_for(text.pieces(), 1, [&](int, Offset begin, Offset end) {
        std::vector<char> buffer;
        for (Offset k = begin; k < end; ++k) first[static_cast<std::size_t>(k) + 1] = text.lines(text.piece(k), buffer);
    });
    std::partial_sum(first.begin(), first.end(), first.begin());
    return first;
}

PlainEntries room_for(Offset count, bool has_places) {
    PlainEntries made;
    const auto entries = static_cast<std::size_t>(count);
    if (has_places) {
        make_room(made.row, entries);
        make_room(made.column, entries);
    }
    make_room(made.value, entries);
    parallel_for(3, 1, [&](int, Offset begin, Offset end) {
        for (Offset k = begin; k < end; ++k) {
            if (k == 0) made.value.resize(entries);
            if (k == 1 && has_places) made.row.resize(entries);
            if (k == 2 && has_places) made.column.resize(entries);
        }
    });
    return made;
}

}  // namespace

std::optional<PlainEntries> read_plain_entries(const TextSource& source, std::uint64_t begin,
                                               const MatrixMarketHeader& header, const MatrixMarketSizes& sizes,
                                               const std::function<void(double)>& progress, std::uint64_t piece_bytes) {
    if (sizes.entries == 0 || header.vector || !source.is_in_pieces()) return {};
    const PlainText text(source, begin, piece_bytes);
    if (!text.is_readable()) return {};
    const std::vector<Offset> first = first_lines(text);
    if (first.back() != sizes.entries) return {};
    const bool has_places = header.layout == Layout::coordinate, has_values = header.field != Field::pattern,
               is_whole = header.field == Field::integer;
    PlainEntries made = room_for(sizes.entries, has_places);
    std::atomic<bool> is_plain = true;
    parallel_for(text.pieces(), 1, [&](int range, Offset from, Offset to) {
        std::vector<char> buffer;
        for (Offset k = from; k < to && is_plain; ++k) {
            const auto piece = static_cast<std::size_t>(k);
            auto e = static_cast<std::size_t>(first[piece]);
            const auto read_line = [&](Cursor& at) {
                const bool has_place =
                    !has_places
                    || (at.read_index(sizes.rows, made.row[e]) && at.read_index(sizes.columns, made.column[e]));
                double value = 1;
                if (!has_place || (has_values && !at.read_real(value)) || !at.finish_line()) return false;
                made.value[e++] = value;
                return !is_whole || value == std::trunc(value);
            };
            if (!text.each_line(text.piece(k), first[piece + 1] - first[piece], buffer, read_line)) is_plain = false;
            if (range == 0 && progress) progress(static_cast<double>(k + 1 - from) / static_cast<double>(to - from));
        }
    });
    if (!is_plain) return {};
    return made;
}

}  // namespace glsolve::inline v0_1
