#include <algorithm>

#include "amg/independent_set.hpp"
#include "amg/splitting.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index pmis_grain = 8192;  ///< unknowns that are worth a thread

template <typename Work>
void for_each(const std::vector<Index>& unknowns, const Work& work) {
    parallel_for(static_cast<Index>(unknowns.size()), pmis_grain, [&](int, Index begin, Index end) {
        for (Index k = begin; k < end; ++k) work(unknowns[k]);
    });
}

}  // namespace

// What is decided has measure 0. Of the two steps of a round, the first reads measures and writes the splitting, the
// second the other way round: no unknown sees what another one writes meanwhile.
Splitting split_pmis(const Strength& S) {
    const Strength T = transpose(S);
    Splitting splitting = all_fine(S, T);
    std::vector<Measure> measure = measures(T);
    std::vector<Index> undecided;
    for (Index i = 0; i < S.size(); ++i) {
        if (measure[i] >= measure_one) {
            undecided.push_back(i);
        } else {
            measure[i] = 0;  // nothing depends on it: F
        }
    }
    const auto coarse = [&](Index i) { return splitting[i] == Point::coarse; };
    while (!undecided.empty()) {
        for_each(undecided, [&](Index i) {
            if (largest_among_neighbours(S, T, measure, i)) splitting[i] = Point::coarse;
        });
        for_each(undecided, [&](Index i) {
            if (coarse(i) || std::ranges::any_of(S.row(i), coarse)) measure[i] = 0;
        });
        std::erase_if(undecided, [&](Index i) { return measure[i] == 0; });
    }
    return splitting;
}

}  // namespace glsolve::inline v0_1
