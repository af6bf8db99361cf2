#include "base/disk_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <system_error>
#include <utility>
#include <vector>

namespace glsolve::inline v0_1 {
namespace {

namespace fs = std::filesystem;

/// FNV-1a: the same in all processes. Files hold their whole key, so that it need not be more.
std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
}

std::uint32_t checksum(std::string_view text) {
    return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(text.data()), text.size()));
}

/// In front of key and content, whose lengths it tells.
std::string first_line(const std::string& key, const std::string& content) {
    return fmt::format("glsolve kept 1 {} {} {:08x}\n", key.size(), content.size(), checksum(content));
}

using FileTime = fs::file_time_type;

/// "0123456789abcdef.ending", perhaps with more behind it, which is unfinished: other files are not ours.
bool is_kept_file(const fs::path& file) {
    const std::string name = file.filename().string();
    return name.size() > 17 && name[16] == '.' && name.find_first_not_of("0123456789abcdef") == 16;
}

/// All but `newest`. Another process may have removed a file meanwhile: that is no error.
void trim(const fs::path& folder, const fs::path& newest, std::uintmax_t most_bytes) {
    struct Kept {
        fs::path path;
        FileTime used;
        std::uintmax_t bytes;
    };
    std::vector<Kept> files;
    std::uintmax_t all = 0;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code gone;
        const std::uintmax_t bytes = at->file_size(gone);
        const FileTime used = at->last_write_time(gone);
        if (gone || !is_kept_file(at->path())) continue;
        all += bytes;
        if (at->path() != newest) files.push_back({at->path(), used, bytes});
    }
    if (all <= most_bytes) return;
    std::ranges::sort(files, {}, &Kept::used);
    for (const Kept& file : files) {
        if (all <= most_bytes / 2) break;  // so that the next file does not have to look again
        fs::remove(file.path, error);
        all -= file.bytes;
    }
}

}  // namespace

DiskCache::DiskCache(std::string_view folder, std::function<void(const std::string&)> warn, std::string what,
                     std::string ending, std::uintmax_t most_bytes)
    : folder_(folder),
      warn_(std::move(warn)),
      what_(std::move(what)),
      ending_(std::move(ending)),
      most_bytes_(most_bytes) {}

fs::path DiskCache::file_of(const std::string& key) const {
    return folder_ / fmt::format("{:016x}.{}", hash_of(key), ending_);
}

std::string DiskCache::find(const std::string& key) const {
    if (folder_.empty()) return {};
    std::ifstream stream(file_of(key), std::ios::binary);
    std::string line;
    if (!stream || !std::getline(stream, line)) return {};
    std::string rest{std::istreambuf_iterator<char>(stream), {}};
    if (!std::string_view(rest).starts_with(key)) return {};
    std::string content = rest.substr(key.size());
    if (line + "\n" != first_line(key, content)) return {};
    constexpr auto a_day = std::chrono::hours(24);
    std::error_code ignored;
    const auto now = FileTime::clock::now();
    if (now - fs::last_write_time(file_of(key), ignored) > a_day) fs::last_write_time(file_of(key), now, ignored);
    return content;
}

/// Written beside its place and then renamed: who reads sees all of it or nothing.
void DiskCache::keep(const std::string& key, const std::string& content) {
    if (folder_.empty()) return;
    static std::atomic<unsigned> count{0};
    const fs::path place = file_of(key);
    const fs::path unfinished = fmt::format("{}.{}.{}", place.string(), getpid(), count++);
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) return complain(error.message());
    {
        std::ofstream stream(unfinished, std::ios::binary);
        stream << first_line(key, content) << key << content;
        stream.close();
        if (!stream) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) fs::rename(unfinished, place, error);
    if (!error && !std::exchange(trimmed_, true)) trim(folder_, place, most_bytes_);
    if (!error) return;
    std::error_code ignored;
    fs::remove(unfinished, ignored);
    complain(error.message());
}

void DiskCache::complain(const std::string& reason) {
    if (!warn_ || std::exchange(complained_, true)) return;
    warn_(fmt::format("glsolve: {} cannot be kept in {}: {}; they are made again next time", what_, folder_.string(),
                      reason));
}

}  // namespace glsolve::inline v0_1
