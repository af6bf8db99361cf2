#include <Eigen/QR>

#include "matrix/dense_factors.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

}  // namespace

struct OrthogonalFactors::Impl {
    Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
};

OrthogonalFactors::OrthogonalFactors(Index n, const Place& place, double least_pivot)
    : impl_(std::make_unique<Impl>()) {
    Matrix B = Matrix::Zero(n, n);
    place([&](Index i, Index j, double value) { B(i, j) = value; });
    if (least_pivot > 0) impl_->factors.setThreshold(least_pivot);
    impl_->factors.compute(B);
}
OrthogonalFactors::~OrthogonalFactors() = default;

std::vector<double> OrthogonalFactors::solve(std::span<const double> r) const {
    const auto n = static_cast<Eigen::Index>(r.size());
    std::vector<double> x(r.size());
    Eigen::Map<Vector>(x.data(), n) = impl_->factors.solve(Eigen::Map<const Vector>(r.data(), n));
    return x;
}

struct SmallLeastSquares::Impl {
    Matrix B;
    Vector e_k, x, residual;
    Eigen::ColPivHouseholderQR<Matrix> factors;
};

SmallLeastSquares::SmallLeastSquares() : impl_(std::make_unique<Impl>()) {}
SmallLeastSquares::~SmallLeastSquares() = default;

std::span<double> SmallLeastSquares::begin(Index rows, Index columns) {
    impl_->B.setZero(rows, columns);
    return {impl_->B.data(), static_cast<std::size_t>(impl_->B.size())};
}

std::span<double> SmallLeastSquares::solve(Index k) {
    auto& [B, e_k, x, residual, factors] = *impl_;
    e_k.setZero(B.rows());
    e_k(k) = 1;
    factors.compute(B);
    x = factors.solve(e_k);
    residual = B * x - e_k;
    return {x.data(), static_cast<std::size_t>(x.size())};
}

std::span<const double> SmallLeastSquares::residual() const {
    return {impl_->residual.data(), static_cast<std::size_t>(impl_->residual.size())};
}

std::vector<double> orthonormal_basis(std::span<const double> numbers, Index rows, double least_pivot) {
    const auto columns = static_cast<Eigen::Index>(numbers.size()) / rows;
    Eigen::ColPivHouseholderQR<Matrix> factors(rows, columns);
    factors.setThreshold(least_pivot);
    factors.compute(Eigen::Map<const Matrix>(numbers.data(), rows, columns));
    std::vector<double> basis(static_cast<std::size_t>(rows * factors.rank()));
    Eigen::Map<Matrix> Q(basis.data(), rows, factors.rank());
    for (Eigen::Index k = 0; k < Q.cols(); ++k) Q.col(k) = factors.householderQ() * Vector::Unit(rows, k);
    return basis;
}

}  // namespace glsolve::inline v0_1
