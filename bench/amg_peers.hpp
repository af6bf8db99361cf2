/// Conjugate gradients with the algebraic multigrid of others, beside ours.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>
#include <string>

namespace glsolve::bench {

struct PeerTimes {
    double setup = 0, solve = 0;  ///< seconds
    std::int64_t iterations = 0;
};

/// Was this program built with AMGCL's headers? Smoothed aggregation, spai0, on all cores.
bool has_amgcl();
/// x <- A^-1 b, from zero; `in_floats`: the levels. Throws std::runtime_error where there is no AMGCL.
PeerTimes run_amgcl(CsrView A, std::span<const double> b, std::span<double> x, double tolerance, bool in_floats);

/// Is there a program that calls hypre (bench_hypre)?
bool has_hypre();
/// BoomerAMG on so many MPI ranks, for the matrix of poisson2d(size), in processes of its own: nobody waits for work on
/// a core while glsolve is measured. Throws std::runtime_error where it fails.
PeerTimes run_hypre(Index size, std::span<double> x, double tolerance, int ranks);

}  // namespace glsolve::bench
