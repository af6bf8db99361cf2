/// Places that adaptive patterns choose among.
#pragma once

#include <algorithm>
#include <cstddef>
#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Candidates with what each would gain. For one thread.
class LargestGains {
  public:
    void clear() { candidates_.clear(); }
    void add(Index place, double gain) { candidates_.push_back({place, gain}); }
    /// Calls use(place) for at most so many: the largest gains first, of equal ones the lower places.
    template <class Use>
    void each_of_best(int most, const Use& use) {
        const std::size_t count = std::min(candidates_.size(), static_cast<std::size_t>(most));
        std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(count),
                          candidates_.end(), [](const Candidate& a, const Candidate& b) {
                              return a.gain != b.gain ? a.gain > b.gain : a.place < b.place;
                          });
        for (std::size_t k = 0; k < count; ++k) use(candidates_[k].place);
    }
    bool empty() const { return candidates_.empty(); }

  private:
    struct Candidate {
        Index place;
        double gain;
    };
    std::vector<Candidate> candidates_;
};

}  // namespace glsolve::inline v0_1
