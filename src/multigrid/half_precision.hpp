/// Where half precision may hold the numbers of a level: its rounding errors must not hide what coarser levels are for.
///
/// With rounded numbers a cycle adds rough errors e to smooth ones u: e = D^-1 (A~ - A) u by the smoother, where D is
/// A's diagonal, and e = (P~ - P) u by interpolation. What that does is  (e, D e) / (lambda (u, D u)),  about the
/// energy of e in terms of that of u, with lambda = (w, A w) / (w, D w) of the smoothest error w: about 2^-24 / lambda
/// where nothing cancels, so that fine levels suffer most. Next to nothing remains where products multiply differences
/// (src/formats/diagonal_part.hpp), and of interpolation that is rounded such that its errors cancel.
#pragma once

#include "amg/hierarchy.hpp"
#include "formats/format_table.hpp"
#include "formats/transfer.hpp"
#include "multigrid/coarse_inverse.hpp"

namespace glsolve::inline v0_1 {

/// Below it iterations hardly change: docs/measurements/multigrid-half-floats.md has figures.
inline constexpr double harmless_rounding = 1e-4;

/// Errors of a level that smoothing hardly changes.
struct SmoothErrors {
    double energy = 0;                   ///< (w, A w), the same on all levels
    std::vector<std::vector<double>> u;  ///< w, then the near-null space
};

/// Of levels `first`, `first` + 1, ...; none of those before. `inverse`: of S A S of the coarsest, where w is found. It
/// is interpolated to the others.
std::vector<SmoothErrors> smooth_errors(const Hierarchy& hierarchy, const HostInverse& inverse,
                                        std::span<const double> coarsest_scale, int first);

/// How S A S of a coarser level is stored.
struct LevelStorage {
    std::vector<double> scale;  ///< S
    FormatChoice format;
    std::shared_ptr<const DiaPlan> dia;
    bool halves = false;
};

/// In the format that should be the fastest, on a device with these costs; and in half precision where that does these
/// errors no harm, with rows scaled one by one, as they are otherwise, or all alike. Without errors: never.
LevelStorage choose_storage(CsrView A, std::vector<double> row_by_row, const Slicing& slicing, int max_texture_size,
                            const std::optional<ProductCosts>& costs, const SmoothErrors* errors);

/// The largest of those quotients; infinite where half precision cannot hold the numbers.
double rounding_of_matrix(const FormatInput& in, FormatKind format, const SmoothErrors& errors);
/// P from a level whose diagonal is `d`, and its numbers rounded.
double rounding_of_transfer(CsrView P, std::span<const double> rounded, std::span<const double> d,
                            const SmoothErrors& fine, const SmoothErrors& coarse);

/// Numbers for P that are halves when they are scaled: what the errors of a row make of the near-null space cancels as
/// far as that is possible, and none is larger than that of half precision at the row's largest number.
std::vector<double> rounded_numbers(const TransferInput& in, const SmoothErrors& coarse);

/// The numbers of P in the order of P^T.
std::vector<double> transposed_numbers(CsrView P, std::span<const double> numbers, CsrView Pt);

/// Is there something to be saved? Between lattices not where most rows have the same few numbers: they share them
/// (src/formats/box_plan.hpp). `lattice`: of the rows.
bool has_many_numbers(CsrView P, const std::array<Index, 3>& lattice);

}  // namespace glsolve::inline v0_1
