#include "cuda/driver.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <glsolve/error.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/loaded_library.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

/// The first of these files that can be loaded. Throws NoDevice with what the loader says of the first one, and
/// `advice`.
LoadedLibrary load_first(const std::vector<std::string>& files, std::string_view advice) {
    std::string reason;
    for (const std::string& file : files) {
        try {
            return LoadedLibrary(file.c_str());
        } catch (const NoDevice& failure) {
            if (reason.empty()) reason = failure.what();
        }
    }
    throw NoDevice(fmt::format("CUDA: {}; {}", reason, advice));
}

/// Where NVRTC may be: where the user says, where the loader looks, and where NVIDIA's own packages put it.
std::vector<std::string> compiler_files() {
    if (const char* given = std::getenv("GLSOLVE_NVRTC"); given != nullptr && *given != '\0') return {given};
    std::vector<std::string> files;
    for (const std::string_view folder : {"", "/usr/local/cuda/lib64/", "/opt/cuda/lib64/"}) {
        for (const std::string_view version : {".so.13", ".so.12", ".so"})
            files.push_back(fmt::format("{}libnvrtc{}", folder, version));
    }
    return files;
}

}  // namespace

std::string_view Driver::words(CUresult result) const {
    const char* text = nullptr;
    GetErrorString(result, &text);
    return text != nullptr ? text : "unknown error";
}

void Driver::check(CUresult result, std::string_view what) const {
    if (result == success) return;
    throw DeviceError(fmt::format("CUDA: {}: {} (error {})", what, words(result), result));
}

const Driver& load_driver() {
    static const Driver driver = [] {
        const LoadedLibrary library =
            load_first({"libcuda.so.1"}, "it comes with NVIDIA's driver, which this machine seems to lack");
        Driver table;
#define GLSOLVE_FIND(name, symbol, ...) library.find(table.name, symbol);
        GLSOLVE_CUDA_FUNCTIONS(GLSOLVE_FIND)
        return table;
    }();
    return driver;
}

const Compiler& load_compiler() {
    static const Compiler compiler = [] {
        const LoadedLibrary library = load_first(
            compiler_files(),
            "install the run-time compiler of CUDA 12 or later (NVIDIA's packages cuda-nvrtc-12-x or cuda-nvrtc-13-x, "
            "Debian's libnvrtc12), or name its file in GLSOLVE_NVRTC");
        Compiler table;
        GLSOLVE_NVRTC_FUNCTIONS(GLSOLVE_FIND)
#undef GLSOLVE_FIND
        table.Version(&table.major, &table.minor);
        return table;
    }();
    return compiler;
}

}  // namespace glsolve::inline v0_1::cuda
