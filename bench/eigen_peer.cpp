#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <memory>

#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

template <class Number>
struct Product {
    explicit Product(CsrView A) : matrix(A.rows, A.columns), x(A.columns), y(A.rows) {
        std::vector<Eigen::Triplet<Number>> entries;
        entries.reserve(A.value.size());
        for (Index i = 0; i < A.rows; ++i) {
            for (auto k = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i)]);
                 k < static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
                entries.emplace_back(i, A.column[k], static_cast<Number>(A.value[k]));
            }
        }
        matrix.setFromTriplets(entries.begin(), entries.end());
        x.setRandom();
        y.setZero();
    }
    Eigen::SparseMatrix<Number, Eigen::RowMajor> matrix;
    Eigen::Matrix<Number, Eigen::Dynamic, 1> x, y;
};

template <class Number>
void add_product(const Matrix& matrix, const std::string& type, int threads) {
    const CsrView A = matrix.A;
    const double bytes =
        (sizeof(Number) + 4.0) * static_cast<double>(A.nonzeros()) + (4.0 + 2 * sizeof(Number)) * A.rows;
    add({fmt::format("eigen/{}, {} threads {}", type, threads, matrix.name), bytes,
         [&A, threads]() -> Work {
             return [p = std::make_shared<Product<Number>>(A), threads] {
                 Eigen::setNbThreads(threads);
                 p->y.noalias() = p->matrix * p->x;
                 benchmark::DoNotOptimize(p->y.data());
             };
         }},
        Clock{});
}

}  // namespace

void add_eigen(const Matrix& matrix, int threads) {
    for (const int count : {1, threads}) {
        add_product<double>(matrix, "double", count);
        add_product<float>(matrix, "float", count);
        if (threads == 1) break;
    }
}

std::function<void(std::span<const float> x, std::span<float> r)> eigen_residual(CsrView A, int threads) {
    return [p = std::make_shared<Product<double>>(A), b = Eigen::VectorXd(Eigen::VectorXd::Random(A.rows)), threads](
               std::span<const float> x, std::span<float> r) {
        Eigen::setNbThreads(threads);
        p->x = Eigen::Map<const Eigen::VectorXf>(x.data(), p->x.size()).cast<double>();
        p->y.noalias() = p->matrix * p->x;
        Eigen::Map<Eigen::VectorXf>(r.data(), p->y.size()) = (b - p->y).cast<float>();
    };
}

void add_eigen_dense(Index n, int threads) {
    for (const int count : {1, threads}) {
        add({fmt::format("eigen/float, {} threads dense {}", count, n), 4.0 * n * n + 8.0 * n,
             [n, count]() -> Work {
                 const auto A = std::make_shared<Eigen::MatrixXf>(Eigen::MatrixXf::Random(n, n));
                 const auto x = std::make_shared<Eigen::VectorXf>(Eigen::VectorXf::Random(n));
                 const auto y = std::make_shared<Eigen::VectorXf>(Eigen::VectorXf::Zero(n));
                 return [A, x, y, count] {
                     Eigen::setNbThreads(count);
                     y->noalias() = *A * *x;
                     benchmark::DoNotOptimize(y->data());
                 };
             }},
            Clock{});
        if (threads == 1) break;
    }
}

}  // namespace glsolve::bench
