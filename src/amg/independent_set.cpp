#include "amg/independent_set.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// MurmurHash3's last step (Appleby 2011). It maps 32-bit numbers one to one: no two are alike.
std::uint32_t hash(std::uint32_t h) {
    h = (h ^ (h >> 16)) * 0x85ebca6bu;
    h = (h ^ (h >> 13)) * 0xc2b2ae35u;
    return h ^ (h >> 16);
}

}  // namespace

std::vector<Measure> measures(const Strength& T) {
    std::vector<Measure> measure(T.size());
    for (Index i = 0; i < T.size(); ++i) {
        measure[i] = T.row(i).size() * measure_one + hash(static_cast<std::uint32_t>(i));
    }
    return measure;
}

}  // namespace glsolve::inline v0_1
