#include "opengl/program_cache.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <sstream>
#include <string>

#include "base/pattern.hpp"
#include "kernels/shared_programs.hpp"
#include "opengl/texture_units.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

WorkGroup group_of(const PassCall& call, const PassRow& row, Stage stage, Extent domain) {
    return stage == Stage::compute ? work_group(row, domain, call.team) : WorkGroup{};
}

/// Lines of the caller's text, which is the end of what a call brings along.
int lines_of_callers(const std::string& source) {
    const std::size_t begin = source.find(fmt::format("#line 1 {}\n", callers_source));
    if (begin == std::string::npos) return 0;
    return static_cast<int>(std::count(source.begin() + static_cast<std::ptrdiff_t>(begin), source.end(), '\n')) - 1;
}

/// A message of a compiler's: "7:3(12): error: ..." (Mesa), "7(3) : error ..." (NVIDIA), "ERROR: 7:3: ..." (others).
struct Message {
    int source = -1, line = 0;  ///< -1: it names none
    std::string words;
};

std::vector<Message> errors_of(const std::string& log) {
    static const Pattern placed("(?:ERROR: )?(\\d{1,8})[:(](\\d{1,8})[^A-Za-z'\"]*(.*)");
    std::istringstream lines(log);
    std::vector<Message> errors;
    for (std::string line; std::getline(lines, line);) {
        Message message{.words = line};
        if (const auto found = placed.match(line)) {
            message = {std::stoi((*found)[1]), std::stoi((*found)[2]), (*found)[3]};
        }
        if (!message.words.empty() && !message.words.starts_with("warning")) errors.push_back(std::move(message));
    }
    return errors;
}

bool is_about_callers(const Message& error) { return error.source == callers_source; }

/// What is wrong with the caller's text, which has so many lines: the mistake is known to be there. Some of Mesa's
/// messages have a line of it, and 0 for its number.
std::string about_callers_source(const std::vector<Message>& errors, int lines) {
    std::string words;
    for (const Message& error : errors) {
        const bool without_number = error.source == 0 && error.line > 0 && error.line <= lines;
        if (!is_about_callers(error) && !without_number) continue;
        words +=
            fmt::format("\n  line {}{}: {}", error.line, error.line > lines ? " (behind the last)" : "", error.words);
    }
    if (!words.empty()) return words;
    const auto is_error = [](const Message& m) { return m.words.find("rror") != std::string::npos; };
    const auto found = std::ranges::find_if(errors, is_error);
    return fmt::format(
        "\n  {}\n  (no line of the source; is a brace or a comment not closed, or a function not defined, or does it "
        "call itself?)",
        found != errors.end() ? found->words : "it does not say why");
}

/// The driver refuses a program, and says why.
struct Refused : DeviceError {
    Refused(const std::string& message, std::string driver_says) : DeviceError(message), log(std::move(driver_says)) {}
    std::string log;
};

/// All that the driver has to say.
template <class GetLength, class GetLog>
std::string whole_log(GLuint name, const GetLength& get_length, const GetLog& get_log) {
    GLint size = 0;
    get_length(name, GL_INFO_LOG_LENGTH, &size);
    std::string log(static_cast<std::size_t>(std::max(size, 1)), '\0');
    GLsizei length = 0;
    get_log(name, static_cast<GLsizei>(log.size()), &length, log.data());
    log.resize(static_cast<std::size_t>(length));
    return log;
}

}  // namespace

void PassProgram::set(const Functions& gl, const Arguments& now) {
    if (words >= 0 && (fresh || last.words != now.words)) {
        gl.Uniform4iv(words, static_cast<GLsizei>(at.fours()), now.words.data());
        last.words = now.words;
    }
    if (table >= 0 && !now.table.empty() && (fresh || last.table != now.table)) {
        gl.Uniform2fv(table, static_cast<GLsizei>(now.table.size()) / 2, now.table.data());
        last.table = now.table;
    }
    fresh = false;
}

PassProgram& ProgramCache::begin(const PassCall& call, const PassRow& of_call, const ShaderVariant& variant,
                                 Stage stage, Extent domain, const ImageFormats& formats) {
    const PassRow& row = program_row(of_call, features_.branches);
    const auto key =
        std::make_tuple(row.id, call.variant.value, stage, formats, group_of(call, row, stage, domain), call.at_once);
    const auto found = programs_.find(key);
    if (found != programs_.end()) return found->second;
    const HostClock::Running timed(compiling_);
    return programs_.emplace(key, make(call, row, variant, stage, domain, formats)).first->second;
}

PassProgram ProgramCache::make(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage,
                               Extent domain, const ImageFormats& formats) const {
    const WorkGroup of_domain = group_of(call, row, stage, domain);
    Dialect dialect;
    dialect.formats = formats;
    dialect.group = of_domain.invocations;
    dialect.repeats = of_domain.repeats;
    dialect.team = of_domain.team;
    const ReductionShape shape = reduction_shape(stage, features_.software, row.summed());
    const ShaderVariant with_shape{with_tile(row, variant.definitions, shape, call.at_once), variant.source};
    return build(row, with_shape, stage, dialect);
}

PassProgram& ProgramCache::get(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage,
                               Extent domain, const ImageFormats& formats) {
    PassProgram& program = begin(call, row, variant, stage, domain, formats);
    if (program.is_finished) return program;
    const HostClock::Running timed(compiling_);
    const PassRow& of_program = program_row(row, features_.branches);
    const auto drop = [&] { std::erase_if(programs_, [&](const auto& each) { return &each.second == &program; }); };
    try {
        finish(program, of_program);
    } catch (const Refused& refused) {
        drop();
        if (!row.user_glsl) throw;
        const std::vector<Message> errors = errors_of(refused.log);
        // Where no message has the number of the caller's text, another text in its place tells whose mistake it is.
        if (std::ranges::none_of(errors, is_about_callers)
            && !is_fine(make(call, of_program, {variant.definitions, ""}, stage, domain, formats), of_program))
            throw;
        throw InvalidInput("operator: the driver does not compile the source:"
                           + about_callers_source(errors, lines_of_callers(variant.source)));
    } catch (...) {
        drop();
        throw;
    }
    return program;
}

bool ProgramCache::is_fine(PassProgram program, const PassRow& row) {
    try {
        finish(program, row);
    } catch (const Error&) {
        return false;
    }
    return true;
}

PassProgram ProgramCache::build(const PassRow& row, const ShaderVariant& variant, Stage stage,
                                const Dialect& of_call) const {
    Dialect dialect = of_call;
    dialect.rectangles = features_.texture_target == GL_TEXTURE_RECTANGLE;
    dialect.doubles = row.two_float && features_.fast_doubles;
    if (row.user_glsl) {
        dialect.doubles =
            row.two_float && features_.doubles && variant.definitions.find("NO_DOUBLES") == std::string::npos;
    }
    PassProgram p;
    p.program = Program(gl_, gl_.CreateProgram());
    const GLuint name = p.program.name();
    std::vector<std::pair<GLenum, std::string>> sources;
    if (stage == Stage::compute) {
        dialect.version = features_.at_least(4, 3) ? "430 core" : "330 core";
        dialect.compute_extension = !features_.at_least(4, 3);
        dialect.fetch = Fetch::texel;
        dialect.precise = features_.at_least(4, 3);
        sources.emplace_back(GL_COMPUTE_SHADER, compute_source(row, variant.definitions, dialect, variant.source));
    } else {
        if (features_.image_loads) dialect.fetch = Fetch::image;
        if (row.two_float && features_.at_least(4, 0)) {
            dialect.version = "400 core";
            dialect.precise = true;
        }
        sources.emplace_back(GL_VERTEX_SHADER, vertex_source(row, dialect));
        sources.emplace_back(GL_FRAGMENT_SHADER, fragment_source(row, variant.definitions, dialect, variant.source));
    }
    p.at = {row, dialect.fetch == Fetch::sampled};
    p.key = kept_.key_of(sources);
    if (kept_.load(name, p.key)) {
        p.key.clear();
        return p;
    }
    for (const auto& [type, source] : sources) p.shaders.push_back(compile(type, source));
    for (const Shader& shader : p.shaders) gl_.AttachShader(name, shader.name());
    gl_.LinkProgram(name);
    return p;
}

/// Waits for the compiler. Throws what it has found.
void ProgramCache::finish(PassProgram& p, const PassRow& row) {
    for (const Shader& shader : p.shaders) check(shader, row);
    p.shaders.clear();
    p.is_finished = true;
    const GLuint name = p.program.name();
    GLint linked = GL_FALSE;
    gl_.GetProgramiv(name, GL_LINK_STATUS, &linked);
    if (linked == GL_FALSE) {
        const std::string log = whole_log(name, gl_.GetProgramiv, gl_.GetProgramInfoLog);
        throw Refused(fmt::format("pass {}: the driver does not link its program:\n{}", row.name, log), log);
    }
    if (!p.key.empty()) kept_.keep(name, std::exchange(p.key, {}));
    find_uniforms(p, row);
}

void ProgramCache::find_uniforms(PassProgram& p, const PassRow& row) const {
    const GLuint name = p.program.name();
    const auto location = [&](const std::string& uniform) { return gl_.GetUniformLocation(name, uniform.c_str()); };
    p.words = location("u_words");
    p.table = location("arg_table");

    // Which unit each texture and image is read from never changes.
    gl_.UseProgram(name);
    const auto set_unit = [&](const std::string& uniform, int unit) {
        if (const GLint at = location(uniform); at >= 0) gl_.Uniform1i(at, unit);
    };
    for (std::size_t i = 0; i < row.inputs.size(); ++i)
        set_unit(fmt::format("t_{}", row.inputs[i].name), static_cast<int>(i));
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        for (std::size_t part = 0; part < scalar_part_names.size(); ++part) {
            set_unit(fmt::format("t_{}_{}", row.scalars[i], scalar_part_names[part]),
                     scalar_unit + static_cast<int>(scalar_part_names.size() * i + part));
        }
    }
    set_unit("t_guard", guard_unit);
    if (const GLint one = location("u_one"); one >= 0) gl_.Uniform1f(one, 1.0f);  // u_zero is 0 from the beginning
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
        set_unit(fmt::format("i_{}", row.outputs[i]), static_cast<int>(i));
    set_unit("i_y_other", other_unit);
    set_unit("i_left", left_unit);
    set_unit("i_finished", finished_unit);
}

Shader ProgramCache::compile(GLenum type, const std::string& source) const {
    Shader shader(gl_, gl_.CreateShader(type));
    const char* text = source.c_str();
    gl_.ShaderSource(shader.name(), 1, &text, nullptr);
    gl_.CompileShader(shader.name());
    return shader;
}

void ProgramCache::check(const Shader& shader, const PassRow& row) const {
    GLint compiled = GL_FALSE, type = 0;
    gl_.GetShaderiv(shader.name(), GL_COMPILE_STATUS, &compiled);
    if (compiled == GL_TRUE) return;
    gl_.GetShaderiv(shader.name(), GL_SHADER_TYPE, &type);
    const std::string log = whole_log(shader.name(), gl_.GetShaderiv, gl_.GetShaderInfoLog);
    const std::string file = fmt::format("2 shaders/pass/{}{}.glsl", row.file,
                                         type == GL_COMPUTE_SHADER && has_compute_text(row) ? ".compute" : "");
    const auto shared = [](int source, std::string_view text) {
        return text.empty() ? std::string() : fmt::format(", {} shaders/{}.glsl", source, text);
    };
    const std::string complaint = fmt::format(
        "pass {}: the driver does not compile its {} shader (source 1 is shaders/prelude.glsl, {}{}{}{}{}{}):\n{}",
        row.name,
        type == GL_VERTEX_SHADER     ? "vertex"
        : type == GL_FRAGMENT_SHADER ? "fragment"
                                     : "compute",
        has_tasks(row) ? files_of_tasks(row) : file, shared(4, row.kind), shared(5, row.two_float ? "two_float" : ""),
        shared(6, row.places), shared(8, row.entries), shared(9, row.ends), log);
    throw Refused(complaint, log);
}

}  // namespace glsolve::inline v0_1::opengl
