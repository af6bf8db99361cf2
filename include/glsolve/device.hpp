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
    /// OpenGL or CUDA, whichever is measured to be faster where both can be opened; the host where neither can.
    /// DeviceInfo::choice gives the reason.
    automatic,
    opengl,
    cuda,  ///< NVIDIA's GPUs; loaded at run time, so that every build has it
    host   ///< the reference implementation in plain C++, on the CPU
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
    ///     GL_TEXTURE_2D of texture units 0 to 16                    0 is bound
    ///     viewports, of all indices                                 the viewport of some pass
    ///     GL_BLEND, of all draw buffers                             disabled
    ///     GL_SCISSOR_TEST, of all viewports                         disabled
    ///     GL_DEPTH_TEST, GL_STENCIL_TEST, GL_CULL_FACE              disabled
    ///     colour masks, of all draw buffers                         all four components are written
    ///
    /// `poll` changes no state.
    host_resets
};

GLSOLVE_API std::string_view name(StatePolicy policy);

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
    std::string choice;  ///< what was chosen for `automatic`, and why; empty if there was nothing to choose
    /// How the device was reached: "EGL device", "EGL surfaceless", "hidden GLFW window", "current", "CUDA".
    std::string context;
    std::string renderer;   ///< the driver's name for it
    bool software = false;  ///< OpenGL: the renderer is one of Mesa's CPU renderers
    std::string vendor;
    std::string version;
    int number = -1;                 ///< in Device::list(), of its backend; -1: not known, or not one of these
    std::string pci_address;         ///< "0000:3b:00.0"; empty: not known
    std::int64_t memory_bytes = 0;   ///< memory of the GPU; 0: not known
    Stage stage = Stage::automatic;  ///< the stage in use; `automatic` on backends without stages
    std::vector<StageInfo> stages;   ///< the stages and their measurements; one, `automatic`, of CUDA; none of the host
    std::string fault;  ///< why the device computes nothing; empty: it does. Only with DeviceOptions::measure, else
                        ///< such a device is not opened
    /// Why numbers in two floats cannot be trusted. Empty: they passed a test, or passes use doubles instead.
    std::string two_float_fault;
    int max_texture_size = 0;  ///< texels a side
    int max_outputs = 0;       ///< colour attachments a pass may write
    int max_inputs = 0;        ///< textures a pass may read
};

/// A device that can be opened: an element of Device::list().
struct DeviceEntry {
    BackendKind backend = BackendKind::host;
    int number = 0;  ///< of its backend, from 0 on: what DeviceOptions::device takes
    std::string name;
    std::string pci_address = {};   ///< "0000:3b:00.0"; empty: not known. The same GPU has the same in both backends
    std::int64_t memory_bytes = 0;  ///< memory of the GPU; 0: not known
    std::string missing = {};       ///< why it cannot be opened; empty: it can
};

/// Which device to open, and how.
struct DeviceOptions {
    BackendKind backend = BackendKind::automatic;
    Stage stage = Stage::automatic;
    /// One of Device::list(): its number, its PCI address, or part of its name ("H100"). Empty: the first one that can
    /// be opened. A number needs a backend, because each counts its own. Not for `current` or the host.
    std::string_view device = {};
    /// How many threads the host's work of this device's solvers uses, for set-up and, on the host backend, for passes:
    /// up to 64. 0: one for each core that the process may use. The solution has the same bits for any number, unless a
    /// choice is measured (how `ilu` is applied) or steps are chaotic.
    int threads = 0;
    bool debug = false;    ///< opens a debug context; errors that the driver reports become exceptions
    bool measure = false;  ///< measures all rates of all stages; otherwise only those that a choice needs
    /// Adopts the calling thread's current OpenGL context instead of opening one. With BackendKind::cuda: computes with
    /// CUDA on the GPU of that context, and reads and writes its textures; refused where CUDA does not have that GPU.
    bool current = false;
    StatePolicy state = StatePolicy::restore;
    /// "egl-device", "egl-surfaceless" or "glfw"; empty: the first that works, in this order.
    std::string_view platform = {};
    /// A folder in which compiled programs are kept, measured rates, and what `automatic` has chosen: the next process
    /// need not compile and measure. Several processes may use it at a time; it holds 256 MB at most. Remove it to
    /// have all measured anew. Empty: they are kept in memory only. See default_program_cache().
    std::string_view program_cache = {};
    /// The path of a program that compiles for CUDA, in up to 16 processes of some hundred megabytes each, which is up
    /// to twice as quick as in threads of this process. It is started with the argument compile_for_parent_argument,
    /// and has to call compile_for_parent(); `glsolve` does. Where it is empty, of another version or does not answer,
    /// and on other systems than Linux, this process compiles.
    std::string_view compiler_program = {};
    /// Called for a problem that is not the error of a call. This happens when a device ends while its OpenGL context
    /// is not current or is already destroyed. Its objects then remain until that context ends. Must not throw.
    std::function<void(const std::string&)> warn = {};
};

/// $XDG_CACHE_HOME/glsolve, or ~/.cache/glsolve: where the program `glsolve` keeps what it has compiled and measured.
/// Empty where the environment names neither.
GLSOLVE_API std::string default_program_cache();

/// For DeviceOptions::compiler_program: compiles what the parent asks for on standard input, until that ends. Returns
/// the exit code. Throws InvalidInput where no parent has started this process.
GLSOLVE_API int compile_for_parent();
inline constexpr const char* compile_for_parent_argument = "compile-for-parent";

/// An open device. Move-only. It may be destroyed before its solvers, which keep what they need of it. Objects in an
/// OpenGL context are deleted when the device and all its solvers have ended. A default-constructed or moved-from
/// Device is empty. An empty Device may be assigned to, tested for being empty, and destroyed; any other use throws
/// InvalidInput.
class GLSOLVE_API Device {
  public:
    /// Empty.
    Device() noexcept;
    /// Throws NoDevice if no device can be opened; the message gives the reason for each attempt. `automatic` takes the
    /// faster of OpenGL and CUDA on a GPU, and the host where there is no GPU: a software renderer is slower than that.
    static Device open(const DeviceOptions& options = {});
    /// Uses the OpenGL context that is current on this thread. No window is made, and the context stays the caller's.
    /// `state` says whether each call restores the OpenGL state. Conditional rendering and transform feedback must not
    /// be active. `warn`: see DeviceOptions::warn.
    static Device adopt_current_opengl(Stage stage = Stage::automatic, StatePolicy state = StatePolicy::restore,
                                       std::function<void(const std::string&)> warn = {});
    static Device host();
    /// All devices of OpenGL (EGL devices, opened one after the other and closed again) and of CUDA, and the host.
    static std::vector<DeviceEntry> list();

    Device(Device&&) noexcept;
    Device& operator=(Device&&) noexcept;
    ~Device();

    /// False if empty.
    explicit operator bool() const noexcept { return backend_ != nullptr; }

    const DeviceInfo& info() const;
    /// Gives spare memory back to the driver. What solvers have left when they ended is kept for later solvers: up to
    /// 64 MiB of textures, with a software renderer 256 MiB. After solvers of another size, or when none is needed for
    /// a while, call this between the end of the old solver and the making of the new one. What solvers hold stays, and
    /// so do compiled programs.
    void trim();
    /// For the library itself and for tests of single passes.
    Backend& backend() const;

  private:
    explicit Device(std::shared_ptr<Backend> backend);
    std::shared_ptr<Backend> backend_;
};

}  // namespace glsolve::inline v0_1
