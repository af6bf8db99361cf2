/// Grids behind matrices: where unknowns are the points of a line, a rectangle or a box, numbered row by row, and
/// depend on near ones only. What is coarsened in blocks then stays a grid, with few diagonals on each level.
#pragma once

#include <algorithm>
#include <array>
#include <cstdlib>
#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Points along each axis; the first runs fastest. Empty: none.
struct Lattice {
    std::array<Index, 3> size{0, 0, 0};

    Index points() const { return size[0] * size[1] * size[2]; }
    explicit operator bool() const { return size[0] > 0; }
    std::array<Index, 3> place(Index point) const {
        return {point % size[0], point / size[0] % size[1], point / size[0] / size[1]};
    }
    Index number(std::array<Index, 3> place) const { return (place[2] * size[1] + place[1]) * size[0] + place[0]; }
    /// The step along each axis, -1, 0 or 1, from a point to its neighbour whose number is so much larger. Of other
    /// distances the nearest: number(step(distance)) tells.
    std::array<Index, 3> step(Index distance) const {
        const std::array<Index, 3> stride{1, size[0], size[0] * size[1]};
        std::array<Index, 3> steps{};
        for (std::size_t axis = 3; axis-- > 0;) {  // what is left has to be within the axes below
            if (size[axis] > 1 && 2 * std::abs(distance) > stride[axis]) steps[axis] = distance > 0 ? 1 : -1;
            distance -= steps[axis] * stride[axis];
        }
        return steps;
    }
};

/// Goes through the points of a lattice in the order of their numbers.
class Walk {
  public:
    Walk(const Lattice& lattice, Index first) : size_(lattice.size), at_(lattice.place(first)) {}

    const std::array<Index, 3>& place() const { return at_; }
    void next() {
        if (++at_[0] < size_[0]) return;
        at_[0] = 0;
        if (++at_[1] < size_[1]) return;
        at_[1] = 0;
        ++at_[2];
    }

  private:
    std::array<Index, 3> size_, at_;
};

/// What `step` says of each distance to a neighbour, ascending: rows of a matrix are gone through beside it.
class Steps {
    struct Known {
        Index distance;
        std::array<Index, 3> step;
    };

  public:
    explicit Steps(const Lattice& lattice);

    /// Goes through one row: distances are asked for in ascending order. None of what is no neighbour's.
    class Row {
      public:
        explicit Row(const Steps& steps) : next_(steps.known_.data()), end_(next_ + steps.known_.size()) {}
        const std::array<Index, 3>* step(Index distance) {
            while (next_ != end_ && next_->distance < distance) ++next_;
            return next_ != end_ && next_->distance == distance ? &next_->step : nullptr;
        }

      private:
        const Known* next_;
        const Known* end_;
    };

  private:
    std::vector<Known> known_;
};

// Along an axis that is coarsened blocks are three points wide: linear interpolation between their centres then is what
// smoothing a constant makes of it. The last one takes what is left, and has two to four.
inline constexpr Index block_side = 3;
inline Index blocks_of(Index points) { return std::max((points + 1) / block_side, 1); }
inline Index block_of(Index point, Index blocks) { return std::min(point / block_side, blocks - 1); }
inline Index block_centre(Index block) { return block_side * block + 1; }

/// Blocks along the `joined` axes, points along the others.
Lattice coarser(const Lattice& fine, std::array<bool, 3> joined);

/// The lattice all of whose connections in A lead from a point to one of its neighbours, diagonal ones included; empty
/// where there is none. Found from the diagonals that hold entries (offsets_of_entries, of neighbours_and_itself).
Lattice find_lattice(CsrView A, std::span<const Index> diagonals);
Lattice find_lattice(CsrView A);
inline constexpr std::size_t neighbours_and_itself = 27;

/// Do all connections of the pattern lead to neighbours?
bool fits(const Lattice& lattice, CsrView A);

/// The axes along which A couples each point strongly to the next ones: by more than `threshold` times sqrt(|a_ii
/// a_jj|), with j one step ahead. Diagonal neighbours count as well, as on coarser levels most of a coupling may be
/// theirs: that of trilinear elements between neighbours along an axis is zero. The outermost points, where equations
/// may be of another kind, need not be coupled.
std::array<bool, 3> joined_axes(const Lattice& lattice, CsrView A, double threshold);

}  // namespace glsolve::inline v0_1
