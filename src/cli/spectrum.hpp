/// Where the eigenvalues of a matrix lie, in words.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/spectrum.hpp>
#include <optional>
#include <string>

namespace glsolve::cli {

struct SpectrumReport {
    bool symmetric = false;
    std::optional<Spectrum> plain, jacobi;  ///< of A and of D^-1 A; none where A has none
    std::string why_not;                    ///< ... and why
};

/// By a short run of Lanczos on the host. Throws nothing for matrices that no solver takes: it says so.
SpectrumReport find_spectrum(const CsrMatrix& A);

/// A line on one of the two.
std::string in_words(const Spectrum& spectrum, bool symmetric);

}  // namespace glsolve::cli
