#include "matrix/dense_factors.hpp"

#include <Eigen/LU>
#include <Eigen/QR>

namespace glsolve::inline v0_1 {
namespace {

using Matrix = Eigen::MatrixXd;

Matrix filled_by(Index n, const DenseFactors::Place& place) {
    Matrix B = Matrix::Zero(n, n);
    place([&](Index i, Index j, double value) { B(i, j) = value; });
    return B;
}

std::vector<double> solve_by(const auto& factors, std::span<const double> r) {
    const auto n = static_cast<Eigen::Index>(r.size());
    std::vector<double> x(r.size());
    Eigen::Map<Eigen::VectorXd>(x.data(), n) = factors.solve(Eigen::Map<const Eigen::VectorXd>(r.data(), n));
    return x;
}

}  // namespace

struct TriangularFactors::Impl {
    Eigen::PartialPivLU<Matrix> factors;
};
TriangularFactors::TriangularFactors(Index n, const Place& place)
    : impl_(std::make_unique<Impl>(Eigen::PartialPivLU<Matrix>(filled_by(n, place)))) {}
TriangularFactors::~TriangularFactors() = default;

std::vector<double> TriangularFactors::solve(std::span<const double> r) const { return solve_by(impl_->factors, r); }

double TriangularFactors::pivot_ratio() const {
    const Eigen::VectorXd pivots = impl_->factors.matrixLU().diagonal().cwiseAbs();
    return pivots.maxCoeff() > 0 ? pivots.minCoeff() / pivots.maxCoeff() : 0;
}

struct OrthogonalFactors::Impl {
    Eigen::CompleteOrthogonalDecomposition<Matrix> factors;
};
OrthogonalFactors::OrthogonalFactors(Index n, const Place& place)
    : impl_(std::make_unique<Impl>(Eigen::CompleteOrthogonalDecomposition<Matrix>(filled_by(n, place)))) {}
OrthogonalFactors::~OrthogonalFactors() = default;

std::vector<double> OrthogonalFactors::solve(std::span<const double> r) const { return solve_by(impl_->factors, r); }

}  // namespace glsolve::inline v0_1
