#include "core/text_source.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <glsolve/error.hpp>
#include <string>
#include <system_error>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view gzip_magic = "\x1f\x8b";

double share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 1.0 : std::min(1.0, static_cast<double>(part) / static_cast<double>(whole));
}

class FileSource final : public TextSource {
  public:
    FileSource(std::ifstream stream, std::uint64_t size) : stream_(std::move(stream)), size_(size) {}

    std::size_t read(std::span<char> out) override {
        stream_.read(out.data(), static_cast<std::streamsize>(out.size()));
        const auto count = static_cast<std::size_t>(stream_.gcount());
        if (count == 0 && stream_.bad()) throw DamagedText("the file cannot be read any further");
        done_ += count;
        return count;
    }

    std::uint64_t stored_bytes() const override { return size_; }
    double share_done() const override { return share(done_, size_); }

  private:
    std::ifstream stream_;
    std::uint64_t size_;
    std::uint64_t done_ = 0;
};

class MemorySource final : public TextSource {
  public:
    explicit MemorySource(std::string_view bytes) : bytes_(bytes) {}

    std::size_t read(std::span<char> out) override {
        const std::size_t count = bytes_.copy(out.data(), out.size(), done_);
        done_ += count;
        return count;
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
        : packed_(std::move(packed)), input_(std::clamp<std::uint64_t>(packed_->stored_bytes(), 1, input_bytes)) {
        constexpr int gzip_only = 16;
        if (inflateInit2(&stream_, MAX_WBITS + gzip_only) != Z_OK) throw std::bad_alloc();
    }
    GzipSource(const GzipSource&) = delete;
    GzipSource& operator=(const GzipSource&) = delete;
    ~GzipSource() override { inflateEnd(&stream_); }

    std::size_t read(std::span<char> out) override;

    std::uint64_t stored_bytes() const override { return packed_->stored_bytes(); }
    double share_done() const override { return packed_->share_done(); }
    std::uint64_t most_text_bytes() const override { return packed_->stored_bytes() * deflate_limit; }

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

std::unique_ptr<TextSource> inflated_if_gzip(std::unique_ptr<TextSource> source, std::string_view first_bytes) {
    if (!first_bytes.starts_with(gzip_magic)) return source;
    return std::make_unique<GzipSource>(std::move(source));
}

[[noreturn]] void refuse(const std::filesystem::path& file, std::string_view problem) {
    throw InvalidInput(fmt::format("{}: {}; a readable file is needed, plain or gzipped", file.string(), problem));
}

void require_regular(const std::filesystem::path& file) {
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(file, error);
    if (status.type() == std::filesystem::file_type::not_found) refuse(file, "there is no such file");
    if (error) refuse(file, error.message());
    if (std::filesystem::is_directory(status)) refuse(file, "this is a directory");
    if (!std::filesystem::is_regular_file(status)) refuse(file, "this is not a regular file");
}

}  // namespace

std::unique_ptr<TextSource> open_text(const std::filesystem::path& file) {
    require_regular(file);
    std::ifstream stream(file, std::ios::binary);
    if (!stream) refuse(file, std::generic_category().message(errno));

    std::array<char, gzip_magic.size()> first{};
    stream.read(first.data(), first.size());
    stream.clear();
    stream.seekg(0);
    auto source = std::make_unique<FileSource>(std::move(stream), std::filesystem::file_size(file));
    return inflated_if_gzip(std::move(source), {first.data(), first.size()});
}

std::unique_ptr<TextSource> open_text(std::string_view bytes) {
    return inflated_if_gzip(std::make_unique<MemorySource>(bytes), bytes);
}

}  // namespace glsolve::inline v0_1
