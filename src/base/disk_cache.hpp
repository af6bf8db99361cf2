/// What is kept from process to process: a file for each thing. Several processes may write at a time, and a damaged
/// file is made anew.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

class DiskCache {
  public:
    /// `folder`: empty: nothing is kept. `warn` is told once where files cannot be written. `what` they are, for that
    /// warning; `ending` of their names.
    DiskCache(std::string_view folder, std::function<void(const std::string&)> warn, std::string what,
              std::string ending);

    /// What was kept for this very key; empty: nothing.
    std::string find(const std::string& key) const;
    void keep(const std::string& key, const std::string& content);

  private:
    std::filesystem::path file_of(const std::string& key) const;
    void complain(const std::string& reason);

    std::filesystem::path folder_;
    std::function<void(const std::string&)> warn_;
    std::string what_, ending_;
    bool complained_ = false;
};

}  // namespace glsolve::inline v0_1
