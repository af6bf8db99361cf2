/// The text of a shader in C++, for compilers that take it at run time: tokens only, no grammar. What the build does
/// with the kernels of the host (shaders/write_kernels.cmake) is the same, of texts that it knows; here are the
/// caller's, too.
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

/// `glsl`: a whole compute shader. Its uniforms and images are left out: the struct has members of these names. A
/// swizzle v.zw becomes v.pick<2, 3>(), as kernels/glsl.hpp has it. `name_of`: of a source, by its number in #line.
/// `reals`: what float, and vectors of it, become.
enum class Reals : std::uint8_t { floats, doubles };
CppText cpp_text(std::string_view glsl, Reals reals, const std::function<std::string(int source)>& name_of);

}  // namespace glsolve::inline v0_1
