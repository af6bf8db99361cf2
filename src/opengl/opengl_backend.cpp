#include "opengl/opengl_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "opengl/context_mark.hpp"
#include "opengl/debug.hpp"
#include "opengl/describe_device.hpp"
#include "opengl/named_textures.hpp"
#include "opengl/outside_textures.hpp"
#include "opengl/pass_runner.hpp"
#include "opengl/readback.hpp"
#include "opengl/state_guard.hpp"
#include "opengl/texture_units.hpp"
#include "opengl/time_stamps.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// Makes what destructors call a matter of nothing.
void forget_deletions(Functions& gl) {
    gl.DebugMessageCallback = [](GLDEBUGPROC, const void*) {};
    gl.DeleteTextures = [](GLsizei, const GLuint*) {};
    gl.DeleteFramebuffers = [](GLsizei, const GLuint*) {};
    gl.DeleteBuffers = [](GLsizei, const GLuint*) {};
    gl.DeleteVertexArrays = [](GLsizei, const GLuint*) {};
    gl.DeleteSamplers = [](GLsizei, const GLuint*) {};
    gl.DeleteQueries = [](GLsizei, const GLuint*) {};
    gl.DeleteProgram = [](GLuint) {};
    gl.DeleteShader = [](GLuint) {};
    gl.DeleteSync = [](GLsync) {};
}

class GlBackend final : public OpenGlBackend {
  public:
    GlBackend(std::unique_ptr<Context> context, const BackendOptions& options)
        : context_(std::move(context)),
          current_(std::make_unique<Current>(*context_)),
          gl_(load_functions()),
          mark_(gl_),
          features_(query_features(gl_)),
          info_(describe_device(gl_, features_, *context_)),
          guard_(gl_, features_, GuardedUnits{texture_units, features_.image_loads ? image_units : max_outputs},
                 options.state),
          readback_(gl_),
          barriers_(gl_),
          bindings_(gl_, features_, options.state),
          textures_(gl_, features_, barriers_, bindings_),
          storages_(textures_),
          outside_(gl_, features_, bindings_, textures_),
          programs_(gl_, features_, ProgramBinaries(gl_, features_, options.program_cache, options.warn),
                    counters_.compiling),
          time_stamps_(gl_),
          warn_(options.warn) {
        context_->know_by(mark_);
        if (options.debug) debug_ = std::make_unique<DebugOutput>(gl_, features_);
        ask_for_parallel_compilation(gl_, features_);
        {
            const Session inside(*this);
            passes_ = std::make_unique<PassRunner>(gl_, features_, barriers_, bindings_, textures_, storages_, outside_,
                                                   programs_);
            count_textures();
        }
        current_.reset();
    }

    ~GlBackend() override {
        try {
            current_ = std::make_unique<Current>(*context_);
        } catch (const Error& reason) {
            // Names of one context must never be deleted in another: better to leave them to their context's end.
            forget_deletions(gl_);
            tell_what_is_left(reason.what());
        }
    }

    Functions& functions() override { return gl_; }
    std::uint32_t native_texture(StorageId storage) const override { return storages_.front(storage); }
    const DeviceInfo& info() const override { return info_; }
    Capabilities can() const override {
        return {.textures = true,
                .glsl = true,
                .groups = compute(),
                // softpipe makes wrong texels of such passes; llvmpipe, which reads from images, and GPUs do not.
                .ordered = features_.compute,
                .ranges = features_.compute,
                .asynchronous = features_.compute,
                .on_processor = info_.software,
                .corrections = info_.two_float_fault.empty()};
    }
    void describe_stage(const StageInfo& stage) override {
        for (StageInfo& known : info_.stages) {
            if (known.stage == stage.stage) known = stage;
        }
    }
    void describe_choice(std::string choice) override { info_.choice = std::move(choice); }

    void describe_fault(std::string fault) override { info_.fault = std::move(fault); }
    void describe_two_float(std::string fault) override { info_.two_float_fault = std::move(fault); }

    void share_programs_as_gpus() override { features_.branches = true; }

    bool has_fast_doubles() const override { return features_.fast_doubles; }
    bool has_stage(Stage stage) const override { return stage == Stage::fragment || features_.compute; }
    void use_stage(Stage stage) override { info_.stage = stage; }

    ReductionShape reduction_shape(Summed what) const override {
        return glsolve::reduction_shape(compute() ? Stage::compute : Stage::fragment, features_.software, what);
    }
    bool reduces_at_once(Extent input) const override {
        const Extent groups = reduced(input, reduction_shape(Summed::vectors).tile);
        return compute() && groups.texels() <= std::int64_t{left_width} * left_width;
    }
    Extent partial_extent(Extent domain) const override {
        if (!compute()) return domain;
        const Extent group = work_group(domain).texels();
        return {(domain.width + group.width - 1) / group.width, (domain.height + group.height - 1) / group.height};
    }

    void enter() override {
        if (!guard_.is_working()) {
            context_->acquire();
            try {
                guard_.enter();
            } catch (...) {
                context_->release();
                throw;
            }
            if (depth_ > 0) context_->release();  // which the session around this one holds
            bindings_.begin();
        }
        ++depth_;
    }

    void enter_to_collect() override {
        if (depth_ == 0) {
            context_->acquire();
            try {
                guard_.enter_to_collect();
            } catch (...) {
                context_->release();
                throw;
            }
        }
        ++depth_;
    }

    void leave() noexcept override {
        if (--depth_ > 0) return;
        barriers_.leave();
        guard_.leave();
        context_->release();
    }

    // Textures are zeros when they are made, so what a rehearsal leaves out is zero as well.
    void rehearse(bool on) override { passes_->rehearse(on); }
    bool compiles_in_parallel() const override { return features_.parallel_compile; }
    void begin_programs(bool on) override { passes_->begin_programs(on); }

    std::optional<double> try_time(Ticket mark) override {
        const CollectSession inside(*this);
        return time_stamps_.try_take(mark);
    }

    void forget(Ticket ticket) override {
        time_stamps_.drop(ticket);
        readback_.drop(ticket);
    }

    void flush() override { gl_.Flush(); }
    void finish() override { gl_.Finish(); }

    void trim() override {
        const Session inside(*this);
        passes_->give_back_unread();
        textures_.trim();
        count_textures();
    }

  protected:
    void do_allocate(StorageId storage, const Shape& shape, std::string_view label) override {
        const Session inside(*this);
        const int size = info_.max_texture_size;
        if (shape.extent.width > size || shape.extent.height > size) {
            throw DeviceError(fmt::format("OpenGL: {} needs a texture of {} x {}; this device has at most {} x {}",
                                          label, shape.extent.width, shape.extent.height, size, size));
        }
        storages_.allocate(storage, shape.extent, shape.element, label);
        count_textures();
    }

    void do_release(StorageId storage) noexcept override {
        try {
            const Current current(*context_);
            storages_.release(storage);
            count_textures();
        } catch (const Error&) {
            // Another context is current: the texture is deleted with the backend, or with its context.
            storages_.abandon(storage);
        }
    }

    OutsideShape do_adopt(StorageId storage, std::uint32_t texture, int layer, TextureUse use,
                          std::string_view role) override {
        const Session inside(*this);
        const auto [shape, seen] = outside_.look(texture, layer, use, role);
        storages_.adopt(storage, seen, shape.extent);
        return shape;
    }

    void do_mark_time(Ticket mark) override {
        const Session inside(*this);
        time_stamps_.queue(mark);
    }

    void do_upload(StorageId storage, const void* texels) override {
        const Session inside(*this);
        textures_.upload(storages_.front(storage), extent(storage), element(storage), texels);
        check_driver("upload");
    }

    void do_upload(StorageId storage, const FillTexels& fill) override {
        const Session inside(*this);
        textures_.upload(storages_.front(storage), extent(storage), fill);
        check_driver("upload");
    }

    void do_encode(const PassCall& call, const PassRow& row) override {
        const Session inside(*this);
        try {  // one is counted already
            counters_.passes += passes_->run(call, row, variant(call.variant), info_.stage, domain(call, row)) - 1;
        } catch (const InvalidInput&) {  // the caller's own text, of which the driver has complained as well
            if (debug_) debug_->forget();
            throw;
        }
        count_textures();
        check_driver(row.name);
    }

    void do_read(StorageId storage, Lines lines, Ticket ticket) override {
        const Session inside(*this);
        textures_.bind_for_reading(storages_.front(storage));
        readback_.queue(ticket, extent(storage).width, lines);
    }

    bool do_try_collect(Ticket ticket, const UseTexels& use) override {
        const CollectSession inside(*this);
        return readback_.try_take(ticket, use);
    }

    void do_collect(Ticket ticket, const UseTexels& use) override {
        const CollectSession inside(*this);
        readback_.take(ticket, use);
    }

  private:
    bool compute() const { return info_.stage == Stage::compute; }

    void count_textures() {
        counters_.allocations = textures_.allocations();
        counters_.bytes = textures_.bytes();
    }

    void tell_what_is_left(const char* reason) noexcept {
        if (!warn_) return;
        try {
            warn_(
                fmt::format("glsolve: textures of {:.1f} MB, and all other objects of a device that ends, stay in its "
                            "OpenGL context until that ends, and the contexts that share objects with it: {}",
                            static_cast<double>(counters_.bytes) * 1e-6, reason));
        } catch (...) {  // a destructor is no place for the host's exceptions
        }
    }

    void check_driver(std::string_view what) {
        if (debug_) debug_->throw_if_error(what);
    }

    // The order matters: what is declared first dies last. OpenGL objects, which all members from `debug_` on own or
    // use, die through `gl_`, while `current_` keeps their context current.
    std::unique_ptr<Context> context_;
    std::unique_ptr<Current> current_;  // in the constructor and in the destructor
    Functions gl_;
    ContextMark mark_;
    Features features_;
    DeviceInfo info_;
    std::unique_ptr<DebugOutput> debug_;
    StateGuard guard_;
    Readback readback_;
    Barriers barriers_;
    Bindings bindings_;
    Textures textures_;
    NamedTextures storages_;
    OutsideTextures outside_;
    ProgramCache programs_;
    TimeStamps time_stamps_;
    std::unique_ptr<PassRunner> passes_;  // made inside a session
    std::function<void(const std::string&)> warn_;
    int depth_ = 0;
};

}  // namespace

std::unique_ptr<OpenGlBackend> make_opengl_backend(std::unique_ptr<Context> context, const BackendOptions& options) {
    return std::make_unique<GlBackend>(std::move(context), options);
}

}  // namespace glsolve::inline v0_1::opengl
