#include "opengl/pass_runner.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kernels/shared_programs.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

bool reads(const PassCall& call, const PassRow& row, StorageId storage) {
    const auto inputs = std::span(call.input).first(row.inputs.size());
    return std::find(inputs.begin(), inputs.end(), storage) != inputs.end();
}

std::array<GLint, 2> origin(const PassCall& call, const PassRow& row) {
    return row.domain == Domain::window ? std::array<GLint, 2>{call.integer[0], call.integer[1]}
                                        : std::array<GLint, 2>{0, 0};
}

/// What shaders read a texture of the caller's by. Empty: a sampler2D.
std::string_view sampler_of(const OutsideTexture& texture) {
    const bool array = texture.target == GL_TEXTURE_2D_ARRAY, space = texture.target == GL_TEXTURE_3D;
    if (texture.whole) return array ? "usampler2DArray" : space ? "usampler3D" : "usampler2D";
    return array ? "sampler2DArray" : space ? "sampler3D" : "";
}

/// Of an image format, in shaders.
std::string_view name_of(GLenum image) {
    switch (image) {
        case GL_R32UI:
            return "r32ui";
        case GL_RG32UI:
            return "rg32ui";
        case GL_RGBA32UI:
            return "rgba32ui";
        default:
            return {};
    }
}

/// How many steps an asynchronous pass makes.
int steps_of(const PassCall& call, const PassRow& row) { return call.integer[row.integers.size() - 1]; }

}  // namespace

PassRunner::PassRunner(const Functions& gl, const Features& features, Barriers& barriers, Bindings& bindings,
                       Textures& textures, NamedTextures& storages, OutsideTextures& outside, ProgramCache& programs)
    : gl_(gl),
      features_(features),
      barriers_(barriers),
      bindings_(bindings),
      textures_(textures),
      storages_(storages),
      outside_(outside),
      programs_(programs),
      zero_(textures.make({1, 1}, Element::real, "zero")),
      one_(textures.make({1, 1}, Element::real, "one")) {
    constexpr std::array<float, 4> ones{1, 1, 1, 1};
    textures.upload(one_.name(), {1, 1}, Element::real, ones.data());
}

std::uint64_t PassRunner::run(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage,
                              Extent domain) {
    ImageFormats formats;
    if (row.writes_outside && stage == Stage::compute)
        formats.outside = name_of(storages_.outside(call.output[0]).image);
    if (row.writes_outside && formats.outside.empty()) stage = Stage::fragment;
    if (row.needs_compute_stage()) stage = Stage::compute;
    // Not of a texel, which vertices fetch: llvmpipe's do not wait for clears. (What softpipe puts off are clears
    // before image stores; in this stage nobody stores.)
    if (stage == Stage::fragment && row.id == PassId::fill && call.constant[0] == 0 && domain != Extent{1, 1}) {
        clear(storages_.front(call.output[0]));
        return 1;
    }
    if (loads_images(stage)) formats.half_inputs = half_inputs(call, row);
    if (const OutsideTexture* const read = outside_input(call, row)) formats.sampler = sampler_of(*read);
    if (begins_only_) {
        programs_.begin(call, row, variant, stage, domain, formats);
        return 1;
    }
    // What is made anew is bound meanwhile: so all targets are there before the inputs are bound.
    std::array<GLuint, max_outputs> targets{};
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        const StorageId output = call.output[i];
        const bool beside = reads(call, row, output) && !row.ordered && !row.asynchronous;
        targets[i] = beside ? storages_.back(output) : storages_.front(output);
    }
    if (call.at_once) make_scratch();
    const std::size_t count = fill_up(targets, row, stage, storages_.extent(call.output[0]));
    const std::span<const GLuint> outputs = std::span(targets).first(count);
    PassProgram& program = programs_.get(call, row, variant, stage, domain, formats);
    const bool compute = stage == Stage::compute;
    if (rehearses_ && !compute && !row.writes_outside && is_rehearsed(program, textures_.framebuffer(outputs))) {
        exchange(call, row);
        return 1;
    }
    bindings_.use_program(program.program.name());
    bind_inputs(call, row, stage);
    const bool nowhere = rehearses_ && compute && row.writes_outside;  // whose texture keeps what it holds
    set_arguments(program, call, row, nowhere ? Extent{0, 0} : domain);
    if (row.writes_outside && !compute) {
        barriers_.await_stores();
        outside_.begin_drawing(storages_.outside(call.output[0]), call.integer[row.integers.size() - 1]);
        // Rehearsed beside the texture, so that it keeps what it holds.
        const Extent whole = storages_.extent(call.output[0]);
        draw_triangle(rehearses_ ? std::array<GLint, 2>{whole.width, whole.height} : origin(call, row), domain);
        outside_.end_drawing();
    } else if (compute) {
        dispatch(call, row, domain, outputs);
    } else {
        barriers_.await_stores();
        draw(origin(call, row), domain, outputs);
    }
    exchange(call, row);
    return 1;
}

/// llvmpipe compiles a program again for each number of targets that it finds bound. So all tasks of a program get as
/// many: behind their own a texture that nobody reads, as often as is needed, and as large as these, since else less is
/// drawn. (An image need not be. Where that is more than a few texels, memory is worth more than a compilation: a
/// history's would be as long as vectors.) Returns how many.
std::size_t PassRunner::fill_up(std::span<GLuint> targets, const PassRow& row, Stage stage, Extent extent) {
    constexpr std::int64_t most_texels = 256;
    const PassRow& program = program_row(row, features_.branches);
    const std::size_t own = row.outputs.size(), all = program.outputs.size();
    if (stage == Stage::compute) extent = {1, 1};
    if (!features_.software || !has_tasks(program) || own == all || extent.texels() > most_texels) return own;
    Texture& unread = unread_[{extent.width, extent.height}];
    if (!unread) unread = textures_.make(extent, Element::real, "nobody reads");
    std::ranges::fill(targets.subspan(own, all - own), unread.name());
    return all;
}

void PassRunner::give_back_unread() {
    for (auto& [size, texture] : unread_)
        textures_.give_back(std::move(texture), {size.first, size.second}, Element::real);
    unread_.clear();
}

std::uint32_t PassRunner::half_inputs(const PassCall& call, const PassRow& row) const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        if (storages_.element(call.input[i]) == Element::half) bits |= 1u << i;
    }
    return bits;
}

/// The texture of the caller's that a call reads, if it reads one; no pass reads two.
const OutsideTexture* PassRunner::outside_input(const PassCall& call, const PassRow& row) const {
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        if (row.inputs[i].outside) return &storages_.outside(call.input[i]);
    }
    return nullptr;
}

void PassRunner::bind_inputs(const PassCall& call, const PassRow& row, Stage stage) {
    const PassRow& program = program_row(row, features_.branches);
    std::array<GLuint, texture_units> textures{};
    std::array<GLenum, texture_units> formats{};
    std::size_t count = 0;
    const auto add = [&](GLuint texture, Element element) {
        textures[count] = texture;
        formats[count++] = Textures::internal_format(element);
    };
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        add(storages_.front(call.input[i]), storages_.element(call.input[i]));
    }
    // What other tasks of the program would read must not be what is written.
    while (count < program.inputs.size()) add(zero_.name(), Element::real);
    const std::span inputs(textures.data(), count);
    if (outside_input(call, row) != nullptr) {
        for (std::size_t i = 0; i < count; ++i) {
            const int unit = static_cast<int>(i);
            const bool is_outside = i < row.inputs.size() && row.inputs[i].outside;
            is_outside            ? bindings_.bind_outside(unit, storages_.outside(call.input[i]))
            : loads_images(stage) ? bindings_.bind_image(unit, textures[i], GL_READ_ONLY, formats[i])
                                  : bindings_.bind_texture(unit, textures[i]);
        }
    } else if (loads_images(stage)) {
        bindings_.bind_images_to_read(inputs, std::span(formats).first(count));
    } else {
        bindings_.bind_textures(0, inputs);
    }
    std::array<GLuint, texture_units> texels{};  // of the scalars, and of the guard behind all of them
    std::size_t texel_count = 0;
    for (const ScalarArg& s : std::span(call.scalar).first(row.scalars.size())) {
        for (const StorageId part : {s.n, s.d}) texels[texel_count++] = part ? storages_.front(part) : one_.name();
    }
    bindings_.bind_textures(scalar_unit, std::span(texels).first(texel_count));
    // A guarded pass without a status always runs: it reads a texel of zeros in its place.
    if (program.guarded) bindings_.bind_texture(guard_unit, call.status ? storages_.front(call.status) : zero_.name());
}

void PassRunner::set_arguments(PassProgram& program, const PassCall& call, const PassRow& row, Extent domain) {
    PassProgram::Arguments now;
    const ArgumentWords& at = program.at;
    const auto put = [&](std::size_t first, auto number) { now.words[first] = std::bit_cast<std::int32_t>(number); };
    const auto [x, y] = origin(call, row);
    now.words = {domain.width, domain.height, x, y};
    std::size_t integer = at.integers;
    if (has_tasks(program_row(row, features_.branches))) {
        put(integer, task_of(row));
        put(integer + 1, static_cast<std::int32_t>(row.outputs.size()));
        integer += first_integer_of_task;
    }
    for (std::size_t i = 0; i < row.integers.size(); ++i) put(integer + i, call.integer[i]);
    for (std::size_t i = 0; i < row.constants.size(); ++i) put(at.constants + i, call.constant[i]);
    for (std::size_t i = 0; i < row.scalars.size(); ++i) put(at.factors + i, call.scalar[i].factor);
    const bool is_sampled = at.integers > at.texels;
    for (std::size_t i = 0; is_sampled && i < row.inputs.size(); ++i) {
        const Extent e = storages_.extent(call.input[i]);
        put(at.texels + 2 * i, 1.0f / static_cast<float>(e.width));
        put(at.texels + 2 * i + 1, 1.0f / static_cast<float>(e.height));
    }
    if (const OutsideTexture* const read = outside_input(call, row)) put(at.layer, read->layer);
    now.table.assign(call.table.begin(), call.table.end());
    program.set(gl_, now);
}

/// The textures that a call reads; valid until the next call.
std::span<const GLuint> PassRunner::fetched(const PassCall& call, const PassRow& row) {
    fetched_.clear();
    for (std::size_t i = 0; i < row.inputs.size(); ++i) fetched_.push_back(storages_.front(call.input[i]));
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        const ScalarArg& s = call.scalar[i];
        for (const StorageId part : {s.n, s.d}) {
            if (part) fetched_.push_back(storages_.front(part));
        }
    }
    if (row.guarded && call.status) fetched_.push_back(storages_.front(call.status));
    return fetched_;
}

/// What was written beside what was read takes its name.
void PassRunner::exchange(const PassCall& call, const PassRow& row) {
    if (row.ordered) return;
    if (row.asynchronous) {
        if (steps_of(call, row) % 2 == 1) storages_.exchange(call.output[0]);
        return;
    }
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        if (reads(call, row, call.output[i])) storages_.exchange(call.output[i]);
    }
}

/// Has it drawn there already since the rehearsal began? Then nothing is left to be compiled or made, since what a
/// program draws to one target reads inputs of one kind; and where processors draw, each change of targets takes as
/// long as a pass over small ones.
bool PassRunner::is_rehearsed(const PassProgram& program, GLuint framebuffer) {
    return !rehearsed_.emplace(program.program.name(), framebuffer).second;
}

/// What a pass that fills with zeros does, without a program. (In the compute stage there is one: an H200 takes 0.02 ms
/// to clear between two dispatches.)
void PassRunner::clear(GLuint texture) {
    if (begins_only_) return;
    barriers_.await_stores();
    bindings_.bind_framebuffer(textures_.framebuffer(std::array{texture}));
    constexpr std::array<GLfloat, 4> zeros{};
    if (!rehearses_) gl_.ClearBufferfv(GL_COLOR, 0, zeros.data());
}

void PassRunner::draw(std::array<GLint, 2> origin, Extent domain, std::span<const GLuint> targets) {
    bindings_.bind_framebuffer(textures_.framebuffer(targets));
    draw_triangle(origin, domain);
}

void PassRunner::draw_triangle(std::array<GLint, 2> origin, Extent domain) {
    const Extent drawn = rehearses_ ? Extent{} : domain;
    bindings_.set_viewport({origin[0], origin[1], drawn.width, drawn.height});
    gl_.DrawArrays(GL_TRIANGLES, 0, 3);
}

void PassRunner::dispatch(const PassCall& call, const PassRow& row, Extent domain, std::span<const GLuint> targets) {
    std::array<GLuint, max_outputs> stored{};
    auto* end = std::copy(targets.begin(), targets.end(), stored.begin());
    if (call.at_once) *end++ = left_.name();  // and the count, with it
    if (row.asynchronous) *end++ = storages_.back(call.output[0]);
    const bool loads = row.ordered || row.asynchronous;
    // softpipe puts clears off, past image stores: the caller's as well, and those of the fragment stage.
    if (features_.software && (row.writes_outside || loads)) gl_.Flush();
    if (row.writes_outside) {
        barriers_.before_outside_store(fetched(call, row), targets[0]);
        const OutsideTexture& written = storages_.outside(call.output[0]);
        bindings_.bind_image(0, written.name, GL_READ_WRITE, written.image, written.layer);
    } else {
        barriers_.before_dispatch(fetched(call, row), {stored.begin(), end});
        for (std::size_t i = 0; i < targets.size(); ++i)
            bindings_.bind_image(static_cast<int>(i), targets[i], loads ? GL_READ_WRITE : GL_WRITE_ONLY,
                                 Textures::internal_format(row.makes_integers(i) ? Element::integer : Element::real));
    }
    // A text of its own makes a texel with each work group.
    Extent groups = domain;
    if (call.at_once) {
        const Extent tile = reduction_shape(Stage::compute, features_.software, row.summed()).tile;
        groups = reduced({call.integer[0], call.integer[1]}, tile);
        bindings_.bind_image(left_unit, left_.name(), GL_READ_WRITE);
        bindings_.bind_image(finished_unit, finished_.name(), GL_READ_WRITE, GL_R32UI);
    } else if (row.ordered) {
        groups = {1, 1};
    } else if (row.asynchronous) {
        bindings_.bind_image(other_unit, storages_.back(call.output[0]), GL_READ_WRITE);
        groups = {asynchronous_tiles(domain, features_.software).groups, 1};
    } else if (!has_compute_text(row)) {
        groups = reduced(domain, work_group(program_row(row, features_.branches), domain, call.team).texels());
    }
    // At once each group is counted; a group alone would make all texels of an asynchronous pass.
    if (rehearses_ && !call.at_once && !row.asynchronous) groups = {};
    gl_.DispatchCompute(static_cast<GLuint>(groups.width), static_cast<GLuint>(groups.height), 1);
    if (row.writes_outside) bindings_.bind_image(0, 0, GL_READ_ONLY);  // it dies when the caller deletes it
}

void PassRunner::make_scratch() {
    if (left_) return;
    left_ = textures_.make({2 * left_width, left_width}, Element::real, "left by groups");
    finished_ = textures_.make_counter();
}

}  // namespace glsolve::inline v0_1::opengl
