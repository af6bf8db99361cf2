#include "inverses/factors_on_host.hpp"

#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {

void FactorsOnHost::apply(Vector& z, const Vector& r) {
    const Index n = factors_.L.rows;
    const auto rows = static_cast<std::size_t>(n);
    for (std::vector<double>* vector : {&r_, &x_, &y_}) vector->resize(rows);
    download_numbers(r, rows, [&](std::size_t i, double number) { r_[i] = number; });
    for (Index i = 0; i < n; ++i) {  // x = (I + L)^-1 F r
        const auto of_A = static_cast<std::size_t>(rows_[static_cast<std::size_t>(i)]);
        double x = row_scale_[of_A] * r_[of_A];
        for (const auto [j, l] : factors_.L.row(i)) x -= l * x_[static_cast<std::size_t>(j)];
        x_[static_cast<std::size_t>(i)] = x;
    }
    for (Index i = 0; i < n; ++i) {  // y = D^-1 x
        double y = 0;
        for (const auto [j, d] : factors_.inverse_D.row(i)) y += d * x_[static_cast<std::size_t>(j)];
        y_[static_cast<std::size_t>(i)] = y;
    }
    for (Index i = n - 1; i >= 0; --i) {  // y = (I + U)^-1 y, and G y
        const auto k = static_cast<std::size_t>(i);
        for (const auto [j, u] : factors_.U.row(i)) y_[k] -= u * y_[static_cast<std::size_t>(j)];
        const auto unknown = static_cast<std::size_t>(columns_[k]);
        r_[unknown] = column_scale_[unknown] * y_[k];
    }
    upload_floats(z, rows, [&](std::size_t i) { return r_[i]; });
}

}  // namespace glsolve::inline v0_1
