/// How the nonzeros of four rows are divided among the slots of a texel.
#pragma once

#include <array>
#include <cstdint>
#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Slots of a texel, or of a slice: the most that one of its texels has.
struct Slots {
    int runs = 0, singles = 0;

    std::int64_t values() const { return 1 + runs + singles; }             // texels, the diagonal first
    std::int64_t run_columns() const { return (runs + 3) / 4; }            // texels, four first columns each
    std::int64_t columns() const { return run_columns() + singles; }       // texels
    /// Texels read: the diagonal and x there; a run: a value, a quarter of four first columns, two texels of x; a single: a
    /// value, four columns, four elements of x.
    double fetches() const { return 2 + 3.25 * runs + 6 * singles; }
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

    Slots slots() const;
};

/// Divides the nonzeros of rows 4t ... 4t + 3 beside the diagonal into runs and singles.
class TexelPlanner {
  public:
    /// `runs`: look for them.
    TexelPlanner(const CsrMatrix& A, bool runs) : A_(A), runs_(runs) {}

    /// Valid until the next call.
    const TexelPlan& plan(std::int64_t texel);

  private:
    /// An entry, and the column that a run through it begins with.
    struct Found {
        Index first;
        std::uint32_t lane;
        Offset entry;
    };

    void collect(std::int64_t texel);
    std::size_t end_of_group(std::size_t begin) const;
    int fewest_entries() const;

    const CsrMatrix& A_;
    bool runs_;
    std::vector<Found> found_;  // sorted by `first` where runs are looked for
    TexelPlan plan_;
};

}  // namespace glsolve::inline v0_1
