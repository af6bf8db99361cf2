// Source:  as for the direct method (src/methods/sparse_direct.cpp): rows matched to columns, minimum degree.
#include "inverses/complete_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <utility>

#include "matrix/csr_entries.hpp"
#include "matrix/sparse_factors.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The largest |a_ij - b_ij| over the largest |b_ij| of its row. Infinite where the places are others.
double change(CsrView A, CsrView B) {
    if (!has_places_of(A, B)) return std::numeric_limits<double>::infinity();
    double most = 0;
    for (Index i = 0; i < A.rows; ++i) {
        double largest = 0, changed = 0;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            largest = std::max(largest, std::abs(B.value[k]));
            changed = std::max(changed, std::abs(A.value[k] - B.value[k]));
        }
        if (changed > 0) most = std::max(most, changed / largest);
    }
    return most;
}

std::shared_ptr<const CompleteFactors> complete_factors_of(CsrMatrix A, double most_bytes) {
    constexpr double times_of_factors = 5;  // in memory, while they are taken apart
    const double most = most_bytes / times_of_factors;
    auto [plan, factors, shift] = factor(A, plan_factors(A, may_be_definite(A), most), most);
    if (!factors) throw InvalidInput(plan.impossible);
    if (factors->pivot_ratio() == 0) {
        throw InvalidInput(fmt::format("a column has no pivot, even with a shift of {:.0e}", shift));
    }
    auto made = std::make_shared<CompleteFactors>();
    made->shift = shift;
    SparseFactors::Triangles triangles = factors->triangles();
    std::vector<Index> rows;
    for (const Index k : triangles.from) rows.push_back(plan.rows[static_cast<std::size_t>(k)]);
    static_cast<MovedMatrix&>(made->ordered) = std::move(plan);
    made->ordered.rows = std::move(rows);
    made->ordered.moved = true;
    made->factors =
        triangular(Factors{.L = std::move(triangles.L), .D = std::move(triangles.D), .U = std::move(triangles.U)});
    made->A = std::move(A);
    return made;
}

}  // namespace

InverseByFactors complete_factors(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options,
                                  double most_bytes, std::shared_ptr<const CompleteFactors> known) {
    constexpr double little = 0.1;
    CsrMatrix scaled = scaled_by(A, system.scale);
    const double changed = known ? change(scaled, known->A) : 1;
    const bool is_kept = changed <= little;
    InverseByFactors made{.inverse = {},
                          .factors = is_kept ? std::move(known) : complete_factors_of(std::move(scaled), most_bytes)};
    const CompleteFactors& f = *made.factors;
    made.inverse = options.apply == FactorApplication::automatic
                       ? apply_exactly(system, A, f.ordered, f.factors)
                       : apply_factors(system, A, f.ordered, f.factors, options, ChosenBy::time);
    const double share = static_cast<double>(f.factors.nonzeros()) / std::max(1.0, static_cast<double>(A.nonzeros()));
    made.inverse.remark = fmt::format(
        "{}{}{:.2f} times the nonzeros of A; {}",
        is_kept ? fmt::format("factors of earlier values, which have changed by {:.1g} of a row; ", changed) : "",
        f.shift > 0 ? fmt::format("a pivot vanishes, so {:.0e} is added to the diagonal; ", f.shift) : "", share,
        made.inverse.remark);
    return made;
}

}  // namespace glsolve::inline v0_1
