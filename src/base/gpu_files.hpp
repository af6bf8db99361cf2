/// What the system shows of GPUs, without a driver being loaded.
#pragma once

#include <glsolve/export.hpp>
#include <set>
#include <string>

namespace glsolve::inline v0_1 {

/// Device files of GPUs: render nodes, NVIDIA's, AMD's for compute, and that of Windows below Linux. Only on Linux.
std::set<std::string> gpu_files();

/// False where the system shows no GPU. Then nothing has to be opened to know. Systems that show none are taken to have
/// one.
GLSOLVE_API bool may_have_gpu();

}  // namespace glsolve::inline v0_1
