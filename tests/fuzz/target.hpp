/// What every fuzz target has in common. libFuzzer or replay.cpp calls a target with one input after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>

/// 0, or -1 for an input that shall not become part of a corpus.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

/// A broken property is a crash: that is what fuzzers look for.
inline void require(bool holds, const std::string& property) {
    if (holds) return;
    std::fprintf(stderr, "broken: %s\n", property.c_str());
    std::abort();
}

/// A folder of its own, in memory where there is such a place, removed at the end of the process.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        const std::filesystem::path memory = "/dev/shm";
        path_ = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
        path_ /= "glsolve-fuzz-" + std::to_string(std::random_device()());
        require(std::filesystem::create_directory(path_), "a new folder for files can be made");
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

}  // namespace fuzz
