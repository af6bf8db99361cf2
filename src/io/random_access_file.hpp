/// A file that is read at any place, by several threads at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace glsolve::inline v0_1 {

class RandomAccessFile {
  public:
    /// Closed.
    RandomAccessFile() = default;
    /// `is_open` tells whether that was possible.
    explicit RandomAccessFile(const std::filesystem::path& file);
    RandomAccessFile(RandomAccessFile&& other) noexcept;
    RandomAccessFile& operator=(RandomAccessFile&& other) noexcept;
    ~RandomAccessFile();

    bool is_open() const { return descriptor_ >= 0; }
    /// Fills `out`, or as much of it as the file has from `place` on. Returns how many bytes that are.
    std::size_t read_at(std::uint64_t place, std::span<char> out) const;
    /// The same by all cores. False: there are not so many bytes.
    bool read_all_at(std::uint64_t place, std::span<char> out) const;

  private:
    int descriptor_ = -1;
};

}  // namespace glsolve::inline v0_1
