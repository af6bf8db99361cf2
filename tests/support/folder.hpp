/// A folder of its own for a test, which goes with it. It is made by whoever writes into it first.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <random>
#include <string>

namespace glsolve::test {

struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path()
        / ("glsolve-test-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device{}()));

    Folder() = default;
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path); }

    std::filesystem::path operator/(const char* name) const { return path / name; }
};

}  // namespace glsolve::test
