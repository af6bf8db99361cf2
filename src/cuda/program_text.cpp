#include "cuda/program_text.hpp"

#include <fmt/format.h>

#include <utility>

#include "cuda/embedded_file.hpp"
#include "device/backend.hpp"
#include "kernels/cpp_text.hpp"
#include "kernels/shader_source.hpp"
#include "kernels/shared_programs.hpp"

namespace glsolve::inline v0_1::cuda {
namespace {

using std::string;
using std::string_view;

/// Sources as compilers should call them (kernels/shader_source.cpp numbers them).
string name_of_source(const PassRow& row, int source) {
    switch (source) {
        case 0:
            return "declarations";
        case 1:
            return "shaders/prelude.glsl";
        case 2:
            return fmt::format("shaders/pass/{}{}.glsl", row.file, has_compute_text(row) ? ".compute" : "");
        case 4:
            return fmt::format("shaders/{}.glsl", row.kind);
        case 5:
            return "shaders/two_float.glsl";
        case 6:
            return fmt::format("shaders/{}.glsl", row.places);
        case 8:
            return "shaders/entries.glsl";
        case 9:
            return "shaders/ending.glsl";
        case callers_source:
            return "operator";
        default:
            return has_tasks(row) && source >= first_source_of_tasks
                       ? fmt::format("task {} ({})", source - first_source_of_tasks, files_of_tasks(row))
                       : "shaders/compute.glsl";
    }
}

Dialect dialect_of(const PassRow& row, const ProgramKind& kind) {
    Dialect dialect;
    dialect.version = "430 core";
    dialect.fetch = Fetch::texel;
    dialect.linear = true;
    dialect.words = false;
    dialect.precise = true;  // the compiler reorders nothing
    dialect.doubles = row.two_float && kind.definitions.find("NO_DOUBLES") == string::npos;
    dialect.double_reals = kind.double_reals;
    dialect.group = kind.group.invocations;
    dialect.repeats = kind.group.repeats;
    dialect.team = kind.group.team;
    if (row.writes_outside) dialect.formats.outside = "rgba32ui";
    return dialect;
}

/// What the text calls uniforms, samplers and images.
string members(const PassRow& row, std::uint32_t half_inputs, bool has_table) {
    string text = "const cuda::Arguments& args;\n";
    if (has_table) text += "const TableOfPairs arg_table;\n";
    text +=
        "const ivec4 u_where = ivec4(args.where[0], args.where[1], args.where[2], args.where[3]);\n"
        "#define u_integers args.integers\n#define u_constants args.constants\n#define u_factors args.factors\n"
        "#define i_left args.left\n#define i_finished args.finished\n#define i_y_other args.other\n";
    for (std::size_t i = 0; i < row.inputs.size(); ++i) {
        const string_view type = row.inputs[i].integer ? "Integers" : (half_inputs >> i & 1u) != 0 ? "Halves" : "Reals";
        text += fmt::format("#define t_{} {}{{args.inputs[{}]}}\n", row.inputs[i].name, type, i);
    }
    for (std::size_t i = 0; i < row.scalars.size(); ++i) {
        text += fmt::format(
            "#define t_{0}_n OneTexel{{args.numerators[{1}], 1.0f}}\n#define t_{0}_d OneTexel{{args.denominators[{1}], "
            "1.0f}}\n",
            row.scalars[i], i);
    }
    if (row.guarded) text += "#define t_guard OneTexel{args.guard, 0.0f}\n";
    for (std::size_t i = 0; i < row.outputs.size(); ++i)
        text += fmt::format("#define i_{} {}args.outputs[{}]{}\n", row.outputs[i],
                            row.writes_outside ? "OutsideTexels{" : "", i, row.writes_outside ? "}" : "");
    return text;
}

}  // namespace

ProgramText program_text(const PassRow& row, const ProgramKind& kind) {
    const CppText text = cpp_text(compute_source(row, kind.definitions, dialect_of(row, kind), kind.source),
                                  kind.double_reals ? Reals::doubles : Reals::floats,
                                  [&](int source) { return name_of_source(row, source); });
    const string_view table = text.has_table ? ", const __grid_constant__ cuda::Table table" : "";
    string whole = fmt::format(
        "{7}#define GROUP_WIDTH {0}\n#define GROUP_HEIGHT {1}\n#include \"prelude.cuh\"\n"
        "#define GROUP_SIZE (GROUP_WIDTH * GROUP_HEIGHT)\n"
        "namespace glsolve::inline v0_1::glsl {{\n{2}"
        "struct Invocation {{\n{3}{4}}};\n}}\n#line 1 \"launch\"\n"
        "using namespace glsolve;\n"
        "extern \"C\" __global__ void __launch_bounds__(GROUP_SIZE)\n"
        "pass(const __grid_constant__ cuda::Arguments args{5}) {{\n    glsl::Invocation i{{args{6}}};\n    "
        "i.main();\n}}\n",
        kind.group.invocations.width, kind.group.invocations.height, text.group_shared,
        members(row, kind.half_inputs, text.has_table), text.body, table, text.has_table ? ", {table.numbers}" : "",
        kind.double_reals ? "#define DOUBLE_REALS\n" : "");
    return {std::move(whole), text.has_table};
}

const std::vector<Header>& program_headers() {
    static const std::vector<Header> headers = [] {
        std::vector<Header> made{{"std.hpp", embedded_file("cuda/std.hpp")}};
        for (const string_view name : {"bit", "cmath", "concepts", "cstdint", "type_traits"})
            made.push_back({name, "#include \"std.hpp\"\n"});
        made.push_back({"glsl.hpp", embedded_file("kernels/glsl.hpp")});
        made.push_back({"glsl_functions.hpp", embedded_file("kernels/glsl_functions.hpp")});
        made.push_back({"arguments.hpp", embedded_file("cuda/arguments.hpp")});
        made.push_back({"prelude.cuh", embedded_file("cuda/prelude.cuh")});
        return made;
    }();
    return headers;
}

}  // namespace glsolve::inline v0_1::cuda
