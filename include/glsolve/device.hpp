/// Devices: where the arithmetic happens. A Device belongs to the thread that opened it; different devices may work in
/// different threads.
#pragma once

#include <cstdint>
#include <functional>
#include <glsolve/export.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

class Backend;

enum class BackendKind : std::uint8_t {
    automatic,  ///< OpenGL if it can be opened, else the host; DeviceInfo::choice says which and why
    opengl,
    host  ///< the reference, plain C++
};

/// How a pass runs on OpenGL.
enum class Stage : std::uint8_t {
    automatic,  ///< the faster one, measured when the device is opened
    fragment,   ///< render to texture; OpenGL 3.3 is enough
    compute     ///< image stores; OpenGL 4.3, or 3.3 with the extensions for it
};

GLSOLVE_API std::string_view name(BackendKind kind);
GLSOLVE_API std::string_view name(Stage stage);

/// What happens to OpenGL's state around a call, in a context that is somebody else's.
enum class StatePolicy : std::uint8_t {
    restore,  ///< it is the same after each call as before
    /// What engines keep track of themselves is neither asked for nor restored; they set it anew, or look at it again,
    /// after the call. All other state is the same after each call as before. Left changed are exactly:
    ///
    ///     state                                                     after a call
    ///     GL_DRAW_FRAMEBUFFER, GL_READ_FRAMEBUFFER                  0 is bound
    ///     GL_TEXTURE_2D of texture units 0 to 13                    0 is bound
    ///     viewports, of all indices                                 that of some pass
    ///     GL_BLEND, of all draw buffers                             disabled
    ///     GL_SCISSOR_TEST, of all viewports                         disabled
    ///     GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE              disabled
    ///     colour masks, of all draw buffers                         all four components are written
    ///
    /// `poll` leaves nothing changed.
    host_resets
};

/// What is known of one stage of a device. What has not been measured is 0.
struct StageInfo {
    Stage stage = Stage::fragment;
    bool available = false;
    std::string missing = {};            ///< why it is not available
    double update_bytes_per_second = 0;  ///< y <- y + a x over `update_texels` texels, bytes read and written
    double reduction_seconds = 0;        ///< the sum over as many texels
    double pass_seconds = 0;             ///< one of a chain of dependent passes over a texel
    std::int64_t update_texels = 0;
};

/// A description for people and reports.
struct DeviceInfo {
    BackendKind backend = BackendKind::host;
    std::string choice;    ///< what was chosen for `automatic`, and why; empty when nothing was left to choose
    std::string context;   ///< how OpenGL was reached: "EGL device", "EGL surfaceless", "hidden GLFW window", "current"
    std::string renderer;  ///< as the driver calls it
    bool software = false;  ///< of OpenGL: the renderer is one of Mesa's that run on the processor
    std::string vendor;
    std::string version;
    Stage stage = Stage::automatic;  ///< the stage in use; `automatic` on backends that have none
    std::vector<StageInfo> stages;   ///< what has been measured of them
    /// Why numbers in two floats cannot be trusted. Empty: they were tried, and can; or passes use doubles for them.
    std::string two_float_fault;
    int max_texture_size = 0;  ///< texels a side
    int max_outputs = 0;       ///< colour attachments a pass may write
    int max_inputs = 0;        ///< textures a pass may read
};

/// What to open.
struct DeviceOptions {
    BackendKind backend = BackendKind::automatic;
    Stage stage = Stage::automatic;
    bool debug = false;    ///< a debug context; errors the driver reports become exceptions
    bool measure = false;  ///< measure all rates of all stages; else a choice measures no more than it needs
    bool current = false;  ///< adopt the calling thread's current OpenGL context instead of opening one
    StatePolicy state = StatePolicy::restore;
    std::string_view platform =
        {};  ///< "egl-device", "egl-surfaceless", "glfw"; empty: the first that works, in this order
    /// Called where something could not be done as it should, but is no error of a call: when a device ends whose
    /// OpenGL context is not current, or is gone, and objects have to be left to that context's end. Must not throw.
    std::function<void(const std::string&)> warn = {};
};

/// An open device: move-only. It may end before its solvers, which keep what they need of it; what is deleted in an
/// OpenGL context goes with the last of them. An empty one, made so or moved from, may be assigned to, asked whether it
/// is empty, and destroyed; whatever else is done with it throws InvalidInput.
class GLSOLVE_API Device {
  public:
    /// Empty.
    Device() noexcept;
    /// Throws NoDevice, with the reason of each way that was tried.
    static Device open(const DeviceOptions& options = {});
    /// The OpenGL context that is current on this thread: it makes no window and owns no context, and its state is the
    /// same after each call as before, unless `state` says that the host does not need it so. Conditional rendering and
    /// transform feedback must not be active.
    /// `warn`: DeviceOptions::warn.
    static Device adopt_current_opengl(Stage stage = Stage::automatic, StatePolicy state = StatePolicy::restore,
                                       std::function<void(const std::string&)> warn = {});
    static Device host();

    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    /// Is there a device?
    explicit operator bool() const noexcept { return backend_ != nullptr; }

    const DeviceInfo& info() const;
    /// For the library itself and for tests of single passes.
    Backend& backend() const;

  private:
    explicit Device(std::shared_ptr<Backend> backend);
    std::shared_ptr<Backend> backend_;
};

}  // namespace glsolve::inline v0_1
