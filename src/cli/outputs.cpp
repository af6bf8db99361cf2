#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <set>

#include "core/output_file.hpp"

namespace glsolve::cli {

namespace fs = std::filesystem;

void check_outputs(std::initializer_list<std::optional<fs::path>> files) {
    std::set<fs::path> seen;
    for (const auto& file : files) {
        if (!file || *file == "-") continue;
        const fs::path folder = file->has_parent_path() ? file->parent_path() : ".";
        if (!fs::is_directory(folder)) {
            throw InvalidInput(fmt::format("{}: the folder {} does not exist", file->string(), folder.string()));
        }
        if (fs::exists(*file) && !fs::is_regular_file(*file)) continue;
        if (!seen.insert(fs::weakly_canonical(folder / file->filename())).second) {
            throw InvalidInput(fmt::format("{}: named twice; each output has to be a file of its own", file->string()));
        }
    }
}

void write_text(const std::filesystem::path& file, std::string_view text) {
    if (file == "-") {
        fmt::print("{}", text);
        return;
    }
    OutputFile output(file);
    output.write(text);
    output.commit();
}

}  // namespace glsolve::cli
