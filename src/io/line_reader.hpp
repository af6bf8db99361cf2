/// Lines out of a text source, with the place that every complaint about them names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/text_source.hpp"

namespace glsolve::inline v0_1 {

/// Reads a text line by line through one block of memory, so that a text of any size may come. Lines end in LF, CR LF
/// or CR. A byte order mark of UTF-8 before the first is skipped; UTF-16 and UTF-32 are refused by name.
class LineReader {
  public:
    /// `name` stands for the text in messages; `progress` is told the share done after every block.
    LineReader(std::unique_ptr<TextSource> source, std::string name, std::function<void(double)> progress = {});

    /// The next line without its end, or nothing at the end of the text. Valid until the next call.
    std::optional<std::string_view> next();

    /// The number of the line that next() gave last, counted from 1; 0 before the first.
    std::int64_t line() const { return line_; }

    /// An upper bound for the length of the text after that line.
    std::uint64_t most_bytes_left() const;

    std::uint64_t stored_bytes() const { return source_->stored_bytes(); }

    /// What the lines are read from, and how many bytes of its text are read.
    const TextSource& source() const { return *source_; }
    std::uint64_t bytes_read() const { return text_bytes_; }
    const std::function<void(double)>& progress() const { return progress_; }

    /// What every complaint from now on has to mention.
    void mention(std::string note) { note_ = std::move(note); }

    /// "name:line: words"
    std::string at(std::int64_t line, std::string_view words) const;

    /// Throws InvalidInput "name:line: problem" for the line that next() gave last, or for the one given.
    [[noreturn]] void fail(std::string_view problem) const;
    [[noreturn]] void fail_at(std::int64_t line, std::string_view problem) const;

  private:
    struct LineEnd {
        std::size_t at, length;
    };

    void skip_byte_order_mark();
    std::optional<LineEnd> find_end();
    bool refill();
    std::string_view take(std::size_t length, std::size_t line_end);

    std::unique_ptr<TextSource> source_;
    std::string name_, note_;
    std::function<void(double)> progress_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::size_t newline_ = 0;  // no LF stands between begin_ and here
    bool half_end_ = false;    // the last line ended in a CR at the end of the block: an LF may belong to it
    std::int64_t line_ = 0;
    std::uint64_t text_bytes_ = 0;
};

/// The words of one line, which blanks and tabs separate.
class Fields {
  public:
    explicit Fields(std::string_view line) : rest_(line) {}

    /// The next word; empty when there is none left.
    std::string_view next() {
        const std::size_t begin = skip(0, true);
        const std::size_t end = skip(begin, false);
        const std::string_view word = rest_.substr(begin, end - begin);
        rest_.remove_prefix(end);
        return word;
    }

  private:
    static bool is_blank(char c) { return c == ' ' || c == '\t'; }

    std::size_t skip(std::size_t at, bool blanks) const {
        while (at < rest_.size() && is_blank(rest_[at]) == blanks) ++at;
        return at;
    }

    std::string_view rest_;
};

}  // namespace glsolve::inline v0_1
