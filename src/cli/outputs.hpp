/// Files that a command will write.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string_view>

namespace glsolve::cli {

using Files = std::initializer_list<std::optional<std::filesystem::path>>;

/// Throws InvalidInput when a folder is missing or stands in the place of an output, when two outputs are the same
/// file, or when an output is one of the inputs: found out now rather than after an hour's work. Standard output, -,
/// and devices may be named twice.
void check_outputs(Files outputs, Files inputs = {});

/// Writes a text to a file, whole or not at all, or to standard output for "-".
void write_text(const std::filesystem::path& file, std::string_view text);

}  // namespace glsolve::cli
