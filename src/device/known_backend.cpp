#include "device/known_backend.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <glsolve/version.hpp>
#include <iterator>

#include "base/gpu_files.hpp"

namespace glsolve::inline v0_1 {
namespace {

#if defined(__linux__)
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

/// Of the GPUs, their driver and what steers it. Empty on other systems than Linux.
std::string machine_key() {
#if defined(__linux__)
    std::string key =
        fmt::format("glsolve {}\n{}{}", GLSOLVE_VERSION, environment(), contents("/proc/driver/nvidia/version"));
    for (const std::string& file : gpu_files()) key += file + "\n";
    return key;
#else
    return {};
#endif
}

}  // namespace

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
