#include "io/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <glsolve/error.hpp>
#include <type_traits>
#include <utility>

#include "base/number_text.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

static_assert(std::endian::native == std::endian::little, "files have the least byte first");

constexpr std::uint32_t local_header = 0x04034b50, directory_entry = 0x02014b50, directory_end = 0x06054b50,
                        directory_end_64 = 0x06064b50, locator_64 = 0x07064b50;
constexpr std::uint64_t too_large = 0xffffffff;  // for 32 bits: the number stands in the extra field
constexpr std::size_t local_bytes = 30, entry_bytes = 46, end_bytes = 22, locator_bytes = 20, end_64_bytes = 56;

template <class Number>
Number number_at(Bytes bytes, std::size_t place) {
    Number number{};
    if (place + sizeof(Number) <= bytes.size()) std::memcpy(&number, bytes.data() + place, sizeof(Number));
    return number;
}

/// Numbers one behind the other.
class Record {
  public:
    template <class Number>
    Record& put(Number number) {
        bytes_.append(reinterpret_cast<const char*>(&number), sizeof(Number));
        return *this;
    }
    Record& put_text(std::string_view text) {
        bytes_ += text;
        return *this;
    }
    const std::string& bytes() const { return bytes_; }

  private:
    std::string bytes_;
};

std::uint32_t in_32_bits(std::uint64_t number) { return static_cast<std::uint32_t>(std::min(number, too_large)); }

/// What is too large for 32 bits stands in this field, one number after the other.
class Extra64 {
  public:
    explicit Extra64(Bytes extra) {
        for (std::size_t at = 0; at + 4 <= extra.size();) {
            const auto length = number_at<std::uint16_t>(extra, at + 2);
            if (number_at<std::uint16_t>(extra, at) == 1)
                field_ = extra.subspan(at + 4, std::min<std::size_t>(length, extra.size() - at - 4));
            at += 4 + std::size_t{length};
        }
    }
    void replace(std::uint64_t& number) {
        if (number != too_large) return;
        number = number_at<std::uint64_t>(field_, next_);
        next_ += sizeof(std::uint64_t);
    }

  private:
    Bytes field_;
    std::size_t next_ = 0;
};

}  // namespace

std::uint32_t crc_of(Bytes bytes) {
    struct Part {
        uLong crc;
        Offset length;
    };
    constexpr Offset grain = 1 << 20;
    const auto parts = parallel_parts(std::ssize(bytes), grain, [&](Offset begin, Offset end) {
        const auto* const data = reinterpret_cast<const Bytef*>(bytes.data()) + begin;
        return Part{crc32_z(0, data, static_cast<std::size_t>(end - begin)), end - begin};
    });
    uLong crc = 0;
    for (const Part& part : parts) crc = crc32_combine(crc, part.crc, part.length);
    return static_cast<std::uint32_t>(crc);
}

void ZipReader::fail(std::string_view problem) const {
    throw InvalidInput(fmt::format("{}: {}", file_.string(), problem));
}

ZipReader::ZipReader(const std::filesystem::path& file) : file_(file), bytes_(file) {
    std::error_code error;
    size_ = std::filesystem::file_size(file, error);
    if (error || !bytes_.is_open())
        fail(fmt::format("cannot be read: {}", error ? error.message() : "it may not be opened"));
    std::uint64_t entries = 0;
    const std::uint64_t place = find_directory(entries);
    read_directory(place, entries);
}

HostArray<char> ZipReader::bytes_at(std::uint64_t place, std::uint64_t count) const {
    if (place > size_ || count > size_ - place) fail("the archive ends early; the whole file is needed");
    HostArray<char> bytes(static_cast<std::size_t>(count));
    if (!bytes_.read_all_at(place, bytes.all())) fail("cannot be read any further");
    return bytes;
}

/// It is behind all members, and a comment may follow.
std::uint64_t ZipReader::find_directory(std::uint64_t& entries) {
    constexpr std::uint64_t longest_comment = 0xffff;
    const std::uint64_t tail_bytes = std::min(size_, end_bytes + longest_comment);
    const HostArray<char> last = bytes_at(size_ - tail_bytes, tail_bytes);
    const Bytes tail = last.all();
    std::size_t at = tail.size();
    const auto is_end = [&] { return number_at<std::uint32_t>(tail, at) == directory_end; };
    for (at = at >= end_bytes ? at - end_bytes : 0; at > 0 && !is_end(); --at) {
    }
    if (tail.size() < end_bytes || !is_end()) {
        fail("this is no archive as numpy.savez writes it; a .npz file is needed");
    }
    entries = number_at<std::uint16_t>(tail, at + 10);
    std::uint64_t place = number_at<std::uint32_t>(tail, at + 16);
    if (place != too_large && entries != 0xffff) return place;
    const std::uint64_t end = size_ - tail_bytes + at;
    if (end < locator_bytes) fail("the archive's directory is damaged");
    const HostArray<char> locator = bytes_at(end - locator_bytes, locator_bytes);
    if (number_at<std::uint32_t>(locator.all(), 0) != locator_64) return place;
    const HostArray<char> last_64 = bytes_at(number_at<std::uint64_t>(locator.all(), 8), end_64_bytes);
    const Bytes end_64 = last_64.all();
    if (number_at<std::uint32_t>(end_64, 0) != directory_end_64) fail("the archive's directory is damaged");
    entries = number_at<std::uint64_t>(end_64, 32);
    return number_at<std::uint64_t>(end_64, 48);
}

void ZipReader::read_directory(std::uint64_t place, std::uint64_t entries) {
    for (std::uint64_t k = 0; k < entries; ++k) {
        const HostArray<char> at_place = bytes_at(place, entry_bytes);
        const Bytes entry = at_place.all();
        if (number_at<std::uint32_t>(entry, 0) != directory_entry) fail("the archive's directory is damaged");
        const auto flags = number_at<std::uint16_t>(entry, 8), method = number_at<std::uint16_t>(entry, 10),
                   name_bytes = number_at<std::uint16_t>(entry, 28), extra_bytes = number_at<std::uint16_t>(entry, 30),
                   comment_bytes = number_at<std::uint16_t>(entry, 32);
        const HostArray<char> behind = bytes_at(place + entry_bytes, std::uint64_t{name_bytes} + extra_bytes);
        const Bytes rest = behind.all();
        Member member{.name = std::string(rest.data(), name_bytes),
                      .is_deflated = method == Z_DEFLATED,
                      .crc = number_at<std::uint32_t>(entry, 16),
                      .stored_bytes = number_at<std::uint32_t>(entry, 20),
                      .bytes = number_at<std::uint32_t>(entry, 24),
                      .place = number_at<std::uint32_t>(entry, 42)};
        Extra64 extra(rest.subspan(name_bytes));
        extra.replace(member.bytes);
        extra.replace(member.stored_bytes);
        extra.replace(member.place);
        constexpr unsigned encrypted = 1;
        if ((flags & encrypted) != 0)
            fail(fmt::format("{} is encrypted; plain members are read", glsolve::quoted(member.name)));
        if (method != 0 && method != Z_DEFLATED) {
            fail(fmt::format("{} is compressed by method {}; stored (0) and deflated (8) are read",
                             glsolve::quoted(member.name), method));
        }
        members_.push_back(std::move(member));
        place += entry_bytes + name_bytes + extra_bytes + comment_bytes;
    }
}

const ZipReader::Member* ZipReader::find(std::string_view name) const {
    const auto found = std::ranges::find(members_, name, &Member::name);
    return found == members_.end() ? nullptr : &*found;
}

HostArray<char> ZipReader::inflated(Bytes stored, const Member& member) const {
    constexpr std::uint64_t deflate_limit = 1032;  // of text for a byte
    if (member.bytes / deflate_limit > stored.size()) {
        fail(fmt::format("{} says that it has {} bytes, which so few cannot hold", glsolve::quoted(member.name),
                         member.bytes));
    }
    HostArray<char> inflated(static_cast<std::size_t>(member.bytes));
    const std::span<char> bytes = inflated.all();
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) throw std::bad_alloc();
    // zlib counts what it is given with 32 bits.
    constexpr std::size_t most = std::size_t{1} << 30;
    std::size_t given = 0, made = 0;
    int status = Z_OK;
    while (status == Z_OK) {
        const std::size_t in = std::min(most, stored.size() - given), out = std::min(most, bytes.size() - made);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(stored.data() + given));
        stream.avail_in = static_cast<uInt>(in);
        stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + made);
        stream.avail_out = static_cast<uInt>(out);
        status = inflate(&stream, Z_NO_FLUSH);
        given += in - stream.avail_in;
        made += out - stream.avail_out;
    }
    inflateEnd(&stream);
    if (status != Z_STREAM_END || made != bytes.size())
        fail(fmt::format("{}: the deflated data are damaged", glsolve::quoted(member.name)));
    return inflated;
}

HostArray<char> ZipReader::read(const Member& member) const {
    const HostArray<char> local = bytes_at(member.place, local_bytes);
    const Bytes header = local.all();
    if (number_at<std::uint32_t>(header, 0) != local_header)
        fail(fmt::format("{} is not where the directory says", glsolve::quoted(member.name)));
    const std::uint64_t begin =
        member.place + local_bytes + number_at<std::uint16_t>(header, 26) + number_at<std::uint16_t>(header, 28);
    HostArray<char> bytes = bytes_at(begin, member.stored_bytes);
    if (member.is_deflated) bytes = inflated(bytes.all(), member);
    if (bytes.size() != member.bytes || crc_of(bytes.all()) != member.crc) {
        fail(fmt::format("{} is damaged: its check sum is another", glsolve::quoted(member.name)));
    }
    return bytes;
}

void ZipWriter::write(const std::string& bytes) {
    out_.write(bytes);
    place_ += bytes.size();
}

void ZipWriter::add(std::string name, std::initializer_list<Bytes> parts) {
    ZipReader::Member member{.name = std::move(name), .place = place_};
    uLong crc = 0;
    for (const Bytes part : parts) {
        crc = crc32_combine(crc, crc_of(part), static_cast<z_off_t>(part.size()));
        member.bytes += part.size();
    }
    member.crc = static_cast<std::uint32_t>(crc);
    member.stored_bytes = member.bytes;
    constexpr std::uint16_t version = 45, extra_bytes = 20;  // with numbers of 64 bits
    write(Record()
              .put(local_header)
              .put(version)
              .put(std::uint32_t{0})           // flags, stored
              .put(std::uint32_t{0x00210000})  // 1980-01-01: the same file each time
              .put(member.crc)
              .put(std::uint32_t{too_large})
              .put(std::uint32_t{too_large})
              .put(static_cast<std::uint16_t>(member.name.size()))
              .put(extra_bytes)
              .put_text(member.name)
              .put(std::uint16_t{1})
              .put(std::uint16_t{16})
              .put(member.bytes)
              .put(member.stored_bytes)
              .bytes());
    for (const Bytes part : parts) {
        out_.write({part.data(), part.size()});
        place_ += part.size();
    }
    members_.push_back(std::move(member));
}

void ZipWriter::commit() {
    const std::uint64_t begin = place_;
    constexpr std::uint16_t version = 45;
    for (const ZipReader::Member& member : members_) {
        write(Record()
                  .put(directory_entry)
                  .put(version)
                  .put(version)
                  .put(std::uint32_t{0})
                  .put(std::uint32_t{0x00210000})
                  .put(member.crc)
                  .put(std::uint32_t{too_large})
                  .put(std::uint32_t{too_large})
                  .put(static_cast<std::uint16_t>(member.name.size()))
                  .put(std::uint16_t{28})  // of the extra field
                  .put(std::uint16_t{0})
                  .put(std::uint32_t{0})
                  .put(std::uint32_t{0})
                  .put(std::uint32_t{too_large})
                  .put_text(member.name)
                  .put(std::uint16_t{1})
                  .put(std::uint16_t{24})
                  .put(member.bytes)
                  .put(member.stored_bytes)
                  .put(member.place)
                  .bytes());
    }
    const std::uint64_t end = place_, count = members_.size();
    write(Record()
              .put(directory_end_64)
              .put(std::uint64_t{end_64_bytes - 12})
              .put(version)
              .put(version)
              .put(std::uint32_t{0})
              .put(std::uint32_t{0})
              .put(count)
              .put(count)
              .put(end - begin)
              .put(begin)
              .put(locator_64)
              .put(std::uint32_t{0})
              .put(end)
              .put(std::uint32_t{1})
              .put(directory_end)
              .put(std::uint32_t{0})
              .put(static_cast<std::uint16_t>(count))
              .put(static_cast<std::uint16_t>(count))
              .put(in_32_bits(end - begin))
              .put(in_32_bits(begin))
              .put(std::uint16_t{0})
              .bytes());
    out_.commit();
}

}  // namespace glsolve::inline v0_1
