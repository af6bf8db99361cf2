#include "cli/eigenvalues.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <new>
#include <random>
#include <utility>
#include <vector>

#include "base/tridiagonal.hpp"

namespace glsolve::cli {
namespace {

using Definite = ExtremeEigenvalues::Definite;

// Of the inverse a few steps find the largest eigenvalue, which is far from most others, and so do they of A. Without
// the inverse the smallest comes late.
constexpr int usual_steps = 64, steps_without_inverse = 512;
constexpr double most_work = 1e10;  // multiplications for the factors: some ten seconds

using Vector = Eigen::VectorXd;
using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, std::ptrdiff_t>;

/// y <- B x
using Product = std::function<void(const Vector& x, Vector& y)>;

struct RitzValues {
    double smallest = 0, largest = 0;
    int steps = 0;
};

/// Lanczos' method from a random vector, always the same one, without any further orthogonalisation: what rounding does
/// repeats eigenvalues, and makes none that lie outside (C. C. Paige, J. Inst. Maths. Applics. 18 (1976)).
RitzValues lanczos(Eigen::Index n, const Product& multiply, int steps) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    Vector v = Vector::NullaryExpr(n, [&] { return normal(random); }).normalized(), before = Vector::Zero(n), w(n);
    std::vector<double> diagonal, beside;
    double size = 0;
    for (int k = 0; k < std::min<Eigen::Index>(steps, n); ++k) {
        multiply(v, w);
        const double alpha = v.dot(w);
        w -= alpha * v;
        if (k > 0) w -= beside.back() * before;
        const double beta = w.norm();
        diagonal.push_back(alpha);
        size = std::max({size, std::abs(alpha), beta});
        if (!(beta > std::numeric_limits<double>::epsilon() * size)) break;  // the Krylov space is complete
        beside.push_back(beta);
        before = std::exchange(v, w / beta);
    }
    beside.resize(diagonal.size() - 1);
    const auto [smallest, largest] = glsolve::extreme_eigenvalues(diagonal, beside);
    return {smallest, largest, static_cast<int>(diagonal.size())};
}

/// L D L^T, without pivoting: exact enough where A is definite, and the signs of D tell whether it is.
class Factors : private Eigen::SimplicialLDLT<Matrix> {
    using Base = Eigen::SimplicialLDLT<Matrix>;

  public:
    using Base::solve;

    /// False: that would take too long, or too much memory.
    bool make(const Matrix& A) {
        try {
            analyzePattern(A);
            double work = 0;
            for (Eigen::Index k = 0; k < A.cols(); ++k) {
                const auto column = static_cast<double>(m_matrix.outerIndexPtr()[k + 1] - m_matrix.outerIndexPtr()[k]);
                work += column * column;
            }
            if (work > most_work) return false;
            factorize(A);
            return true;
        } catch (const std::bad_alloc&) {
            return false;
        }
    }

    Definite definite() const {
        if (info() != Eigen::Success) return Definite::neither;  // a pivot is zero
        if ((vectorD().array() > 0).all()) return Definite::positive;
        return (vectorD().array() < 0).all() ? Definite::negative : Definite::neither;
    }
};

Matrix to_eigen(CsrView A) {
    Matrix result(A.rows, A.columns);
    result.resizeNonZeros(static_cast<Eigen::Index>(A.nonzeros()));
    std::copy(A.offsets.begin(), A.offsets.end(), result.outerIndexPtr());
    std::copy(A.column.begin(), A.column.end(), result.innerIndexPtr());
    std::copy(A.value.begin(), A.value.end(), result.valuePtr());
    return result;  // rows are columns: A is symmetric
}

}  // namespace

struct EigenvalueSearch::Inside {
    explicit Inside(CsrView matrix) : A(to_eigen(matrix)) {
        if (factors.make(A)) definite = factors.definite();
    }

    Matrix A;
    Factors factors;
    Definite definite = Definite::unknown;  // S A S has as many eigenvalues of each sign
};

EigenvalueSearch::EigenvalueSearch(CsrView A) : inside_(std::make_unique<Inside>(A)) {}
EigenvalueSearch::~EigenvalueSearch() = default;

ExtremeEigenvalues EigenvalueSearch::find(const std::vector<double>& scale, int steps) const {
    const auto& [A, factors, definite] = *inside_;
    const Eigen::Map<const Vector> s(scale.data(), A.rows());
    const bool inverts = definite == Definite::positive || definite == Definite::negative;
    const int most = steps > 0 ? steps : inverts ? usual_steps : steps_without_inverse;
    const auto multiply = [&](const Vector& x, Vector& y) { y = s.cwiseProduct(A * s.cwiseProduct(x)); };
    const RitzValues of_A = lanczos(A.rows(), multiply, most);
    ExtremeEigenvalues found{.smallest = of_A.smallest, .largest = of_A.largest, .steps = of_A.steps};
    found.definite = definite;
    if (!inverts) return found;
    const auto invert = [&](const Vector& x, Vector& y) { y = factors.solve(x.cwiseQuotient(s)).cwiseQuotient(s); };
    const RitzValues of_inverse = lanczos(A.rows(), invert, most);
    found.inverse_steps = of_inverse.steps;
    const double rounding = std::numeric_limits<double>::epsilon() * std::max(-of_A.smallest, of_A.largest);
    if (definite == Definite::positive) {
        found.smallest = std::min(found.smallest, 1 / of_inverse.largest + rounding);
    } else {
        found.largest = std::max(found.largest, 1 / of_inverse.smallest - rounding);
    }
    return found;
}

}  // namespace glsolve::cli
