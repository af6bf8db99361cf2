/// Contexts, devices and solvers that are made and ended in random orders (context_fuzz.cpp says what has to hold).
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/glew.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "embedding/host_objects.hpp"

using namespace glsolve;

inline constexpr int side = 4;  // texels of a texture that is solved on
inline constexpr std::size_t most_contexts = 4, most_devices = 5;

/// Contexts that share objects.
struct Group {
    Names names;
    bool clean = true;  // no device has left anything here
    int contexts = 0;
};

struct HostContext {
    EGLContext handle;
    std::shared_ptr<Group> group;
    Names names;
    bool clean = true;
    Names& names_of(const Kind& kind) { return kind.shared ? group->names : names; }
};

/// What the program has of the library.
struct Guest {
    std::weak_ptr<HostContext> context;  // of the device
    std::weak_ptr<Group> group;
    std::optional<Device> device;
    std::vector<std::variant<Solver, GridSolver>> solvers;
    std::shared_ptr<int> warnings = std::make_shared<int>(0);
};

class Fuzz {
  public:
    explicit Fuzz(EGLDisplay display) : display_(display) {}

    void round(unsigned seed, int steps) {
        random_.seed(seed);
        log_.clear();
        for (int i = 0; i < steps; ++i) step();
        end();
    }
    std::string log() const {
        std::string text;
        for (const std::string& line : log_) text += "  " + line + "\n";
        return text;
    }
    int contexts = 0, again = 0, in_place = 0, refused = 0, worked = 0, left = 0;

  private:
    int pick(int below) { return std::uniform_int_distribution(0, below - 1)(random_); }
    template <class List>
    std::size_t any(const List& list) {
        return static_cast<std::size_t>(pick(static_cast<int>(list.size())));
    }
    void says(std::string what) { log_.push_back(std::move(what)); }

    void step() {
        switch (pick(12)) {
            case 0:
                make_context();
                break;
            case 1:
                end_context();
                break;
            case 2:
            case 3:
                switch_context();
                break;
            case 4:
                adopt();
                break;
            case 5:
                make_solver();
                break;
            case 6:
            case 7:
                use();
                break;
            case 8:
                end_solver();
                break;
            case 9:
                end_device();
                break;
            case 10:
                change_objects();
                break;
            default:
                move();
        }
        check();
    }

    // --- contexts
    void make_context() {
        if (contexts_.size() < most_contexts) make_one();
    }
    void make_one() {
        const bool shares = !contexts_.empty() && pick(3) == 0;
        const auto other = shares ? contexts_[any(contexts_)] : nullptr;
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR,
                                     EGL_NONE};
        eglBindAPI(EGL_OPENGL_API);
        EGLContext handle =
            eglCreateContext(display_, EGL_NO_CONFIG_KHR, other ? other->handle : EGL_NO_CONTEXT, attributes);
        require(handle != EGL_NO_CONTEXT, "no context is to be had");
        auto made = std::make_shared<HostContext>();
        made->handle = handle;
        made->group = other ? other->group : std::make_shared<Group>();
        ++made->group->contexts;
        contexts_.push_back(made);
        ++contexts;
        if (!handles_.insert(handle).second) ++again;
        says(fmt::format("context {} made{}", handle, other ? fmt::format(", sharing with {}", other->handle) : ""));
        make_current(made);
        for (int k = pick(12); k > 0; --k) make_object();
    }
    void make_current(const std::shared_ptr<HostContext>& context) {
        eglBindAPI(EGL_OPENGL_API);
        const EGLBoolean made =
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context ? context->handle : EGL_NO_CONTEXT);
        require(made == EGL_TRUE, "a context cannot be made current");
        current_ = context;
        if (!context) return;
        if (__glewGenVertexArrays == nullptr) {
            glewExperimental = GL_TRUE;
            glewInit();
        }
        says(fmt::format("context {} current", context->handle));
        for (const Guest& guest : guests_) {
            const auto own = guest.context.lock();
            if (!own && handle_of(guest) == context->handle) ++in_place;
        }
    }
    void end_context() {
        if (contexts_.empty()) return;
        const std::size_t which = any(contexts_);
        const auto context = contexts_[which];
        says(fmt::format("context {} ended", context->handle));
        const bool while_current = current_ == context && pick(2) == 0;
        if (current_ == context && !while_current) make_current(nullptr);
        eglDestroyContext(display_, context->handle);
        contexts_.erase(contexts_.begin() + static_cast<std::ptrdiff_t>(which));
        if (while_current) make_current(nullptr);
        if (std::ranges::any_of(guests_, [&](const Guest& g) { return handle_of(g) == context->handle; })) {
            make_one_in_place_of(context->handle);
        }
    }
    /// Devices of a context that has ended find another one at its address, if it can be had.
    void make_one_in_place_of(EGLContext handle) {
        std::vector<std::shared_ptr<HostContext>> others;
        for (int tries = 0; tries < 8; ++tries) {
            make_one();
            if (contexts_.back()->handle == handle) break;
            others.push_back(contexts_.back());
            contexts_.pop_back();
        }
        const bool found = !contexts_.empty() && contexts_.back()->handle == handle;
        if (!found) make_current(nullptr);
        for (const auto& other : others) {
            says(fmt::format("context {} ended", other->handle));
            eglDestroyContext(display_, other->handle);
        }
    }
    void switch_context() {
        if (contexts_.empty() || pick(12) == 0) return make_current(nullptr);
        make_current(contexts_[any(contexts_)]);
    }

    /// Often to where a device was adopted.
    void go_home(const Guest& guest) {
        const auto home = guest.context.lock();
        if (home && pick(3) != 0) make_current(home);
    }

    // --- devices and solvers
    bool is_current(const Guest& guest) const { return current_ && guest.context.lock() == current_; }
    EGLContext handle_of(const Guest& guest) const { return handle_of_.at(guest.warnings.get()); }

    void adopt() {
        if (!current_ || guests_.size() >= most_devices) return;
        Guest guest;
        guest.context = current_;
        guest.group = current_->group;
        const auto warnings = guest.warnings;
        const StatePolicy policy = pick(2) == 0 ? StatePolicy::restore : StatePolicy::host_resets;
        guest.device.emplace(Device::open({.backend = BackendKind::opengl,
                                           .stage = pick(2) == 0 ? Stage::fragment : stage_of_second_kind(),
                                           .current = true,
                                           .state = policy,
                                           .warn = [warnings](const std::string&) { ++*warnings; }}));
        handle_of_[warnings.get()] = current_->handle;
        says(fmt::format("device {} adopted", fmt::ptr(warnings.get())));
        guests_.push_back(std::move(guest));
    }
    static Stage stage_of_second_kind() { return GLEW_VERSION_4_3 ? Stage::compute : Stage::fragment; }

    /// What works in the right context, and is refused in words in others.
    template <class Call>
    void attempt(const Guest& guest, const std::string& what, const Call& call) {
        says(what);
        const bool may = is_current(guest);
        try {
            call();
        } catch (const DeviceError& refusal) {
            require(!may, what + " was refused in its own context: " + refusal.what());
            ++refused;
            return;
        }
        require(may, what + " was done in a context that is not its own");
        ++worked;
    }

    void make_solver() {
        if (guests_.empty()) return;
        Guest& guest = guests_[any(guests_)];
        if (!guest.device || guest.solvers.size() > 2) return;
        go_home(guest);
        attempt(guest, fmt::format("solver on device {}", fmt::ptr(guest.warnings.get())), [&] {
            if (pick(2) == 0) {
                guest.solvers.emplace_back(Solver(*guest.device, poisson2d(side), {.tolerance = 1e-4}));
            } else {
                Options options = GridSolver::usual_options();
                options.precision = Precision::single;
                options.preconditioner = PreconditionerKind::none;
                options.tolerance = 1e-4;
                guest.solvers.emplace_back(
                    GridSolver(*guest.device, {.width = side, .height = side, .shift = 1}, options));
            }
        });
    }
    void use() {
        if (guests_.empty()) return;
        Guest& guest = guests_[any(guests_)];
        if (guest.solvers.empty()) return;
        go_home(guest);
        auto& solver = guest.solvers[any(guest.solvers)];
        GLuint b = 0, x = 0;
        if (is_current(guest)) b = make_texture(1), x = make_texture(0);
        attempt(guest, fmt::format("enqueue on device {}", fmt::ptr(guest.warnings.get())), [&] {
            std::visit([&](auto& s) { s.enqueue({.texture = b}, {.texture = x}, {.iterations = 20}); }, solver);
            if (pick(2) == 0) return;
            std::optional<Report> report;
            while (!report) report = std::visit([](auto& s) { return s.poll(); }, solver);
            require(report->outcome == Outcome::met_on_device, "a solve has come to nothing: " + report->reason);
        });
        if (is_current(guest)) glDeleteTextures(1, &b), glDeleteTextures(1, &x);
    }
    void end_solver() {
        if (guests_.empty()) return;
        const std::size_t which = any(guests_);
        Guest& guest = guests_[which];
        if (guest.solvers.empty()) return;
        says(fmt::format("a solver of device {} ended", fmt::ptr(guest.warnings.get())));
        guest.solvers.erase(guest.solvers.begin() + static_cast<std::ptrdiff_t>(any(guest.solvers)));
        forget_if_ended(which);
    }
    void end_device() {
        if (guests_.empty()) return;
        const std::size_t which = any(guests_);
        Guest& guest = guests_[which];
        says(fmt::format("device {} ended", fmt::ptr(guest.warnings.get())));
        guest.device.reset();
        if (pick(2) == 0) guest.solvers.clear();
        forget_if_ended(which);
    }
    /// The last one who needs the device takes its objects along, or has to leave them, and tells.
    void forget_if_ended(std::size_t which) {
        Guest& guest = guests_[which];
        if (guest.device || !guest.solvers.empty()) return;
        const bool gives_back = is_current(guest);
        require(*guest.warnings == (gives_back ? 0 : 1), gives_back ? "a device that ends in its own context warns"
                                                                    : "a device leaves its objects without a word");
        if (!gives_back) {
            ++left;
            if (const auto context = guest.context.lock()) context->clean = false;
            if (const auto group = guest.group.lock()) group->clean = false;  // others may share what it had
        }
        handle_of_.erase(guest.warnings.get());
        guests_.erase(guests_.begin() + static_cast<std::ptrdiff_t>(which));
    }
    void move() {
        if (guests_.empty()) return;
        Guest& guest = guests_[any(guests_)];
        if (guest.device) {
            Device other = std::move(*guest.device);
            guest.device.emplace(std::move(other));
        }
        if (!guest.solvers.empty()) {
            auto other = std::move(guest.solvers.back());
            guest.solvers.pop_back();
            guest.solvers.insert(guest.solvers.begin(), std::move(other));
        }
    }

    // --- objects of the program's own
    void make_object() {
        const Kind& kind = kinds()[any(kinds())];
        const float mark = static_cast<float>(pick(1 << 20));
        current_->names_of(kind)[&kind][kind.make(mark)] = mark;
    }
    void change_objects() {
        if (!current_) return;
        if (pick(2) == 0) return make_object();
        const Kind& kind = kinds()[any(kinds())];
        auto& names = current_->names_of(kind)[&kind];
        if (names.empty()) return;
        kind.end(names.begin()->first);
        names.erase(names.begin());
    }

    void check() {
        if (!current_) return;
        require(glGetError() == GL_NO_ERROR, "an OpenGL error");
        for (const Kind& kind : kinds()) {
            for (const auto& [name, mark] : current_->names_of(kind)[&kind]) {
                require(kind.is(name) != GL_FALSE, fmt::format("{} {} of the program's is gone", kind.name, name));
                if (&kind == &kinds().front()) check_texels(name, mark);
            }
        }
    }
    /// Ends all, each device in its own context where that is there, and looks for what is left.
    void end() {
        for (const auto& context : contexts_) {
            make_current(context);
            for (std::size_t i = guests_.size(); i-- > 0;) {
                if (!is_current(guests_[i])) continue;
                guests_[i].device.reset();
                guests_[i].solvers.clear();
                forget_if_ended(i);
            }
        }
        make_current(contexts_.empty() ? nullptr : contexts_.front());
        while (!guests_.empty()) {
            guests_.back().solvers.clear();
            guests_.back().device.reset();
            forget_if_ended(guests_.size() - 1);
        }
        for (const auto& context : contexts_) {
            make_current(context);
            check();
            for (const Kind& kind : kinds()) {
                if (!(kind.shared ? context->group->clean : context->clean)) continue;
                if (!kind.shared && context->group->contexts > 1) continue;  // Mesa shares names of framebuffers, too
                const auto& names = context->names_of(kind)[&kind];
                for (GLuint name = 1; name < 4096; ++name) {
                    require(kind.is(name) == GL_FALSE || names.contains(name),
                            fmt::format("{} {} of the library's is left", kind.name, name));
                }
            }
        }
        while (!contexts_.empty()) end_context();
        make_current(nullptr);
    }

    EGLDisplay display_;
    std::mt19937 random_;
    std::vector<std::string> log_;
    std::vector<std::shared_ptr<HostContext>> contexts_;
    std::shared_ptr<HostContext> current_;
    std::vector<Guest> guests_;
    std::map<const int*, EGLContext> handle_of_;  // where each device was adopted
    std::set<EGLContext> handles_;
};
