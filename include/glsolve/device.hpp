/// Devices do the arithmetic. A Device belongs to the thread that opened it. Other threads may use other devices.
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
    automatic,  ///< OpenGL if it can be opened, otherwise the host; DeviceInfo::choice gives the reason
    opengl,
    host  ///< the reference implementation in plain C++, on the CPU
};

/// How a pass runs on OpenGL.
enum class Stage : std::uint8_t {
    automatic,  ///< the faster stage, measured when the device is opened
    fragment,   ///< render to texture; needs OpenGL 3.3
    compute     ///< image stores; needs OpenGL 4.3, or 3.3 with the required extensions
};

GLSOLVE_API std::string_view name(BackendKind kind);
GLSOLVE_API std::string_view name(Stage stage);

/// How a call treats the OpenGL state of an adopted context.
enum class StatePolicy : std::uint8_t {
    restore,  ///< the state is the same after each call as before
    /// Some state is neither queried nor restored, because engines often track it themselves. The engine must set or
    /// query this state again after the call. All other state is the same after each call as before. Exactly the
    /// following state is changed:
    ///
    ///     state                                                     after a call
    ///     GL_DRAW_FRAMEBUFFER, GL_READ_FRAMEBUFFER                  0 is bound
    ///     GL_TEXTURE_2D of texture units 0 to 13                    0 is bound
    ///     viewports, of all indices                                 the viewport of some pass
    ///     GL_BLEND, of all draw buffers                             disabled
    ///     GL_SCISSOR_TEST, of all viewports                         disabled
    ///     GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE              disabled
    ///     colour masks, of all draw buffers                         all four components are written
    ///
    /// `poll` changes no state.
    host_resets
};

/// Properties of one stage of a device. A value that was not measured is 0.
struct StageInfo {
    Stage stage = Stage::fragment;
    bool available = false;
    std::string missing = {};            ///< why it is not available
    double update_bytes_per_second = 0;  ///< bytes read and written by y <- y + a x over `update_texels` texels
    double reduction_seconds = 0;        ///< time of a sum over `update_texels` texels
    double pass_seconds = 0;             ///< time per pass in a chain of dependent passes over one texel
    std::int64_t update_texels = 0;
};

/// A description of a device, for display and reports.
struct DeviceInfo {
    BackendKind backend = BackendKind::host;
    std::string choice;    ///< what was chosen for `automatic`, and why; empty if there was nothing to choose
    std::string context;   ///< how OpenGL was reached: "EGL device", "EGL surfaceless", "hidden GLFW window", "current"
    std::string renderer;  ///< the driver's name for it
    bool software = false;  ///< OpenGL: the renderer is one of Mesa's CPU renderers
    std::string vendor;
    std::string version;
    Stage stage = Stage::automatic;  ///< the stage in use; `automatic` on backends without stages
    std::vector<StageInfo> stages;   ///< the stages and their measurements
    std::string fault;  ///< why the device computes nothing; empty: it does. Only with DeviceOptions::measure, else
                        ///< such a device is not opened
    /// Why numbers in two floats cannot be trusted. Empty: they passed a test, or passes use doubles instead.
    std::string two_float_fault;
    int max_texture_size = 0;  ///< texels a side
    int max_outputs = 0;       ///< colour attachments a pass may write
    int max_inputs = 0;        ///< textures a pass may read
};

/// Which device to open, and how.
struct DeviceOptions {
    BackendKind backend = BackendKind::automatic;
    Stage stage = Stage::automatic;
    bool debug = false;    ///< opens a debug context; errors that the driver reports become exceptions
    bool measure = false;  ///< measures all rates of all stages; otherwise only those that a choice needs
    bool current = false;  ///< adopts the calling thread's current OpenGL context instead of opening one
    StatePolicy state = StatePolicy::restore;
    /// "egl-device", "egl-surfaceless" or "glfw"; empty: the first that works, in this order.
    std::string_view platform = {};
    /// Called for a problem that is not the error of a call. This happens when a device ends while its OpenGL context
    /// is not current or is already destroyed. Its objects then remain until that context ends. Must not throw.
    std::function<void(const std::string&)> warn = {};
};

/// An open device. Move-only. It may be destroyed before its solvers, which keep what they need of it. Objects in an
/// OpenGL context are deleted when the device and all its solvers have ended. A default-constructed or moved-from
/// Device is empty. An empty Device may be assigned to, tested for being empty, and destroyed; any other use throws
/// InvalidInput.
class GLSOLVE_API Device {
  public:
    /// Empty.
    Device() noexcept;
    /// Throws NoDevice if no device can be opened; the message gives the reason for each attempt.
    static Device open(const DeviceOptions& options = {});
    /// Uses the OpenGL context that is current on this thread. No window is made, and the context stays the caller's.
    /// `state` says whether each call restores the OpenGL state. Conditional rendering and transform feedback must not
    /// be active. `warn`: see DeviceOptions::warn.
    static Device adopt_current_opengl(Stage stage = Stage::automatic, StatePolicy state = StatePolicy::restore,
                                       std::function<void(const std::string&)> warn = {});
    static Device host();

    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    /// False if empty.
    explicit operator bool() const noexcept { return backend_ != nullptr; }

    const DeviceInfo& info() const;
    /// For the library itself and for tests of single passes.
    Backend& backend() const;

  private:
    explicit Device(std::shared_ptr<Backend> backend);
    std::shared_ptr<Backend> backend_;
};

}  // namespace glsolve::inline v0_1
