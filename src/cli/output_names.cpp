#include "cli/output_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "base/suggestions.hpp"

namespace glsolve::cli {
namespace {

/// Endings of other formats for numbers, of pictures, of documents, and of files that are packed in another way.
constexpr std::array<std::string_view, 46> foreign{
    ".pkl",  ".pickle", ".pt",   ".mat", ".h5",   ".hdf5", ".hdf", ".nc",   ".zarr", ".fits", ".parquet", ".csv",
    ".tsv",  ".xls",    ".xlsx", ".ods", ".json", ".xml",  ".yml", ".yaml", ".toml", ".rb",   ".rsa",     ".rua",
    ".hb",   ".vtk",    ".vtu",  ".bin", ".raw",  ".png",  ".svg", ".jpg",  ".jpeg", ".gif",  ".pdf",     ".eps",
    ".html", ".md",     ".zip",  ".bz2", ".xz",   ".zst",  ".lz4", ".7z",   ".tar",  ".tgz"};

std::string ending(const std::filesystem::path& file) { return lower_case(file.extension().string()); }

std::string check_foreign(const std::string& file, std::string_view accepted) {
    const std::filesystem::path name(file);
    const bool is_packed = ending(name) == ".gz";
    const std::filesystem::path unpacked = is_packed ? name.stem() : name.filename();
    const bool is_packed_numpy = is_packed && (is_npz(unpacked) || is_npy(unpacked));
    if (std::ranges::find(foreign, ending(unpacked)) == foreign.end() && !is_packed_numpy) return "";
    std::filesystem::path bare = unpacked;
    bare.replace_extension(".mtx");
    return fmt::format("{} promises another format; accepted: Matrix Market ({}, {}.gz), and {}", file, bare.string(),
                       bare.string(), accepted);
}

}  // namespace

std::string check_picture(const std::string& file) {
    const std::filesystem::path extension = std::filesystem::path(file).extension();
    return extension == ".svg" || extension == ".png" ? "" : "a picture is FILE.svg or FILE.png, not " + file;
}

bool is_npz(const std::filesystem::path& file) { return ending(file) == ".npz"; }
bool is_npy(const std::filesystem::path& file) { return ending(file) == ".npy"; }

std::string check_matrix_output(const std::string& file) {
    if (is_npy(file)) return file + " promises an array; accepted for a matrix: .npz, .mtx or .mtx.gz";
    return check_foreign(file, ".npz of SciPy");
}

std::string check_vector_output(const std::string& file) {
    if (is_npz(file)) return file + " promises a sparse matrix; accepted for a vector: .npy, .mtx or .mtx.gz";
    return check_foreign(file, ".npy of NumPy");
}

std::string check_output(const std::string& file) { return check_foreign(file, ".npz and .npy of NumPy"); }

}  // namespace glsolve::cli
