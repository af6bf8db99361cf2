#include "cores.hpp"

#include <algorithm>
#include <cmath>

namespace glsolve::bench::gmres {
namespace {

constexpr std::int64_t worth_threads = 20000;  // numbers: fewer are done before a second thread is awake
constexpr double solved = 1e-14;

int threads_for(std::int64_t n, int threads) { return n >= worth_threads ? threads : 1; }

/// The operations on vectors that GMRES is made of.
template <class Number>
struct Vectors {
    int threads;

    // Partial sums of a vector register each; a sum in double precision would halve the rate.
    double dot(const std::vector<Number>& x, const std::vector<Number>& y) const {
        const auto n = static_cast<std::int64_t>(x.size());
        const Number *p = x.data(), *q = y.data();
        Number sum = 0;
#pragma omp parallel for simd reduction(+ : sum) num_threads(threads_for(n, threads)) schedule(static)
        for (std::int64_t i = 0; i < n; ++i) sum += p[i] * q[i];
        return static_cast<double>(sum);
    }
    void axpy(std::vector<Number>& y, double a, const std::vector<Number>& x) const {  // y <- y + a x
        const auto n = static_cast<std::int64_t>(x.size());
        Number* p = y.data();
        const Number *q = x.data(), factor = static_cast<Number>(a);
#pragma omp parallel for simd num_threads(threads_for(n, threads)) schedule(static)
        for (std::int64_t i = 0; i < n; ++i) p[i] += factor * q[i];
    }
    void scaled(std::vector<Number>& y, double a, const std::vector<Number>& x) const {  // y <- a x
        const auto n = static_cast<std::int64_t>(x.size());
        Number* p = y.data();
        const Number *q = x.data(), factor = static_cast<Number>(a);
#pragma omp parallel for simd num_threads(threads_for(n, threads)) schedule(static)
        for (std::int64_t i = 0; i < n; ++i) p[i] = factor * q[i];
    }
};

/// min |beta e_1 - H y| by rotations, a column at a time.
class SmallProblem {
  public:
    SmallProblem(std::size_t m, double beta) : g_(m + 1, 0.0) { g_[0] = beta; }

    /// The next column: h_0 ... h_j+1. Returns the residual's norm.
    double add(std::vector<double> h) {
        const std::size_t j = columns_.size();
        for (std::size_t i = 0; i < j; ++i) {
            const double top = h[i];
            h[i] = cosine_[i] * top + sine_[i] * h[i + 1];
            h[i + 1] = cosine_[i] * h[i + 1] - sine_[i] * top;
        }
        const double rho = std::hypot(h[j], h[j + 1]);
        cosine_.push_back(rho > 0 ? h[j] / rho : 0);
        sine_.push_back(rho > 0 ? h[j + 1] / rho : 1);
        h[j] = rho;
        g_[j + 1] = -sine_[j] * g_[j];
        g_[j] *= cosine_[j];
        columns_.push_back(std::move(h));
        return std::abs(g_[j + 1]);
    }
    std::vector<double> solve() const {
        std::vector<double> y(columns_.size());
        for (std::size_t j = y.size(); j-- > 0;) {
            double sum = g_[j];
            for (std::size_t k = j + 1; k < y.size(); ++k) sum -= columns_[k][j] * y[k];
            y[j] = columns_[j][j] != 0 ? sum / columns_[j][j] : 0;
        }
        return y;
    }

  private:
    std::vector<std::vector<double>> columns_;
    std::vector<double> g_, cosine_, sine_;
};

}  // namespace

template <class Number>
CoreMatrix<Number>::CoreMatrix(CsrView A, int threads)
    : offsets_(A.offsets.begin(), A.offsets.end()),
      columns_(A.column.begin(), A.column.end()),
      values_(A.value.begin(), A.value.end()),
      threads_(threads) {}

template <class Number>
void CoreMatrix<Number>::multiply(std::vector<Number>& y, const std::vector<Number>& x) const {
    const auto n = static_cast<std::int64_t>(rows());
    const Offset* offsets = offsets_.data();
    const Index* columns = columns_.data();
    const Number *values = values_.data(), *from = x.data();
    Number* to = y.data();
#pragma omp parallel for num_threads(threads_for(offsets[n], threads_)) schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
        Number sum = 0;
        for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) sum += values[k] * from[columns[k]];
        to[i] = sum;
    }
}

template <class Number>
CoreGmres<Number>::CoreGmres(const CoreMatrix<Number>& A, int m)
    : A_(A), m_(static_cast<std::size_t>(m)), v_(m_ + 1, std::vector<Number>(A.rows())), r_(A.rows()) {
    solve_.x.resize(A.rows());
}

template <class Number>
const CoreSolve<Number>& CoreGmres<Number>::solve(const std::vector<Number>& b, int steps) {
    const Vectors<Number> on{A_.threads()};
    auto& [x, residuals] = solve_;
    on.scaled(x, 0, b);  // x <- 0
    residuals.clear();
    const double size = std::sqrt(on.dot(b, b));
    for (int done = 0; done < steps;) {
        A_.multiply(r_, x);
        on.scaled(r_, -1, r_);
        on.axpy(r_, 1, b);  // r <- b - A x
        const double beta = std::sqrt(on.dot(r_, r_));
        if (beta <= solved * size) break;
        on.scaled(v_[0], 1 / beta, r_);
        SmallProblem small(m_, beta);
        std::size_t j = 0;
        for (; j < m_ && done < steps; ++j, ++done) {
            std::vector<Number>& w = v_[j + 1];
            A_.multiply(w, v_[j]);
            std::vector<double> h(j + 2);
            for (std::size_t i = 0; i <= j; ++i) {
                h[i] = on.dot(w, v_[i]);
                on.axpy(w, -h[i], v_[i]);
            }
            h[j + 1] = std::sqrt(on.dot(w, w));
            if (h[j + 1] > 0) on.scaled(w, 1 / h[j + 1], w);
            residuals.push_back(small.add(std::move(h)) / size);
        }
        const std::vector<double> y = small.solve();
        for (std::size_t i = 0; i < y.size(); ++i) on.axpy(x, y[i], v_[i]);
    }
    return solve_;
}

template class CoreMatrix<float>;
template class CoreMatrix<double>;
template class CoreGmres<float>;
template class CoreGmres<double>;

}  // namespace glsolve::bench::gmres
