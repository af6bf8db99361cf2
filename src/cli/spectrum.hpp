/// Where the eigenvalues of a matrix lie, in words.
#pragma once

#include <glsolve/csr.hpp>
#include <optional>
#include <string>

#include "cli/eigenvalues.hpp"

namespace glsolve::cli {

/// What was found out about A or D^-1 A.
struct Eigenvalues {
    double gershgorin = 0;                    ///< none is larger in size
    std::optional<ExtremeEigenvalues> found;  ///< of symmetric matrices, and of D^-1 A where all of D has one sign
    std::string why_not;                      ///< nothing is known at all
};

struct SpectrumReport {
    Eigenvalues plain, jacobi;  ///< of A and of D^-1 A
    bool symmetric = false;     ///< A
};

/// By Gershgorin and, in `steps` steps (0: as many as usual), by Lanczos on the host.
SpectrumReport find_spectrum(CsrView A, int steps);

/// A line on one of the two.
std::string in_words(const Eigenvalues& eigenvalues, bool symmetric);

}  // namespace glsolve::cli
