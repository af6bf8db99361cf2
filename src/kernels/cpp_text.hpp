/// The text of a shader in C++: tokens only, no grammar. The build's generator (shaders/generator) makes the kernels of
/// the host by it, and CUDA's programs are made by it when they run, because there are the caller's texts, too.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

struct CppText {
    std::string body;          ///< of a struct, whose own all is that GLSL calls global
    std::string group_shared;  ///< what a work group shares, for the front: "__shared__ vec4 group_terms[GROUP_SIZE];"
    bool has_table = false;    ///< it reads arg_table
};

/// What float, and vectors of it, become. `either`: Real, which is one of the two where the text is compiled, and
/// REAL(1.0) of numbers.
enum class Reals : std::uint8_t { floats, doubles, either };

/// What the numbers of a call (`compiled:` in a kernel's head) are to the C++: constants, or known when it runs only.
enum class Definitions : std::uint8_t { constant, given };

/// `glsl`: a whole compute shader, or a piece of a fragment shader. Its uniforms and images are left out: the struct
/// has members of these names. A swizzle v.zw becomes v.pick<2, 3>(), as kernels/glsl.hpp has it. `name_of`: of a
/// source, by its number in #line.
CppText cpp_text(std::string_view glsl, Reals reals, const std::function<std::string(int source)>& name_of,
                 Definitions definitions = Definitions::constant);

std::string without_comments(std::string_view text);  ///< Lines stay where they are.

}  // namespace glsolve::inline v0_1
