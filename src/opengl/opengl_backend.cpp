#include "opengl/opengl_backend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>
#include <unordered_map>

#include "opengl/debug.hpp"
#include "opengl/hazards.hpp"
#include "opengl/program_cache.hpp"
#include "opengl/readback.hpp"
#include "opengl/state_guard.hpp"
#include "opengl/textures.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// Makes deletion a matter of nothing.
void forget_deletions(Functions& gl) {
    gl.DeleteTextures = [](GLsizei, const GLuint*) {};
    gl.DeleteFramebuffers = [](GLsizei, const GLuint*) {};
    gl.DeleteBuffers = [](GLsizei, const GLuint*) {};
    gl.DeleteVertexArrays = [](GLsizei, const GLuint*) {};
    gl.DeleteSamplers = [](GLsizei, const GLuint*) {};
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
          features_(query_features(gl_)),
          guard_(gl_, features_, GuardedUnits{texture_units, max_outputs}),
          programs_(gl_, features_),
          textures_(gl_, features_),
          readback_(gl_) {
        describe();
        if (options.debug) debug_ = std::make_unique<DebugOutput>(gl_, features_);
        {
            const Session inside(*this);
            make_fixed_objects();
        }
        current_.reset();
    }

    ~GlBackend() override {
        try {
            current_ = std::make_unique<Current>(*context_);
        } catch (const Error&) {
            // Names of one context must never be deleted in another: better to leave them to their context's end.
            forget_deletions(gl_);
        }
    }

    Functions& functions() override { return gl_; }
    const DeviceInfo& info() const override { return info_; }
    void describe_stage(const StageInfo& stage) override {
        for (StageInfo& known : info_.stages) {
            if (known.stage == stage.stage) known = stage;
        }
    }
    void describe_choice(std::string choice) override { info_.choice = std::move(choice); }

    void describe_two_float(std::string fault) override { info_.two_float_fault = std::move(fault); }

    bool has_stage(Stage stage) const override { return stage == Stage::fragment || features_.compute; }
    void use_stage(Stage stage) override { info_.stage = stage; }

    ReductionShape reduction_shape() const override {
        return opengl::reduction_shape(compute() ? Stage::compute : Stage::fragment, features_.software);
    }
    bool reduces_at_once(Extent input) const override {
        const Extent groups = reduced(input, reduction_shape().tile);
        return compute() && groups.texels() <= std::int64_t{left_width} * left_width;
    }
    Extent partial_extent(Extent domain) const override {
        if (!compute()) return domain;
        const Extent group = work_group(domain).texels();
        return {(domain.width + group.width - 1) / group.width, (domain.height + group.height - 1) / group.height};
    }

    void enter() override {
        if (depth_++ > 0) return;
        try {
            context_->acquire();
        } catch (...) {
            --depth_;
            throw;
        }
        try {
            guard_.enter();
        } catch (...) {
            context_->release();
            --depth_;
            throw;
        }
        bind_baseline();
    }

    void leave() noexcept override {
        if (--depth_ > 0) return;
        guard_.leave();
        context_->release();
    }

    void flush() override { gl_.Flush(); }
    void finish() override { gl_.Finish(); }

    bool try_collect(Ticket ticket, std::span<float> texels) override {
        const Session inside(*this);
        return readback_.try_take(ticket, texels);
    }

    void trim() override {
        const Session inside(*this);
        textures_.trim();
        counters_.bytes = textures_.bytes();
    }

  protected:
    void do_allocate(StorageId storage, const Shape& shape, std::string_view label) override {
        const Session inside(*this);
        const int size = info_.max_texture_size;
        if (shape.extent.width > size || shape.extent.height > size) {
            throw DeviceError(fmt::format("OpenGL: {} needs a texture of {} x {}; this device has at most {} x {}",
                                          label, shape.extent.width, shape.extent.height, size, size));
        }
        storages_.emplace(storage.value,
                          Named{make_texture(shape.extent, shape.element, label), {}, std::string(label)});
    }

    void do_release(StorageId storage) noexcept override {
        const auto found = storages_.find(storage.value);
        if (found == storages_.end()) return;
        try {
            const Current current(*context_);
            textures_.give_back(std::move(found->second.front), extent(storage), element(storage));
            if (found->second.back)
                textures_.give_back(std::move(found->second.back), extent(storage), element(storage));
            counters_.bytes = textures_.bytes();
            unbind_cached();
            storages_.erase(found);
        } catch (const Error&) {
            // Another context is current: the texture is deleted with the backend, or with its context.
            orphans_.push_back(std::move(found->second));
            storages_.erase(found);
        }
    }

    void do_upload(StorageId storage, const void* texels) override {
        const Session inside(*this);
        const Extent e = extent(storage);
        await_stores();
        bind_texture(0, texture(storage));
        gl_.ActiveTexture(GL_TEXTURE0);
        if (element(storage) == Element::real) {
            gl_.TexSubImage2D(features_.texture_target, 0, 0, 0, e.width, e.height, GL_RGBA, GL_FLOAT, texels);
        } else {
            gl_.TexSubImage2D(features_.texture_target, 0, 0, 0, e.width, e.height, GL_RGBA_INTEGER, GL_INT, texels);
        }
        check_driver("upload");
    }

    void do_encode(const PassCall& call, const PassRow& row) override {
        const Session inside(*this);
        std::array<GLuint, max_outputs> targets{};
        for (std::size_t i = 0; i < row.outputs.size(); ++i) {
            targets[i] = reads(call, row, call.output[i]) ? back_texture(call.output[i]) : texture(call.output[i]);
        }
        const Extent over = domain(call, row);
        if (call.at_once) make_scratch();
        const std::span<const GLuint> outputs = std::span(targets).first(row.outputs.size());
        PassProgram& program = programs_.get(call, row, definitions(call.variant), info_.stage, over);
        if (program_ != program.program.name()) gl_.UseProgram(program_ = program.program.name());
        bind_inputs(call, row);
        set_arguments(program, call, row, over);
        if (row.chaotic && compute()) {
            dispatch_chaotic(call, row, over);
        } else if (row.chaotic) {
            draw_chaotic(call, row, program, over);
        } else if (compute()) {
            dispatch(call, row, over, outputs);
            exchange(call, row);
        } else {
            await_stores();
            draw(origin(call, row), over, outputs);
            exchange(call, row);
        }
        check_driver(row.name);
    }

    void do_read(StorageId storage, Ticket ticket) override {
        const Session inside(*this);
        await_stores();
        textures_.bind_for_reading(texture(storage));
        readback_.queue(ticket, extent(storage));
    }

    void do_collect(Ticket ticket, std::span<float> texels) override {
        const Session inside(*this);
        readback_.take(ticket, texels);
    }

  private:
    /// What a StorageId names. Passes that read what they write go back and forth between the two textures.
    struct Named {
        Texture front, back;
        std::string label;
    };

    bool compute() const { return info_.stage == Stage::compute; }
    GLuint texture(StorageId storage) const { return storages_.at(storage.value).front.name(); }

    static bool reads(const PassCall& call, const PassRow& row, StorageId storage) {
        const auto inputs = std::span(call.input).first(row.inputs.size());
        return std::find(inputs.begin(), inputs.end(), storage) != inputs.end();
    }

    /// What was written beside what was read takes its name.
    void exchange(const PassCall& call, const PassRow& row) {
        for (std::size_t i = 0; i < row.outputs.size(); ++i) {
            if (reads(call, row, call.output[i])) exchange(call.output[i]);
        }
    }
    void exchange(StorageId storage) {
        Named& named = storages_.at(storage.value);
        std::swap(named.front, named.back);
    }

    /// A pass may not write what it reads: it writes the other texture of the storage, which then takes the name.
    GLuint back_texture(StorageId storage) {
        Named& named = storages_.at(storage.value);
        if (!named.back) named.back = make_texture(extent(storage), Element::real, named.label);
        return named.back.name();
    }

    Texture make_texture(Extent extent, Element element, std::string_view label) {
        await_stores();   // of whoever had the texture before
        unbind_cached();  // it will be bound to whatever unit is active
        framebuffer_ = 0;
        Texture texture = textures_.make(extent, element, label);
        counters_.allocations = textures_.allocations();
        counters_.bytes = textures_.bytes();
        return texture;
    }

    void describe() {
        const auto text = [&](GLenum what) {
            const GLubyte* value = gl_.GetString(what);
            return std::string(value != nullptr ? reinterpret_cast<const char*>(value) : "?");
        };
        info_.backend = BackendKind::opengl;
        info_.context = context_->description();
        info_.renderer = text(GL_RENDERER);
        info_.software = features_.software;
        info_.vendor = text(GL_VENDOR);
        info_.version = text(GL_VERSION);
        info_.stage = Stage::fragment;
        gl_.GetIntegerv(features_.texture_target == GL_TEXTURE_2D ? GL_MAX_TEXTURE_SIZE : GL_MAX_RECTANGLE_TEXTURE_SIZE,
                        &info_.max_texture_size);
        gl_.GetIntegerv(GL_MAX_DRAW_BUFFERS, &info_.max_outputs);
        gl_.GetIntegerv(GL_MAX_TEXTURE_IMAGE_UNITS, &info_.max_inputs);
        info_.stages = {
            {.stage = Stage::fragment, .available = true, .missing = {}},
            {.stage = Stage::compute, .available = features_.compute, .missing = features_.compute_missing}};
    }

    void make_fixed_objects() {
        vertices_ = generate<VertexArray>(gl_, gl_.GenVertexArrays);
        sampler_ = generate<Sampler>(gl_, gl_.GenSamplers);
        for (const GLenum filter : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER}) {
            gl_.SamplerParameteri(sampler_.name(), filter, GL_NEAREST);
        }
        for (const GLenum wrap : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T}) {
            gl_.SamplerParameteri(sampler_.name(), wrap, GL_CLAMP_TO_EDGE);
        }
        zero_ = constant_texel(0);
        bind_baseline();
    }

    Texture constant_texel(float value) {
        Texture texture = make_texture({1, 1}, Element::real, "constant");
        const std::array<float, 4> texel{value, value, value, value};
        gl_.TexSubImage2D(features_.texture_target, 0, 0, 0, 1, 1, GL_RGBA, GL_FLOAT, texel.data());
        return texture;
    }

    /// What all passes have in common; the guard has put everything else to its default.
    void bind_baseline() {
        gl_.BindVertexArray(vertices_.name());
        for (GLuint unit = 0; unit < texture_units; ++unit) gl_.BindSampler(unit, sampler_.name());
        bound_.fill(~GLuint{0});
        program_ = framebuffer_ = 0;
        viewport_ = {-1, -1, -1, -1};
    }

    void bind_texture(int unit, GLuint name) {
        GLuint& bound = bound_[static_cast<std::size_t>(unit)];
        if (bound == name) return;
        gl_.ActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        gl_.BindTexture(features_.texture_target, name);
        bound = name;
    }

    void unbind_cached() { bound_.fill(~GLuint{0}); }

    void bind_inputs(const PassCall& call, const PassRow& row) {
        for (std::size_t i = 0; i < row.inputs.size(); ++i) bind_texture(static_cast<int>(i), texture(call.input[i]));
        for (std::size_t i = 0; i < row.scalars.size(); ++i) {
            const ScalarArg& s = call.scalar[i];
            int unit = scalar_unit + 4 * static_cast<int>(i);
            for (const StorageId part : {s.n1, s.d1, s.n2, s.d2}) {
                if (part) bind_texture(unit, texture(part));
                ++unit;
            }
        }
        // A guarded pass without a status always runs: it reads a texel of zeros in its place.
        if (row.guarded) bind_texture(guard_unit, call.status ? texture(call.status) : zero_.name());
    }

    void set_arguments(PassProgram& program, const PassCall& call, const PassRow& row, Extent over) {
        PassProgram::Arguments now;
        now.domain = {over.width, over.height};
        now.origin = origin(call, row);
        now.integers = call.integer;
        now.constants = call.constant;
        for (std::size_t i = 0; i < row.scalars.size(); ++i) now.factors[i] = call.scalar[i].factor;
        for (std::size_t i = 0; i < row.inputs.size(); ++i) {
            const Extent e = extent(call.input[i]);
            now.texel[2 * i] = 1.0f / static_cast<float>(e.width);
            now.texel[2 * i + 1] = 1.0f / static_cast<float>(e.height);
        }
        now.table.assign(call.table.begin(), call.table.end());
        program.set(gl_, row, std::move(now));
    }

    static std::array<GLint, 2> origin(const PassCall& call, const PassRow& row) {
        return row.domain == Domain::window ? std::array<GLint, 2>{call.integer[0], call.integer[1]}
                                            : std::array<GLint, 2>{0, 0};
    }

    void draw(std::array<GLint, 2> origin, Extent over, std::span<const GLuint> targets) {
        const GLuint framebuffer = textures_.framebuffer(targets);
        if (framebuffer_ != framebuffer) gl_.BindFramebuffer(GL_FRAMEBUFFER, framebuffer_ = framebuffer);
        const std::array<GLint, 4> viewport{origin[0], origin[1], over.width, over.height};
        if (viewport_ != viewport) {
            gl_.Viewport(viewport[0], viewport[1], viewport[2], viewport[3]);
            viewport_ = viewport;
        }
        gl_.DrawArrays(GL_TRIANGLES, 0, 3);
    }

    /// Fragments may not write what others read: so bands of lines take all their steps one band after the other, and
    /// what stands beside a band in y's two textures is ahead of it or behind.
    void draw_chaotic(const PassCall& call, const PassRow& row, const PassProgram& program, Extent over) {
        await_stores();
        const int steps = call.integer[row.integers.size() - 1];
        const int bands = chaotic_tiles(over, Stage::fragment, features_.software).bands;
        const int lines = (over.height + bands - 1) / bands;
        std::uint64_t drawn = 0;
        for (int line = 0; line < over.height; line += lines) {
            if (line > 0 && steps % 2 == 1) exchange(call, row);  // each begins where the first has begun
            for (int step = 0; step < steps; ++step, ++drawn) {
                bind_inputs(call, row);
                gl_.Uniform1i(program.local_step, step);
                draw({0, line}, {over.width, std::min(lines, over.height - line)},
                     std::array{back_texture(call.output[0]), back_texture(call.output[1])});
                exchange(call, row);
            }
        }
        counters_.passes += drawn - 1;
    }

    /// One dispatch; nobody else may write or read these textures meanwhile, but its groups do as they like.
    void dispatch_chaotic(const PassCall& call, const PassRow& row, Extent over) {
        const std::array<GLuint, 3> images{texture(call.output[0]), texture(call.output[1]),
                                           back_texture(call.output[0])};  // in the order of their units
        if (const GLbitfield bits = hazards_.before_dispatch(fetched(call, row), images)) gl_.MemoryBarrier(bits);
        for (std::size_t i = 0; i < images.size(); ++i) {
            gl_.BindImageTexture(static_cast<GLuint>(i), images[i], 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
        }
        const int groups = chaotic_tiles(over, Stage::compute, features_.software).groups;
        gl_.DispatchCompute(static_cast<GLuint>(groups), 1, 1);
        if (call.integer[row.integers.size() - 1] % 2 == 1) exchange(call.output[0]);
    }

    void dispatch(const PassCall& call, const PassRow& row, Extent over, std::span<const GLuint> targets) {
        std::array<GLuint, max_outputs> stored{};
        auto* end = std::copy(targets.begin(), targets.end(), stored.begin());
        if (call.at_once) *end++ = left_.name();  // and the count, with it
        const std::span<const GLuint> all(stored.begin(), end);
        if (const GLbitfield bits = hazards_.before_dispatch(fetched(call, row), all)) gl_.MemoryBarrier(bits);
        for (std::size_t i = 0; i < targets.size(); ++i) {
            gl_.BindImageTexture(static_cast<GLuint>(i), targets[i], 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_RGBA32F);
        }
        // A text of its own makes a texel with each work group.
        Extent groups = over;
        if (call.at_once) {
            groups = reduced({call.integer[0], call.integer[1]}, reduction_shape().tile);
            bind_scratch();
        } else if (!has_compute_text(row)) {
            groups = reduced(over, ProgramCache::group(row, over).texels());
        }
        gl_.DispatchCompute(static_cast<GLuint>(groups.width), static_cast<GLuint>(groups.height), 1);
    }

    /// What a reduction at once needs: what groups leave, and how many have finished.
    void bind_scratch() {
        gl_.BindImageTexture(left_unit, left_.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA32F);
        gl_.BindImageTexture(finished_unit, finished_.name(), 0, GL_FALSE, 0, GL_READ_WRITE, GL_R32UI);
    }
    void make_scratch() {
        if (left_) return;
        left_ = make_texture({2 * left_width, left_width}, Element::real, "left by groups");
        finished_ = textures_.make_counter();
    }

    /// The textures that a call reads; valid until the next call.
    std::span<const GLuint> fetched(const PassCall& call, const PassRow& row) {
        fetched_.clear();
        for (std::size_t i = 0; i < row.inputs.size(); ++i) fetched_.push_back(texture(call.input[i]));
        for (std::size_t i = 0; i < row.scalars.size(); ++i) {
            const ScalarArg& s = call.scalar[i];
            for (const StorageId part : {s.n1, s.d1, s.n2, s.d2}) {
                if (part) fetched_.push_back(texture(part));
            }
        }
        if (row.guarded && call.status) fetched_.push_back(texture(call.status));
        return fetched_;
    }

    /// What compute shaders have stored is seen by whatever comes now.
    void await_stores() {
        if (const GLbitfield bits = hazards_.before_other_work()) gl_.MemoryBarrier(bits);
    }

    void check_driver(std::string_view what) {
        if (debug_) debug_->throw_if_error(what);
    }

    // The order matters: what is declared first dies last, and OpenGL objects die while their context is current.
    std::unique_ptr<Context> context_;
    std::unique_ptr<Current> current_;  // in the constructor and in the destructor
    Functions gl_;
    Features features_;
    DeviceInfo info_;
    std::unique_ptr<DebugOutput> debug_;
    StateGuard guard_;
    ProgramCache programs_;
    Textures textures_;
    Readback readback_;
    VertexArray vertices_;
    Sampler sampler_;
    Texture zero_;
    Texture left_, finished_;  // scratch of reductions at once
    std::unordered_map<std::uint32_t, Named> storages_;
    std::vector<Named> orphans_;
    int depth_ = 0;
    Hazards hazards_;
    std::vector<GLuint> fetched_;

    // What is bound, so that nothing is bound twice; forgotten when a public call begins.
    std::array<GLuint, texture_units> bound_{};
    GLuint program_ = 0, framebuffer_ = 0;
    std::array<GLint, 4> viewport_{};
};

}  // namespace

std::unique_ptr<OpenGlBackend> make_opengl_backend(std::unique_ptr<Context> context, const BackendOptions& options) {
    return std::make_unique<GlBackend>(std::move(context), options);
}

}  // namespace glsolve::inline v0_1::opengl
