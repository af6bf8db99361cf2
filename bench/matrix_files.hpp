/// Files of matrices on a command line.
#pragma once

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

namespace glsolve::bench {

/// These files, and those with .mtx in their names of these folders, in the order of their names.
inline std::vector<std::filesystem::path> matrix_files(const std::vector<std::string>& files_and_folders) {
    std::vector<std::filesystem::path> paths;
    for (const std::string& each : files_and_folders) {
        if (!std::filesystem::is_directory(each)) {
            paths.emplace_back(each);
            continue;
        }
        for (const auto& entry : std::filesystem::directory_iterator(each)) {
            if (entry.path().filename().string().find(".mtx") != std::string::npos) paths.push_back(entry.path());
        }
    }
    std::ranges::sort(paths);
    return paths;
}

/// "epb0" of "folder/epb0.mtx.gz".
inline std::string matrix_name(const std::filesystem::path& file) {
    const std::string name = file.filename().string();
    return name.substr(0, name.find(".mtx"));
}

}  // namespace glsolve::bench
