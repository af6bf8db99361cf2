/// C/F splittings: which unknowns go on to the coarser level (C), and which are interpolated from them (F).
///
/// Source:  Ruge and Stüben 1987 (first and second pass); H. De Sterck, U. M. Yang and J. J. Heys, SIAM J. Matrix Anal.
///          Appl. 27 (2006) (PMIS); A. J. Cleary et al., IRREGULAR'98 (CLJP); V. E. Henson and U. M. Yang, Appl. Numer.
///          Math. 41 (2002) (Falgout).
#pragma once

#include <cstdint>
#include <vector>

#include "amg/strength.hpp"

namespace glsolve::inline v0_1 {

/// `alone`: an F point that nothing depends on and that depends on nothing: it is not interpolated at all.
enum class Point : std::uint8_t { fine, coarse, alone };
using Splitting = std::vector<Point>;

/// What a splitting starts from: the unknowns that are alone, and F points. T is the transpose of S.
Splitting all_fine(const Strength& S, const Strength& T);

/// First pass: the unknown most others depend on becomes C, those become F, and so on. Where dependence is mutual,
/// every F point that depends on anything depends on a C point. Second pass (`second`): where an F point depends on
/// another and they depend on no common C point, one of them becomes C. Then every F point that depends on anything
/// depends on a C point, mutual or not.
Splitting split_ruge_stueben(const Strength& S, bool second);

/// Parallel modified independent set: in each round the unknowns with a larger measure than all their neighbours become
/// C, and what depends on them F; what nothing depends on is F from the start. The measure is how many depend on it,
/// plus a random number that is the same each time. No C point depends on another; an F point need not depend on a C
/// point, but then depends on an F point that does. Few C points: wants extended interpolation.
Splitting split_pmis(const Strength& S);

/// Ruge and Stüben's first pass, whose C points CLJP takes as its first independent set and goes on from, as BoomerAMG
/// has it on one process. CLJP does in parallel rounds what the second pass does: F points that depend on each other
/// depend on a common C point.
Splitting split_falgout(const Strength& S);

/// C points before each unknown: the number of a C point on the coarser level. One more than there are unknowns.
std::vector<Index> coarse_numbers(const Splitting& splitting);

}  // namespace glsolve::inline v0_1
