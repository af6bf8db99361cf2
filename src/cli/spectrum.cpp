#include "cli/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "matrix/csr_entries.hpp"

namespace glsolve::cli {
namespace {

using Definite = ExtremeEigenvalues::Definite;

/// The largest sum of sizes in a row, in times of `unit` of the row.
double gershgorin(CsrView A, const std::vector<double>& unit) {
    std::vector<double> sums(unit.size(), 0.0);
    each_entry(A, [&](std::size_t i, std::size_t, double a) { sums[i] += std::abs(a); });
    double most = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) most = std::max(most, sums[i] / std::abs(unit[i]));
    return most;
}

/// Of the negative matrix.
Eigenvalues mirrored(Eigenvalues e) {
    if (!e.found) return e;
    std::swap(e.found->smallest, e.found->largest);
    e.found->smallest = -e.found->smallest;
    e.found->largest = -e.found->largest;
    if (e.found->definite == Definite::positive) {
        e.found->definite = Definite::negative;
    } else if (e.found->definite == Definite::negative) {
        e.found->definite = Definite::positive;
    }
    return e;
}

/// Of |D|^-1/2 A |D|^-1/2, which has the eigenvalues of D^-1 A where D is positive, and those of -D^-1 A where it is
/// negative.
Eigenvalues of_jacobi(CsrView A, const EigenvalueSearch* search, int steps) {
    std::vector<double> d = diagonal(A);
    if (const auto zero = std::ranges::find(d, 0.0); zero != d.end()) {
        return {.gershgorin = 0,
                .found = {},
                .why_not = fmt::format("row {} has a zero on the diagonal", zero - d.begin() + 1)};
    }
    Eigenvalues e{.gershgorin = gershgorin(A, d), .found = {}, .why_not = {}};
    const bool negative = d.front() < 0;
    const bool one_sign = std::ranges::all_of(d, [&](double number) { return (number < 0) == negative; });
    if (search == nullptr || !one_sign) return e;
    for (double& number : d) number = 1 / std::sqrt(std::abs(number));
    e.found = search->find(d, steps);
    return negative ? mirrored(e) : e;
}

std::string steps_of(const ExtremeEigenvalues& found) {
    const std::string steps = fmt::format("{} steps of Lanczos", found.steps);
    return found.inverse_steps > 0 ? fmt::format("{}, and {} with the inverse", steps, found.inverse_steps) : steps;
}

/// What is known of the signs. Ritz values lie within the spectrum: two signs of them are certain.
std::string definiteness(const ExtremeEigenvalues& found) {
    if (found.smallest < 0 && found.largest > 0) return "neither positive nor negative definite";
    switch (found.definite) {
        case Definite::positive:
            return "positive definite";
        case Definite::negative:
            return "negative definite";
        case Definite::neither:
            return "not definite: a pivot of its factors is zero, or of another sign";
        case Definite::unknown:
            break;
    }
    return "of one sign as far as these steps tell, and one may be far nearer to zero";
}

}  // namespace

SpectrumReport find_spectrum(CsrView A, int steps) {
    SpectrumReport report;
    const auto refuse = [&](const std::string& why) {
        report.plain.why_not = report.jacobi.why_not = why;
        return report;
    };
    if (A.rows != A.columns) return refuse("the matrix is not square");
    if (A.rows == 0) return refuse("the matrix is empty");
    if (const auto empty = std::ranges::adjacent_find(A.offsets); empty != A.offsets.end()) {
        return refuse(fmt::format("row {} of the matrix is empty", empty - A.offsets.begin() + 1));
    }
    report.symmetric = is_symmetric(A);
    std::optional<EigenvalueSearch> search;
    if (report.symmetric) search.emplace(A);
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    report.plain.gershgorin = gershgorin(A, ones);
    if (search) report.plain.found = search->find(ones, steps);
    report.jacobi = of_jacobi(A, search ? &*search : nullptr, steps);
    return report;
}

std::string in_words(const Eigenvalues& e, bool symmetric) {
    if (!e.why_not.empty()) return "not computed: " + e.why_not;
    const std::string gershgorin = fmt::format("at most {:.4g} in size (Gershgorin)", e.gershgorin);
    if (!e.found) {
        return fmt::format("{}; Lanczos needs {}", gershgorin,
                           symmetric ? "a diagonal of one sign" : "a symmetric matrix");
    }
    const ExtremeEigenvalues& found = *e.found;
    const double ratio = found.largest / found.smallest;
    return fmt::format("the smallest at most {:.4g}, the largest at least {:.4g} ({}): {}; {}{}", found.smallest,
                       found.largest, steps_of(found), definiteness(found), gershgorin,
                       ratio > 0 ? fmt::format("; condition {:.2g} or more", std::max(ratio, 1 / ratio)) : "");
}

}  // namespace glsolve::cli
