/// The CUDA backend: vectors are rectangles of texels in the device's memory, a pass is one launch of the text of the
/// compute stage.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/program_cache.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

class CudaBackend : public Backend {
  public:
    /// For tests and measurements.
    virtual ProgramCounts programs() const = 0;
    virtual std::uint64_t graphs_launched() const = 0;
};

/// On a device that is open already; for tests, too, with a driver of their own. `double_reals`: see
/// Backend::in_doubles. `opengl`: of the caller's context, whose textures are taken; none: no textures are.
std::shared_ptr<CudaBackend> make_cuda_backend(std::shared_ptr<Context> context, const Compiler& compiler, int number,
                                               const DeviceOptions& options, bool double_reals,
                                               std::shared_ptr<Backend> opengl);

/// Opens the device of that number; or, with a backend of OpenGL's, the GPU of the OpenGL context that is current,
/// whose textures are read and written then. Throws NoDevice with what is missing.
std::unique_ptr<Backend> open_cuda(const DeviceOptions& options, int number, std::shared_ptr<Backend> opengl = nullptr);

/// All devices, for Device::list(). Throws NoDevice where there is no driver, or none of its devices can be used.
std::vector<DeviceEntry> list_cuda();

}  // namespace glsolve::inline v0_1::cuda
