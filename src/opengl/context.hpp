/// OpenGL contexts: headless ones of our own, or the caller's current one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1::opengl {

class ContextMark;

class Context {
  public:
    virtual ~Context() = default;

    /// How it was reached, for reports: "EGL device", "EGL surfaceless", "hidden GLFW window", "current".
    virtual std::string_view description() const = 0;
    /// Which EGL device it is on; -1: not known.
    virtual int device_number() const { return -1; }
    /// "0000:3b:00.0"; empty: not known.
    virtual std::string pci_address() const { return {}; }
    /// The number of its GPU in CUDA; -1: none, or not known. NVIDIA's driver takes some 0.1 s to tell.
    virtual int cuda_device() const { return -1; }
    /// Makes it current on this thread if it is not, remembering what was.
    virtual void make_current() = 0;
    /// Makes current again what was before.
    virtual void restore() noexcept = 0;
    /// Is it current on this thread?
    virtual bool is_current() const = 0;

    /// From here on it is known by this, too; the mark must outlive every `acquire`.
    void know_by(const ContextMark& mark) { mark_ = &mark; }

    /// make_current and restore, counted: only the outermost pair does anything. Throws DeviceError where it cannot be
    /// made current, or has gone and another one has come in its place.
    void acquire() {
        if (depth_ == 0) make_it_current();
        ++depth_;
    }
    void release() noexcept {
        if (--depth_ == 0) restore();
    }

  protected:
    /// Has another one been found in its place? That is somebody else's.
    bool is_gone() const { return gone_; }

  private:
    void make_it_current();

    const ContextMark* mark_ = nullptr;
    int depth_ = 0;
    bool gone_ = false;
};

/// Keeps a context current while it lives.
class Current {
  public:
    explicit Current(Context& context) : context_(context) { context_.acquire(); }
    ~Current() { context_.release(); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    Context& context_;
};

/// Opens a headless context, 4.5 core down to 3.3 core. `platform`: "egl-device", "egl-surfaceless", "glfw", or empty
/// for the first that works, in this order. `number`: of an EGL device; -1: any. Throws NoDevice with the reason of
/// each way that was tried.
std::unique_ptr<Context> open_headless_context(std::string_view platform, bool debug, int number = -1);

/// That EGL device and nothing else. Throws NoDevice with its reason.
std::unique_ptr<Context> open_headless_device(int number);

/// How many devices `number` may count: EGL's. 0 where there is no EGL, or where it lists none.
int count_headless_devices();

/// The context that is current on this thread. Throws NoDevice when there is none.
std::unique_ptr<Context> adopt_current_context();

}  // namespace glsolve::inline v0_1::opengl
