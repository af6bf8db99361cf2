/// The papers' products in CSR on a GPU (papers/cuda_kernels.hpp).
#pragma once

#include <array>
#include <glsolve/csr.hpp>

#include "papers/cuda_kernels.hpp"

namespace glsolve::bench {

/// Seconds of one product in each of these ways, the mean of `count` launched one after the other; the least of some
/// rounds. Zeros where there is no CUDA.
std::array<double, all_paper_products.size()> paper_product_seconds(const CsrMatrix& A, int count);

}  // namespace glsolve::bench
