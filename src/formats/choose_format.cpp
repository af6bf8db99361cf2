#include "formats/choose_format.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/dia.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Texels a product reads for four rows of ELL: the diagonal and x there, and for each slot a value, a column and four
/// single elements of x.
Offset ell_reads(const CsrMatrix& A) {
    Offset longest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        longest = std::max(longest, A.offsets[i + 1] - A.offsets[i]);
    }
    return 2 + 6 * std::max<Offset>(longest - 1, 0);
}

/// The same for DIA: for each diagonal a value and one texel of x, or two where its offset is no multiple of four.
Offset dia_reads(const std::vector<Index>& offsets) {
    Offset reads = 2;
    for (const Index offset : offsets) reads += offset == 0 ? 0 : offset % 4 == 0 ? 2 : 3;
    return reads;
}

}  // namespace

FormatChoice choose_format(const CsrMatrix& A, FormatKind wanted, std::size_t max_diagonals) {
    if (wanted != FormatKind::automatic) return {wanted, fmt::format("{}: asked for", name(wanted))};
    const Offset ell = ell_reads(A);
    if (A.nonzeros() == 0) return {FormatKind::ell, "ell: the matrix holds no nonzeros"};
    // More diagonals than this cost more reads than ELL, whatever their offsets.
    const std::size_t most = std::min(static_cast<std::size_t>(ell / 2) + 1, max_diagonals);
    const std::vector<Index> offsets = diagonals(A, most);
    if (offsets.empty() || dia_reads(offsets) > ell) {
        return {FormatKind::ell,
                fmt::format("ell: {} texel reads for four rows; the nonzeros lie on {} diagonals, "
                            "which would need more",
                            ell, offsets.empty() ? fmt::format("more than {}", most) : std::to_string(offsets.size()))};
    }
    double slots = 0;
    for (const Index offset : offsets) slots += A.rows - std::abs(offset);
    return {FormatKind::dia,
            fmt::format("dia: {} diagonals hold all nonzeros and are {:.1f} % full; {} texel reads for "
                        "four rows (ell: {})",
                        offsets.size(), 100 * static_cast<double>(A.nonzeros()) / slots, dia_reads(offsets), ell)};
}

}  // namespace glsolve::inline v0_1
