/// Text out of a file or out of memory, inflated on the way when it turns out to be gzip data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <istream>
#include <limits>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>

namespace glsolve::inline v0_1 {

/// The stored bytes cannot be turned into text: gzip data are damaged or end early, or the device failed.
class DamagedText : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A text that is read once, from its beginning to its end.
class TextSource {
  public:
    virtual ~TextSource() = default;

    /// Fills `out` as far as the text reaches and returns how much that is; 0 means the end.
    /// Throws DamagedText, but only after all text before the damage has been handed out.
    virtual std::size_t read(std::span<char> out) = 0;

    /// The size of what is stored: of the compressed data if there are any. Of a pipe, which does not tell: what has
    /// come so far.
    virtual std::uint64_t stored_bytes() const = 0;

    /// The share of the stored bytes that has been read, 0 to 1. Of a pipe 0 until it ends.
    virtual double share_done() const = 0;

    /// No text of this many stored bytes can be longer than this; `unlimited` where nobody knows how many there are.
    virtual std::uint64_t most_text_bytes() const { return stored_bytes(); }

    /// Can `read_at` be called?
    virtual bool is_in_pieces() const { return false; }
    /// Copies what stands from that byte of the text on, and returns how much that is. Several threads may call it at a
    /// time, and `read` does not notice.
    virtual std::size_t read_at(std::uint64_t /*place*/, std::span<char> /*out*/) const { return 0; }

    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max() / 2;
};

/// Opens a file or a pipe, gzip or plain by its first bytes. Throws InvalidInput when it is missing, a directory or not
/// readable.
std::unique_ptr<TextSource> open_text(const std::filesystem::path& file);

/// The same for a stream, which has to live as long as the source and is read from where it stands to its end.
std::unique_ptr<TextSource> open_text(std::istream& stream);

/// The same for bytes in memory, which have to live as long as the source.
std::unique_ptr<TextSource> open_text(std::string_view bytes);

}  // namespace glsolve::inline v0_1
