// The reader of Matrix Market files: whatever the bytes are, it gives a valid matrix that survives a round trip, or an
// InvalidInput that names file and line; from memory and from a file, plain and gzipped alike; in bounded memory.
#include <zlib.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <fstream>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <optional>
#include <sstream>
#include <vector>

#include "fuzz/heap.hpp"
#include "fuzz/target.hpp"
#include "io/matrix_market_text.hpp"
#include "io/plain_entries.hpp"
#include "io/text_source.hpp"

using namespace glsolve;
using fuzz::require;

namespace {

constexpr std::string_view memory_name = "m.mtx";

/// The text that the input stands for, up to the damage if there is any.
struct Text {
    std::string bytes;
    bool packed = false;
    bool damaged = false;
};

Text text_of(std::string_view input) {
    Text text;
    text.packed = input.starts_with("\x1f\x8b");
    const std::unique_ptr<TextSource> source = open_text(input);
    std::vector<char> block(std::size_t{1} << 14);
    try {
        while (const std::size_t count = source->read(block)) text.bytes.append(block.data(), count);
    } catch (const DamagedText&) {
        text.damaged = true;
    }
    return text;
}

std::string gzip(std::string_view text) {
    z_stream stream{};
    require(deflateInit2(&stream, 1, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK, "zlib works");
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
    stream.avail_in = static_cast<uInt>(text.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    require(deflate(&stream, Z_FINISH) == Z_STREAM_END, "zlib packs");
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

/// A result, or what the reader complains about. Any other exception ends the process.
template <typename Result>
struct Outcome {
    std::optional<Result> result;
    std::string complaint;
};

template <typename Read>
auto outcome(const Read& read) {
    Outcome<decltype(read())> outcome;
    try {
        outcome.result = read();
    } catch (const InvalidInput& error) {
        outcome.complaint = error.what();
    }
    return outcome;
}

/// They end in LF, CR LF or CR.
std::ptrdiff_t lines_of(std::string_view text) {
    std::ptrdiff_t lines = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool half = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
        if ((text[i] == '\n' || text[i] == '\r') && !half) ++lines;
    }
    return lines;
}

/// "name:line: problem; what would be accepted", in plain letters.
void require_good_complaint(const std::string& complaint, const std::string& name, const Text& text) {
    require(complaint.starts_with(name + ":"), "a complaint names the file: " + complaint);
    const std::string after_name = complaint.substr(name.size() + 1);
    char* after_line = nullptr;
    const long line = std::strtol(after_name.c_str(), &after_line, 10);
    require(line >= 1 && line <= lines_of(text.bytes), "a complaint names a line of the file: " + complaint);
    const std::string_view problem = after_line;
    require(problem.starts_with(": ") && problem.find("; ") != std::string_view::npos,
            "a complaint says what would be accepted: " + complaint);
    require(problem.size() < 400
                && std::all_of(problem.begin(), problem.end(), [](char c) { return c >= ' ' && c <= '~'; }),
            "a complaint is short and plain: " + complaint);
}

void require_same(const CsrMatrix& A, const CsrMatrix& B, const std::string& what) {
    const bool same_bits =
        A.value.size() == B.value.size()
        && (A.value.empty() || std::memcmp(A.value.data(), B.value.data(), A.value.size() * sizeof(double)) == 0);
    require(A.rows == B.rows && A.columns == B.columns && A.offsets == B.offsets && A.column == B.column && same_bits,
            what);
}

/// What the sizes say, unless they are refused.
MatrixMarketSizes sizes_of(std::string_view input) {
    const auto sizes = outcome([&] { return MatrixMarketText(LineReader(open_text(input), "")).sizes(); });
    return sizes.result.value_or(MatrixMarketSizes());
}

/// Deflate packs 1032 bytes into one at the most.
Offset most_text_bytes(std::string_view input, const Text& text) {
    return static_cast<Offset>(input.size()) * (text.packed ? 1032 : 1);
}

/// What the reader may hold at once. The most that one entry takes while the matrix is assembled are 160 bytes:
///   32  the entry as a Triplet, in a vector that may be half empty
///   32  the line that it stands on, if each stands apart from the one before, likewise
///   24  its row's column and value, and those of its mirror image
///   72  its place in the sort of a row, at the moment when the vector of places grows
/// and an entry is at least 4 bytes of text ("1 1\n"). Rows take an offset each: those declared, once the sizes have
/// been accepted. Gzip data let memory for 4 entries be reserved for each byte. A block of the text is held, and of the
/// gzip data; the rest, zlib's window for the most part, is less than 64 KiB.
std::int64_t most_memory(std::string_view input, const Text& text, const MatrixMarketSizes& sizes) {
    const std::size_t text_block =
        std::min<std::size_t>(1 << 20, static_cast<std::size_t>(most_text_bytes(input, text)) + 1);
    const std::size_t gzip_block = text.packed ? std::min<std::size_t>(1 << 18, input.size()) : 0;
    const std::size_t offsets = 8 * (static_cast<std::size_t>(sizes.rows) + 1);
    const std::size_t entries = 40 * (text.bytes.size() + 1) + (text.packed ? 64 * input.size() : 0);
    return static_cast<std::int64_t>(offsets + entries + text_block + gzip_block + (1 << 16));
}

Outcome<CsrMatrix> read_in_bounds(std::string_view input, const Text& text) {
    const MatrixMarketSizes sizes = sizes_of(input);
    require(Offset{sizes.rows} + sizes.columns <= always_readable_lines + 16 * sizes.entries
                && sizes.entries <= most_text_bytes(input, text),
            "sizes that no file of this length can fill are refused");
    const std::int64_t most = most_memory(input, text, sizes);
    const fuzz::HeapPeak heap;
    Outcome<CsrMatrix> read = outcome([&] { return parse_matrix_market(input, memory_name); });
    require(heap.bytes() <= most, "memory is bounded: " + std::to_string(heap.bytes()) + " bytes where "
                                      + std::to_string(most) + " are allowed");
    return read;
}

/// A file is read as its bytes in memory are.
void require_same_from(const std::filesystem::path& file, const Outcome<CsrMatrix>& expected) {
    const auto read = outcome([&] { return read_matrix_market(file); });
    if (expected.result) {
        require(read.result.has_value(), "a file is accepted as from memory: " + read.complaint);
        // NOLINTNEXTLINE(bugprone-unchecked-optional-access): required above
        require_same(*read.result, *expected.result, "a file gives the matrix that memory gives");
    } else {
        require(read.complaint == file.string() + expected.complaint.substr(memory_name.size()),
                "a file gets the complaint that memory gets: " + read.complaint + " / " + expected.complaint);
    }
}

/// Cores share a file in pieces. Where these end makes no difference.
void require_same_in_pieces(const std::filesystem::path& file) {
    const auto read = [&](std::uint64_t piece_bytes) {
        const MatrixMarketText text(LineReader(open_text(file), file.string()));
        const LineReader& lines = text.lines();
        return read_plain_entries(lines.source(), lines.bytes_read(), text.header(), text.sizes(), {}, piece_bytes);
    };
    const auto whole = outcome([&] { return read(1 << 20); });
    if (!whole.result) return;
    for (const std::uint64_t piece_bytes : {7, 100}) {
        const std::optional<PlainEntries> cut = read(piece_bytes);
        require(cut.has_value() == whole.result->has_value(), "pieces of any size can be read, or none");
        if (!cut) continue;
        const PlainEntries& expected = **whole.result;
        require(cut->row == expected.row && cut->column == expected.column && cut->value == expected.value,
                "pieces of any size have the same entries");
    }
}

/// A stream, which does not tell its length, is read as its bytes in memory are, but for complaints about counts.
void require_same_from_stream(std::string_view input, const Outcome<CsrMatrix>& expected) {
    std::istringstream stream{std::string(input)};
    const auto read = outcome([&] { return read_matrix_market(stream, memory_name); });
    require(read.result.has_value() == expected.result.has_value(),
            "a stream is accepted as memory is: " + read.complaint + " / " + expected.complaint);
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): required above
    if (read.result) require_same(*read.result, *expected.result, "a stream gives the matrix that memory gives");
}

/// A matrix of one column is a vector, and nothing else is.
void require_vector_from(const std::filesystem::path& file, const CsrMatrix& A, const Text& text) {
    const auto read = outcome([&] { return read_matrix_market_vector(file); });
    require(read.result.has_value() == (A.columns == 1), "vectors are matrices of one column: " + read.complaint);
    if (!read.result) return require_good_complaint(read.complaint, file.string(), text);
    require(read.result->size() == static_cast<std::size_t>(A.rows), "a vector has an element for each row");
    std::vector<double> column(read.result->size());
    multiply(A, std::vector{1.0}, column);
    require(*read.result == column, "a vector has the elements of the column");
}

/// Packing changes nothing but the complaint about counts, which may come later.
void require_same_packing(std::string_view input, const Text& text, const Outcome<CsrMatrix>& expected) {
    if (text.damaged) return require(!expected.result, "damaged data are refused");
    const bool packed_twice = text.packed && text_of(text.bytes).packed;
    if (packed_twice) return;
    const std::string other = text.packed ? text.bytes : gzip(input);
    const auto read = outcome([&] { return parse_matrix_market(other, memory_name); });
    require(read.result.has_value() == expected.result.has_value(),
            "packing does not matter: " + read.complaint + " / " + expected.complaint);
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): required above
    if (read.result) require_same(*read.result, *expected.result, "packing does not change the matrix");
}

void require_round_trip(const std::filesystem::path& file, const CsrMatrix& A) {
    write_matrix_market(file, A, "a comment");
    const auto read = outcome([&] { return read_matrix_market(file); });
    require(read.result.has_value(), "what was written can be read: " + read.complaint);
    // NOLINTNEXTLINE(bugprone-unchecked-optional-access): required above
    require_same(A, *read.result, "a matrix comes back exactly");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TemporaryFolder folder;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const Text text = text_of(input);
    require(static_cast<Offset>(text.bytes.size()) <= most_text_bytes(input, text), "deflate's ratio has a limit");

    const Outcome<CsrMatrix> read = read_in_bounds(input, text);
    if (!read.result) require_good_complaint(read.complaint, std::string(memory_name), text);
    if (read.result) check(*read.result);
    // Long texts and many empty rows have shown what is theirs: how much memory they take.
    const Offset lines = read.result ? Offset{read.result->rows} + read.result->columns : 0;
    if (text.bytes.size() > 100'000 || lines > 100'000) return -1;

    require_same_packing(input, text, read);
    require_same_from_stream(input, read);
    const std::filesystem::path file = folder.path() / "input.mtx";
    std::ofstream(file, std::ios::binary) << input;
    require_same_from(file, read);
    require_same_in_pieces(file);
    if (!read.result) return 0;
    require_vector_from(file, *read.result, text);
    require_round_trip(folder.path() / (text.packed ? "again.mtx.gz" : "again.mtx"), *read.result);
    return 0;
}
