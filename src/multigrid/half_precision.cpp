#include "multigrid/half_precision.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include "base/half.hpp"
#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "formats/choose_format.hpp"
#include "formats/dia_plan.hpp"
#include "formats/diagonal_part.hpp"
#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double half_range = 128;  // its square is what half precision has above 1, but for a factor of 4
constexpr double infinite = std::numeric_limits<double>::infinity();

double nearest_half(double a) { return static_cast<double>(rounded_to_half(static_cast<float>(a))); }
double rounding_of(double a) { return nearest_half(a) - a; }

/// What a format stores for the diagonal, and what it does not store beside it.
struct Stored {
    std::vector<Index> constant;   // diagonals of one number, which stands in a table; ascending
    std::vector<double> diagonal;  // empty: that is one number, too
    bool differences = false;
};

Stored stored_numbers(const FormatInput& in, FormatKind format) {
    Stored stored;
    if (format != FormatKind::dia || !in.dia) {
        DiagonalPart part = diagonal_part(in.A, in.scale);
        stored.diagonal = std::move(part.values);
        stored.differences = part.differences;
        return stored;
    }
    for (const MatrixDiagonal& d : in.dia->beside) {
        if (d.constant) stored.constant.push_back(d.offset);
    }
    stored.differences = in.dia->main.differences;
    if (!in.dia->main.constant) stored.diagonal = in.dia->main.values;
    return stored;
}

/// (u, D u), whatever the signs of D
double square(std::span<const double> u, std::span<const double> d) {
    return parallel_sum(u.size(), [&](std::size_t i) { return std::abs(d[i]) * u[i] * u[i]; });
}

/// P x
std::vector<double> multiply(CsrView P, std::span<const double> x) {
    std::vector<double> y = filled(static_cast<std::size_t>(P.rows), 0.0);
    parallel_rows(P, [&](std::size_t i) {
        for (const auto [j, p] : P.row(i)) y[i] += p * x[j];
    });
    return y;
}

void add_near_null_space(std::vector<std::vector<double>>& u, const NearNullSpace& null, Index rows) {
    const auto n = static_cast<std::size_t>(rows), count = static_cast<std::size_t>(null.vectors);
    if (null.values.empty()) {
        u.emplace_back(n, 1.0);
        return;
    }
    for (std::size_t v = 0; v < count; ++v) {
        u.emplace_back(n);
        for (std::size_t i = 0; i < n; ++i) u.back()[i] = null.values[i * count + v];
    }
}

/// The largest  (e, D e) / (lambda (u, D u)),  where `energy_of(k)` is (e, D e) for the k-th of the errors u.
template <class EnergyOf>
double largest_quotient(const SmoothErrors& errors, std::span<const double> d, const EnergyOf& energy_of) {
    const double lambda = errors.energy / square(errors.u[0], d);
    double most = 0;
    for (std::size_t k = 0; k < errors.u.size(); ++k) {
        const double quotient = energy_of(k) / (lambda * square(errors.u[k], d));
        if (!(quotient >= 0 && quotient < infinite)) return infinite;
        most = std::max(most, quotient);
    }
    return most;
}

/// Rounds the numbers of a row, one after the other.
class RowRounder {
  public:
    RowRounder(const TransferInput& in, std::span<const std::vector<double>> null_space)
        : in_(in), null_(null_space), sum_(null_space.size()) {}

    void round(Index row, std::vector<double>& values) {
        const std::span<const double> exact = in_.P.value;
        order_.clear();
        for (Offset k = in_.P.offsets[row]; k < in_.P.offsets[row + std::size_t{1}]; ++k) {
            order_.push_back(static_cast<std::size_t>(k));
        }
        // The smallest, which halves come closest to, come last, and make up for the others.
        std::sort(order_.begin(), order_.end(), [&](std::size_t k, std::size_t l) {
            const double a = std::abs(exact[k]), b = std::abs(exact[l]);
            return a != b ? a > b : k < l;
        });
        std::fill(sum_.begin(), sum_.end(), 0.0);
        const double most = order_.empty() ? 0 : 0x1p-10 * std::abs(exact[order_.front()]);
        for (const std::size_t k : order_) {
            const auto j = static_cast<std::size_t>(in_.P.column[k]);
            const double factor = in_.row_scale[static_cast<std::size_t>(row)] * in_.column_scale[j];
            values[k] = nearest_half((exact[k] + std::clamp(best_error(j), -most, most)) * factor) / factor;
            for (std::size_t v = 0; v < sum_.size(); ++v) sum_[v] += (values[k] - exact[k]) * null_[v][j];
        }
    }

  private:
    /// That of the number in column j with which the sums are smallest.
    double best_error(std::size_t j) const {
        double product = 0, square = 0;
        for (std::size_t v = 0; v < sum_.size(); ++v) {
            product += sum_[v] * null_[v][j];
            square += null_[v][j] * null_[v][j];
        }
        return square > 0 ? -product / square : 0;
    }

    const TransferInput& in_;
    std::span<const std::vector<double>> null_;
    std::vector<double> sum_;  // what the errors so far make of each vector
    std::vector<std::size_t> order_;
};

/// Never where the format stores no numbers.
bool takes_halves(const FormatInput& in, FormatKind format, const SmoothErrors& errors) {
    const bool stores_none = in.dia && in.dia->tiles == 0;
    if (format == FormatKind::dense || (format == FormatKind::dia && stores_none)) return false;
    return rounding_of_matrix(in, format, errors) <= harmless_rounding;
}

}  // namespace

std::vector<SmoothErrors> smooth_errors(const Hierarchy& hierarchy, const HostInverse& inverse,
                                        std::span<const double> coarsest_scale, int first) {
    std::vector<SmoothErrors> all(static_cast<std::size_t>(hierarchy.count()));
    std::vector<double> w = smoothest_error(inverse);
    for (std::size_t i = 0; i < w.size(); ++i) w[i] *= coarsest_scale[i];
    const std::vector<double> Aw = multiply(hierarchy.matrix(hierarchy.count() - 1), w);
    const double energy = std::inner_product(w.begin(), w.end(), Aw.begin(), 0.0);
    for (int k = hierarchy.count() - 1;; --k) {
        SmoothErrors& errors = all[static_cast<std::size_t>(k)];
        errors = {energy, {w}};
        add_near_null_space(errors.u, hierarchy.level(k).near_null, hierarchy.matrix(k).rows);
        if (k == first) return all;
        w = multiply(hierarchy.level(k - 1).P, w);
    }
}

LevelStorage choose_storage(CsrView A, std::vector<double> row_by_row, const Slicing& slicing, int max_texture_size,
                            const std::optional<ProductCosts>& costs, const SmoothErrors* errors) {
    const auto with = [&](std::vector<double> scale) {
        LevelStorage made{.scale = std::move(scale), .format = {}, .dia = {}};
        const FormatInput in{.A = A,
                             .scale = made.scale,
                             .slicing = slicing,
                             .max_texture_size = max_texture_size,
                             .low_parts = false,
                             .costs = costs};
        made.format = choose_format(in, FormatKind::automatic);
        made.dia = in.dia;
        made.halves = errors != nullptr && takes_halves(in, made.format.format, *errors);
        return made;
    };
    LevelStorage each = with(std::move(row_by_row));
    const bool stores_none = each.dia != nullptr && each.dia->tiles == 0;
    if (errors == nullptr || each.halves || stores_none) return each;
    // Scaled alike, rows that sum to zero still do so, however much coefficients jump, and differences are what counts.
    std::vector<double> scale = choose_scaling(A, ScalingRule::alike);
    for (double& s : scale) s *= half_range;
    LevelStorage alike = with(std::move(scale));
    return alike.halves ? std::move(alike) : std::move(each);
}

double rounding_of_matrix(const FormatInput& in, FormatKind format, const SmoothErrors& errors) {
    const CsrView A = in.A;
    const Stored stored = stored_numbers(in, format);
    const std::vector<double> d = diagonal(A);
    return largest_quotient(errors, d, [&](std::size_t v) {
        const std::vector<double>& u = errors.u[v];
        return parallel_sum(d.size(), row_grain(A), [&](std::size_t i) {
            const auto row = static_cast<Index>(i);
            const double here = u[i] / in.scale[i];
            double e = stored.diagonal.empty() ? 0 : rounding_of(stored.diagonal[i]) * here;
            for (const auto [j, a] : A.row(i)) {
                if (j == row || std::binary_search(stored.constant.begin(), stored.constant.end(), j - row)) continue;
                e += rounding_of(in.scaled(row, j, a)) * (u[j] / in.scale[j] - (stored.differences ? here : 0));
            }
            return e * e / std::abs(in.scale[i] * d[i] * in.scale[i]);
        });
    });
}

double rounding_of_transfer(CsrView P, std::span<const double> rounded, std::span<const double> d,
                            const SmoothErrors& fine, const SmoothErrors& coarse) {
    return largest_quotient(fine, d, [&](std::size_t v) {
        return parallel_sum(d.size(), row_grain(P), [&](std::size_t i) {
            double e = 0;
            for (Offset k = P.offsets[i]; k < P.offsets[i + 1]; ++k) {
                const auto at = static_cast<std::size_t>(k);
                e += (rounded[at] - P.value[at]) * coarse.u[v][static_cast<std::size_t>(P.column[at])];
            }
            return std::abs(d[i]) * e * e;
        });
    });
}

std::vector<double> rounded_numbers(const TransferInput& in, const SmoothErrors& coarse) {
    std::vector<double> made = filled(in.P.value.size(), 0.0);
    parallel_for(in.P.rows, usual_grain / 8, [&](int, Offset begin, Offset end) {
        RowRounder rounder(in, std::span(coarse.u).subspan(1));
        for (Offset row = begin; row < end; ++row) rounder.round(static_cast<Index>(row), made);
    });
    return made;
}

std::vector<double> transposed_numbers(CsrView P, std::span<const double> numbers, CsrView Pt) {
    std::vector<double> made = filled(numbers.size(), 0.0);
    std::vector<Offset> next(Pt.offsets.begin(), Pt.offsets.end());  // rows of P come in the order of P^T's columns
    for (std::size_t e = 0; e < made.size(); ++e) {
        made[static_cast<std::size_t>(next[static_cast<std::size_t>(P.column[e])]++)] = numbers[e];
    }
    return made;
}

bool has_many_numbers(CsrView P, const std::array<Index, 3>& lattice) {
    if (lattice[0] == 0) return true;
    constexpr Offset looked_at = 2048, few = 256;
    std::set<float> different;
    const Offset entries = P.nonzeros(), samples = std::min(entries, looked_at);
    for (Offset s = 0; s < samples; ++s)
        different.insert(static_cast<float>(P.value[static_cast<std::size_t>(s * entries / samples)]));
    return std::ssize(different) > few;
}

}  // namespace glsolve::inline v0_1
