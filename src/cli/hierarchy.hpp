/// The levels of multigrid, as text, as JSON and as a picture.
#pragma once

#include <cstdio>
#include <filesystem>
#include <glsolve/multigrid.hpp>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace glsolve::cli {

/// A table on standard output: rows and nonzeros of each level, complexities, how long it took to make them.
void print_hierarchy(std::FILE* to, const HierarchyReport& hierarchy);

nlohmann::ordered_json to_json(const HierarchyReport& hierarchy);

/// Rows and nonzeros of each level, as bars.
void plot_hierarchy(const std::filesystem::path& file, const HierarchyReport& hierarchy, const std::string& title);

}  // namespace glsolve::cli
