#include "io/output_file.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <cerrno>
#include <cstdint>
#include <glsolve/error.hpp>
#include <new>
#include <random>
#include <system_error>
#include <utility>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

/// A name of its own, not one made from the target's, which may be as long as names can be.
std::filesystem::path temporary_beside(const std::filesystem::path& target) {
    std::random_device random;
    return target.parent_path() / fmt::format(".glsolve-{:08x}{:08x}.tmp", random(), random());
}

/// Refuses a file that exists: the temporary name must not be anyone else's.
std::FILE* create_new(const std::filesystem::path& file) {
#if defined(_WIN32)
    return _wfopen(file.c_str(), L"wbx");
#else
    return std::fopen(file.c_str(), "wbx");
#endif
}

/// Opens a file for writing, and leaves it as it is. Else errno says why not.
bool may_be_written(const std::filesystem::path& file) {
    std::FILE* const opened = std::fopen(file.string().c_str(), "r+b");
    return opened != nullptr && std::fclose(opened) == 0;
}

}  // namespace

/// Compresses pieces of text into one gzip member.
class OutputFile::Deflater {
  public:
    Deflater() : output_(output_bytes) {
        constexpr int gzip_format = 16;
        constexpr int default_memory = 8;
        // Digits hardly compress any further at higher levels, which take up to seven times as long.
        if (deflateInit2(&stream_, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS + gzip_format, default_memory,
                         Z_DEFAULT_STRATEGY)
            != Z_OK) {
            throw std::bad_alloc();
        }
    }
    Deflater(const Deflater&) = delete;
    Deflater& operator=(const Deflater&) = delete;
    ~Deflater() { deflateEnd(&stream_); }

    /// zlib counts with 32 bits.
    static constexpr std::size_t most_at_once = std::size_t{1} << 30;

    /// Of at most so many bytes. Hands the compressed form of `bytes` to `store`, all that is pending too when `flush`
    /// is Z_FINISH.
    template <typename Store>
    void deflate(std::string_view bytes, int flush, const Store& store) {
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        do {
            stream_.next_out = reinterpret_cast<Bytef*>(output_.data());
            stream_.avail_out = static_cast<uInt>(output_.size());
            ::deflate(&stream_, flush);
            store(std::string_view(output_.data(), output_.size() - stream_.avail_out));
        } while (stream_.avail_out == 0);
    }

  private:
    static constexpr std::size_t output_bytes = std::size_t{1} << 18;

    std::vector<char> output_;
    z_stream stream_{};
};

OutputFile::OutputFile(std::filesystem::path target)
    : target_(std::move(target)), deflater_(target_.extension() == ".gz" ? std::make_unique<Deflater>() : nullptr) {
    std::error_code ignored;
    if (std::filesystem::exists(target_, ignored) && !std::filesystem::is_regular_file(target_, ignored)) {
        file_.reset(std::fopen(target_.string().c_str(), "wb"));  // a device or a pipe is written to, never replaced
    } else {
        // A link stays one: what it leads to is written.
        if (std::filesystem::is_symlink(target_, ignored)) target_ = std::filesystem::weakly_canonical(target_);
        // Renaming would replace a file that nobody may write to as well.
        if (std::filesystem::exists(target_, ignored) && !may_be_written(target_)) fail(errno);
        temporary_ = temporary_beside(target_);
        file_.reset(create_new(temporary_));
    }
    if (!file_) fail(errno);
}

OutputFile::~OutputFile() {
    if (temporary_.empty()) return;
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(temporary_, ignored);
}

void OutputFile::write(std::string_view bytes) {
    if (bytes.empty()) return;
    if (!deflater_) return store(bytes);
    while (!bytes.empty()) {
        const std::string_view part = bytes.substr(0, Deflater::most_at_once);
        deflater_->deflate(part, Z_NO_FLUSH, [this](std::string_view packed) { store(packed); });
        bytes.remove_prefix(part.size());
    }
}

void OutputFile::commit() {
    if (deflater_) deflater_->deflate({}, Z_FINISH, [this](std::string_view packed) { store(packed); });
    // Some file systems report a full disk only here.
    if (std::fclose(file_.release()) != 0) fail(errno);
    if (temporary_.empty()) return;
    std::error_code error;
    std::filesystem::rename(temporary_, target_, error);
    if (error) fail(error.value());
    temporary_.clear();
}

void OutputFile::store(std::string_view bytes) {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size()) fail(errno);
}

void OutputFile::fail(int error) const {
    throw Error(fmt::format("{}: cannot be written: {}; a writable file and folder with enough room are needed",
                            target_.string(), std::generic_category().message(error)));
}

}  // namespace glsolve::inline v0_1
