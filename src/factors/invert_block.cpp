#include "factors/invert_block.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace glsolve::inline v0_1 {
namespace {

constexpr int most = 4;
using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, most, most>;  // on the stack
using Vector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most, 1>;

}  // namespace

double invert_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse) {
    const auto b = static_cast<Eigen::Index>(S.size());
    const Square s = Eigen::Map<const Vector>(S.data(), b).asDiagonal();
    const Eigen::FullPivLU<Square> factors(s * Eigen::Map<const Square>(D.data(), b, b));
    Eigen::Map<Square>(inverse.data(), b, b) = factors.solve(s);
    return factors.matrixLU().diagonal().cwiseAbs().minCoeff();
}

double invert_symmetric_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse) {
    const auto b = static_cast<Eigen::Index>(S.size());
    const Square s = Eigen::Map<const Vector>(S.data(), b).asDiagonal();
    const Eigen::LDLT<Square> factors(s * Eigen::Map<const Square>(D.data(), b, b) * s);
    Eigen::Map<Square> made(inverse.data(), b, b);
    made = s * factors.solve(s);
    made.triangularView<Eigen::StrictlyUpper>() = made.transpose();  // to the last bit
    return factors.vectorD().minCoeff();
}

}  // namespace glsolve::inline v0_1
