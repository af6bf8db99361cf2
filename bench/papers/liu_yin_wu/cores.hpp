/// Restarted GMRES and products on the cores of a processor: the peers that the papers compare with, as plain loops
/// over compressed sparse rows, compiled for this machine.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::bench::gmres {

/// A matrix in compressed rows, of float or double, and how many threads share its rows.
template <class Number>
class CoreMatrix {
  public:
    CoreMatrix(CsrView A, int threads);

    void multiply(std::vector<Number>& y, const std::vector<Number>& x) const;  // y <- A x
    std::size_t rows() const { return offsets_.size() - 1; }
    int threads() const { return threads_; }

  private:
    std::vector<Offset> offsets_;
    std::vector<Index> columns_;
    std::vector<Number> values_;
    int threads_;
};

template <class Number>
struct CoreSolve {
    std::vector<Number> x;
    std::vector<double> residuals;  ///< |b - A x| / |b| after each step, as the recurrence has it
};

/// GMRES(m) with the modified Gram-Schmidt process. A must outlive it.
/// Source: Y. Liu, H. Yin, E. Wu (2011), algorithm 1.
template <class Number>
class CoreGmres {
  public:
    /// Allocates all vectors, so that solves do not.
    CoreGmres(const CoreMatrix<Number>& A, int m);

    /// From x = 0, at most so many steps in all. It ends early where the residual is below 1e-14 |b|.
    const CoreSolve<Number>& solve(const std::vector<Number>& b, int steps);

  private:
    const CoreMatrix<Number>& A_;
    std::size_t m_;
    std::vector<std::vector<Number>> v_;
    std::vector<Number> r_;
    CoreSolve<Number> solve_;
};

extern template class CoreMatrix<float>;
extern template class CoreMatrix<double>;
extern template class CoreGmres<float>;
extern template class CoreGmres<double>;

}  // namespace glsolve::bench::gmres
