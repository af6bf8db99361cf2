/// What is measured. Each function registers its cases; all of them run later.
#pragma once

#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/device.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::bench {

struct Matrix {
    std::string name;
    CsrMatrix A;
};

/// Bytes a second of a plain copy of n numbers, read and written; measured when first asked for.
std::function<double()> copy_rate(Device& device, Index n);

/// The passes over vectors of n numbers.
void add_passes(Device& device, const std::string& prefix, Index n);

/// Reductions of vectors of n numbers to one texel.
void add_reductions(Device& device, const std::string& prefix, Index n);

/// An iteration of conjugate gradients on a square grid of about n unknowns.
void add_cg(Backend& backend, const std::string& prefix, Index n);

/// The product with the matrix in every format that can hold it, the sliced ones in slices of these heights.
void add_formats(Device& device, const std::string& prefix, const Matrix& matrix,
                 const std::vector<int>& slice_heights);

/// What a residual in double precision costs where the host makes it: x is read back, r = b - A x computed by Eigen on
/// `threads` threads, and r uploaded.
void add_host_residual(Device& device, const std::string& prefix, const Matrix& matrix, int threads);

/// The products with a dense matrix of order n: the fast one with so many columns a part (0: as the library would
/// choose), transposed, for four right-hand sides, and those of the literature.
void add_dense(Device& device, const std::string& prefix, Index n, const std::vector<int>& columns);

/// Eigen's dense product in single precision, on 1 and on `threads` threads.
void add_eigen_dense(Index n, int threads);

/// r <- b - A x by Eigen in double precision, on `threads` threads.
std::function<void(std::span<const float> x, std::span<float> r)> eigen_residual(CsrView A, int threads);

/// Eigen's products in double and single precision, on 1 and on `threads` threads.
void add_eigen(const Matrix& matrix, int threads);

/// cuBLAS's updates and inner products of n numbers and cuSPARSE's product, and cuBLAS's with dense matrices, where
/// CUDA's libraries are found at run time. Returns why not, or nothing.
std::string add_cuda(Index n, const std::vector<Matrix>& matrices, const std::vector<Index>& dense);

/// The same on vectors of n numbers, or on a grid of about as many unknowns, by kernels written by hand.
std::string add_cuda_by_hand(Index n);

/// The text of bench/`name`, which the build embeds.
std::string_view bench_file(std::string_view name);

}  // namespace glsolve::bench
