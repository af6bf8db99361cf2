/// The program of a pass in CUDA C++: the very text of the compute stage (kernels/shader_source.hpp) in a struct, an
/// object of which is an invocation. Knows neither driver nor compiler, so that tests can compile each without a GPU.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/pass_table.hpp"
#include "kernels/geometry.hpp"

namespace glsolve::inline v0_1::cuda {

/// What a program is made for.
struct ProgramKind {
    std::string definitions = {};  ///< one a line, without #define
    std::string source = {};       ///< text of the caller's, where the row has such
    WorkGroup group = {};
    std::uint32_t half_inputs = 0;  ///< bit i: input i has half floats
    bool double_reals = false;      ///< textures hold doubles, and all arithmetic is in double precision
};

struct ProgramText {
    std::string text;
    bool has_table = false;  ///< its kernel, `pass`, takes a Table behind the Arguments
};

/// `row`: of the program, see kernels/shared_programs.hpp.
ProgramText program_text(const PassRow& row, const ProgramKind& kind);

/// What programs include, under the names that they include it by.
struct Header {
    std::string_view name, text;
};
const std::vector<Header>& program_headers();

}  // namespace glsolve::inline v0_1::cuda
