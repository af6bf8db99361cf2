#include "methods/least_squares_on_host.hpp"

#include <cmath>

namespace glsolve::inline v0_1 {

HessenbergAnswer solve_hessenberg(int columns, double beta, const std::function<double(int, int)>& h) {
    const auto m = static_cast<std::size_t>(columns);
    std::vector<std::vector<double>> R(m);
    std::vector<double> g{beta}, c(m), s(m);
    HessenbergAnswer answer;
    for (std::size_t j = 0; j < m; ++j) {
        std::vector<double>& column = R[j];
        for (std::size_t i = 0; i <= j + 1; ++i) column.push_back(h(static_cast<int>(i), static_cast<int>(j)));
        for (std::size_t i = 0; i < j; ++i) {
            const double top = column[i];
            column[i] = c[i] * top + s[i] * column[i + 1];
            column[i + 1] = c[i] * column[i + 1] - s[i] * top;
        }
        const double rho = std::hypot(column[j], column[j + 1]);
        c[j] = rho > 0 ? column[j] / rho : 0;
        s[j] = rho > 0 ? column[j + 1] / rho : 1;  // a column of zeros changes no residual
        column[j] = rho;
        g.push_back(-s[j] * g[j]);
        g[j] *= c[j];
        answer.residuals.push_back(std::abs(g[j + 1]));
    }
    answer.y.assign(m, 0.0);
    for (std::size_t j = m; j-- > 0;) {
        double sum = g[j];
        for (std::size_t k = j + 1; k < m; ++k) sum -= R[k][j] * answer.y[k];
        answer.y[j] = R[j][j] > 0 ? sum / R[j][j] : 0;
    }
    return answer;
}

}  // namespace glsolve::inline v0_1
