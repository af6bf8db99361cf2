#include "io/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <glsolve/error.hpp>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

/// A block, or a little more than all of a short text: small files should take small memory.
std::size_t buffer_bytes(const TextSource& source) {
    constexpr std::uint64_t block_bytes = std::uint64_t{1} << 20;
    return static_cast<std::size_t>(std::min(block_bytes, source.most_text_bytes() + 1));
}

}  // namespace

LineReader::LineReader(std::unique_ptr<TextSource> source, std::string name, std::function<void(double)> progress)
    : source_(std::move(source)),
      name_(std::move(name)),
      progress_(std::move(progress)),
      buffer_(buffer_bytes(*source_)) {}

std::optional<std::string_view> LineReader::next() {
    if (line_ == 0) skip_byte_order_mark();
    do {
        if (const std::optional<LineEnd> end = find_end()) return take(end->at - begin_, end->length);
    } while (refill());
    if (begin_ == end_) return std::nullopt;
    return take(end_ - begin_, 0);
}

void LineReader::skip_byte_order_mark() {
    using namespace std::string_view_literals;
    constexpr std::size_t longest = 4;
    while (end_ < longest && refill()) {
    }
    const std::string_view text(buffer_.data(), end_);
    constexpr std::string_view utf8 = "\xef\xbb\xbf"sv;
    if (text.starts_with(utf8)) {
        begin_ += utf8.size();
        text_bytes_ += utf8.size();
        return;
    }
    // By their marks, or by the percent sign that files begin with. That of UTF-32 begins with that of UTF-16.
    constexpr std::array others{std::pair{"\xff\xfe\0\0"sv, "UTF-32"sv}, std::pair{"\0\0\xfe\xff"sv, "UTF-32"sv},
                                std::pair{"%\0\0\0"sv, "UTF-32"sv},      std::pair{"\0\0\0%"sv, "UTF-32"sv},
                                std::pair{"\xff\xfe"sv, "UTF-16"sv},     std::pair{"\xfe\xff"sv, "UTF-16"sv},
                                std::pair{"%\0"sv, "UTF-16"sv},          std::pair{"\0%"sv, "UTF-16"sv}};
    for (const auto& [start, name] : others) {
        if (text.starts_with(start)) fail(fmt::format("the text is {}; ASCII or UTF-8 is needed", name));
    }
}

/// Where the line that begins at begin_ ends, as far as the block tells.
std::optional<LineReader::LineEnd> LineReader::find_end() {
    if (half_end_ && begin_ < end_) {
        if (buffer_[begin_] == '\n') ++begin_, ++text_bytes_;
        half_end_ = false;
    }
    const auto find = [&](char c, std::size_t from, std::size_t to) {
        const void* found = std::memchr(buffer_.data() + from, c, to - from);
        return found != nullptr ? static_cast<std::size_t>(static_cast<const char*>(found) - buffer_.data()) : to;
    };
    // Remembered, since a block whose lines end in CR would be searched for it anew with each line.
    newline_ = std::max(newline_, begin_);
    if (newline_ < end_ && buffer_[newline_] != '\n') newline_ = find('\n', newline_, end_);
    const std::size_t carriage_return = find('\r', begin_, newline_);
    if (carriage_return < newline_) {
        const bool both = carriage_return + 1 == newline_ && newline_ < end_;
        half_end_ = carriage_return + 1 == end_;
        return LineEnd{carriage_return, both ? std::size_t{2} : 1};
    }
    if (newline_ < end_) return LineEnd{newline_, 1};
    return std::nullopt;
}

std::uint64_t LineReader::most_bytes_left() const {
    // A file may have grown since its size was taken.
    return source_->most_text_bytes() - std::min(source_->most_text_bytes(), text_bytes_);
}

void LineReader::fail(std::string_view problem) const { fail_at(std::max<std::int64_t>(line_, 1), problem); }

std::string LineReader::at(std::int64_t line, std::string_view words) const {
    return fmt::format("{}:{}: {}", name_, line, words);
}

void LineReader::fail_at(std::int64_t line, std::string_view problem) const {
    throw InvalidInput(at(line, problem) + (note_.empty() ? "" : fmt::format(" ({})", note_)));
}

/// Keeps the unfinished line and reads on behind it; false at the end of the text.
bool LineReader::refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    newline_ -= std::min(newline_, begin_);
    begin_ = 0;
    if (end_ == buffer_.size()) {
        fail_at(line_ + 1, fmt::format("the line is longer than {} bytes; a text file with shorter lines is needed",
                                       buffer_.size()));
    }
    try {
        const std::size_t count = source_->read(std::span(buffer_).subspan(end_));
        if (progress_) progress_(source_->share_done());
        end_ += count;
        return count > 0;
    } catch (const DamagedText& damage) {
        fail_at(line_ + 1, fmt::format("{}; the whole file is needed", damage.what()));
    }
}

std::string_view LineReader::take(std::size_t length, std::size_t line_end) {
    const std::string_view line(buffer_.data() + begin_, length);
    begin_ += length + line_end;
    text_bytes_ += length + line_end;
    ++line_;
    return line;
}

}  // namespace glsolve::inline v0_1
