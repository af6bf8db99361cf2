/// Where the eigenvalues of a matrix lie, in words.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/spectrum.hpp>
#include <optional>
#include <string>

namespace glsolve::cli {

/// What was found out about A or D^-1 A.
struct Eigenvalues {
    std::optional<Spectrum> found;
    bool of_negated = false;         ///< Lanczos took -A, since all of the diagonal is negative; `found` is of A
    bool negative_definite = false;  ///< all eigenvalues are below zero, as far as the run tells
    std::string why_not;             ///< there is none
};

struct SpectrumReport {
    bool symmetric = false;
    Eigenvalues plain, jacobi;  ///< of A and of D^-1 A
};

/// By a short run of Lanczos on the host. Throws nothing for matrices that no solver takes: it says so.
SpectrumReport find_spectrum(const CsrMatrix& A);

/// A line on one of the two.
std::string in_words(const Eigenvalues& eigenvalues, bool symmetric);

}  // namespace glsolve::cli
