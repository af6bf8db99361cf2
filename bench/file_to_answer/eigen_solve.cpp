// Solves a system from Matrix Market files with Eigen's conjugate gradients, for without_gpu.py:
//
//   eigen_solve cg-jacobi A.mtx b.mtx x.mtx
//
// Prints the seconds of set-up and solve.
// g++ -std=c++17 -O3 -march=native -fopenmp -I /usr/include/eigen3 eigen_solve.cpp -o eigen_solve
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>
#include <cstdio>
#include <string>
#include <unsupported/Eigen/SparseExtra>

#include "lap.hpp"

namespace {

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;  // row by row: the product runs on all cores

}  // namespace

int main(int argc, char** argv) {
    if (argc != 5 || argv[1] != std::string("cg-jacobi")) {
        std::fprintf(stderr, "eigen_solve cg-jacobi A.mtx b.mtx x.mtx\n");
        return 2;
    }
    Matrix A;
    Eigen::VectorXd b;
    if (!Eigen::loadMarket(A, argv[2]) || !Eigen::loadMarketVector(b, argv[3])) return 1;
    lap();
    Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> cg;
    cg.setTolerance(1e-8);
    cg.setMaxIterations(20 * A.rows());
    cg.compute(A);
    std::printf("set-up %.4f s, ", lap());
    const Eigen::VectorXd x = cg.solve(b);
    std::printf("solve %.4f s, %d iterations to %.1e\n", lap(), static_cast<int>(cg.iterations()), cg.error());
    return Eigen::saveMarketVector(x, argv[4]) ? 0 : 1;
}
