#include "base/gpu_files.hpp"

#include <filesystem>
#include <string_view>

namespace glsolve::inline v0_1 {

std::set<std::string> gpu_files() {
    std::set<std::string> files;
    const auto add = [&](const char* folder, std::string_view beginning) {
        std::error_code error;
        for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            if (at->path().filename().string().starts_with(beginning)) files.insert(at->path().string());
        }
    };
    add("/dev/dri", "");
    for (const std::string_view beginning : {"nvidia", "kfd", "dxg", "mali"}) add("/dev", beginning);
    return files;
}

bool may_have_gpu() {
#if defined(__linux__)
    return !gpu_files().empty();
#else
    return true;
#endif
}

}  // namespace glsolve::inline v0_1
