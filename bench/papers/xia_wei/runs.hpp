/// Conjugate gradients of Xia and Wei (2009) on their dense system, with three products: Krueger and Westermann's, in n
/// passes; the published one, in a single pass and a sum; and the library's.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "device/backend.hpp"

namespace glsolve::bench::dense_cg {

enum class Product : std::uint8_t { krueger, single_pass, fast };
inline constexpr std::array all_products{Product::krueger, Product::single_pass, Product::fast};
std::string_view name(Product product);

struct DenseRun {
    double seconds = 0;          ///< of the solve
    double product_seconds = 0;  ///< of one product
    std::uint64_t product_passes = 0;
    double product_bytes = 0;  ///< texels read and written by these passes, once each
    double iteration_passes = 0, iteration_reads = 0;
    int iterations = 0, first_indefinite = 0;  ///< the latter: 0: never
    double residual = 0;                       ///< |b - A x| / |b| in double precision
};

/// The paper's system of order n: a_ij = 0.1 (i + j) beside the diagonal, a_ii = 1 + i, b_i = 1 + i, counted from 0.
double dense_entry(Index i, Index j);

/// How definite its matrix is.
struct Definiteness {
    double smallest = 0;  ///< eigenvalue
    int negative = 0;     ///< eigenvalues below zero
};
Definiteness definiteness(Index n);

/// As published: at most n iterations, until |r| <= tolerance |b| as the recurrence has it, from x = 0. The
/// least time of so many rounds.
std::array<DenseRun, all_products.size()> run_dense(Backend& backend, Index n, double tolerance, int rounds);

}  // namespace glsolve::bench::dense_cg
