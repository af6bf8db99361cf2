/// Which programs the CUDA backend may ask for, for tests that compile them all.
#pragma once

#include <vector>

#include "cuda/program_text.hpp"
#include "device/pass_table.hpp"

namespace glsolve::test {

struct CudaProgram {
    const PassRow* row;
    cuda::ProgramKind kind;
};

/// Those of all passes, for large domains, and in double precision; products also with a matrix in half precision.
std::vector<CudaProgram> all_cuda_programs();

}  // namespace glsolve::test
