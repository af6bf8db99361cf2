#include "factors/shifts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glsolve::inline v0_1 {

std::string unsafe_pivot_text(const UnsafePivot& unsafe) {
    return fmt::format("the pivot of row {} is {:.3g}", unsafe.row + 1, unsafe.pivot);
}

std::string growth_text(double growth) { return fmt::format("the inverse of the factors has grown to {:.3g}", growth); }

std::string last_attempt_text(const char* function, const std::string& wrong, double shift, int attempts) {
    return fmt::format("{}: {}, with the diagonal shifted by {:.3g} of each row's largest entry (attempt {}, the last)",
                       function, wrong, shift, attempts);
}

std::vector<double> row_sizes(CsrView A) {
    std::vector<double> size(static_cast<std::size_t>(A.rows), 0.0);
    for (Index i = 0; i < A.rows; ++i) {
        double& most = size.data()[i];
        for (const double a : A.row(i).values()) most = std::max(most, std::abs(a));
    }
    return size;
}

std::vector<double> row_sizes_of_symmetric(CsrView A) {
    std::vector<double> size(static_cast<std::size_t>(A.rows), 0.0);
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) {
            if (j > i) break;
            for (double* const most : {&size.data()[i], &size.data()[j]}) {
                *most = std::max(*most, std::abs(a));
            }
        }
    }
    return size;
}

bool is_negative(CsrView A) {
    const std::vector<double> d = diagonal(A);
    return std::any_of(d.begin(), d.end(), [](double a_ii) { return a_ii < 0; })
           && std::none_of(d.begin(), d.end(), [](double a_ii) { return a_ii > 0; });
}

CsrMatrix negated(CsrMatrix A) {
    for (double& a : A.value) a = -a;
    return A;
}

}  // namespace glsolve::inline v0_1
