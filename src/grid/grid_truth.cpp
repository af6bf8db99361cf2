#include "grid/grid_truth.hpp"

#include <cmath>

#include "core/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double rounding = 1e-14;    // of b, beside what was taken off it
constexpr float no_unknown = -1e29f;  // row sums of constant couplings are below where there is none
constexpr int sweeps = 3;

}  // namespace

GridTruth::GridTruth(const GridOperator& grid)
    : size_(static_cast<std::size_t>(grid.cells().size())), constant_(grid.constant()), a_(grid.read_row_sums()) {
    const std::array<Index, 3> strides = grid.cells().strides();
    for (int axis = 0; axis < grid.cells().dimensions(); ++axis) {
        strides_.push_back(static_cast<std::size_t>(strides[static_cast<std::size_t>(axis)]));
        if (!constant_) c_.push_back(grid.read_couplings(axis));
    }
    find_closed();
}

double GridTruth::next(std::size_t axis, std::size_t cell) const {
    if (!constant_) return static_cast<double>(c_[axis][cell]);
    const std::size_t other = cell + strides_[axis];
    return a_[cell] > no_unknown && other < size_ && a_[other] > no_unknown ? 1 : 0;
}

double GridTruth::before(std::size_t axis, std::size_t cell) const {
    return cell < strides_[axis] ? 0 : next(axis, cell - strides_[axis]);
}

bool GridTruth::has_unknown(std::size_t cell) const {
    if (constant_) return a_[cell] > no_unknown;
    double diagonal = given(cell);
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) diagonal += next(axis, cell) + before(axis, cell);
    return diagonal > 0;
}

double GridTruth::given(std::size_t cell) const {
    auto sum = static_cast<double>(a_[cell]);
    if (!constant_) return sum;
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) sum += (1 - next(axis, cell)) + (1 - before(axis, cell));
    return sum;
}

void GridTruth::multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                         double* size) const {
    for (std::size_t i = begin; i < end; ++i) {
        const auto a = static_cast<double>(a_[i]);
        if (constant_ && !(a_[i] > no_unknown)) {
            sum[i - begin] = size[i - begin] = 0;
            continue;
        }
        double row = a * x[i], diagonal = a, others = 0;
        const auto add = [&](double c, double x_j) {
            row += c * (x[i] - x_j);
            diagonal += c;
            others += c * std::abs(x_j);
        };
        for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
            const std::size_t stride = strides_[axis];
            const bool low = i >= stride, high = i + stride < size_;
            if (constant_) {  // those that are not there as well, which a makes up for
                add(1, low ? x[i - stride] : 0);
                add(1, high ? x[i + stride] : 0);
            } else {
                if (low) add(static_cast<double>(c_[axis][i - stride]), x[i - stride]);
                if (high) add(static_cast<double>(c_[axis][i]), x[i + stride]);
            }
        }
        sum[i - begin] = row;
        size[i - begin] = std::abs(diagonal * x[i]) + others;
    }
}

CsrMatrix GridTruth::matrix() const {
    const auto rows = static_cast<Index>(size_);
    return assemble_csr(rows, rows, [&](auto&& entry) {
        for (Index i = 0; i < rows; ++i) {
            if (!has_unknown(i)) continue;
            double diagonal = given(i);
            for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
                const auto stride = static_cast<Index>(strides_[axis]);
                const double low = before(axis, i), high = next(axis, i);
                diagonal += low + high;
                if (low != 0) entry(i, i - stride, -low);
                if (high != 0) entry(i, i + stride, -high);
            }
            entry(i, i, diagonal);
        }
    });
}

/// Unknowns that are connected with a given value, as far as some sweeps forwards and backwards find them: of most
/// grids all that are.
std::vector<bool> GridTruth::reached_from_given() const {
    std::vector<bool> reached(size_, false);
    bool any = false;
    for (std::size_t i = 0; i < size_; ++i) {
        reached[i] = has_unknown(i) && given(i) > 0;
        any = any || reached[i];
    }
    for (int sweep = 0; any && sweep < sweeps; ++sweep) {
        any = false;
        const auto reach = [&](std::size_t i, double c, std::size_t neighbour) {
            if (c == 0 || !reached[neighbour]) return;
            any = reached[i] = true;
        };
        for (std::size_t i = 0; i < size_; ++i) {
            for (std::size_t axis = 0; !reached[i] && axis < strides_.size(); ++axis) {
                reach(i, before(axis, i), i - strides_[axis]);
            }
        }
        for (std::size_t i = size_; i-- > 0;) {
            for (std::size_t axis = 0; !reached[i] && axis < strides_.size(); ++axis) {
                reach(i, next(axis, i), i + strides_[axis]);
            }
        }
    }
    return reached;
}

/// Goes through sets of connected cells, one after the other.
void GridTruth::find_closed() {
    const std::vector<bool> reached = reached_from_given();
    std::vector<bool> seen = reached;
    for (std::size_t first = 0; first < size_; ++first) {
        if (seen[first] || !has_unknown(first)) continue;
        std::vector<Index> set{static_cast<Index>(first)};
        seen[first] = true;
        bool closed = true;
        for (std::size_t at = 0; at < set.size(); ++at) {
            const auto i = static_cast<std::size_t>(set[at]);
            closed = closed && given(i) == 0;
            const auto look = [&](double c, std::size_t j) {
                if (c == 0) return;
                closed = closed && !reached[j];
                if (!seen[j]) set.push_back(static_cast<Index>(j));
                seen[j] = true;
            };
            for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
                look(before(axis, i), i - strides_[axis]);
                look(next(axis, i), i + strides_[axis]);
            }
        }
        if (closed) closed_.push_back(std::move(set));
    }
}

double GridTruth::project(std::span<double> b) const {
    double taken = 0;
    for (const std::vector<Index>& set : closed_) {
        const auto norm = [&] {
            double squares = 0;
            for (const Index i : set) squares += b[i] * b[i];
            return std::sqrt(squares);
        };
        const double before = norm();
        double taken_off_each = 0;
        for (int twice = 0; twice < 2; ++twice) {  // the second time what the first one has rounded
            double sum = 0, lost = 0;              // Neumaier's
            for (const Index i : set) {
                const double next = sum + b[i];
                lost += std::abs(sum) >= std::abs(b[i]) ? (sum - next) + b[i] : (b[i] - next) + sum;
                sum = next;
            }
            const double mean = (sum + lost) / static_cast<double>(set.size());
            for (const Index i : set) b[i] -= mean;
            taken_off_each += mean;
        }
        if (norm() <= rounding * before) {  // b was the same everywhere: nothing is left but noise
            for (const Index i : set) b[i] = 0;
        }
        taken = std::hypot(taken, taken_off_each * std::sqrt(static_cast<double>(set.size())));
    }
    return taken;
}

}  // namespace glsolve::inline v0_1
