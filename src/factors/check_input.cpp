#include "factors/check_input.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/require_range.hpp"

namespace glsolve::inline v0_1 {

void check(const FactorOptions& options, const char* function) {
    require_range(function, "level", options.level, 0, 1000000);
    require_range(function, "most_fill", options.most_fill, 0.0, 1e6);
    require_range(function, "drop_tolerance", options.drop_tolerance, 0.0, 1e100);
    require_range(function, "fill", options.fill, 0.0, 1e9);
    require_range(function, "modified", options.modified, 0.0, 1.0);
    require_range(function, "shift", options.shift, 0.0, 1e100);
    require_range(function, "most_attempts", options.most_attempts, 1, 1000);
    require_range(function, "least_pivot", options.least_pivot, 0.0, 1.0);
    require_range(function, "most_growth", options.most_growth, 1.0, std::numeric_limits<double>::max());
}

void require_square(CsrView A, const char* function) {
    if (A.rows == A.columns) return;
    throw InvalidInput(fmt::format("{}: the matrix is {} x {}; it has to be square", function, A.rows, A.columns));
}

Offset most_entries(const FactorOptions& options, Offset entries_of_A) {
    return static_cast<Offset>(options.most_fill * static_cast<double>(entries_of_A));
}

void require_fitting(const FactorPattern& pattern, Index rows, bool symmetric, const char* function) {
    if (!pattern.failure.empty()) {
        throw InvalidInput(fmt::format("{}: {}; a pattern with places has to be made", function, pattern.failure));
    }
    if (pattern.rows() != rows) {
        throw InvalidInput(fmt::format("{}: the pattern has {} rows, the matrix {}; both have to have as many",
                                       function, pattern.rows(), rows));
    }
    if (symmetric && pattern.mirrored.size() != pattern.lower.column.size()) {
        throw InvalidInput(
            fmt::format("{}: the pattern is not that of symmetric factors; ic_pattern makes one", function));
    }
}

InvalidInput entry_without_place(const char* function, Index row, Index column) {
    return InvalidInput(
        fmt::format("{}: the entry in row {}, column {} has no place in the pattern; that has to be made "
                    "for a matrix with entries in all these places",
                    function, row + 1, column + 1));
}

}  // namespace glsolve::inline v0_1
