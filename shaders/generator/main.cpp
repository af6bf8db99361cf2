// Runs while glsolve is built, on the machine that builds. LIST names files of FOLDER, as CMake's lists do.
//
//     glsolve_generator passes FOLDER LIST OUTPUT      of shaders, into the folder OUTPUT:
//         pass_ids.hpp             enum class PassId
//         pass_rows.inc            the rows of the pass table, in that order
//         pass_names.inc           PASS(name) for each of them
//         passes.hpp, passes.cpp   for each pass a struct of its arguments, which becomes a PassCall
//         kernels/*.cpp, text/...  the kernels in C++
//     glsolve_generator embed FOLDER LIST OUTPUT HEADER SPACE FUNCTION
//         writes the source OUTPUT, which holds the files: SPACE::FUNCTION(name), which HEADER declares, is the text of
//         one
#include "passes.hpp"

namespace glsolve::generator {
namespace {

/// As literals of C++, in pieces of whole lines: compilers have limits.
string literals(Scanner left) {
    string all = "\"\"";
    while (!left.rest.empty()) {
        const std::size_t end = std::min(left.rest.find('\n', 8000), left.rest.size() - 1);
        all.append("\nR\"glsl(").append(left.take(end + 1)) += ")glsl\"";
    }
    return all;
}

string embedded(const string& folder, const Words& files, const Words& header_space_function) {
    string table;
    for (const string& file : files) {
        const string text = read_file(folder + "/" + file);
        table += fill("    {\"$1\", {$2, $3}},\n", {file, literals({text}), std::to_string(text.size())});
    }
    return fill(
        "// Made by shaders/generator; do not edit.\n#include <string_view>\n#include <utility>\n\n#include \"$1\"\n\n"
        "namespace $2 {\nnamespace {\n\n"
        "constexpr std::pair<std::string_view, std::string_view> table[] = {\n$4};\n\n}  // namespace\n\n"
        "std::string_view $3(std::string_view file) {\n    for (const auto& [name, text] : table) {\n"
        "        if (name == file) return text;\n    }\n    return {};\n}\n\n}  // namespace $2\n",
        {header_space_function[0], header_space_function[1], header_space_function[2], table});
}

}  // namespace
}  // namespace glsolve::generator

int main(int count, char** values) {
    using namespace glsolve::generator;
    const Words given(values + 1, values + count);
    if (given.size() == 4 && given[0] == "passes") {
        write_passes(given[1], split(read_file(given[2]), ";"), given[3]);
    } else if (given.size() == 7 && given[0] == "embed") {
        write_if_new(given[3], embedded(given[1], split(read_file(given[2]), ";"), {given[4], given[5], given[6]}));
    } else {
        std::fputs("glsolve_generator: shaders/generator/main.cpp says what it takes\n", stderr);
        return 2;
    }
}
