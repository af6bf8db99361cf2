/// The compiler at work: the text of a program becomes code of a device, or words about mistakes.
#pragma once

#include <string>

#include "cuda/driver.hpp"

namespace glsolve::inline v0_1::cuda {

struct Compiled {
    std::string code;  ///< machine code; empty where the compiler refuses the text
    std::string log;   ///< what it says
};

/// What the compiler is told of every program, beside the architecture. No contraction of products and sums: the bits
/// of a product must not depend on the sums that it ends in.
inline constexpr const char* compile_options[] = {"--std=c++20", "-default-device", "--fmad=false", "-w"};

/// What the code of a program depends on, beside its text and the architecture.
std::string identity_of(const Compiler& compiler);

/// `architecture`: 10 times the compute capability, 90 for 9.0. Where the compiler is older than the device, the code
/// is of the newest that it knows, for the driver to translate. May be called in several threads.
Compiled compile(const Compiler& compiler, const std::string& text, int architecture);

/// Of a log, what it says about the caller's own text, with its lines; empty: nothing.
std::string about_callers_source(const std::string& log);

}  // namespace glsolve::inline v0_1::cuda
