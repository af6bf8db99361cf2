#include "factors/shifts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glsolve::inline v0_1 {

ShiftOutcome with_growing_shifts(const FactorOptions& options, const char* function,
                                 const std::function<std::optional<UnsafePivot>(double shift)>& attempt) {
    constexpr double first_shift = 1e-3;
    ShiftOutcome made{options.shift, 0, {}};
    for (;;) {
        const std::optional<UnsafePivot> unsafe = attempt(made.shift);
        ++made.attempts;
        if (!unsafe) return made;
        if (made.attempts == options.most_attempts) {
            made.failure = fmt::format(
                "{}: the pivot of row {} is {:.3g}, with the diagonal shifted by {:.3g} of each "
                "row's largest entry (attempt {}, the last)",
                function, unsafe->row + 1, unsafe->pivot, made.shift, made.attempts);
            return made;
        }
        made.shift = std::max(first_shift, 2 * made.shift);
    }
}

std::vector<double> row_sizes(const CsrMatrix& A) {
    std::vector<double> size(static_cast<std::size_t>(A.rows), 0.0);
    for (Index i = 0; i < A.rows; ++i) {
        double& most = size.data()[i];
        for (Offset e = A.offsets.data()[i]; e < A.offsets.data()[i + 1]; ++e) {
            most = std::max(most, std::abs(A.value.data()[e]));
        }
    }
    return size;
}

std::vector<double> row_sizes_of_symmetric(const CsrMatrix& A) {
    std::vector<double> size(static_cast<std::size_t>(A.rows), 0.0);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets.data()[i]; e < A.offsets.data()[i + 1]; ++e) {
            const Index j = A.column.data()[e];
            if (j > i) break;
            for (double* const most : {&size.data()[i], &size.data()[j]}) {
                *most = std::max(*most, std::abs(A.value.data()[e]));
            }
        }
    }
    return size;
}

}  // namespace glsolve::inline v0_1
