#include "grid/grid_truth.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "device/no_unknown.hpp"
#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double rounding = 1e-14;  // of b, beside what was taken off it
constexpr int sweeps = 3;
constexpr std::size_t strip = 256;  // numbers of a row that stay in a cache while all rows pass

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
    constant_ ? multiply_constant(begin, end, x, sum, size) : multiply_coupled(begin, end, x, sum, size);
}

/// With couplings of 1 also to cells that are not there, and 0 in them: a makes up for that.
void GridTruth::multiply_constant(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                                  double* size) const {
    const auto around = 2.0 * static_cast<double>(strides_.size());
    for (std::size_t i = begin; i < end; ++i) {
        const auto a = static_cast<double>(a_[i]);
        sum[i - begin] = a * x[i];
        size[i - begin] = (a + around) * std::abs(x[i]);
    }
    for (const std::size_t stride : strides_) {
        const std::size_t lowest = std::clamp(stride, begin, end), highest = std::clamp(size_ - stride, begin, end);
        for (std::size_t i = begin; i < lowest; ++i) sum[i - begin] += x[i];
        for (std::size_t i = lowest; i < end; ++i) {
            sum[i - begin] += x[i] - x[i - stride];
            size[i - begin] += std::abs(x[i - stride]);
        }
        for (std::size_t i = begin; i < highest; ++i) {
            sum[i - begin] += x[i] - x[i + stride];
            size[i - begin] += std::abs(x[i + stride]);
        }
        for (std::size_t i = highest; i < end; ++i) sum[i - begin] += x[i];
    }
    for (std::size_t i = begin; i < end; ++i) {
        const bool unknown = a_[i] > no_unknown;
        sum[i - begin] = unknown ? sum[i - begin] : 0;
        size[i - begin] = unknown ? size[i - begin] : 0;
    }
}

void GridTruth::multiply_coupled(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                                 double* size) const {
    for (std::size_t i = begin; i < end; ++i) {
        const auto a = static_cast<double>(a_[i]);
        sum[i - begin] = a * x[i];
        size[i - begin] = a * std::abs(x[i]);
    }
    const auto add = [&](std::size_t i, float coupling, double x_j) {
        const auto c = static_cast<double>(coupling);
        sum[i - begin] += c * (x[i] - x_j);
        size[i - begin] += c * (std::abs(x[i]) + std::abs(x_j));
    };
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
        const std::size_t stride = strides_[axis];
        const float* const c = c_[axis].all().data();
        const std::size_t lowest = std::clamp(stride, begin, end), highest = std::clamp(size_ - stride, begin, end);
        for (std::size_t i = lowest; i < end; ++i) add(i, c[i - stride], x[i - stride]);
        for (std::size_t i = begin; i < highest; ++i) add(i, c[i], x[i + stride]);
    }
}

template <class Sum>
void GridTruth::subtract_cell(Sum& r, std::size_t i, std::span<const double> x) const {
    if (constant_ && !(a_[i] > no_unknown)) return;
    r.add_product(-static_cast<double>(a_[i]), x[i]);
    // x is 0 where there is no cell, or no unknown: a coupling of 1 to it is made up for by a, as in multiply_constant.
    const auto add = [&](double coupling, double x_j) {
        r.add_product(-coupling, x[i]);
        r.add_product(coupling, x_j);
    };
    for (std::size_t axis = 0; axis < strides_.size(); ++axis) {
        const std::size_t stride = strides_[axis];
        const bool has_before = i >= stride, has_next = i + stride < size_;
        if (constant_ || has_before) {
            add(constant_ ? 1 : static_cast<double>(c_[axis][i - stride]), has_before ? x[i - stride] : 0);
        }
        if (constant_ || has_next) {
            add(constant_ ? 1 : static_cast<double>(c_[axis][i]), has_next ? x[i + stride] : 0);
        }
    }
}

void GridTruth::subtract(CompensatedSum& r, std::size_t i, std::span<const double> x) const { subtract_cell(r, i, x); }
void GridTruth::subtract(ExactSum& r, std::size_t i, std::span<const double> x) const { subtract_cell(r, i, x); }

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

/// From each unknown that is reached on to those behind it on its line along an axis, and to those before it.
void GridTruth::spread(std::size_t axis, std::vector<std::uint8_t>& reached) const {
    const std::size_t stride = strides_[axis],
                      count = (axis + 1 < strides_.size() ? strides_[axis + 1] : size_) / stride;
    parallel_for(static_cast<Offset>(size_ / count), std::max<Offset>(usual_grain / static_cast<Offset>(count), 1),
                 [&](int, Offset begin, Offset end) {
                     const auto last = static_cast<std::size_t>(end);
                     for (auto line = static_cast<std::size_t>(begin); line < last;) {
                         // Those that lie side by side in memory go together.
                         const std::size_t inner = line % stride,
                                           together = std::min({last - line, stride - inner, strip}),
                                           first = (line - inner) * count + inner;
                         for (std::size_t k = 1; k < count; ++k) {
                             for (std::size_t i = first + k * stride; i < first + k * stride + together; ++i) {
                                 if (reached[i - stride] != 0 && before(axis, i) != 0) reached[i] = 1;
                             }
                         }
                         for (std::size_t k = count - 1; k-- > 0;) {
                             for (std::size_t i = first + k * stride; i < first + k * stride + together; ++i) {
                                 if (reached[i + stride] != 0 && next(axis, i) != 0) reached[i] = 1;
                             }
                         }
                         line += together;
                     }
                 });
}

/// Unknowns that are connected with a given value, as far as some sweeps along all axes find them: of most grids all
/// that are.
std::vector<std::uint8_t> GridTruth::reached_from_given() const {
    std::vector<std::uint8_t> reached(size_);
    const double unknowns = parallel_sum(size_, [&](std::size_t i) {
        const bool unknown = has_unknown(i);
        reached[i] = unknown && given(i) > 0 ? 1 : 0;
        return unknown ? 1.0 : 0.0;
    });
    const auto count = [&] {
        return parallel_sum(size_, [&](std::size_t i) { return static_cast<double>(reached[i]); });
    };
    double before = 0, now = count();
    for (int sweep = 0; now > before && sweep < sweeps; ++sweep) {
        before = now;
        for (std::size_t axis = 0; axis < strides_.size() && now < unknowns; ++axis) {
            spread(axis, reached);
            now = count();
        }
    }
    return reached;
}

/// Goes through sets of connected cells, one after the other.
void GridTruth::find_closed() {
    const std::vector<std::uint8_t> reached = reached_from_given();
    if (!parallel_any(size_, [&](std::size_t i) { return reached[i] == 0 && has_unknown(i); })) return;
    std::vector<std::uint8_t> seen = reached;
    for (std::size_t first = 0; first < size_; ++first) {
        if (seen[first] != 0 || !has_unknown(first)) continue;
        std::vector<Index> set{static_cast<Index>(first)};
        seen[first] = 1;
        bool closed = true;
        for (std::size_t at = 0; at < set.size(); ++at) {
            const auto i = static_cast<std::size_t>(set[at]);
            closed = closed && given(i) == 0;
            const auto look = [&](double c, std::size_t j) {
                if (c == 0) return;
                closed = closed && reached[j] == 0;
                if (seen[j] == 0) set.push_back(static_cast<Index>(j));
                seen[j] = 1;
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
        const auto largest = [&] {
            double most = 0;
            for (const Index i : set) most = std::max(most, std::abs(b[i]));
            return most;
        };
        const double before = largest();
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
        if (largest() <= rounding * before) {  // b was the same everywhere: nothing is left but noise
            for (const Index i : set) b[i] = 0;
        }
        taken = std::hypot(taken, taken_off_each * std::sqrt(static_cast<double>(set.size())));
    }
    return taken;
}

}  // namespace glsolve::inline v0_1
