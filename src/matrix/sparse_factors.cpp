#include "matrix/sparse_factors.hpp"

#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

#include <optional>

namespace glsolve::inline v0_1 {
namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;
using InOrder = Eigen::NaturalOrdering<Index>;
using Cholesky = Eigen::SimplicialLDLT<Matrix, Eigen::Lower, InOrder>;
using Lu = Eigen::SparseLU<Matrix, InOrder>;

constexpr double least_diagonal = 0.01;  // times the largest entry of the column

Matrix by_columns(const CsrMatrix& C) {
    using ByRows = Eigen::SparseMatrix<double, Eigen::RowMajor, Index>;
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

    explicit Impl(const FactorPlan& plan)
        : rows(plan.rows), columns(plan.columns), row_scale(plan.row_scale), column_scale(plan.column_scale) {
        const Matrix C = by_columns(plan.C);
        if (plan.cost.kind == FactorCost::Kind::ldlt && made_symmetric(C)) return;
        lu.emplace();
        lu->isSymmetric(true);
        lu->setPivotThreshold(least_diagonal);
        lu->compute(C);
    }

    /// Are all pivots positive?
    bool made_symmetric(const Matrix& C) {
        cholesky.emplace(C);
        const bool is_definite = cholesky->info() == Eigen::Success && cholesky->vectorD().minCoeff() > 0;
        if (!is_definite) cholesky.reset();
        return is_definite;
    }
};

SparseFactors::SparseFactors(const FactorPlan& plan) : impl_(std::make_unique<Impl>(plan)) {}
SparseFactors::~SparseFactors() = default;

bool SparseFactors::exist() const { return impl_->cholesky || impl_->lu->info() == Eigen::Success; }

std::string_view SparseFactors::name() const { return impl_->cholesky ? "L D L^T" : "L U"; }

double SparseFactors::entries() const {
    return impl_->cholesky ? static_cast<double>(impl_->cholesky->matrixL().nestedExpression().nonZeros())
                           : static_cast<double>(impl_->lu->nnzL()) + static_cast<double>(impl_->lu->nnzU());
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

}  // namespace glsolve::inline v0_1
