#include "eigen_factors.hpp"

#include <glsolve/error.hpp>
#include <memory>

#include "beside_eigen.hpp"

namespace glsolve::bench {
namespace {

constexpr int most_starts = 10;

/// A solver of Eigen's that starts again from its answer where the residual of its recurrence was better than the true
/// one.
template <class Iterative>
class EigenSolver {
  public:
    using Matrix = typename Iterative::MatrixType;
    EigenSolver(const Matrix& A, const Aim& aim) : A_(A), aim_(aim) {
        solver_.setTolerance(aim.tolerance);
        if (aim.max_iterations > 0) solver_.setMaxIterations(aim.max_iterations);
        solver_.compute(A);
        if (solver_.info() != Eigen::Success) throw Error("no factors");
    }
    std::int64_t solve(const std::vector<double>& b, std::vector<double>& x, std::string& remark) {
        const auto n = static_cast<Eigen::Index>(b.size());
        const Eigen::Map<const Eigen::VectorXd> right(b.data(), n);
        Eigen::VectorXd answer = Eigen::VectorXd::Zero(n);
        std::int64_t iterations = 0;
        int starts = 0;
        bool improves = true;
        for (double before = right.norm(), after = 0; starts < most_starts && improves; ++starts, before = after) {
            answer = solver_.solveWithGuess(right, answer).eval();
            iterations += solver_.iterations();
            after = (right - A_ * answer).norm();
            if (after <= aim_.tolerance * right.norm() || solver_.info() != Eigen::Success) break;
            improves = after < before / 2;
        }
        if (starts > 0) remark = fmt::format("restarted {} times", starts);
        Eigen::Map<Eigen::VectorXd>(x.data(), n) = answer;
        return iterations;
    }

  private:
    const Matrix& A_;
    Aim aim_;
    Iterative solver_;
};

/// With one thread, and with all: on a busy machine, and for small matrices, one is often faster.
template <class Iterative>
SolveRow eigen_row(const char* name, const TestSystem& system, const Aim& aim) {
    const typename Iterative::MatrixType A = to_eigen<double>(system.A);
    const int all = Eigen::nbThreads();
    const auto row_with = [&](int threads) {
        Eigen::setNbThreads(threads);
        SolveRow row = least_row(name, system, aim, [&] { return std::make_unique<EigenSolver<Iterative>>(A, aim); });
        row.remark = fmt::format("{} thread{}{}{}", threads, threads == 1 ? "" : "s", row.remark.empty() ? "" : "; ",
                                 row.remark);
        Eigen::setNbThreads(all);
        return row;
    };
    SolveRow one = row_with(1);
    if (all == 1 || !one.reached) return one;
    SolveRow many = row_with(all);
    return many.reached && many.total() < one.total() ? many : one;
}

using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

}  // namespace

std::string eigen_in_words() {
    return fmt::format(
        "Eigen {}.{}.{}, 1 or {} threads, double precision; its ILUT drops below 1e-12 and fills up to 10 times A.",
        EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION, Eigen::nbThreads());
}

SolveRow eigen_bicgstab(const TestSystem& system, const Aim& aim) {
    return eigen_row<Eigen::BiCGSTAB<Matrix, Eigen::IncompleteLUT<double>>>("Eigen BiCGSTAB + ILUT", system, aim);
}

SolveRow eigen_cg(const TestSystem& system, const Aim& aim) {
    using Solver = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Eigen::IncompleteCholesky<double>>;
    return eigen_row<Solver>("Eigen CG + IC", system, aim);
}

}  // namespace glsolve::bench
