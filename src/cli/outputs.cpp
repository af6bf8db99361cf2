#include "cli/outputs.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <set>

#include "core/output_file.hpp"

namespace glsolve::cli {

namespace fs = std::filesystem;

void check_outputs(Files outputs, Files inputs) {
    std::set<fs::path> read, seen;
    for (const auto& file : inputs) {
        if (file) read.insert(fs::weakly_canonical(*file));
    }
    for (const auto& file : outputs) {
        if (!file || *file == "-") continue;
        const fs::path folder = file->has_parent_path() ? file->parent_path() : ".";
        if (!fs::is_directory(folder)) {
            throw InvalidInput(fmt::format("{}: the folder {} does not exist", file->string(), folder.string()));
        }
        if (fs::is_directory(*file)) {
            throw InvalidInput(fmt::format("{}: is a folder; the name of a file is needed", file->string()));
        }
        if (fs::exists(*file) && !fs::is_regular_file(*file)) continue;
        if (read.contains(fs::weakly_canonical(*file))) {
            throw InvalidInput(fmt::format("{}: is read as input; writing it would destroy it", file->string()));
        }
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
