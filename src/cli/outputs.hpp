/// Files that a command will write.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace glsolve::cli {

/// Throws InvalidInput when a folder is missing or two outputs are the same file: found out now rather than after an
/// hour's work. Standard output, -, and devices may be named twice.
void check_outputs(std::initializer_list<std::optional<std::filesystem::path>> files);

/// Writes a text to a file, whole or not at all, or to standard output for "-".
void write_text(const std::filesystem::path& file, std::string_view text);

}  // namespace glsolve::cli
