#include "amg/independent_roots.hpp"

#include <algorithm>
#include <limits>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index roots_grain = 8192;  ///< unknowns that are worth a thread
constexpr Index root_key = std::numeric_limits<Index>::max(), out = 0;

template <class Work>
void for_each(const std::vector<Index>& unknowns, const Work& work) {
    parallel_for(static_cast<Index>(unknowns.size()), roots_grain, [&](int, Offset begin, Offset end) {
        for (Offset k = begin; k < end; ++k) work(unknowns[k]);
    });
}

}  // namespace

// A round has two steps, and none reads what it writes: how far the largest keys reach in one step of the graph, and
// what follows in a second one.
std::vector<bool> independent_roots(const Strength& S) {
    const int bits = bits_of_keys(S.size());
    std::vector<Index> key(static_cast<std::size_t>(S.size()), out), reached(key), decided(key), all, undecided;
    for (Index i = 0; i < S.size(); ++i) {
        if (S.row(i).empty()) continue;
        key[i] = random_key(i, bits);
        all.push_back(i);
    }
    undecided = all;
    const auto largest_around = [&](const std::vector<Index>& numbers, Index i) {
        Index most = numbers[i];
        for (const Index j : S.row(i)) most = std::max(most, numbers[j]);
        return most;
    };
    while (!undecided.empty()) {
        for_each(all, [&](Index i) { reached[i] = largest_around(key, i); });
        for_each(undecided, [&](Index i) {
            const Index most = largest_around(reached, i);
            decided[i] = most == root_key ? out : most == key[i] ? root_key : key[i];
        });
        for_each(undecided, [&](Index i) { key[i] = decided[i]; });
        std::erase_if(undecided, [&](Index i) { return key[i] == root_key || key[i] == out; });
    }
    std::vector<bool> is_root(key.size());
    for (std::size_t i = 0; i < key.size(); ++i) is_root[i] = key[i] == root_key;
    return is_root;
}

}  // namespace glsolve::inline v0_1
