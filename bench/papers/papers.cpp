#include "papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::bench {

const std::array<Paper, 5> papers{
    {{"2009", "Xia and Wei: conjugate gradients in fragment shaders",
      "J. Xia and D. Wei, GPU Implementation of Conjugate Gradient Method, Computer Engineering 35 (2009)",
      "ATI Radeon X1550",
      "The paper draws the matrix in one pass where Krueger and Westermann (2003) draw n; there, each of the n quads "
      "also needs an upload, which is left out here: the diagonals are uploaded once. glsolve's own product splits the "
      "columns over as many invocations as keep the device busy. All three are measured with the paper's method, whose "
      "inner products are read by the host twice in an iteration. A pass has become so short that starting it takes as "
      "long, so that n passes lose more against one than they did.",
      xia_wei},
     {"gmres", "Liu, Yin and Wu: restarted GMRES in CUDA",
      "Y. Liu, H. Yin and E. Wu, Fast GMRES-GPU Solver for Large Scale Sparse Linear Systems, Journal of "
      "Computer-Aided Design & Computer Graphics "
      "23 (2011)",
      "NVIDIA GeForce GTX 260; Intel Core 2 Quad Q9400 and Core i7 920",
      "The paper writes the products of all nonzeros to memory, then sums them up, since rows that one thread reads "
      "were "
      "slow before GPUs had caches. Caches have made one kernel enough. Its inner products wait for the host; "
      "glsolve's "
      "stay on the device, and one pass makes all inner products of a step. One core of a processor has become many "
      "times as fast (table 3), and a processor has 8 to 64 of them.",
      liu_yin_wu},
     {"amg", "Li, Zhang, Tan and Chen: algebraic multigrid on the GPU",
      "J. Li, X. Zhang, G. Tan and M. Chen, Algebraic Multi-grid optimization study on GPU, 2011",
      "NVIDIA Tesla C2050 and GeForce GTX 480; Intel Xeon X5650 and Core i7",
      "The paper runs all levels on the GPU, down to three unknowns, and loses there what it wins on the finest "
      "levels. "
      "Its outlook is to treat levels by their size: `ending early` solves a level of at most 1,500 rows by one "
      "product "
      "with its inverse. glsolve's own hierarchy also has fewer levels, and smooths with a polynomial.",
      li_zhang_tan_chen},
     {"chebyshev", "Chadov: the Chebyshev iteration on the GPU",
      "S. N. Chadov, On GPU-based Solving of Linear Systems with Chebyshev Iterations (in Russian)",
      "NVIDIA GeForce GTX 260; Intel Core i5 with 4 cores",
      "The paper's step is two kernels, and its norm is read by the host. glsolve's step is one pass, tested each 16th "
      "time, on the device. The chaotic form is measured twice: as glsolve's tiles, and as the paper's kernel (CUDA). "
      "It was the paper's fastest; beside a step in one pass it has nothing left to win, and loses steps.",
      chadov},
     {"hec", "Cheng: a hybrid sparse format and ILU-preconditioned solves",
      "Cheng, on a hybrid storage format (HEC) of sparse matrices and ILU-preconditioned conjugate gradients on the "
      "GPU, "
      "2018 (in Chinese)",
      "NVIDIA GeForce GTX 1050; Intel Core i5-6500; CUDA 8.0",
      "The vendor's library has lost its hybrid format (HYB); COO and sliced ELL stand in its place. Its triangular "
      "solves were made by levels then, a kernel for each. glsolve goes through all levels of a factor in one pass. "
      "Either way these solves are most of the time, which formats do not touch.",
      cheng}}};

const Paper& paper_of(std::string_view key) {
    const auto found = std::ranges::find(papers, key, &Paper::key);
    if (found != papers.end()) return *found;
    std::string keys;
    for (const Paper& paper : papers) keys += fmt::format("{}, ", paper.key);
    throw Error(fmt::format("there is no paper {}; there are {}and all", key, keys));
}

}  // namespace glsolve::bench
