#include "kernels/shader_source.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "device/no_unknown.hpp"
#include "device/stop.hpp"
#include "kernels/argument_words.hpp"
#include "kernels/output_images.hpp"
#include "kernels/shared_programs.hpp"

namespace glsolve::inline v0_1 {
namespace {

using std::string;
using std::string_view;

// Numbers of the source strings in the compiler's messages: 0 declarations, 1 prelude, 2 the pass, 3 the stage, 4 what
// products, or reductions, share, 5 two floats, 6 zones or tiles, 7 the caller's, 8 entries, 9 endings.
string with_lines(string_view text, int source) { return fmt::format("#line 1 {}\n{}", source, text); }

string compute_file(const PassRow& row) { return fmt::format("pass/{}.compute.glsl", row.file); }

string header(const Dialect& dialect) {
    string text = fmt::format("#version {}\n", dialect.version);
    if (dialect.compute_extension) {
        text += "#extension GL_ARB_compute_shader : require\n#extension GL_ARB_shader_image_load_store : require\n";
    } else if (dialect.fetch == Fetch::image && (dialect.version == "330 core" || dialect.version == "400 core")) {
        text += "#extension GL_ARB_shader_image_load_store : require\n";
    }
    if (dialect.doubles && dialect.version == "330 core") text += "#extension GL_ARB_gpu_shader_fp64 : require\n";
    if (dialect.embedded) {
        text +=
            "precision highp float;\nprecision highp int;\n"
            "precision highp sampler2D;\nprecision highp isampler2D;\nprecision highp usampler2D;\n"
            "precision highp sampler2DArray;\nprecision highp usampler2DArray;\n"
            "precision highp sampler3D;\nprecision highp usampler3D;\n";
    }
    return text;
}

string defines(const PassRow& row, string_view definitions, const Dialect& dialect) {
    string text = dialect.double_reals ? "#define DOUBLE_REALS\n#define UNIT_ROUNDOFF 1.1102230246251565e-16\n"
                                       : "#define UNIT_ROUNDOFF 5.9604645e-8\n";
    const auto define_words = [&](string_view words, char separator) {
        while (!words.empty()) {
            const std::size_t end = std::min(words.find(separator), words.size());
            if (end > 0) text += fmt::format("#define {}\n", words.substr(0, end));
            words.remove_prefix(std::min(end + 1, words.size()));
        }
    };
    define_words(row.defines, ' ');
    define_words(definitions, '\n');
    for (const string_view flag : row.flags) {
        text += fmt::format("#ifdef {0}\n#undef {0}\n#define {0} true\n#else\n#define {0} false\n#endif\n", flag);
    }
    if (row.asynchronous) text += fmt::format("#define MOST_STEPS {}\n", most_steps_a_pass);
    for (const auto& [stop_name, value] : stop_names) {
        text += fmt::format("#define {} {}.0\n", stop_name, static_cast<int>(value));
    }
    text += fmt::format("#define NO_UNKNOWN {:e}\n#define SUM_OF_NONE {:e}\n", no_unknown, sum_of_none);
    return text;
}

/// A word of the host's, or two that follow one another.
string word(std::size_t k) { return fmt::format("u_words[{}][{}]", k / 4, k % 4); }
string real_word(std::size_t k) { return fmt::format("intBitsToFloat({})", word(k)); }
string real_words(std::size_t k) {
    return fmt::format("intBitsToFloat(u_words[{}].{})", k / 4, k % 4 == 0 ? "xy" : "zw");
}
ArgumentWords words_of(const PassRow& row, const Dialect& dialect) { return {row, dialect.fetch == Fetch::sampled}; }

/// Arguments of one type.
struct Numbers {
    string_view four, array;
    std::span<const string_view> names;
    std::size_t first;  ///< of the words
    bool is_real;

    string given(std::size_t i, const Dialect& dialect) const {
        if (!dialect.words) return fmt::format("u_{}[{}]", array, i);
        return is_real ? real_word(first + i) : word(first + i);
    }
    string handed_on(std::size_t i) const { return fmt::format("flat_{}_{}[{}]", array, i / 4, i % 4); }
};
std::array<Numbers, 2> arguments_of(const PassRow& row, const Dialect& dialect) {
    const ArgumentWords at = words_of(row, dialect);
    return {Numbers{"ivec4", "integers", row.integers, at.integers, false},
            Numbers{"vec4", "constants", row.constants, at.constants, true}};
}
string factor(const PassRow& row, std::size_t i, const Dialect& dialect) {
    return Numbers{"", "factors", row.scalars, words_of(row, dialect).factors, true}.given(i, dialect);
}

string words(const PassRow& row, const Dialect& dialect) {
    return dialect.words ? fmt::format("uniform ivec4 u_words[{}];\n", words_of(row, dialect).fours()) : "";
}

/// Where processors draw, a uniform costs each fragment as much as a texel does (llvmpipe gathers it lane by lane):
/// there the vertex shader hands on what the host has set, four numbers together.
bool takes_flat_arguments(const Dialect& dialect) { return dialect.fetch == Fetch::image; }
string flat_arguments(const PassRow& row, const Dialect& dialect, string_view direction) {
    string text = fmt::format("flat {0} ivec4 flat_where;\nnoperspective {0} vec2 drawn_at;\n", direction);
    for (const Numbers& numbers : arguments_of(row, dialect)) {
        for (std::size_t i = 0; i < numbers.names.size(); i += 4)
            text += fmt::format("flat {} {} flat_{}_{};\n", direction, numbers.four, numbers.array, i / 4);
    }
    return text;
}
string hand_on_arguments(const PassRow& row, const Dialect& dialect) {
    string text = "    flat_where = u_words[0];\n    drawn_at = vec2(u_words[0].zw) + corner * vec2(u_words[0].xy);\n";
    for (const Numbers& numbers : arguments_of(row, dialect)) {
        for (std::size_t i = 0; i < numbers.names.size(); ++i)
            text += fmt::format("    {} = {};\n", numbers.handed_on(i), numbers.given(i, dialect));
    }
    return text;
}

/// The arguments that the host knows, and where the pass runs. `flat`: the vertex shader hands them on.
string argument_declarations(const PassRow& row, const Dialect& dialect, bool flat) {
    string text = words(row, dialect) + (flat ? flat_arguments(row, dialect, "in") : "");
    text += fmt::format("#define u_domain {0}.xy\n#define u_origin {0}.zw\n", flat            ? "flat_where"
                                                                              : dialect.words ? "u_words[0]"
                                                                                              : "u_where");
    for (const Numbers& numbers : arguments_of(row, dialect)) {
        for (std::size_t i = 0; i < numbers.names.size(); ++i) {
            text += fmt::format("#define arg_{} {}\n", numbers.names[i],
                                flat ? numbers.handed_on(i) : numbers.given(i, dialect));
        }
    }
    if (!row.places.empty()) text += with_lines(shader_file(fmt::format("{}.glsl", row.places)), 6);
    return text;
}

/// Of a texture of the caller's, which may be a layer of one. Of integers only zero or not counts.
string outside_input(string_view name, string_view kind, const string& layer) {
    const string_view sampler = kind.empty() ? "sampler2D" : kind;
    const bool layered = !sampler.ends_with("2D"), whole = sampler.starts_with('u');
    const string texel =
        fmt::format("texelFetch(t_{}, {}, 0)", name, layered ? fmt::format("ivec3(at, {})", layer) : "at");
    return fmt::format(
        "uniform {1} t_{0};\n"
        "vec4 in_{0}(ivec2 at) {{ return {2}{3}{4}; }}\n"
        "vec4 in_{0}_clamped(ivec2 at) {{ return in_{0}(clamp(at, ivec2(0), textureSize(t_{0}, 0){5} - 1)); }}\n",
        name, sampler, whole ? "vec4(min(" : "", texel, whole ? ", uvec4(1u)))" : "", layered ? ".xy" : "");
}

/// in_x(at) reads input x; in_x_clamped(at) may be asked for positions outside, and answers with some texel inside, or
/// with zeros.
string input_declarations(const PassRow& row, const Dialect& dialect, bool fragment) {
    const auto [sampler, image, level] = texture_words(dialect);
    const bool sampled = dialect.fetch == Fetch::sampled, loaded = dialect.fetch == Fetch::image;
    const ArgumentWords at = words_of(row, dialect);
    // The sampler is ours: nearest, clamped to the edge. Coordinates of rectangles count texels.
    const auto sample = [&](string_view name, string_view place, std::size_t input) {
        return dialect.rectangles
                   ? fmt::format("texture(t_{}, {})", name, place)
                   : fmt::format("textureLod(t_{}, {} * {}, 0.0)", name, place, real_words(at.texels + 2 * input));
    };
    string text = loaded ? "#define ZEROS_OUTSIDE\n" : "";
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        const auto& [name, integer, outside] = row.inputs[i];
        if (outside) {
            text += outside_input(name, dialect.formats.sampler, word(at.layer));
            continue;
        }
        if (!fragment && row.asynchronous && (name == "x" || name == "p")) continue;  // images
        if (!fragment && row.ordered && i == 0) continue;                             // the same
        const string_view prefix = integer ? "i" : "";
        if (loaded) {
            const string_view format = integer                                        ? "rgba32i"
                                       : (dialect.formats.half_inputs >> i & 1u) != 0 ? "rgba16f"
                                                                                      : "rgba32f";
            text += fmt::format(
                "layout({0}) readonly uniform {1}{2} t_{3};\n"
                "{1}vec4 in_{3}(ivec2 at) {{ return imageLoad(t_{3}, at); }}\n"
                "{1}vec4 in_{3}_clamped(ivec2 at) {{ return in_{3}(at); }}\n",  // zeros outside, by the specification
                format, prefix, image, name);
            continue;
        }
        text += fmt::format("uniform {}{} t_{};\n", prefix, sampler, name);
        if (sampled && row.elementwise && fragment) {  // one position serves all inputs
            text += fmt::format("vec4 in_{}(ivec2 at) {{ return {}; }}\n", name, sample(name, "gl_FragCoord.xy", 0));
        } else if (sampled) {
            text += fmt::format(
                "{0}vec4 in_{1}(ivec2 at) {{ return {2}; }}\n"
                "{0}vec4 in_{1}_clamped(ivec2 at) {{ return in_{1}(at); }}\n",
                prefix, name, sample(name, "(vec2(at) + 0.5)", i));
        } else {
            text += fmt::format(
                "{0}vec4 in_{1}(ivec2 at) {{ return texelFetch(t_{1}, at{2}); }}\n"
                "{0}vec4 in_{1}_clamped(ivec2 at) {{ return in_{1}(clamp(at, ivec2(0), textureSize(t_{1}{2}) - 1)); "
                "}}\n",
                prefix, name, level);
        }
        if (dialect.linear && !integer)
            text += fmt::format("float in_{0}_number(int i) {{ return numberFetch(t_{0}, i); }}\n", name);
    }
    return text;
}

/// One stop for all, or one for each component of a MultiVector.
string_view stopped_type(const PassRow& row) { return row.each_apart ? "vec4" : "float"; }

/// value_a() forms the scalar argument a from 1 x 1 textures; stopped() asks the status.
string scalar_functions(const PassRow& row, const Dialect& dialect) {
    const auto [sampler, image, level] = texture_words(dialect);
    string text;
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        const string_view name = row.scalars[i];
        for (const string_view part : scalar_part_names)
            text += fmt::format("uniform {} t_{}_{};\n", sampler, name, part);
        text += fmt::format(
            "vec4 value_{0}() {{\n"
            "    return {1} * quotient(texelFetch(t_{0}_n, ivec2(0){2}), texelFetch(t_{0}_d, "
            "ivec2(0){2}));\n"
            "}}\n",
            name, factor(row, i, dialect), level);
    }
    if (row.guarded) {
        text += fmt::format("uniform {} t_guard;\n{} stopped() {{ return texelFetch(t_guard, ivec2(0){}){}; }}\n",
                            sampler, stopped_type(row), level, row.each_apart ? "" : ".x");
    }
    return text;
}

/// The new value, unless the solve has stopped, or that of this right-hand side: then the old one.
string commit_function(const PassRow& row) {
    return fmt::format("vec4 commit(vec4 before, vec4 after) {{ return {}; }}\n",
                       row.each_apart ? "mix(after, before, notEqual(stopped_value, vec4(0.0)))"
                                      : "stopped_value != 0.0 ? before : after");
}

/// What a kernel shares with others of its kind.
string shared_with_kind(const PassRow& row) {
    const auto text = [](string_view name, int source) {
        return name.empty() ? string() : with_lines(shader_file(fmt::format("{}.glsl", name)), source);
    };
    return text(row.kind, 4) + text(row.entries, 8) + text(row.ends, 9);
}

/// The caller's function. It knows vectors of floats; in double precision these names stand for others.
string callers_function(const PassRow& row, const Dialect& dialect, string_view source) {
    if (!row.user_glsl) return "";
    constexpr string_view identity =
        "vec4 apply(ivec2 at) { return x(at); }\nvec4 diagonal(ivec2 at) { return inside(at); }\n";
    string names, ends;
    if (row.two_float && dialect.doubles) {
        for (const string_view name : {"vec2", "vec3", "vec4"}) {
            names += fmt::format("#define {0} d{0}\n", name);
            ends += fmt::format("#undef {}\n", name);
        }
        names += "#define float double\n";
        ends += "#undef float\n";
    }
    return names + string(source.empty() ? identity : source) + ends;
}

string kernel(const PassRow& row, const Dialect& dialect, string_view source) {
    if (has_tasks(row)) return kernels_of_tasks(row);
    return shared_with_kind(row) + with_lines(shader_file(fmt::format("pass/{}.glsl", row.file)), 2)
           + callers_function(row, dialect, source);
}

string prelude() { return with_lines(shader_file("prelude.glsl"), 1); }

/// Error-free arithmetic, where the pass uses it.
string two_float(const PassRow& row, const Dialect& dialect) {
    if (!row.two_float) return "";
    return fmt::format("{}{}", dialect.precise ? "#define HAS_PRECISE\n" : "",
                       dialect.doubles ? "#define HAS_DOUBLES\n" : "")
           + with_lines(shader_file("two_float.glsl"), 5);
}

}  // namespace

bool has_compute_text(const PassRow& row) {
    static const std::vector<bool> has = [] {
        std::vector<bool> made;
        for (const PassRow& each : pass_table()) {
            made.resize(std::max(made.size(), static_cast<std::size_t>(each.id) + 1));
            made[static_cast<std::size_t>(each.id)] = !shader_file(compute_file(each)).empty();
        }
        return made;
    }();
    return has[static_cast<std::size_t>(row.id)];
}

string vertex_source(const PassRow& row, const Dialect& dialect) {
    string text = header(dialect) + prelude() + with_lines(words(row, dialect) + scalar_functions(row, dialect), 0);
    for (const string_view name : row.scalars) text += fmt::format("flat out vec4 scalar_{};\n", name);
    if (row.guarded) text += fmt::format("flat out {} stopped_value;\n", stopped_type(row));
    if (takes_flat_arguments(dialect)) text += flat_arguments(row, dialect, "out");
    text +=
        "void main() {\n"
        "    vec2 corner = vec2(gl_VertexID << 1 & 2, gl_VertexID & 2);\n"
        "    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);  // one triangle that covers the viewport\n";
    for (const string_view name : row.scalars) text += fmt::format("    scalar_{0} = value_{0}();\n", name);
    if (row.guarded) text += "    stopped_value = stopped();\n";
    if (takes_flat_arguments(dialect)) text += hand_on_arguments(row, dialect);
    return text + "}\n";
}

string fragment_source(const PassRow& row, string_view definitions, const Dialect& dialect, string_view source) {
    string text = header(dialect) + defines(row, definitions, dialect) + prelude() + two_float(row, dialect);
    text += with_lines(
        argument_declarations(row, dialect, takes_flat_arguments(dialect)) + input_declarations(row, dialect, true), 0);
    for (const string_view name : row.scalars) text += fmt::format("flat in vec4 scalar_{};\n", name);
    if (row.guarded) text += fmt::format("flat in {} stopped_value;\n{}", stopped_type(row), commit_function(row));
    for (std::size_t i = 0; i < row.outputs.size(); ++i) {
        text += fmt::format("layout(location = {}) out vec4 out_{};\n", i, row.outputs[i]);
    }
    if (row.writes_outside) text += "#define KEEP discard\n";
    text += kernel(row, dialect, source);
    return text
           + fmt::format("\nvoid main() {{ kernel(ivec2({})); }}\n",
                         takes_flat_arguments(dialect) ? "drawn_at" : "gl_FragCoord.xy");
}

string compute_source(const PassRow& row, string_view definitions, const Dialect& dialect, string_view source) {
    const bool own_text = has_compute_text(row);
    string text = header(dialect) + defines(row, definitions, dialect);
    text += fmt::format("#define IMAGE {0}\n#define COUNT_IMAGE u{0}\n", texture_words(dialect).image);
    if (dialect.linear && !row.asynchronous) text += "#define HAS_NUMBERS\n";
    text += fmt::format("#define GROUP_WIDTH {}\n#define GROUP_HEIGHT {}\n#define REPEATS {}\n", dialect.group.width,
                        dialect.group.height, dialect.repeats);
    if (dialect.team > 1) text += fmt::format("#define TEAM {}\n", dialect.team);
    const auto sums = std::count_if(row.outputs.begin(), row.outputs.end(), is_sum);
    if (sums > 0 && !own_text) text += fmt::format("#define SUMS_OF_GROUP {}\n", sums);
    text += prelude() + two_float(row, dialect);
    text += with_lines(argument_declarations(row, dialect, false) + input_declarations(row, dialect, false)
                           + scalar_functions(row, dialect),
                       0);
    for (const string_view name : row.scalars) text += fmt::format("vec4 scalar_{} = vec4(0.0);\n", name);
    if (row.guarded) text += fmt::format("{0} stopped_value = {0}(0.0);\n{1}", stopped_type(row), commit_function(row));
    text += output_images(row, dialect);
    string load;
    for (const string_view name : row.scalars) load += fmt::format("    scalar_{0} = value_{0}();\n", name);
    if (row.guarded) load += "    stopped_value = stopped();\n";
    text += fmt::format("void load_scalars() {{\n{}}}\n", load);
    text += with_lines(shader_file("compute.glsl"), 3);
    if (own_text) return text + shared_with_kind(row) + with_lines(shader_file(compute_file(row)), 2);
    return text + kernel(row, dialect, source)
           + with_lines(shader_file(row.asynchronous               ? "compute_asynchronous.glsl"
                                    : row.ordered                  ? "compute_ordered.glsl"
                                    : row.domain == Domain::ranges ? "compute_ranges.glsl"
                                                                   : "compute_main.glsl"),
                        3);
}

}  // namespace glsolve::inline v0_1
