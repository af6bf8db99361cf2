#include "amg/interpolation.hpp"

#include <algorithm>
#include <bitset>
#include <cmath>
#include <numeric>
#include <span>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index interpolation_grain = 4096;
constexpr std::size_t most = 8;        // unknowns of a gap, two along each axis, and the corners around it
constexpr double least_pivot = 1e-10;  // beside the diagonal of A
constexpr double largest_sum = 2;      // of absolute weights of an unknown: more is no interpolation

using Place = std::array<Index, 3>;
using Axes = std::bitset<3>;

/// First and last of some consecutive numbers.
struct Range {
    Index first, last;

    Index count() const { return last - first + 1; }
    bool contains(Index i) const { return first <= i && i <= last; }
};

/// The points of one axis, and the blocks they are divided into. Gap g lies before the centre of block g and behind
/// that of block g - 1.
struct Axis {
    Index points, blocks;

    bool coarsened() const { return blocks < points; }
    bool is_centre(Index point) const { return !coarsened() || point == block_centre(point / block_side); }
    Index own_block(Index point) const { return coarsened() ? block_of(point, blocks) : point; }
    /// The blocks whose centres a point lies between; the outermost have one on one side only.
    Range corners(Index point) const {
        if (!coarsened()) return {point, point};
        if (is_centre(point)) return {point / block_side, point / block_side};
        const Index gap = (point + 1) / block_side;
        return {std::max(gap - 1, 0), std::min(gap, blocks - 1)};
    }
    Range gap(Index g) const {
        return {g == 0 ? 0 : block_centre(g - 1) + 1, g == blocks ? points - 1 : block_centre(g) - 1};
    }
};

using Grid = std::array<Axis, 3>;

/// 1 from the own block, and zeros for the other corners.
CsrMatrix from_own_blocks(const Lattice& points, const Lattice& blocks, const Grid& grid) {
    CsrMatrix P;
    P.rows = points.points();
    P.columns = blocks.points();
    P.offsets = filled(static_cast<std::size_t>(P.rows) + 1, Offset{0});
    // Calls f(point, its place, its corners along each axis).
    const auto each_point = [&](const auto& f) {
        parallel_for(P.rows, interpolation_grain, [&](int, Offset begin, Offset end) {
            Walk walk(points, static_cast<Index>(begin));
            for (Offset i = begin; i < end; ++i, walk.next()) {
                const Place& at = walk.place();
                f(static_cast<std::size_t>(i), at, grid[0].corners(at[0]), grid[1].corners(at[1]),
                  grid[2].corners(at[2]));
            }
        });
    };
    each_point([&](std::size_t i, const Place&, const Range& x, const Range& y, const Range& z) {
        P.offsets[i + 1] = x.count() * y.count() * z.count();
    });
    std::partial_sum(P.offsets.begin(), P.offsets.end(), P.offsets.begin());
    allocate_entries(P);
    each_point([&](std::size_t i, const Place& at, const Range& x, const Range& y, const Range& z) {
        const Index own = blocks.number({grid[0].own_block(at[0]), grid[1].own_block(at[1]), grid[2].own_block(at[2])});
        auto k = static_cast<std::size_t>(P.offsets[i]);
        for (Index c = z.first; c <= z.last; ++c) {
            for (Index b = y.first; b <= y.last; ++b) {
                for (Index a = x.first; a <= x.last; ++a, ++k) {
                    P.column[k] = blocks.number({a, b, c});
                    P.value[k] = P.column[k] == own ? 1 : 0;
                }
            }
        }
    });
    return P;
}

/// M X = R for as many right-hand sides as there are columns. No pivoting: M is a principal part of a definite matrix.
class SmallSystem {
  public:
    void begin(std::size_t size, std::size_t columns) {
        size_ = size;
        columns_ = columns;
        for (std::size_t i = 0; i < size; ++i) {
            std::fill_n(M_[i].begin(), size, 0.0);
            std::fill_n(R_[i].begin(), columns, 0.0);
            scale_[i] = 0;
        }
    }
    double& M(std::size_t i, std::size_t j) { return M_[i][j]; }
    double& R(std::size_t i, std::size_t c) { return R_[i][c]; }
    /// How large numbers on the diagonal of row i were before some of them went out.
    double& scale(std::size_t i) { return scale_[i]; }

    /// R <- M^-1 R;  false where a pivot is too small, or a solution too large for weights.
    bool solve() {
        for (std::size_t p = 0; p < size_; ++p) {
            if (!(std::abs(M_[p][p]) > least_pivot * scale_[p])) return false;
            for (std::size_t i = p + 1; i < size_; ++i) {
                const double factor = M_[i][p] / M_[p][p];
                if (factor == 0) continue;
                for (std::size_t j = p + 1; j < size_; ++j) M_[i][j] -= factor * M_[p][j];
                for (std::size_t c = 0; c < columns_; ++c) R_[i][c] -= factor * R_[p][c];
            }
        }
        for (std::size_t p = size_; p-- > 0;) {
            double sum = 0;
            for (std::size_t c = 0; c < columns_; ++c) {
                for (std::size_t j = p + 1; j < size_; ++j) R_[p][c] -= M_[p][j] * R_[j][c];
                R_[p][c] /= M_[p][p];
                sum += std::abs(R_[p][c]);
            }
            if (!(sum <= largest_sum)) return false;
        }
        return true;
    }

  private:
    std::size_t size_ = 0, columns_ = 0;
    std::array<std::array<double, most>, most> M_{}, R_{};
    std::array<double, most> scale_{};
};

/// The gaps along the axes `off`, at centres along the others.
class Gaps {
  public:
    Gaps(CsrView A, const Lattice& points, const Grid& grid, Axes off, CsrMatrix& P)
        : A_(A), points_(points), steps_(points), grid_(grid), off_(off), P_(P) {}

    /// Of those along fewer axes P has to be known.
    void eliminate() {
        Lattice gaps;
        for (std::size_t axis = 0; axis < 3; ++axis) gaps.size[axis] = grid_[axis].blocks + (off_[axis] ? 1 : 0);
        parallel_for(gaps.points(), interpolation_grain, [&](int, Offset begin, Offset end) {
            SmallSystem system;
            for (auto g = static_cast<Index>(begin); g < static_cast<Index>(end); ++g) {
                eliminate(box_of(gaps.place(g)), system);
            }
        });
    }

  private:
    using Box = std::array<Range, 3>;

    Box box_of(const Place& gap) const {
        Box box{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Index centre = grid_[axis].coarsened() ? block_centre(gap[axis]) : gap[axis];
            box[axis] = off_[axis] ? grid_[axis].gap(gap[axis]) : Range{centre, centre};
        }
        return box;
    }

    void eliminate(const Box& box, SmallSystem& system) {
        const Lattice inside{{box[0].count(), box[1].count(), box[2].count()}};
        const auto size = static_cast<std::size_t>(inside.points());
        if (size == 0) return;  // behind the last centre there may be nothing
        const Index first = points_.number({box[0].first, box[1].first, box[2].first});
        const std::span<const Index> corners = columns(first);  // the same for all of the gap
        system.begin(size, corners.size());
        std::array<Index, most> unknown{};
        std::size_t row = 0;
        for (Index z = box[2].first; z <= box[2].last; ++z) {
            for (Index y = box[1].first; y <= box[1].last; ++y) {
                for (Index x = box[0].first; x <= box[0].last; ++x) {
                    add_row(system, row, {x, y, z}, box, inside, corners);
                    unknown[row++] = points_.number({x, y, z});
                }
            }
        }
        if (!system.solve()) return;
        for (std::size_t i = 0; i < size; ++i) {
            const std::span<double> values = P_.row(unknown[i]).values();
            for (std::size_t c = 0; c < corners.size(); ++c) values[c] = system.R(i, c);
        }
    }

    /// The row of A at a point: unknowns of the gap to the left, what is known about others to the right.
    void add_row(SmallSystem& system, std::size_t row, const Place& at, const Box& box, const Lattice& inside,
                 std::span<const Index> corners) const {
        const Index point = points_.number(at);
        Steps::Row entries(steps_);
        double sum = 0, inwards = 0;  // of the row; of its couplings away from where the grid ends beside the line
        for (const auto [beside, a] : A_.row(point)) {
            if (beside == point) system.scale(row) = std::abs(a);
            const Place& step = *entries.step(beside - point);  // A fits the lattice
            Place to = at;
            bool within = true, leaves_end = false;  // of the grid, beside the line
            for (std::size_t axis = 0; axis < 3; ++axis) {
                if (off_[axis]) {
                    to[axis] += step[axis];
                    within = within && box[axis].contains(to[axis]);
                } else if (step[axis] != 0 && (at[axis] == 0 || at[axis] + 1 == points_.size[axis])) {
                    leaves_end = true;  // and `to` stays: constant across a line, or a plane
                }
            }
            if (leaves_end) inwards += a;
            sum += a;
            if (within) {
                const Index j = inside.number({to[0] - box[0].first, to[1] - box[1].first, to[2] - box[2].first});
                system.M(row, static_cast<std::size_t>(j)) += a;
                continue;
            }
            const Index known = points_.number(to);
            for (const auto [coarse, p] : P_.row(known)) {
                const auto corner = std::find(corners.begin(), corners.end(), coarse) - corners.begin();
                system.R(row, static_cast<std::size_t>(corner)) -= a * p;
            }
        }
        // A boundary beside the line holds the point by what is left of the row's sum, at most by as much as the
        // neighbour on the other side does; along the line it does not count.
        double& own = system.M(row, row);
        if (sum * own > 0 && inwards * own < 0) own -= std::abs(sum) < std::abs(inwards) ? sum : -inwards;
    }

    std::span<const Index> columns(Index row) const { return P_.row(row).columns(); }

    CsrView A_;
    const Lattice& points_;
    Steps steps_;
    const Grid& grid_;
    Axes off_;
    CsrMatrix& P_;
};

}  // namespace

CsrMatrix block_interpolation(CsrView A, const Lattice& points, const Lattice& blocks) {
    Grid grid{};
    Axes coarsened;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        grid[axis] = {points.size[axis], blocks.size[axis]};
        coarsened[axis] = grid[axis].coarsened();
    }
    CsrMatrix P = from_own_blocks(points, blocks, grid);
    // Numbers of sets come after those of their subsets: lines, planes between them, space between those.
    for (unsigned long off = 1; off < 8; ++off) {
        const Axes axes(off);
        if ((axes & ~coarsened).none()) Gaps(A, points, grid, axes, P).eliminate();
    }
    return P;
}

}  // namespace glsolve::inline v0_1
