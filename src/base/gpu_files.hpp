/// What the system shows of GPUs, without a driver being loaded.
#pragma once

#include <glsolve/export.hpp>
#include <set>
#include <string>

namespace glsolve::inline v0_1 {

/// Device files of GPUs: render nodes, NVIDIA's, AMD's for compute, ARM's, and that of Windows below Linux. Empty on
/// other systems than Linux.
std::set<std::string> gpu_files();

/// False where Linux has no device file of a GPU: then nothing has to be opened to know. True on other systems.
GLSOLVE_API bool may_have_gpu();

}  // namespace glsolve::inline v0_1
