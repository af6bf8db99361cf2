#include "base/disk_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <zlib.h>

#include <atomic>
#include <fstream>
#include <system_error>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

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

}  // namespace

DiskCache::DiskCache(std::string_view folder, std::function<void(const std::string&)> warn, std::string what,
                     std::string ending)
    : folder_(folder), warn_(std::move(warn)), what_(std::move(what)), ending_(std::move(ending)) {}

std::filesystem::path DiskCache::file_of(const std::string& key) const {
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
    return line + "\n" == first_line(key, content) ? content : std::string();
}

/// Written beside its place and then renamed: who reads sees all of it or nothing.
void DiskCache::keep(const std::string& key, const std::string& content) {
    if (folder_.empty()) return;
    static std::atomic<unsigned> count{0};
    const std::filesystem::path place = file_of(key);
    const std::filesystem::path unfinished = fmt::format("{}.{}.{}", place.string(), getpid(), count++);
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return complain(error.message());
    {
        std::ofstream stream(unfinished, std::ios::binary);
        stream << first_line(key, content) << key << content;
        stream.close();
        if (!stream) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) std::filesystem::rename(unfinished, place, error);
    if (!error) return;
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    complain(error.message());
}

void DiskCache::complain(const std::string& reason) {
    if (!warn_ || std::exchange(complained_, true)) return;
    warn_(fmt::format("glsolve: {} cannot be kept in {}: {}; they are made again next time", what_, folder_.string(),
                      reason));
}

}  // namespace glsolve::inline v0_1
