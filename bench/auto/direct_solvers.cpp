// What other libraries' sparse factors take beside Eigen's, which glsolve uses: seconds of ordering and factors.
//
//   apt-get install libsuitesparse-dev libsuperlu-dev libeigen3-dev
//   g++ -std=c++17 -O3 -I /usr/include/eigen3 -I /usr/include/suitesparse -I /usr/include/superlu direct_solvers.cpp \
//       -lklu -lumfpack -lcholmod -lsuperlu -o direct_solvers
//   direct_solvers A.mtx        # with all nonzeros, of symmetric matrices also (glsolve convert)
#include <Eigen/CholmodSupport>
#include <Eigen/KLUSupport>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <Eigen/SuperLUSupport>
#include <Eigen/UmfPackSupport>
#include <chrono>
#include <cstdio>
#include <unsupported/Eigen/SparseExtra>

namespace {

using Matrix = Eigen::SparseMatrix<double>;

template <class Factors>
void time(const char* name, const Matrix& A) {
    const auto begin = std::chrono::steady_clock::now();
    Factors factors;
    factors.compute(A);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (factors.info() != Eigen::Success) {
        std::printf("%s: no factors (%.3f s)\n", name, took.count());
        return;
    }
    const Eigen::VectorXd b = A * Eigen::VectorXd::LinSpaced(A.cols(), 1, 2);
    const Eigen::VectorXd x = factors.solve(b);
    std::printf("%s: %.3f s, residual %.1e\n", name, took.count(), (b - A * x).norm() / b.norm());
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    Matrix A;
    if (argc != 2 || !Eigen::loadMarket(A, argv[1])) {
        std::fprintf(stderr, "direct_solvers A.mtx\n");
        return 2;
    }
    A.makeCompressed();
    std::printf("%s: %d rows\n", argv[1], static_cast<int>(A.rows()));
    time<Eigen::SparseLU<Matrix, Eigen::COLAMDOrdering<int>>>("Eigen SparseLU, COLAMD", A);
    time<Eigen::KLU<Matrix>>("KLU", A);
    time<Eigen::UmfPackLU<Matrix>>("UMFPACK", A);
    time<Eigen::SuperLU<Matrix>>("SuperLU", A);
    if (Matrix(A.transpose()).isApprox(A, 1e-14)) {
        time<Eigen::SimplicialLDLT<Matrix>>("Eigen SimplicialLDLT", A);
        time<Eigen::CholmodSupernodalLLT<Matrix>>("CHOLMOD, supernodal", A);
    }
}
