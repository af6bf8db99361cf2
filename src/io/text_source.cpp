#include "io/text_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <glsolve/error.hpp>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "io/random_access_file.hpp"
#include "io/read_ahead.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1.0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

/// A stream, whose first bytes tell what it holds.
class StreamSource : public TextSource {
  public:
    StreamSource(std::istream& stream, std::optional<std::uint64_t> size) : stream_(stream), size_(size) {
        stream_.read(first_.data(), first_.size());
        left_ = std::string_view(first_.data(), static_cast<std::size_t>(stream_.gcount()));
    }

    std::string_view first_bytes() const { return left_; }

    std::size_t read(std::span<char> out) override {
        const std::size_t first = left_.copy(out.data(), out.size());
        left_.remove_prefix(first);
        stream_.read(out.data() + first, static_cast<std::streamsize>(out.size() - first));
        const std::size_t count = first + static_cast<std::size_t>(stream_.gcount());
        if (count == 0 && stream_.bad()) throw DamagedText("the file cannot be read any further");
        done_ += count;
        return count;
    }

    std::uint64_t stored_bytes() const override { return size_.value_or(done_ + left_.size()); }
    double share_done() const override { return size_ ? share(done_, *size_) : stream_.eof() ? 1 : 0; }
    std::uint64_t most_text_bytes() const override { return size_.value_or(unlimited); }

  private:
    std::istream& stream_;
    std::optional<std::uint64_t> size_;  // pipes have none
    std::uint64_t done_ = 0;
    std::array<char, gzip_magic.size()> first_{};
    std::string_view left_;  // of `first_`, and not yet handed out
};

/// A stream of its own: a base class, since it has to be there before StreamSource reads.
struct OwnStream {
    std::ifstream own_stream;
};

class FileSource final : private OwnStream, public StreamSource {
  public:
    FileSource(const std::filesystem::path& file, std::ifstream stream, std::optional<std::uint64_t> size)
        : OwnStream{std::move(stream)},
          StreamSource(own_stream, size),
          pieces_(size ? RandomAccessFile(file) : RandomAccessFile()) {}

    bool is_in_pieces() const override { return pieces_.is_open(); }
    std::size_t read_at(std::uint64_t place, std::span<char> out) const override { return pieces_.read_at(place, out); }

  private:
    RandomAccessFile pieces_;  // beside the stream: read_at leaves its place alone
};

class MemorySource final : public TextSource {
  public:
    explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

    std::string_view first_bytes() const { return bytes_; }

    std::size_t read(std::span<char> out) override {
        const std::size_t count = bytes_.copy(out.data(), out.size(), done_);
        done_ += count;
        return count;
    }

    bool is_in_pieces() const override { return true; }
    std::size_t read_at(std::uint64_t place, std::span<char> out) const override {
        return bytes_.substr(std::min<std::size_t>(place, bytes_.size())).copy(out.data(), out.size());
    }

    std::uint64_t stored_bytes() const override { return bytes_.size(); }
    double share_done() const override { return share(done_, bytes_.size()); }

  private:
    std::string_view bytes_;
    std::size_t done_ = 0;
};

/// Inflates what another source stores. Several gzip members in a row are one text, as for gzip itself.
class GzipSource final : public TextSource {
  public:
    explicit GzipSource(std::unique_ptr<TextSource> packed)
        : packed_(std::move(packed)), input_(std::clamp<std::uint64_t>(packed_->most_text_bytes(), 1, input_bytes)) {
        constexpr int gzip_only = 16;
        if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override { inflateEnd(&stream_); }

    std::size_t read(std::span<char> out) override;

    std::uint64_t stored_bytes() const override { return packed_->stored_bytes(); }
    double share_done() const override { return packed_->share_done(); }
    std::uint64_t most_text_bytes() const override {
        const std::uint64_t packed = packed_->most_text_bytes();
        return packed < unlimited / deflate_limit ? packed * deflate_limit : unlimited;
    }

  private:
    static constexpr std::uint64_t input_bytes = std::uint64_t{1} << 18;
    /// Two bits of deflate data stand for 258 bytes of text at the most.
    static constexpr std::uint64_t deflate_limit = 1032;

    bool refill() {
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(packed_->read(input_));
        return stream_.avail_in > 0;
    }

    /// Inflates what there is room for; says what is wrong with the data, or nothing.
    std::string inflate_some();

    std::unique_ptr<TextSource> packed_;
    std::vector<char> input_;
    z_stream stream_{};
    bool member_ended_ = false;
};

std::string GzipSource::inflate_some() {
    while (stream_.avail_out > 0) {
        const bool has_input = stream_.avail_in > 0 || refill();
        if (member_ended_ && !has_input) return "";
        if (member_ended_) inflateReset(&stream_);
        // Without input too: text that had no room before is still to come.
        const int status = inflate(&stream_, Z_NO_FLUSH);
        member_ended_ = status == Z_STREAM_END;
        if (status == Z_BUF_ERROR && !has_input) return "the gzip data end early";
        if (status != Z_OK && status != Z_STREAM_END) {
            return fmt::format("the gzip data are damaged ({})", stream_.msg ? stream_.msg : zError(status));
        }
    }
    return "";
}

std::size_t GzipSource::read(std::span<char> out) {
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = static_cast<uInt>(out.size());
    const std::string damage = inflate_some();
    const std::size_t count = out.size() - stream_.avail_out;
    // inflate() reports the same damage again, so that it need not be kept until the text before it has been read.
    if (count == 0 && !damage.empty()) throw DamagedText(damage);
    return count;
}

template <class Source>
std::unique_ptr<TextSource> inflated_if_gzip(std::unique_ptr<Source> source) {
    if (!source->first_bytes().starts_with(gzip_magic)) return source;
    return std::make_unique<GzipSource>(std::move(source));
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view problem) {
    throw InvalidInput(fmt::format("{}: {}; a readable file is needed, plain or gzipped", file.string(), problem));
}

/// The size of a regular file; a pipe or a device has none. Throws InvalidInput for what cannot be read.
std::optional<std::uint64_t> size_of(const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(file, "there is no such file");
    if (error) refuse(file, error.message());
    if (std::filesystem::is_directory(status)) refuse(file, "this is a directory");
    if (!std::filesystem::is_regular_file(status)) return std::nullopt;
    return std::filesystem::file_size(file);
}

}  // namespace

std::unique_ptr<TextSource> open_text(const std::filesystem::path& file) {
    const std::optional<std::uint64_t> size = size_of(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream) refuse(file, std::generic_category().message(errno));
    auto stored = std::make_unique<FileSource>(file, std::move(stream), size);
    const bool is_packed = stored->first_bytes().starts_with(gzip_magic);
    std::unique_ptr<TextSource> text = inflated_if_gzip(std::move(stored));
    constexpr std::uint64_t few = std::uint64_t{1} << 16;  // a thread would take longer to start
    return is_packed && size.value_or(0) > few ? read_ahead(std::move(text)) : std::move(text);
}

std::unique_ptr<TextSource> open_text(std::istream& stream) {
    return inflated_if_gzip(std::make_unique<StreamSource>(stream, std::nullopt));
}

std::unique_ptr<TextSource> open_text(std::string_view bytes) {
    return inflated_if_gzip(std::make_unique<MemorySource>(bytes));
}

}  // namespace glsolve::inline v0_1
