/// Whole solves of the fifth paper's matrices, in tables, bars and claims.
#pragma once

#include <array>
#include <glsolve/options.hpp>
#include <string>
#include <vector>

#include "parts.hpp"

namespace glsolve::bench::hec {

inline constexpr std::array our_formats{FormatKind::csr, FormatKind::hyb, FormatKind::hec};

/// A solve: of glsolve in `format`, or of the vendor's.
struct Solve {
    bool ours = false;
    FormatKind format = FormatKind::csr;
    Method method = Method::bicgstab;
    std::string precision;
    SolveRow row;  ///< row.solver: "cuSPARSE COO", "glsolve hec"
};
struct SolvesOfMatrix {
    const PaperMatrix* matrix;
    std::vector<Solve> solves;
};

/// All of them, in a row each.
Table solves_table(const std::vector<SolvesOfMatrix>& all);
/// Which was the fastest, beside what the paper's text says.
Table fastest_table(const std::vector<SolvesOfMatrix>& all);
/// Figures 6 (totals) and 7 (solves alone): beside the first solve that counts, since those of one matrix differ
/// little, those of two matrices much. No bar: not reached. Where BiCGStab reaches the tolerance
/// in no format, of GMRES.
std::vector<Figure> solves_figures(const std::string& device, const std::vector<SolvesOfMatrix>& all);
/// The vendor's best total over HEC's, in each precision that there is. None without the vendor's.
std::vector<Claim> gain_claims(const std::string& device, const SolvesOfMatrix& of);
/// Matrices and formats in which some solve reached the tolerance, as a share.
Claim reached_claim(const std::string& device, const std::vector<SolvesOfMatrix>& all);

}  // namespace glsolve::bench::hec
