#include <Eigen/LU>

#include "matrix/dense_factors.hpp"

namespace glsolve::inline v0_1 {

struct DenseLu::Impl {
    Eigen::PartialPivLU<Eigen::MatrixXd> factors;
};

DenseLu::DenseLu(Index n, const Place& place) : impl_(std::make_unique<Impl>()) {
    Eigen::MatrixXd B = Eigen::MatrixXd::Zero(n, n);
    place([&](Index i, Index j, double value) { B(i, j) = value; });
    impl_->factors.compute(B);
}
DenseLu::~DenseLu() = default;

std::vector<double> DenseLu::solve(std::span<const double> r) const {
    const auto n = static_cast<Eigen::Index>(r.size());
    std::vector<double> x(r.size());
    Eigen::Map<Eigen::VectorXd>(x.data(), n) = impl_->factors.solve(Eigen::Map<const Eigen::VectorXd>(r.data(), n));
    return x;
}

std::vector<double> DenseLu::inverse() const {
    const Eigen::Index n = impl_->factors.rows();
    std::vector<double> made(static_cast<std::size_t>(n * n));
    Eigen::Map<Eigen::MatrixXd>(made.data(), n, n) = impl_->factors.inverse();
    return made;
}

double DenseLu::pivot_ratio() const {
    const Eigen::VectorXd pivots = impl_->factors.matrixLU().diagonal().cwiseAbs();
    return pivots.maxCoeff() > 0 ? pivots.minCoeff() / pivots.maxCoeff() : 0;
}

}  // namespace glsolve::inline v0_1
