#include "io/random_access_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <utility>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

RandomAccessFile::RandomAccessFile(const std::filesystem::path& file)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}

RandomAccessFile::RandomAccessFile(RandomAccessFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

RandomAccessFile& RandomAccessFile::operator=(RandomAccessFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

RandomAccessFile::~RandomAccessFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

std::size_t RandomAccessFile::read_at(std::uint64_t place, std::span<char> out) const {
    std::size_t done = 0;
    while (done < out.size()) {
        const ssize_t count =
            ::pread(descriptor_, out.data() + done, out.size() - done, static_cast<off_t>(place + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

bool RandomAccessFile::read_all_at(std::uint64_t place, std::span<char> out) const {
    constexpr Offset grain = Offset{1} << 22;
    std::atomic<bool> is_whole = true;
    parallel_for(static_cast<Offset>(out.size()), grain, [&](int, Offset begin, Offset end) {
        const auto part = out.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        if (read_at(place + static_cast<std::uint64_t>(begin), part) != part.size()) is_whole = false;
    });
    return is_whole;
}

}  // namespace glsolve::inline v0_1
