#include "matrix/sparse_factors.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace glsolve::inline v0_1 {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;
using InOrder = Eigen::NaturalOrdering<Index>;
using Cholesky = Eigen::SimplicialLDLT<Matrix, Eigen::Lower, InOrder>;

using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor, Index>;

CsrMatrix csr_of(const ByRows& matrix) {
    CsrMatrix made{.rows = static_cast<Index>(matrix.rows()), .columns = static_cast<Index>(matrix.cols())};
    const Index* const offsets = matrix.outerIndexPtr();
    made.offsets.assign(offsets, offsets + matrix.rows() + 1);
    made.column.assign(matrix.innerIndexPtr(), matrix.innerIndexPtr() + matrix.nonZeros());
    made.value.assign(matrix.valuePtr(), matrix.valuePtr() + matrix.nonZeros());
    return made;
}

/// With its pivots, the diagonal of U, which Eigen keeps with L.
struct Lu : Eigen::SparseLU<Matrix, InOrder> {
    double pivot_ratio(bool definite) const {
        if (info() != Eigen::Success) return 0;
        double smallest = std::numeric_limits<double>::infinity(), largest = 0;
        for (Index j = 0; j < cols(); ++j) {
            for (SCMatrix::InnerIterator entry(m_Lstore, j); entry; ++entry) {
                if (entry.row() != j) continue;
                smallest = std::min(smallest, definite ? entry.value() : std::abs(entry.value()));
                largest = std::max(largest, std::abs(entry.value()));
                break;
            }
        }
        return largest > 0 ? smallest / largest : 0;
    }

    using OfU = Eigen::MappedSparseMatrix<double, Eigen::ColMajor, Index>;

    SparseFactors::Triangles triangles() const {
        std::vector<Eigen::Triplet<double, Index>> lower, upper;
        SparseFactors::Triangles made;
        made.D.resize(static_cast<std::size_t>(cols()));
        lower.reserve(static_cast<std::size_t>(nnzL()));
        upper.reserve(static_cast<std::size_t>(nnzU()));
        for (Index j = 0; j < cols(); ++j) {  // Eigen keeps the diagonal blocks of U with L
            for (SCMatrix::InnerIterator entry(m_Lstore, j); entry; ++entry) {
                if (entry.row() == j) made.D[static_cast<std::size_t>(j)] = entry.value();
                if (entry.row() != j && entry.value() != 0) {
                    (entry.row() > j ? lower : upper).emplace_back(entry.row(), j, entry.value());
                }
            }
            for (OfU::InnerIterator entry(m_Ustore, j); entry; ++entry) {
                if (entry.value() != 0) upper.emplace_back(entry.row(), j, entry.value());
            }
        }
        for (auto& entry : upper) {  // D (I + U)
            const double pivot = made.D[static_cast<std::size_t>(entry.row())];
            entry = {entry.row(), entry.col(), entry.value() / pivot};
        }
        ByRows matrix(rows(), cols());
        matrix.setFromTriplets(lower.begin(), lower.end());
        made.L = csr_of(matrix);
        matrix.setFromTriplets(upper.begin(), upper.end());
        made.U = csr_of(matrix);
        made.from.resize(made.D.size());
        for (Index i = 0; i < rows(); ++i) made.from[static_cast<std::size_t>(rowsPermutation().indices()[i])] = i;
        return made;
    }
};

constexpr double least_diagonal = 0.01;  // times the largest entry of the column

Matrix by_columns(CsrView C) {
    const std::vector<Index> offsets(C.offsets.begin(), C.offsets.end());
    return Eigen::Map<const ByRows>(C.rows, C.columns, static_cast<Index>(C.nonzeros()), offsets.data(),
                                    C.column.data(), C.value.data());
}

}  // namespace

struct SparseFactors::Impl {
    std::vector<Index> rows, columns;
    std::vector<double> row_scale, column_scale;
    std::optional<Cholesky> cholesky;
    std::optional<Lu> lu;
    bool is_definite = false;

    Impl(const FactorPlan& plan, double shift)
        : rows(plan.rows), columns(plan.columns), row_scale(plan.row_scale), column_scale(plan.column_scale) {
        Matrix C = by_columns(plan.C);
        if (shift > 0) {
            const double added = shift * C.coeffs().cwiseAbs().maxCoeff();
            for (Index j = 0; j < C.cols(); ++j) C.coeffRef(j, j) += added;
        }
        is_definite = plan.is_definite;
        if (plan.cost.kind == FactorCost::Kind::ldlt) {
            cholesky.emplace(C);
            return;
        }
        lu.emplace();
        lu->isSymmetric(true);
        lu->setPivotThreshold(is_definite ? 0 : least_diagonal);
        lu->compute(C);
    }
};

SparseFactors::SparseFactors(const FactorPlan& plan, double shift) : impl_(std::make_unique<Impl>(plan, shift)) {}
SparseFactors::SparseFactors(SparseFactors&&) noexcept = default;
SparseFactors& SparseFactors::operator=(SparseFactors&&) noexcept = default;
SparseFactors::~SparseFactors() = default;

double SparseFactors::pivot_ratio() const {
    if (impl_->lu) return impl_->lu->pivot_ratio(impl_->is_definite);
    if (impl_->cholesky->info() != Eigen::Success) return 0;
    const auto pivots = impl_->cholesky->vectorD();
    return pivots.minCoeff() / pivots.cwiseAbs().maxCoeff();
}

std::string_view SparseFactors::name() const { return impl_->cholesky ? "L D L^T" : "L U"; }

double SparseFactors::entries() const {
    return impl_->cholesky ? static_cast<double>(impl_->cholesky->matrixL().nestedExpression().nonZeros())
                           : static_cast<double>(impl_->lu->nnzL()) + static_cast<double>(impl_->lu->nnzU());
}

SparseFactors::Triangles SparseFactors::triangles() const {
    if (impl_->lu) return impl_->lu->triangles();
    Triangles made;
    const ByRows L = impl_->cholesky->matrixL().nestedExpression();  // its unit diagonal is not stored
    made.L = csr_of(L);
    made.U = csr_of(L.transpose());
    const auto pivots = impl_->cholesky->vectorD();
    made.D.assign(pivots.begin(), pivots.end());
    made.from.resize(made.D.size());
    std::iota(made.from.begin(), made.from.end(), 0);
    return made;
}

std::vector<double> SparseFactors::solve(std::span<const double> r) const {
    const Impl& f = *impl_;
    Eigen::VectorXd c(static_cast<Eigen::Index>(r.size()));
    for (std::size_t k = 0; k < r.size(); ++k) {
        const auto i = static_cast<std::size_t>(f.rows[k]);
        c[static_cast<Eigen::Index>(k)] = f.row_scale[i] * r[i];
    }
    const Eigen::VectorXd y = f.cholesky ? Eigen::VectorXd(f.cholesky->solve(c)) : Eigen::VectorXd(f.lu->solve(c));
    std::vector<double> x(r.size());
    for (std::size_t k = 0; k < r.size(); ++k) {
        const auto j = static_cast<std::size_t>(f.columns[k]);
        x[j] = f.column_scale[j] * y[static_cast<Eigen::Index>(k)];
    }
    return x;
}

Factored factor(CsrView A, FactorPlan plan, double most_bytes) {
    constexpr double rounding = 1e-14;
    Factored made{.plan = std::move(plan)};
    if (made.plan.possible()) made.factors.emplace(made.plan);
    const auto ratio = [&] { return made.factors->pivot_ratio(); };
    if (made.factors && made.plan.is_definite && (ratio() < -rounding || ratio() == 0)) {
        made.plan = plan_factors(A, false, most_bytes);
        made.factors.reset();
        if (made.plan.possible()) made.factors.emplace(made.plan);
    }
    if (made.factors && ratio() == 0) {
        made.shift = usual_shift;
        made.factors.emplace(made.plan, usual_shift);
    }
    return made;
}

}  // namespace glsolve::inline v0_1
