#include "cli/reference.hpp"

#include <fmt/format.h>

#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <new>

namespace glsolve::cli {
namespace {

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

constexpr double good_enough = 1e-12;  // the uncertainty of a reference; answers are rarely better than 1e-11
constexpr int most_corrections = 20;

[[noreturn]] void refuse(const std::string& why) {
    throw InvalidInput(fmt::format("no reference answer can be had in double precision: {}", why));
}

/// The rows of A^T are the columns of A.
Matrix to_eigen(CsrView A) {
    if (A.nonzeros() > std::numeric_limits<int>::max()) {
        refuse(fmt::format("{} nonzeros are more than the factorisation counts, {}", A.nonzeros(),
                           std::numeric_limits<int>::max()));
    }
    const CsrMatrix columns = transpose(A);
    Matrix result(A.rows, A.columns);
    result.resizeNonZeros(static_cast<Eigen::Index>(A.nonzeros()));
    std::transform(columns.offsets.begin(), columns.offsets.end(), result.outerIndexPtr(),
                   [](Offset offset) { return static_cast<int>(offset); });
    std::copy(columns.column.begin(), columns.column.end(), result.innerIndexPtr());
    std::copy(columns.value.begin(), columns.value.end(), result.valuePtr());
    return result;
}

/// b - A x, each sum in long double. Returns |b - A x| too.
Vector residual(CsrView A, std::span<const double> b, std::span<const double> x, double& norm) {
    Vector r(static_cast<Eigen::Index>(b.size()));
    long double square = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        long double sum = b[i];
        for (const auto [j, a] : A.row(i)) sum -= static_cast<long double>(a) * x[j];
        r[static_cast<Eigen::Index>(i)] = static_cast<double>(sum);
        square += sum * sum;
    }
    norm = static_cast<double>(std::sqrt(square));
    return r;
}

double largest(std::span<const double> x) {
    double size = 0;
    for (const double value : x) size = std::max(size, std::abs(value));
    return size;
}

Reference factorise_and_refine(CsrView A, std::span<const double> b) {
    Eigen::SparseLU<Matrix> factors;
    factors.compute(to_eigen(A));
    if (factors.info() != Eigen::Success) refuse("the matrix is singular: a column has no pivot");
    Reference reference;
    std::vector<double>& x = reference.x;
    x.assign(b.size(), 0.0);
    double norm = 0, change = std::numeric_limits<double>::infinity();
    const auto correct = [&] {  // x <- x + U^-1 L^-1 (b - A x)
        const Vector d = factors.solve(residual(A, b, x, norm));
        if (!d.allFinite()) refuse("an answer leaves the range of double precision");
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += d[static_cast<Eigen::Index>(i)];
        return d.lpNorm<Eigen::Infinity>() / largest(x);
    };
    constexpr double last_bits = std::numeric_limits<double>::epsilon();
    correct();
    while (reference.corrections < most_corrections && change > last_bits) {
        const double previous = change;
        change = correct();
        ++reference.corrections;
        if (!(change < previous / 2)) break;  // corrections are noise now
    }
    if (!(change <= good_enough)) {
        refuse(
            fmt::format("corrections still change the answer by {:.1e} of its largest component ({:.0e} is needed): "
                        "the matrix is singular, or too ill-conditioned",
                        change, good_enough));
    }
    residual(A, b, x, norm);
    const Eigen::Map<const Vector> right(b.data(), static_cast<Eigen::Index>(b.size()));
    reference.relative_residual = norm / right.stableNorm();
    reference.uncertainty = std::max(change, last_bits / 2);  // x is rounded
    return reference;
}

}  // namespace

Reference reference_answer(CsrView A, std::span<const double> b) {
    if (A.rows != A.columns) {
        refuse(
            fmt::format("the matrix is {} x {}, and it is made by a factorisation of square ones", A.rows, A.columns));
    }
    if (!std::all_of(b.begin(), b.end(), [](double v) { return std::isfinite(v); })) {
        refuse("the right-hand side is not finite");
    }
    if (largest(b) == 0) refuse("the right-hand side is zero, and errors cannot be relative to an answer of zeros");
    try {
        return factorise_and_refine(A, b);
    } catch (const std::bad_alloc&) {
        refuse("the factors do not fit into memory");
    }
}

std::vector<double> componentwise_errors(std::span<const double> x, const Reference& reference) {
    const double size = largest(reference.x);
    std::vector<double> errors(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) errors[i] = std::abs(x[i] - reference.x[i]) / size;
    return errors;
}

}  // namespace glsolve::cli
