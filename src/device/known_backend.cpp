#include "device/known_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <glsolve/version.hpp>
#include <iterator>
#include <set>
#include <string_view>

namespace glsolve::inline v0_1 {
namespace {

#if defined(__linux__)
/// Of GPUs: render nodes, NVIDIA's, AMD's for compute, and that of Windows below Linux.
std::set<std::string> device_files() {
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

/// What steers drivers and loaders from outside.
std::string environment() {
    std::string text;
    for (const char* const name : {"CUDA_VISIBLE_DEVICES", "DISPLAY", "GALLIUM_DRIVER", "LIBGL_ALWAYS_SOFTWARE",
                                   "MESA_LOADER_DRIVER_OVERRIDE", "__EGL_VENDOR_LIBRARY_FILENAMES",
                                   "__EGL_VENDOR_LIBRARY_DIRS", "__GLX_VENDOR_LIBRARY_NAME", "LD_LIBRARY_PATH"}) {
        if (const char* const value = std::getenv(name)) text += fmt::format("{}={}\n", name, value);
    }
    return text;
}

std::string contents(const char* file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}
#endif

/// Empty: the system does not tell.
std::string machine_key() {
#if defined(__linux__)
    std::string key =
        fmt::format("glsolve {}\n{}{}", GLSOLVE_VERSION, environment(), contents("/proc/driver/nvidia/version"));
    for (const std::string& file : device_files()) key += file + "\n";
    return key;
#else
    return {};
#endif
}

}  // namespace

bool may_have_gpu() {
#if defined(__linux__)
    return !device_files().empty();
#else
    return true;
#endif
}

KnownBackend::KnownBackend(const DeviceOptions& options)
    : disk_(options.program_cache, {}, "choices of devices", "backend"),
      key_(options.device.empty() ? machine_key() : "") {
    if (key_.empty() || options.measure) return;
    const std::string found = disk_.find(key_);
    const std::string kind = found.substr(0, found.find('\n'));
    if (kind.size() == found.size()) return;
    for (const BackendKind each : {BackendKind::cuda, BackendKind::opengl}) {
        if (kind == name(each)) kind_ = each;
    }
    words_ = found.substr(kind.size() + 1);
}

void KnownBackend::keep(const DeviceInfo& chosen) {
    if (!key_.empty()) disk_.keep(key_, fmt::format("{}\n{}", name(chosen.backend), chosen.choice));
}

}  // namespace glsolve::inline v0_1
