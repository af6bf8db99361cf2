// Takes every kernel, in every variant, through the compiler of the driver that is here: as the library compiles it on
// this driver (version of GLSL, images, rectangles, doubles, shared programs), in both stages. Each program is drawn or
// dispatched once, on a few texels, since some drivers compile only then. What the texels hold does not matter, so this
// works on drivers that execute nothing, too (scripts/offline_drivers.sh).
//
//     compile_kernels [DETAILS [PASS]]
//
// Prints a line of Markdown. DETAILS: a file for a line of each program, tab-separated. PASS: only passes whose names
// begin so.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <glsolve/error.hpp>
#include <memory>

#include "compilers/kernel_variants.hpp"
#include "compilers/shader_statistics.hpp"
#include "device/pass_table.hpp"
#include "opengl/opengl_backend.hpp"
#include "passes.hpp"
#include "support/outside_texture.hpp"

namespace glsolve::test {
namespace {

constexpr Extent small{16, 16};
constexpr std::size_t numbers = std::size_t{4} * 16 * 16;

/// Storages that any pass can be called with.
class Arguments {
  public:
    explicit Arguments(Backend& backend) : backend_(backend) {
        backend_.upload(real_.id(), std::vector<float>(numbers, 0.5f));
        backend_.upload(integer_.id(), std::vector<std::int32_t>(numbers, 0));
        for (const Storage* one : {&scalar_, &status_}) backend_.upload(one->id(), std::vector<float>(4, 0.5f));
    }

    PassCall call(const PassRow& row) const;

  private:
    std::vector<Storage> outputs(Extent extent) {
        std::vector<Storage> made;
        for (int i = 0; i < max_outputs; ++i) made.emplace_back(backend_, extent, Element::real, "output");
        return made;
    }

    Backend& backend_;
    Storage real_{backend_, small, Element::real, "input"}, integer_{backend_, small, Element::integer, "integers"};
    Storage scalar_{backend_, {1, 1}, Element::real, "scalar"}, status_{backend_, {1, 1}, Element::real, "status"};
    std::vector<Storage> output_ = outputs(small), sum_ = outputs(backend_.partial_extent(small));
    OutsideTexture outside_{backend_, small, 4, std::vector<float>(numbers, 0.5f)};
    std::vector<float> table_ = std::vector<float>(64, 0.5f);
};

PassCall Arguments::call(const PassRow& row) const {
    PassCall call{.pass = row.id, .table = table_};
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        call.output[i] = row.writes_outside ? outside_.id() : (is_sum(row.outputs[i]) ? sum_ : output_)[i].id();
    }
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        const Input& input = row.inputs[i];
        call.input[i] = input.outside ? outside_.id() : (input.integer ? integer_ : real_).id();
    }
    for (std::size_t i = 0; i < row.scalars.size(); ++i) call.scalar[i] = {1, scalar_.id(), scalar_.id()};
    if (row.guarded) call.status = status_.id();
    if (row.domain == Domain::window) std::ranges::copy(std::array{0, 0, 16, 16}, call.integer.begin());
    if (row.asynchronous) {
        call.input[0] = call.output[0];
        call.integer[row.integers.size() - 1] = 2;
        // So that it has a past: y <- y + x.
        const ScalarArg one{.factor = 1, .n = {}, .d = {}};
        backend_.encode(pass::axpby{.y = call.output[0], .z = call.output[0], .x = real_.id(), .a = one, .b = one});
    }
    return call;
}

/// What became of a program.
struct Compiled {
    std::string pass, variant, failure = {};
    Stage stage = {};
    double seconds = 0;
    ShaderStatistics statistics = {};

    bool spills() const { return statistics.spills > 0; }
};

/// What the driver says while a program is compiled.
struct Messages {
    ShaderStatistics statistics;
    std::string error;

    static void GLAPIENTRY take(GLenum, GLenum type, GLuint, GLenum, GLsizei length, const GLchar* text,
                                const void* user) {
        auto& messages = *static_cast<Messages*>(const_cast<void*>(user));
        const std::string message(text, static_cast<std::size_t>(length));
        if (type == GL_DEBUG_TYPE_ERROR && messages.error.empty()) messages.error = message;
        messages.statistics.take(message);
    }
};

class Compiler {
  public:
    Compiler(opengl::OpenGlBackend& backend, Stage stage) : backend_(backend), stage_(stage), arguments_(backend) {
        opengl::Functions& gl = backend.functions();
        gl.DebugMessageCallback(Messages::take, &messages_);
    }

    /// Those whose names begin with `first`.
    void compile_all(std::string_view first);
    const std::vector<Compiled>& programs() const { return programs_; }

  private:
    void compile(const PassRow& row, std::string variant, bool at_once);

    opengl::OpenGlBackend& backend_;
    Stage stage_;
    Arguments arguments_;
    Messages messages_;
    std::vector<Compiled> programs_;
};

void Compiler::compile(const PassRow& row, std::string variant, bool at_once) {
    PassCall call = arguments_.call(row);
    call.variant = backend_.variant(variant);
    call.at_once = at_once;
    std::ranges::replace(variant, '\n', ' ');
    messages_ = {};
    Compiled made{.pass = std::string(row.name), .variant = variant + (at_once ? "AT_ONCE" : ""), .stage = stage_};
    backend_.finish();
    const auto begin = std::chrono::steady_clock::now();
    try {
        backend_.encode(call);
        backend_.finish();
    } catch (const Error& error) {
        made.failure = error.what();
    }
    made.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    made.statistics = messages_.statistics;
    if (made.failure.empty()) made.failure = messages_.error;
    programs_.push_back(std::move(made));
}

void Compiler::compile_all(std::string_view first) {
    for (const PassRow& row : pass_table()) {
        if (!row.name.starts_with(first)) continue;
        // Fragments know no order, and see no texels of others.
        if (row.needs_compute_stage() && stage_ == Stage::fragment) continue;
        for (const std::string& variant : kernel_variants(row)) {
            const bool only_software = variant.starts_with("LONG");  // formats/sliced.cpp
            if (!only_software || backend_.can().on_processor) compile(row, variant, false);
        }
        if (goes_on_to_the_end(row) && backend_.reduces_at_once(small)) compile(row, "", true);
    }
}

/// nouveau drops a shader that it cannot compile, and tells OpenGL nothing: then the statistics of its vertex shader
/// stand alone, where other programs have two. (Of compute shaders only nouveau's words on standard error tell it.)
void find_silent_failures(std::vector<Compiled>& all) {
    const auto tells = [&](int shaders) {
        return std::ranges::count_if(
            all, [&](const Compiled& c) { return c.stage == Stage::fragment && c.statistics.shaders == shaders; });
    };
    if (tells(2) < tells(1)) return;  // this driver does not tell of all shaders
    for (Compiled& c : all) {
        const bool alone = c.stage == Stage::fragment && c.statistics.shaders == 1;
        if (alone && c.failure.empty()) c.failure = "the driver has made no code of the fragment shader";
    }
}

/// | renderer | OpenGL | programs | failures | that spill | above half a second | the slowest |
std::string summary(const DeviceInfo& info, const std::vector<Compiled>& all) {
    const auto count = [&](const auto& what) { return std::ranges::count_if(all, what); };
    const auto slowest = std::ranges::max_element(all, {}, &Compiled::seconds);
    return fmt::format("| {} | {} | {} | {} | {} | {} | {:.2f} s: {} {} {} |", info.renderer, info.version, all.size(),
                       count([](const Compiled& c) { return !c.failure.empty(); }),
                       count([](const Compiled& c) { return c.spills(); }),
                       count([](const Compiled& c) { return c.seconds > 0.5; }), slowest->seconds, slowest->pass,
                       name(slowest->stage), slowest->variant);
}

void write_details(const char* file, const std::vector<Compiled>& all) {
    std::ofstream stream(file);
    stream << "pass\tstage\tvariant\tseconds\tinstructions\tregisters\tspills\tfailure\n";
    for (const Compiled& c : all) {
        std::string failure = c.failure;
        std::ranges::replace(failure, '\n', ' ');
        stream << fmt::format("{}\t{}\t{}\t{:.3f}\t{}\t{}\t{}\t{}\n", c.pass, name(c.stage), c.variant, c.seconds,
                              c.statistics.instructions, c.statistics.registers, c.statistics.spills, failure);
    }
}

int run(const char* details, const char* first) {
    const auto backend = opengl::make_opengl_backend(opengl::open_headless_context("", true), {.debug = true});
    const Session session(*backend);
    std::vector<Compiled> all;
    for (const Stage stage : {Stage::fragment, Stage::compute}) {
        if (!backend->has_stage(stage)) continue;
        backend->use_stage(stage);
        Compiler compiler(*backend, stage);
        compiler.compile_all(first);
        all.insert(all.end(), compiler.programs().begin(), compiler.programs().end());
        backend->functions().DebugMessageCallback(nullptr, nullptr);
    }
    find_silent_failures(all);
    if (details != nullptr) write_details(details, all);
    std::puts(summary(backend->info(), all).c_str());
    for (const Compiled& c : all) {
        if (!c.failure.empty())
            fmt::print(stderr, "{} {} {}: {}\n", c.pass, name(c.stage), c.variant, c.failure.substr(0, 400));
    }
    return std::ranges::all_of(all, [](const Compiled& c) { return c.failure.empty(); }) ? 0 : 1;
}

}  // namespace
}  // namespace glsolve::test

int main(int argc, char** argv) {
    try {
        return glsolve::test::run(argc > 1 ? argv[1] : nullptr, argc > 2 ? argv[2] : "");
    } catch (const glsolve::Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 2;
    }
}
