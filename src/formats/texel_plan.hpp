/// How the nonzeros of four rows are divided among the slots of a texel.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Slots of a texel, or of a slice: the most that one of its texels has. Singles are gone through two at a time, so
/// there are an even number of them: more fetches are then under way at once (software renderers: a sixth faster).
struct Slots {
    int runs = 0, singles = 0;

    void include(const Slots& other) {
        runs = std::max(runs, other.runs);
        singles = std::max(singles, other.singles);
    }

    std::int64_t values() const { return 1 + runs + singles; }   // texels, the diagonal first
    std::int64_t run_columns() const { return (runs + 3) / 4; }  // texels, four first columns each
    /// Texels; `are_short`: one for two singles.
    std::int64_t columns(bool are_short) const { return run_columns() + (are_short ? singles / 2 : singles); }
    /// Texels read: the diagonal and x there; a run: a value, a quarter of four first columns, two texels of x, and
    /// about three quarters of a fetch's time to put them together; a single: a value, four columns, four elements of
    /// x.
    double fetches() const { return 2 + 4 * runs + 6 * singles; }
};

/// Four numbers on one diagonal: lane r holds entry[r], at row 4t + r and column first + r. Negative: no entry there.
struct Run {
    Index first = 0;
    std::array<Offset, 4> entry{-1, -1, -1, -1};
};

/// What the slots of one texel hold.
struct TexelPlan {
    std::vector<Run> runs;
    std::array<std::vector<Offset>, 4> singles;  ///< entries of each lane
};

/// Divides the nonzeros of rows 4t ... 4t + 3 beside the diagonal into runs and singles: those that stand on one
/// diagonal with at least `fewest - 1` others become a run.
class TexelPlanner {
  public:
    static constexpr std::size_t no_runs = 5;

    explicit TexelPlanner(CsrView A) : A_(A) {}

    /// Valid until the next call.
    const TexelPlan& plan(std::int64_t texel, std::size_t fewest);
    /// The slots it would have for each value of `fewest` from 1 on.
    std::array<Slots, no_runs + 1> slots(std::int64_t texel);
    /// The last of these alone, which is soon found.
    Slots slots_of_singles(std::int64_t texel) const;

  private:
    /// An entry, and the column that a run through it begins with.
    struct Found {
        Index first;
        std::uint32_t lane;
        Offset entry;
    };

    void collect(std::int64_t texel);
    std::size_t end_of_group(std::size_t begin) const;

    CsrView A_;
    std::vector<Found> found_;  // sorted: those of one diagonal stand together
    TexelPlan plan_;
};

}  // namespace glsolve::inline v0_1
