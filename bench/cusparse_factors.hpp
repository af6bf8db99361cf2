/// M = L U or L L^T with the nonzeros of A: cuSPARSE's factors and triangular solves.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "cusparse_parts.hpp"
#include "factors/incomplete.hpp"

namespace glsolve::bench {

/// A's lower triangle with its diagonal.
inline CsrMatrix lower_triangle(CsrView A) {
    CsrMatrix lower;
    lower.rows = A.rows, lower.columns = A.columns;
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (auto k = static_cast<std::size_t>(A.offsets[i]); k < static_cast<std::size_t>(A.offsets[i + 1]); ++k) {
            if (A.column[k] > static_cast<Index>(i)) break;
            lower.column.push_back(A.column[k]);
            lower.value.push_back(A.value[k]);
        }
        lower.offsets.push_back(lower.nonzeros());
    }
    return lower;
}

/// One matrix of glsolve's factors (I + L) D (I + U), as csrilu02 and csric02 leave theirs:
/// L below the diagonal and D (I + U) above it, or (I + L) D^(1/2).
inline CsrMatrix joined(const Factors& M, bool cholesky) {
    if (!M.failure.empty()) throw Error(M.failure);
    std::vector<Triplet> entries;
    const auto add = [&](CsrView T, const auto& value) {
        for (Index i = 0; i < T.rows; ++i) {
            for (Offset k = T.offsets[static_cast<std::size_t>(i)]; k < T.offsets[static_cast<std::size_t>(i) + 1];
                 ++k) {
                const auto at = static_cast<std::size_t>(k);
                entries.push_back({i, T.column[at], value(static_cast<std::size_t>(i), at)});
            }
        }
    };
    const auto root = [&](Index j) { return std::sqrt(M.D[static_cast<std::size_t>(j)]); };
    add(M.L,
        [&](std::size_t, std::size_t at) { return cholesky ? M.L.value[at] * root(M.L.column[at]) : M.L.value[at]; });
    if (!cholesky) add(M.U, [&](std::size_t i, std::size_t at) { return M.D[i] * M.U.value[at]; });
    for (Index i = 0; i < M.L.rows; ++i)
        entries.push_back({i, i, cholesky ? root(i) : M.D[static_cast<std::size_t>(i)]});
    return csr_from_triplets(M.L.rows, M.L.rows, entries);
}

/// z = M^-1 r. Throws Error for a zero pivot: cuSPARSE shifts nothing.
template <class Number>
class VendorFactors {
  public:
    /// Where csrilu02 or csric02 is missing, src/factors makes the factors, and `remark` says so.
    VendorFactors(CusparseMaker<Number>& make, CsrView A, bool cholesky, std::string& remark) : between_(make, A.rows) {
        const FactorFunctions<Number>& functions = cholesky ? make.library.ic : make.library.ilu;
        CsrMatrix M;
        if (functions.all()) {
            M = cholesky ? lower_triangle(A) : copy_of(A);
        } else {
            const Factors made = cholesky ? factor_ic(A) : factor_ilu(A);
            M = joined(made, cholesky);
            remark += "factors by glsolve's host; ";
            if (made.shift > 0) remark += made.remark() + "; ";
        }
        int* offsets = make.upload(offsets_32(M));
        Index* columns = make.upload(M.column);
        Number* values = make.upload(converted<Number>(M.value));
        if (functions.all()) factor(make, functions, M, offsets, columns, values);
        using Triangle = VendorTriangle<Number>;
        typename Triangle::Kind first{.upper = false, .ones = !cholesky, .operation = plain},
            second{.upper = !cholesky, .ones = false, .operation = cholesky ? transposed : plain};
        first_ = std::make_unique<Triangle>(make, M, offsets, columns, values, first);
        second_ = std::make_unique<Triangle>(make, M, offsets, columns, values, second);
    }
    void solve(const CusparseVector<Number>& r, const CusparseVector<Number>& z) const {
        first_->solve(r, between_);
        second_->solve(between_, z);
    }

  private:
    /// In place of the values.
    static void factor(CusparseMaker<Number>& make, const FactorFunctions<Number>& functions, CsrView M, int* offsets,
                       Index* columns, Number* values) {
        void *handle = make.library.cuda.sparse_handle, *info = nullptr, *description = nullptr;
        check(make.library.create_description(&description), "cusparseCreateMatDescr");
        make.keep(description, make.library.destroy_description);
        check(functions.create_info(&info), "cusparseCreateCsr..02Info");
        make.keep(info, functions.destroy_info);
        const int n = M.rows, entries = static_cast<int>(M.nonzeros());
        int bytes = 0;
        check(functions.buffer_size(handle, n, entries, description, values, offsets, columns, info, &bytes),
              "csr..02_bufferSize");
        void* buffer = make.buffer(static_cast<std::size_t>(bytes));
        check(functions.analyse(handle, n, entries, description, values, offsets, columns, info, by_levels, buffer),
              "csr..02_analysis");
        check_pivots(handle, functions, info, "structural");
        check(functions.factor(handle, n, entries, description, values, offsets, columns, info, by_levels, buffer),
              "csr..02");
        check_pivots(handle, functions, info, "numerical");
    }
    static void check_pivots(void* handle, const FactorFunctions<Number>& functions, void* info, const char* kind) {
        int row = -1;
        const int status = functions.find_zero_pivot(handle, info, &row);
        if (status == zero_pivot) throw Error(fmt::format("cuSPARSE met a {} zero pivot in row {}", kind, row + 1));
        check(status, "csr..02_zeroPivot");
    }

    CusparseVector<Number> between_;
    std::unique_ptr<VendorTriangle<Number>> first_, second_;
};

}  // namespace glsolve::bench
