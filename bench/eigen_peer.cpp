#include <Eigen/Sparse>
#include <memory>

#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

template <class Number>
void add_product(const Matrix& matrix, const char* type, int threads) {
    using Sparse = Eigen::SparseMatrix<Number, Eigen::RowMajor>;
    using Dense = Eigen::Matrix<Number, Eigen::Dynamic, 1>;
    struct Product {
        Sparse A;
        Dense x, y;
    };
    const CsrMatrix& A = matrix.A;
    const auto p = std::make_shared<Product>();
    std::vector<Eigen::Triplet<Number>> entries;
    entries.reserve(A.value.size());
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            entries.emplace_back(i, A.column[static_cast<std::size_t>(k)],
                                 static_cast<Number>(A.value[static_cast<std::size_t>(k)]));
        }
    }
    p->A.resize(A.rows, A.columns);
    p->A.setFromTriplets(entries.begin(), entries.end());
    p->x = Dense::Random(A.columns);
    p->y = Dense::Zero(A.rows);
    const double bytes = (sizeof(Number) + 4.0) * static_cast<double>(A.nonzeros()) + (4.0 + 2 * sizeof(Number)) * A.rows;
    add({std::string("eigen/") + type + ", " + std::to_string(threads) + " threads/" + matrix.name, bytes,
         [p, threads] {
             Eigen::setNbThreads(threads);
             p->y.noalias() = p->A * p->x;
             benchmark::DoNotOptimize(p->y.data());
         }},
        {}, 0);
}

}  // namespace

void add_eigen(const Matrix& matrix, int threads) {
    for (const int count : {1, threads}) {
        add_product<double>(matrix, "double", count);
        add_product<float>(matrix, "float", count);
        if (threads == 1) break;
    }
}

}  // namespace glsolve::bench
