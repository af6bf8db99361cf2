// The readers of NumPy's files: whatever the bytes are, they give a valid matrix or array that survives a round trip,
// or an InvalidInput that names the file. The bytes are read as a .npz file and as a .npy file, and as the arrays of a
// .npz file, one behind the other, whose check sums are then right.
#include <algorithm>
#include <cstring>
#include <fstream>
#include <glsolve/error.hpp>
#include <glsolve/numpy_files.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "fuzz/target.hpp"
#include "io/zip_archive.hpp"

using namespace glsolve;
using fuzz::require;
namespace fs = std::filesystem;

namespace {

/// Nothing if the reader complains; any other exception ends the process.
template <class Read>
auto result_of(const Read& read, const fs::path& file) {
    std::optional<decltype(read(file))> result;
    try {
        result = read(file);
    } catch (const InvalidInput& error) {
        const std::string_view words = error.what();
        require(words.starts_with(file.string() + ": "), "a complaint names the file: " + std::string(words));
        require(words.size() > file.string().size() + 10 && words.size() < file.string().size() + 400
                    && std::ranges::all_of(words, [](char c) { return c >= ' ' && c <= '~'; }),
                "a complaint says why, in plain letters: " + std::string(words));
    }
    return result;
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

void read_as_matrix(const fs::path& file, const fs::path& again) {
    const std::optional<CsrMatrix> A = result_of(read_npz, file);
    if (!A || A->rows > 100'000) return;  // many empty rows have shown what is theirs
    check(*A);
    write_npz(again, *A);
    const CsrMatrix B = read_npz(again);
    require(A->rows == B.rows && A->columns == B.columns && A->offsets == B.offsets && A->column == B.column
                && same_bits(A->value, B.value),
            "a matrix comes back exactly");
}

void read_as_array(const fs::path& file, const fs::path& again) {
    const std::optional<DenseMatrix> x = result_of(read_npy, file);
    if (!x) return;
    require(x->values.size() == static_cast<std::size_t>(x->rows) * static_cast<std::size_t>(x->columns),
            "an array has as many numbers as its sizes say");
    if (x->columns < 1) return;
    write_npy(again, x->values, x->columns);
    const DenseMatrix y = read_npy(again);
    require(x->rows == y.rows && x->columns == y.columns && same_bits(x->values, y.values),
            "an array comes back exactly");
}

/// An array begins with its magic word.
std::vector<std::string_view> arrays_in(std::string_view input) {
    constexpr std::string_view magic = "\x93NUMPY";
    std::vector<std::string_view> arrays;
    for (std::size_t at = input.find(magic); at != std::string_view::npos;) {
        const std::size_t next = input.find(magic, at + 1);
        arrays.push_back(input.substr(at, next - at));
        at = next;
    }
    return arrays;
}

/// By the names that scipy gives: of csr and csc, or of coo.
void pack(const fs::path& file, const std::vector<std::string_view>& arrays) {
    static constexpr const char* of_lines[] = {"format", "shape", "data", "indices", "indptr"};
    static constexpr const char* of_places[] = {"format", "shape", "data", "row", "col"};
    const bool has_places = arrays.front().find("coo") != std::string_view::npos;
    ZipWriter zip(file);
    for (std::size_t k = 0; k < std::min(arrays.size(), std::size(of_lines)); ++k) {
        zip.add(std::string((has_places ? of_places : of_lines)[k]) + ".npy", {Bytes(arrays[k])});
    }
    zip.commit();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const fuzz::TemporaryFolder folder;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const fs::path file = folder.path() / "input", again = folder.path() / "again";
    std::ofstream(file, std::ios::binary) << input;
    read_as_matrix(file, again);
    read_as_array(file, again);
    if (const std::vector<std::string_view> arrays = arrays_in(input); !arrays.empty()) {
        pack(file, arrays);
        read_as_matrix(file, again);
    }
    return 0;
}
