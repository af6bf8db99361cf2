#include "inverses/product_chain.hpp"

#include <algorithm>
#include <cmath>

#include "formats/choose_format.hpp"
#include "formats/diagonals.hpp"

namespace glsolve::inline v0_1 {

namespace {

/// Diagonals where there are few, else CSR: to look at all formats takes longer than a solve.
FormatKind soon_chosen(CsrView A) {
    constexpr int few = 16;
    const std::vector<Index> offsets = diagonal_offsets(A, few);
    double places = 0;
    for (const Index offset : offsets) places += A.rows - std::abs(offset);
    return !offsets.empty() && static_cast<double>(A.nonzeros()) > places / 2 ? FormatKind::dia : FormatKind::csr;
}

}  // namespace

std::unique_ptr<AssembledMatrix> stored_factor(Backend& backend, CsrView A) {
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    const FormatInput in{
        .A = A, .scale = ones, .max_texture_size = backend.info().max_texture_size, .low_parts = false};
    return make_format(backend, in, soon_chosen(A)).matrix;
}

std::unique_ptr<ProductChain> ordered_chain(Backend& backend, CsrView A, const MatrixToFactor& ordered,
                                            std::vector<CsrMatrix> matrices) {
    if (ordered.moved) {
        matrices.front() = ordered.times_F(matrices.front());
        matrices.back() = ordered.G_times(matrices.back());
    }
    double nonzeros = 0;
    for (const CsrView matrix : matrices) nonzeros += static_cast<double>(matrix.nonzeros());
    const double share = nonzeros / std::max(1.0, static_cast<double>(A.nonzeros()));
    return std::make_unique<ProductChain>(backend, matrices, std::max(1, static_cast<int>(std::lround(share))));
}

ProductChain::ProductChain(Backend& backend, const std::vector<CsrMatrix>& matrices, int products)
    : backend_(backend), products_(products), size_(matrices.front().rows) {
    for (const CsrView A : matrices) matrices_.push_back(stored_factor(backend, A));
    for (std::size_t k = 0; k < 2 && k + 1 < matrices.size(); ++k)
        between_.emplace_back(backend, size_, "M^-1 r, parts");
}

void ProductChain::apply(Vector& z, const Vector& r) {
    const Vector* x = &r;
    for (std::size_t k = 0; k < matrices_.size(); ++k) {
        Vector& y = k + 1 == matrices_.size() ? z : between_[k % 2];
        matrices_[k]->multiply(y, *x);
        x = &y;
    }
}

void ProductChain::apply(MultiVector& z, const MultiVector& r) {
    if (!sums_) {
        for (std::size_t k = 0; k < between_.size(); ++k) fields_.emplace_back(backend_, size_, "M^-1 R, parts");
        sums_ = std::make_unique<PartialSums>(backend_, z.layout().extent());
    }
    const MultiVector* x = &r;
    for (std::size_t k = 0; k < matrices_.size(); ++k) {
        MultiVector& y = k + 1 == matrices_.size() ? z : fields_[k % 2];
        matrices_[k]->multiply_dot(y, *x, *sums_);
        x = &y;
    }
}

}  // namespace glsolve::inline v0_1
