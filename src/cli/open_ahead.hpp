/// Opens the device in a thread while the matrix is read: that takes 0.3 s on a GPU.
#pragma once

#include <filesystem>
#include <future>
#include <glsolve/options.hpp>
#include <string>

#include "cli/open_device.hpp"

namespace glsolve::cli {

class OpenAhead {
  public:
    /// Begins where the device will be needed: a backend is named, or there may be a GPU and the file is not small.
    OpenAhead(const std::filesystem::path& matrix, const DeviceOptions& options, std::string device);

    /// The device for the matrix that has been read, as open_device_for says. Throws what opening threw. Where the host
    /// takes the system, nobody waits for the device that was begun with.
    OpenedDevice take(CsrView A, const Options& solve);

  private:
    DeviceOptions options_;
    std::string device_;
    std::future<Device> begun_;
};

/// Ends the process. A device that is still being opened in its thread is left to the system.
[[noreturn]] void end_process(int code);

}  // namespace glsolve::cli
