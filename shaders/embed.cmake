# cmake -DFOLDER=... -DFILES="*.glsl pass/*.glsl" -DHEADER=... -DSPACE=... -DFUNCTION=... -DOUTPUT=... -P embed.cmake
# Writes one C++ source that holds these files of FOLDER as byte arrays, byte for byte: string literals have a length limit
# on some compilers, and a shader may hold any character. SPACE::FUNCTION(name), which HEADER declares, is the text of one.
separate_arguments(FILES)
list(TRANSFORM FILES PREPEND ${FOLDER}/)
file(GLOB files RELATIVE ${FOLDER} ${FILES})

set(text "// Made by shaders/embed.cmake; do not edit.\n#include <array>\n#include <string_view>\n#include <utility>\n\n")
string(APPEND text "#include \"${HEADER}\"\n\n")
string(APPEND text "namespace ${SPACE} {\nnamespace {\n\n")
set(table "")
set(count 0)
foreach(file IN LISTS files)
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "constexpr char file_${count}[] = {${bytes}0x00};\n")
    string(APPEND table "    {\"${file}\", {file_${count}, sizeof(file_${count}) - 1}},\n")
    math(EXPR count "${count} + 1")
endforeach()
string(APPEND text "\nconstexpr std::pair<std::string_view, std::string_view> table[] = {\n${table}};\n\n}  // namespace\n\n")
string(APPEND text "std::string_view ${FUNCTION}(std::string_view file) {\n")
string(APPEND text "    for (const auto& [name, text] : table) {\n        if (name == file) return text;\n    }\n    return {};\n}\n\n")
string(APPEND text "}  // namespace ${SPACE}\n")
file(WRITE ${OUTPUT} "${text}")
