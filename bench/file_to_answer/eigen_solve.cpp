// Solves a system from Matrix Market files with Eigen's iterative methods, for without_gpu.py and
// ../auto/bench_auto.py:
//
//   eigen_solve cg-jacobi A.mtx b.mtx x.mtx
//   eigen_solve ilut-bicgstab A.mtx b.mtx x.mtx
//
// Prints the seconds of set-up and solve. All nonzeros of A have to be in the file, of symmetric matrices also.
// g++ -std=c++17 -O3 -march=native -fopenmp -I /usr/include/eigen3 eigen_solve.cpp -o eigen_solve
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <cstdio>
#include <string>
#include <unsupported/Eigen/SparseExtra>

#include "lap.hpp"

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;  // row by row: the product runs on all cores

template <class Method>
Eigen::VectorXd solve(const Matrix& A, const Eigen::VectorXd& b) {
    lap();
    Method method;
    method.setTolerance(1e-8);
    method.setMaxIterations(20 * A.rows());
    method.compute(A);
    std::printf("set-up %.4f s, ", lap());
    Eigen::VectorXd x = method.solve(b);
    std::printf("solve %.4f s, %d iterations to %.1e\n", lap(), static_cast<int>(method.iterations()), method.error());
    return x;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string method = argc == 5 ? argv[1] : "";
    if (method != "cg-jacobi" && method != "ilut-bicgstab") {
        std::fprintf(stderr, "eigen_solve cg-jacobi|ilut-bicgstab A.mtx b.mtx x.mtx\n");
        return 2;
    }
    Matrix A;
    Eigen::VectorXd b;
    if (!Eigen::loadMarket(A, argv[2]) || !Eigen::loadMarketVector(b, argv[3])) return 1;
    const Eigen::VectorXd x = method == "cg-jacobi"
                                  ? solve<Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper>>(A, b)
                                  : solve<Eigen::BiCGSTAB<Matrix, Eigen::IncompleteLUT<double>>>(A, b);
    return Eigen::saveMarketVector(x, argv[4]) ? 0 : 1;
}
