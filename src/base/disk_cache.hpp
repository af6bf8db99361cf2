/// What is kept from process to process: a file for each thing. Several processes may write at a time, and a damaged
/// file is made anew. A folder that has grown too large loses the files that were not used for longest.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

class DiskCache {
  public:
    /// `folder`: empty: nothing is kept. `warn` is told once where files cannot be written. `what` they are, for that
    /// warning; `ending` of their names.
    /// `most_bytes`: of the folder, whatever is kept in it.
    DiskCache(std::string_view folder, std::function<void(const std::string&)> warn, std::string what,
              std::string ending, std::uintmax_t most_bytes = usual_bytes);

    /// What was kept for this very key; empty: nothing.
    std::string find(const std::string& key) const;
    void keep(const std::string& key, const std::string& content);

  private:
    static constexpr std::uintmax_t usual_bytes = 256'000'000;

    std::filesystem::path file_of(const std::string& key) const;
    void complain(const std::string& reason);

    std::filesystem::path folder_;
    std::function<void(const std::string&)> warn_;
    std::string what_, ending_;
    std::uintmax_t most_bytes_;
    bool complained_ = false, trimmed_ = false;
};

}  // namespace glsolve::inline v0_1
