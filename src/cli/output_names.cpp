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
constexpr std::array<std::string_view, 48> foreign{
    ".npy",     ".npz", ".pkl",  ".pickle", ".pt",   ".mat", ".h5",   ".hdf5", ".hdf", ".nc",   ".zarr", ".fits",
    ".parquet", ".csv", ".tsv",  ".xls",    ".xlsx", ".ods", ".json", ".xml",  ".yml", ".yaml", ".toml", ".rb",
    ".rsa",     ".rua", ".hb",   ".vtk",    ".vtu",  ".bin", ".raw",  ".png",  ".svg", ".jpg",  ".jpeg", ".gif",
    ".pdf",     ".eps", ".html", ".md",     ".zip",  ".bz2", ".xz",   ".zst",  ".lz4", ".7z",   ".tar",  ".tgz"};

std::string ending(const std::filesystem::path& file) { return lower_case(file.extension().string()); }

}  // namespace

std::string check_picture(const std::string& file) {
    const std::filesystem::path extension = std::filesystem::path(file).extension();
    return extension == ".svg" || extension == ".png" ? "" : "a picture is FILE.svg or FILE.png, not " + file;
}

std::string check_matrix_output(const std::string& file) {
    const std::filesystem::path name(file);
    const std::string last = ending(name), promised = last == ".gz" ? ending(name.stem()) : last;
    if (std::ranges::find(foreign, promised) == foreign.end()) return "";
    std::filesystem::path bare = last == ".gz" ? name.stem() : name.filename();
    bare.replace_extension(".mtx");
    return fmt::format("{} promises another format than Matrix Market, which is written; accepted: {}, or {}.gz", file,
                       bare.string(), bare.string());
}

}  // namespace glsolve::cli
