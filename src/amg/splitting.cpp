#include "amg/splitting.hpp"

namespace glsolve::inline v0_1 {

std::vector<Index> coarse_numbers(const Splitting& splitting) {
    std::vector<Index> number(splitting.size() + 1, 0);
    for (std::size_t i = 0; i < splitting.size(); ++i) {
        number[i + 1] = number[i] + (splitting[i] == Point::coarse ? 1 : 0);
    }
    return number;
}

Splitting all_fine(const Strength& S, const Strength& T) {
    Splitting splitting(S.size(), Point::fine);
    for (Index i = 0; i < S.size(); ++i) {
        if (S.row(i).empty() && T.row(i).empty()) splitting[i] = Point::alone;
    }
    return splitting;
}

}  // namespace glsolve::inline v0_1
