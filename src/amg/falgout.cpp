#include <algorithm>

#include "amg/coarse_neighbours.hpp"
#include "amg/independent_set.hpp"
#include "amg/splitting.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Cleary, Luby, Jones and Plassmann. Each dependence is accounted for once: it is then an edge no longer. The measure
/// of an unknown counts the edges into it, those of unknowns that still want it as a C point; where there are none left
/// and its own are accounted for, it becomes F.
class Cljp {
  public:
    explicit Cljp(const Strength& S)
        : S_(S),
          T_(transpose(S)),
          measure_(measures(T_)),
          edge_(S.column.size(), true),
          state_(S.size(), State::undecided),
          coarse_(S) {
        for (Index i = 0; i < S.size(); ++i) undecided_.push_back(i);
    }

    /// `splitting`: the first independent set, on entry.
    void run(Splitting& splitting) {
        const auto chosen = [&](Index i) { return splitting[i] == Point::coarse; };
        for (;;) {
            take_coarse(chosen);
            account();
            take_fine();
            if (undecided_.empty()) return;
            for (const Index i : undecided_) {
                if (measure_[i] >= measure_one && largest_among_neighbours(S_, T_, measure_, i)) {
                    splitting[i] = Point::coarse;
                }
            }
        }
    }

  private:
    enum class State : std::uint8_t { undecided, coarse, fine };

    void decide(Index i, State state) {
        state_[i] = state;
        measure_[i] = 0;
    }

    void drop_edge(Offset k) {
        edge_[k] = false;
        const Index j = S_.column[k];
        if (state_[j] == State::undecided) measure_[j] -= measure_one;
    }

    /// C points are not interpolated: what they depend on is not wanted by them.
    template <typename Chosen>
    void take_coarse(const Chosen& chosen) {
        for (const Index i : undecided_) {
            if (chosen(i)) decide(i, State::coarse);
        }
        for (const Index i : undecided_) {
            if (state_[i] != State::coarse) continue;
            for (Offset k = S_.offsets[i]; k < S_.offsets[i + Offset{1}]; ++k) {
                if (edge_[k]) drop_edge(k);
            }
        }
        std::erase_if(undecided_, [&](Index i) { return state_[i] == State::coarse; });
    }

    /// A dependence of i on j is accounted for if j is a C point, or both depend on the same one.
    void account() {
        for (const Index i : undecided_) {
            coarse_.find(i, [&](Index j) { return state_[j] == State::coarse; });
            for (Offset k = S_.offsets[i]; k < S_.offsets[i + Offset{1}]; ++k) {
                if (edge_[k] && coarse_.reached_by(S_.column[k])) drop_edge(k);
            }
        }
    }

    void take_fine() {
        for (const Index i : undecided_) {
            const auto begin = edge_.begin() + S_.offsets[i], end = edge_.begin() + S_.offsets[i + Offset{1}];
            const bool waits = std::find(begin, end, true) != end;
            if (measure_[i] < measure_one && !waits) decide(i, State::fine);
        }
        std::erase_if(undecided_, [&](Index i) { return state_[i] == State::fine; });
    }

    const Strength& S_;
    Strength T_;
    std::vector<Measure> measure_;
    std::vector<bool> edge_;  ///< by place in S: not yet accounted for
    std::vector<State> state_;
    CoarseNeighbours coarse_;
    std::vector<Index> undecided_;
};

}  // namespace

Splitting split_falgout(const Strength& S) {
    Splitting splitting = split_ruge_stueben(S, false);
    Cljp(S).run(splitting);
    return splitting;
}

}  // namespace glsolve::inline v0_1
