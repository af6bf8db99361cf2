# cmake -DFOLDER=... -DOUTPUT=... -P embed.cmake
# Writes one C++ source that holds all shaders as byte arrays, byte for byte: string literals have a length limit on some
# compilers, and a shader may hold any character.
file(GLOB shaders RELATIVE ${FOLDER} ${FOLDER}/*.glsl ${FOLDER}/pass/*.glsl)

set(text "// Made by shaders/embed.cmake; do not edit.\n#include <array>\n#include <string_view>\n#include <utility>\n\n")
string(APPEND text "#include \"kernels/shader_source.hpp\"\n\n")
string(APPEND text "namespace glsolve::inline v0_1 {\nnamespace {\n\n")
set(table "")
set(count 0)
foreach(file IN LISTS shaders)
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "constexpr char shader_${count}[] = {${bytes}0x00};\n")
    string(APPEND table "    {\"${file}\", {shader_${count}, sizeof(shader_${count}) - 1}},\n")
    math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "\nconstexpr std::pair<std::string_view, std::string_view> table[] = {\n${table}};\n\n}  // namespace\n\n")
string(APPEND text "std::string_view shader_file(std::string_view file) {\n")
string(APPEND text "    for (const auto& [name, text] : table) {\n        if (name == file) return text;\n    }\n    return {};\n}\n\n")
string(APPEND text "}  // namespace glsolve::inline v0_1\n")
file(WRITE ${OUTPUT} "${text}")
