#include "core/line_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
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
    do {
        const char* const begin = buffer_.data() + begin_;
        if (const void* newline = std::memchr(begin, '\n', end_ - begin_)) {
            return take(static_cast<std::size_t>(static_cast<const char*>(newline) - begin), 1);
        }
    } while (refill());
    if (begin_ == end_) return std::nullopt;
    return take(end_ - begin_, 0);
}

std::uint64_t LineReader::most_bytes_left() const {
    // A file may have grown since its size was taken.
    return source_->most_text_bytes() - std::min(source_->most_text_bytes(), text_bytes_);
}

void LineReader::fail(std::string_view problem) const { fail_at(std::max<std::int64_t>(line_, 1), problem); }

void LineReader::fail_at(std::int64_t line, std::string_view problem) const {
    throw InvalidInput(fmt::format("{}:{}: {}", name_, line, problem));
}

/// Keeps the unfinished line and reads on behind it; false at the end of the text.
bool LineReader::refill() {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
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

std::string_view LineReader::take(std::size_t length, std::size_t newline) {
    const std::string_view line(buffer_.data() + begin_, length);
    begin_ += length + newline;
    text_bytes_ += length + newline;
    ++line_;
    return line;
}

}  // namespace glsolve::inline v0_1
