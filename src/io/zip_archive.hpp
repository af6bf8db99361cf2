/// Archives of files (PKWARE's APPNOTE.TXT 6.3): what numpy.savez writes and reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/host_array.hpp"
#include "io/output_file.hpp"
#include "io/random_access_file.hpp"

namespace glsolve::inline v0_1 {

using Bytes = std::span<const char>;

/// The CRC-32 of bytes, by all cores.
std::uint32_t crc_of(Bytes bytes);

class ZipReader {
  public:
    struct Member {
        std::string name;
        bool is_deflated = false;
        std::uint32_t crc = 0;
        std::uint64_t stored_bytes = 0, bytes = 0;
        std::uint64_t place = 0;  ///< of its local header
    };

    /// Reads the directory. Throws InvalidInput, naming the file, for what is no archive, or one that is encrypted or
    /// compressed otherwise than by deflate.
    explicit ZipReader(const std::filesystem::path& file);

    const std::vector<Member>& members() const { return members_; }
    /// Null where there is none.
    const Member* find(std::string_view name) const;
    /// All of a member. Throws InvalidInput where it ends early, or its check sum is another.
    HostArray<char> read(const Member& member) const;
    [[noreturn]] void fail(std::string_view problem) const;

  private:
    HostArray<char> bytes_at(std::uint64_t place, std::uint64_t count) const;
    std::uint64_t find_directory(std::uint64_t& entries);
    void read_directory(std::uint64_t place, std::uint64_t entries);
    HostArray<char> inflated(Bytes stored, const Member& member) const;

    std::filesystem::path file_;
    RandomAccessFile bytes_;
    std::uint64_t size_ = 0;
    std::vector<Member> members_;
};

/// Members are stored as they are.
class ZipWriter {
  public:
    explicit ZipWriter(const std::filesystem::path& file) : out_(file) {}

    /// A member that consists of these parts.
    void add(std::string name, std::initializer_list<Bytes> parts);
    /// Writes the directory, and gives the file its name.
    void commit();

  private:
    void write(const std::string& bytes);

    OutputFile out_;
    std::uint64_t place_ = 0;
    std::vector<ZipReader::Member> members_;
};

}  // namespace glsolve::inline v0_1
