#include "cli/open_ahead.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <utility>

#include "base/gpu_files.hpp"

namespace glsolve::cli {
namespace {

std::atomic<int> being_opened = 0;

/// As plain text; 0: not known.
double text_bytes(const std::filesystem::path& matrix) {
    constexpr double of_gzip = 4;
    std::error_code unknown;
    const auto bytes = static_cast<double>(std::filesystem::file_size(matrix, unknown));
    if (unknown) return 0;
    return matrix.extension() == ".gz" ? of_gzip * bytes : bytes;
}

bool is_needed(const std::filesystem::path& matrix, const DeviceOptions& options, const std::string& device) {
#if defined(__APPLE__)
    return false;  // there is GLFW alone, which wants the main thread
#endif
    if (options.backend == BackendKind::host) return false;
    constexpr double of_gpus = 5e5;  // perhaps so large that a GPU solves it
    if (is_free(options, device)) return may_have_gpu() && text_bytes(matrix) > of_gpus;
    // NVIDIA's OpenGL takes 35 ms to make a context current, and again in another thread: as long as to read so much.
    constexpr double soon_read = 4e7;
    return options.backend != BackendKind::opengl || text_bytes(matrix) > soon_read;
}

}  // namespace

OpenAhead::OpenAhead(const std::filesystem::path& matrix, const DeviceOptions& options, std::string device)
    : options_(options), device_(std::move(device)) {
    if (!is_needed(matrix, options_, device_)) return;
    std::packaged_task<Device()> opening(
        [options = options_, device = device_] { return open_device(options, device); });
    begun_ = opening.get_future();
    ++being_opened;
    std::thread([task = std::move(opening)]() mutable {
        task();
        task = {};  // what it holds ends here
        --being_opened;
    }).detach();
}

OpenedDevice OpenAhead::take(CsrView A, const Options& solve) {
    const bool host_takes_it = is_free(options_, device_) && is_small(A, solve);
    if (host_takes_it || !begun_.valid()) return open_device_for(A, solve, options_, device_);
    Device opened = begun_.get();
    std::string choice = opened.info().choice;
    return {std::move(opened), std::move(choice)};
}

void end_process(int code) {
    if (being_opened > 0) {  // a driver that is at work in another thread may not be taken down
        std::fflush(nullptr);
        std::_Exit(code);
    }
    std::exit(code);
}

}  // namespace glsolve::cli
