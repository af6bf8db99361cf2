/// What drivers of Mesa say of a shader that they have compiled, in debug messages.
#pragma once

#include <string>

namespace glsolve::test {

/// Sums over the shaders of a program; registers: the most of any of them. -1: the driver did not say.
struct ShaderStatistics {
    int shaders = 0;  ///< of which the driver told anything
    int instructions = -1;
    int registers = -1;
    int spills = -1;

    /// Takes in a message; ignores it if it is no statistics.
    ///   Intel:   "FS SIMD8 shader: 57 inst, 0 loops, 532 cycles, 0:0 spills:fills, ..."
    ///   AMD:     "Shader Stats: SGPRS: 24 VGPRS: 8 Code Size: 212 ... Spilled SGPRs: 0 Spilled VGPRs: 0 ..."
    ///            (SGPRs are spilled into lanes of VGPRs, which costs next to nothing: not counted)
    ///   r600:    "FS shader: 40 dw, 4 gprs, 12 alu_groups, ..."  (it cannot spill)
    ///   nouveau: "type: 1, local: 0, shared: 0, gpr: 12, inst: 30, loops: 0, bytes: 240"  (local: bytes of spills)
    void take(const std::string& message);
};

}  // namespace glsolve::test
