#include "papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::bench {

const std::array<Paper, 5> papers{
    {{"2009", "Xia and Wei: conjugate gradients in fragment shaders",
      "J. Xia and D. Wei, GPU Implementation of Conjugate Gradient Method, Computer Engineering 35 (2009)",
      "ATI Radeon X1550",
      "The paper draws the matrix in one pass where Krueger and Westermann (2003) draw n. glsolve's own product splits "
      "the columns over as many fragments as keep the device busy, and keeps all scalars on the device. The paper "
      "compares two products that both wait for the host three times in an iteration; so do the first two columns "
      "here. A pass took some tens of microseconds then and takes some microseconds now, which is why n passes cost "
      "less beside one than they did.",
      xia_wei},
     {"gmres", "Liu, Yin and Wu: restarted GMRES in CUDA",
      "Y. Liu, H. Yin and E. Wu, GPU accelerated GMRES algorithm, Journal of Computer-Aided Design & Computer Graphics "
      "23 (2011)",
      "NVIDIA GeForce GTX 260; Intel Core 2 Quad Q9400 and Core i7 920",
      "The paper writes the products of all nonzeros to memory, then sums them up, since rows that one thread reads "
      "were "
      "slow before GPUs had caches. Caches have made one kernel enough. Its inner products wait for the host; "
      "glsolve's "
      "stay on the device, and one pass makes all inner products of a step. One core of a processor has become some "
      "four times as fast, and a processor has 8 to 64 of them.",
      liu_yin_wu},
     {"amg", "Li, Zhang, Tan and Chen: algebraic multigrid on the GPU",
      "J. Li, X. Zhang, G. Tan and M. Chen, algebraic multigrid on the GPU (AMG-GPU), 2011",
      "NVIDIA Tesla C2050 and GeForce GTX 480; Intel Xeon X5650 and Core i7",
      "The paper runs all levels on the GPU, down to three unknowns, and loses there what it wins on the finest "
      "levels. "
      "Its outlook is to treat levels by their size: `ending early` solves a level of at most 1,500 rows by one "
      "product "
      "with its inverse. glsolve's own hierarchy also has fewer levels, and smooths with a polynomial.",
      li_zhang_tan_chen},
     {"chebyshev", "Chadov: the Chebyshev iteration on the GPU",
      "S. N. Chadov, Chebyshev iteration on the GPU (in Russian)", "NVIDIA GeForce GTX 260; Intel Core i5 with 4 cores",
      "The paper's step is two kernels, and its norm is read by the host. glsolve's step is one pass, tested each 16th "
      "time, on the device. The chaotic form has a form in passes, whose tiles do not wait for their neighbours, and "
      "the paper's kernel on CUDA.",
      chadov},
     {"hec", "Cheng: a hybrid sparse format and ILU-preconditioned solves",
      "K. Cheng, a hybrid storage format (HEC) of sparse matrices and preconditioned conjugate gradients on the GPU, "
      "2018",
      "NVIDIA GeForce GTX 1050; Intel Core i5-6500; CUDA 8.0",
      "The vendor's library has lost its hybrid format (HYB); COO and sliced ELL stand in its place. Triangular solves "
      "took the vendor's two-step solve then; glsolve goes through the levels of both factors in one pass each.",
      cheng}}};

const Paper& paper_of(std::string_view key) {
    const auto found = std::ranges::find(papers, key, &Paper::key);
    if (found != papers.end()) return *found;
    std::string keys;
    for (const Paper& paper : papers) keys += fmt::format("{}, ", paper.key);
    throw Error(fmt::format("there is no paper {}; there are {}and all", key, keys));
}

}  // namespace glsolve::bench
