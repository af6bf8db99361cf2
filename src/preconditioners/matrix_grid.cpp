#include "preconditioners/matrix_grid.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "amg/lattice.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t most_distances = 3;  // of entries to the diagonal: one for each axis
constexpr double rounding = 1e-10;         // of the diagonal: entries and sums above or below zero by less are zero
constexpr double vanishing = 1e-14;        // of the diagonal: what is left where entries that add up to zero are added
constexpr double faintest = 1e-25;         // of the largest diagonal entry, what single precision has room for

[[noreturn]] void refuse(const std::string& why) {
    throw InvalidInput(fmt::format(
        "preconditioner multigrid needs the matrix of a grid, 5-point or 7-point: {}; amg takes any matrix", why));
}

std::string in_words(Index i, Index j) { return fmt::format("row {}, column {}", i + 1, j + 1); }

/// How far entries stand from the diagonal, ascending; more than `most_distances` where these are not all.
std::vector<Index> distances(CsrView A) {
    std::vector<Index> found = offsets_of_entries(A, 2 * most_distances + 1, StoredZeros::ignore);
    for (Index& distance : found) distance = std::abs(distance);
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    std::erase(found, 0);
    return found;
}

/// The sizes that these distances are the steps of: 1, width, width * height.
Lattice lattice_of(CsrView A) {
    std::vector<Index> steps = distances(A);
    if (steps.size() > most_distances) {
        steps.resize(most_distances + 1);
        refuse(
            fmt::format("entries stand {}, ... from the diagonal, and on a grid these are 1, the width, and the "
                        "width times the height",
                        fmt::join(steps, ", ")));
    }
    if (steps.empty()) return {{A.rows, 1, 1}};
    const Index width = steps.size() > 1 ? steps[1] : A.rows, plane = steps.size() > 2 ? steps[2] : A.rows;
    if (steps[0] != 1 || plane % width != 0 || A.rows % plane != 0) {
        refuse(
            fmt::format("{} rows with entries that stand {} from the diagonal are no grid, where these are 1, the "
                        "width, and the width times the height",
                        A.rows, fmt::join(steps, ", ")));
    }
    return {{width, plane / width, A.rows / plane}};
}

class Conversion {
  public:
    Conversion(CsrView A, double factor) : A_(A), factor_(factor), lattice_(lattice_of(A)) {
        const auto& [width, height, depth] = lattice_.size;
        GridCells& cells = made_.cells;
        cells = GridCells::of(width, height, depth, depth > 1, false);
        const auto size = static_cast<std::size_t>(layout_of(cells.size()).length);  // throws where it is too large
        for (int axis = 0; axis < cells.dimensions(); ++axis) {
            made_.numbers.couplings[static_cast<std::size_t>(axis)].assign(size, 0);
            made_.numbers.given[static_cast<std::size_t>(axis)].assign(size, 0);
        }
        made_.numbers.mass.assign(size, 0);
        made_.alone.assign(static_cast<std::size_t>(A.rows), 0);
    }

    MatrixGrid run() {
        parallel_each(rows(), [&](std::size_t i) { take_row(static_cast<Index>(i)); });
        const auto there = [](float v) { return v != 0; };
        if (std::none_of(made_.alone.begin(), made_.alone.end(), there)) made_.alone.clear();
        weigh();
        divide_sums();
        return std::move(made_);
    }

  private:
    std::size_t rows() const { return static_cast<std::size_t>(A_.rows); }
    std::size_t axes() const { return static_cast<std::size_t>(made_.cells.dimensions()); }
    std::array<Index, 3> place(std::size_t i) const { return lattice_.place(static_cast<Index>(i)); }
    std::size_t on_device(const std::array<Index, 3>& p) const { return made_.cells.at(p[0], p[1], p[2]); }

    void take_row(Index i);
    void take_entry(Index i, Index j, double value, double diagonal);
    void weigh();
    void divide_sums();
    float single(double value) const;

    /// Calls f(axis, coupling, cell on its far side) for both faces across each axis that is more than a cell long. A
    /// coupling of zero may have no such cell.
    template <class Function>
    void each_face(std::size_t i, const Function& f) const {
        const std::array<Index, 3> here = place(i), strides = made_.cells.strides();
        const std::size_t cell = on_device(here);
        for (std::size_t axis = 0; axis < axes(); ++axis) {
            if (lattice_.size[axis] == 1) continue;
            const auto stride = static_cast<std::size_t>(strides[axis]);
            const std::vector<float>& c = made_.numbers.couplings[axis];
            f(axis, here[axis] == 0 ? 0.0f : c[cell - stride], cell - stride);
            f(axis, c[cell], cell + stride);
        }
    }

    CsrView A_;
    double factor_;
    Lattice lattice_;
    MatrixGrid made_;
};

/// What is too small is none: the diagonal is not, so something else is left of its row.
float Conversion::single(double value) const {
    return factor_ * value < faintest ? 0.0f : static_cast<float>(factor_ * value);
}

/// An entry beside the diagonal; couplings with cells further on are kept.
void Conversion::take_entry(Index i, Index j, double value, double diagonal) {
    const std::array<Index, 3> step = lattice_.step(j - i), here = lattice_.place(i);
    std::size_t axis = 0;
    while (axis < 2 && step[axis] == 0) ++axis;
    const Index there = here[axis] + step[axis];
    if (lattice_.number(step) != j - i || std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2]) != 1 || there < 0
        || there >= lattice_.size[axis]) {
        refuse(fmt::format("{}: on a grid of {} x {} x {} these cells are not side by side", in_words(i, j),
                           lattice_.size[0], lattice_.size[1], lattice_.size[2]));
    }
    if (value > rounding * diagonal) refuse(fmt::format("{}: {:.3g} is above zero", in_words(i, j), value));
    const double mirrored = entry(A_, j, i);
    if (std::abs(value - mirrored) > rounding * diagonal) {
        refuse(fmt::format("it is not symmetric, row {}, column {} is {:.6g} and row {}, column {} is {:.6g}", i + 1,
                           j + 1, value, j + 1, i + 1, mirrored));
    }
    if (j > i) made_.numbers.couplings[axis][on_device(here)] = single(std::max(-std::max(value, mirrored), 0.0));
}

/// Leaves the sum of the row in `mass`.
void Conversion::take_row(Index i) {
    const double diagonal = entry(A_, i, i);
    if (!(diagonal > 0)) {
        refuse(fmt::format("row {} has {:.3g} on the diagonal, which has to be above zero", i + 1, diagonal));
    }
    if (factor_ * diagonal < faintest) {
        throw InvalidInput(
            fmt::format("preconditioner multigrid: row {} has {:.1e} on the diagonal, less than {:.0e} of the largest: "
                        "too little for single precision; amg scales rows one by one",
                        i + 1, diagonal, faintest));
    }
    double sum = 0;
    bool coupled = false;
    for (const auto [j, a] : A_.row(i)) {
        sum += a;
        if (j == i || a == 0) continue;
        take_entry(i, j, a, diagonal);
        coupled = true;
    }
    if (!coupled) {
        made_.alone[static_cast<std::size_t>(i)] = 1 / single(diagonal);
        return;
    }
    if (sum < -rounding * diagonal) refuse(fmt::format("row {} sums to {:.3g}, below zero", i + 1, sum));
    // A sum this small beside the diagonal may well be noise, but counts where it is more than rounding.
    made_.numbers.mass[on_device(lattice_.place(i))] = sum > vanishing * diagonal ? single(sum) : 0;
}

void Conversion::weigh() {
    const auto strengths = [&](std::size_t i) {
        std::array<float, 3> most{};
        each_face(i, [&](std::size_t axis, float c, std::size_t) { most[axis] = std::max(most[axis], c); });
        return most;
    };
    std::array<double, 3> share{};
    for (std::size_t axis = 0; axis < axes(); ++axis) {
        share[axis] = parallel_sum(rows(), [&](std::size_t i) {
            const std::array<float, 3> most = strengths(i);
            const float strongest = std::max({most[0], most[1], most[2]});
            return strongest > 0 ? static_cast<double>(most[axis] / strongest) : 0.0;
        });
    }
    const double largest = std::max({share[0], share[1], share[2]});
    for (std::size_t axis = 0; axis < 3 && largest > 0; ++axis) {
        made_.weight[axis] = static_cast<float>(share[axis] / largest);
    }
}

/// What rows sum to is a mass wherever all neighbours are there. Where one is missing a value may be given on its side:
/// a mass is taken to go on as it is in the cells beside, and the rest to be given, on each such face alike but for its
/// axis' weight.
void Conversion::divide_sums() {
    GridNumbers& n = made_.numbers;
    std::vector<float> mass = n.mass;
    for (std::size_t k = 0; k < axes(); ++k) {  // a corner has neighbours with faces of their own
        const std::vector<float> before = mass;
        parallel_each(rows(), [&](std::size_t i) {
            float least = 0;
            bool first = true, open = false;
            each_face(i, [&](std::size_t, float c, std::size_t there) {
                open = open || c == 0;
                if (c == 0) return;
                least = first ? before[there] : std::min(least, before[there]);
                first = false;
            });
            const std::size_t cell = on_device(place(i));
            if (open && !first) mass[cell] = std::min(before[cell], least);
        });
    }
    parallel_each(rows(), [&](std::size_t i) {
        const std::size_t cell = on_device(place(i));
        std::array<float, 3> share{};
        each_face(i, [&](std::size_t axis, float c, std::size_t) { share[axis] += c == 0 ? made_.weight[axis] : 0; });
        const float all = share[0] + share[1] + share[2], given = n.mass[cell] - mass[cell];
        if (!(all > 0) || given == 0) return;
        for (std::size_t axis = 0; axis < axes(); ++axis) n.given[axis][cell] = given * (share[axis] / all);
        n.mass[cell] = mass[cell];
    });
}

}  // namespace

MatrixGrid grid_of(CsrView A, double factor) { return Conversion(A, factor).run(); }

}  // namespace glsolve::inline v0_1
