/// The OpenGL backend: vectors are RGBA32F textures, a pass is one draw or one dispatch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/backend.hpp"
#include "opengl/context.hpp"
#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

struct BackendOptions {
    bool debug = false;  ///< errors that the driver reports become exceptions (needs a debug context of our own)
    StatePolicy state = StatePolicy::restore;
    std::string_view program_cache = {};                ///< as DeviceOptions
    std::function<void(const std::string&)> warn = {};  ///< as DeviceOptions
};

class OpenGlBackend : public Backend {
  public:
    /// The table OpenGL is called through; tests count and exchange its entries.
    virtual Functions& functions() = 0;
    virtual bool has_stage(Stage stage) const = 0;
    /// Passes in two floats work in doubles then: the self-test, which would as well, has nothing to find out.
    virtual bool has_fast_doubles() const = 0;
    /// The stage of all passes from now on; storage for partial sums must be allocated after it.
    virtual void use_stage(Stage stage) = 0;
    virtual void describe_stage(const StageInfo& stage) = 0;
    virtual void describe_fault(std::string fault) = 0;
    virtual void describe_two_float(std::string fault) = 0;
    /// Passes share programs as on GPUs from now on, so that tests can run those without one.
    virtual void share_programs_as_gpus() = 0;
};

/// Throws NoDevice when the context lacks what is needed. Begins in the fragment stage.
std::unique_ptr<OpenGlBackend> make_opengl_backend(std::unique_ptr<Context> context, const BackendOptions& options);

/// Opens a headless context, or adopts the current one, and chooses the stage, as DeviceOptions say. `number`: of an
/// EGL device, which DeviceOptions::device names; -1: any. Throws NoDevice also where the stage that was asked for is
/// missing.
std::unique_ptr<Backend> open_opengl(const DeviceOptions& options, int number = -1);

/// An EGL device, for Device::list().
struct FoundDevice {
    DeviceEntry entry;
    int cuda_device = -1;  ///< its number in CUDA; -1: none, or not known
};

/// All of them: each is opened and closed again.
std::vector<FoundDevice> find_devices();

}  // namespace glsolve::inline v0_1::opengl
