/// The parts of a solve with cuSPARSE: memory, a product in three formats, and a triangular solve.
#pragma once

#include <algorithm>
#include <functional>
#include <glsolve/csr.hpp>
#include <string_view>
#include <utility>
#include <vector>

#include "cusparse_functions.hpp"

namespace glsolve::bench {

/// Calls what ends the life of cuSPARSE's objects and of memory, last made first.
class CusparseObjects {
  public:
    CusparseObjects() = default;
    CusparseObjects(const CusparseObjects&) = delete;
    CusparseObjects& operator=(const CusparseObjects&) = delete;
    ~CusparseObjects() {
        for (auto end = ends_.rbegin(); end != ends_.rend(); ++end) (*end)();
    }
    void* keep(void* object, int (*destroy)(void*)) {
        ends_.emplace_back([=] { destroy(object); });
        return object;
    }
    void* keep(void* object, int (*destroy)(const void*)) {
        ends_.emplace_back([=] { destroy(object); });
        return object;
    }

  private:
    std::vector<std::function<void()>> ends_;
};

/// The library's functions, and what was made with them.
template <class Number>
class CusparseMaker {
  public:
    explicit CusparseMaker(const CusparseFunctions<Number>& functions) : library(functions) {}

    template <class T>
    T* upload(const std::vector<T>& numbers) {
        return upload(std::span<const T>(numbers));
    }
    template <class T>
    T* upload(std::span<const T> numbers) {
        T* memory = library.cuda.upload(numbers);
        objects_.keep(memory, library.cuda.free_memory);
        return memory;
    }
    Number* numbers(Index n) { return upload(std::vector<Number>(static_cast<std::size_t>(n), Number(0))); }
    void* buffer(std::size_t bytes) {
        void* memory = nullptr;
        check(library.cuda.allocate(&memory, bytes + 16), "cudaMalloc");
        return objects_.keep(memory, library.cuda.free_memory);
    }
    void* matrix(void* made) { return objects_.keep(made, library.destroy_matrix); }
    void* vector(Index n, Number* values) {
        void* made = nullptr;
        check(library.cuda.create_vector(&made, n, values, real_type<Number>), "cusparseCreateDnVec");
        return objects_.keep(made, library.destroy_vector);
    }
    void* keep(void* object, int (*destroy)(void*)) { return objects_.keep(object, destroy); }
    void* csr(CsrView A, int* offsets, Index* columns, Number* values) {
        void* made = nullptr;
        check(library.cuda.create_csr(&made, A.rows, A.columns, A.nonzeros(), offsets, columns, values, index_32,
                                      index_32, from_zero, real_type<Number>),
              "cusparseCreateCsr");
        return matrix(made);
    }

    const CusparseFunctions<Number>& library;

  private:
    CusparseObjects objects_;
};

/// A vector on the device and what cuSPARSE calls it.
template <class Number>
struct CusparseVector {
    CusparseVector(CusparseMaker<Number>& make, Index n) : data(make.numbers(n)), name(make.vector(n, data)) {}
    Number* data;
    void* name;
};

/// How cuSPARSE stores the matrix of products. It has lost the paper's HYB; sliced ELL and COO stand in its place.
enum class VendorFormat : std::uint8_t { csr, coo, sliced_ell };
inline std::string_view name(VendorFormat format) {
    return format == VendorFormat::csr ? "CSR" : format == VendorFormat::coo ? "COO" : "sliced ELL";
}

template <class Number>
std::vector<Number> converted(std::span<const double> numbers) {
    return {numbers.begin(), numbers.end()};
}
inline std::vector<int> offsets_32(CsrView A) { return {A.offsets.begin(), A.offsets.end()}; }

template <class Number>
void* make_coo(CusparseMaker<Number>& make, CsrView A) {
    std::vector<Index> row(A.column.size());
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i)
        std::fill(row.begin() + A.offsets[i], row.begin() + A.offsets[i + 1], static_cast<Index>(i));
    void* made = nullptr;
    check(make.library.create_coo(&made, A.rows, A.columns, A.nonzeros(), make.upload(row), make.upload(A.column),
                                  make.upload(converted<Number>(A.value)), index_32, from_zero, real_type<Number>),
          "cusparseCreateCoo");
    return make.matrix(made);
}

/// Slices of 32 rows, each as wide as its longest row, column after column; -1 is the column of padding.
template <class Number>
void* make_sliced_ell(CusparseMaker<Number>& make, CsrView A) {
    if (make.library.create_sliced_ell == nullptr) throw Error("cusparseCreateSlicedEll is missing");
    constexpr Index height = 32;
    const auto length = [&](Index i) {
        return A.offsets[static_cast<std::size_t>(i) + 1] - A.offsets[static_cast<std::size_t>(i)];
    };
    std::vector<int> slice{0};
    std::vector<Index> column;
    std::vector<Number> value;
    for (Index first = 0; first < A.rows; first += height) {
        Offset width = 0;
        for (Index i = first; i < std::min(first + height, A.rows); ++i) width = std::max(width, length(i));
        for (Offset k = 0; k < width; ++k) {
            for (Index i = first; i < first + height; ++i) {
                const bool stored = i < A.rows && k < length(i);
                const auto at = stored ? static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i)] + k) : 0;
                column.push_back(stored ? A.column[at] : -1);
                value.push_back(stored ? static_cast<Number>(A.value[at]) : Number(0));
            }
        }
        slice.push_back(static_cast<int>(column.size()));
    }
    void* made = nullptr;
    check(
        make.library.create_sliced_ell(&made, A.rows, A.columns, A.nonzeros(), static_cast<std::int64_t>(value.size()),
                                       height, make.upload(slice), make.upload(column), make.upload(value), index_32,
                                       index_32, from_zero, real_type<Number>),
        "cusparseCreateSlicedEll");
    return make.matrix(made);
}

/// y = A x.
template <class Number>
class VendorProduct {
  public:
    VendorProduct(CusparseMaker<Number>& make, CsrView A, VendorFormat format)
        : library_(make.library), x_(make, A.columns), y_(make, A.rows) {
        switch (format) {
            case VendorFormat::csr:
                matrix_ = make.csr(A, make.upload(offsets_32(A)), make.upload(A.column),
                                   make.upload(converted<Number>(A.value)));
                break;
            case VendorFormat::coo:
                matrix_ = make_coo(make, A);
                break;
            case VendorFormat::sliced_ell:
                matrix_ = make_sliced_ell(make, A);
                break;
        }
        std::size_t bytes = 0;
        const CudaLibraries& cuda = library_.cuda;
        check(cuda.buffer_size(cuda.sparse_handle, plain, &one, matrix_, x_.name, &zero, y_.name, real_type<Number>,
                               default_algorithm, &bytes),
              "cusparseSpMV_bufferSize");
        buffer_ = make.buffer(bytes);
        if (format != VendorFormat::csr) return;
        check(cuda.preprocess(cuda.sparse_handle, plain, &one, matrix_, x_.name, &zero, y_.name, real_type<Number>,
                              default_algorithm, buffer_),
              "cusparseSpMV_preprocess");
    }
    void multiply(const CusparseVector<Number>& x, const CusparseVector<Number>& y) const {
        const CudaLibraries& cuda = library_.cuda;
        check(cuda.multiply(cuda.sparse_handle, plain, &one, matrix_, x.name, &zero, y.name, real_type<Number>,
                            default_algorithm, buffer_),
              "cusparseSpMV");
    }

  private:
    static constexpr Number one = 1, zero = 0;
    const CusparseFunctions<Number>& library_;
    CusparseVector<Number> x_, y_;  // of the analysis
    void *matrix_ = nullptr, *buffer_ = nullptr;
};

/// T y = x, or T^T y = x, with a triangle of a CSR matrix; the other triangle is not looked at.
template <class Number>
class VendorTriangle {
  public:
    struct Kind {
        bool upper, ones;  ///< ones: the diagonal is not read
        int operation;
    };
    VendorTriangle(CusparseMaker<Number>& make, CsrView A, int* offsets, Index* columns, Number* values, Kind kind)
        : library_(make.library),
          operation_(kind.operation),
          matrix_(make.csr(A, offsets, columns, values)),
          x_(make, A.rows),
          y_(make, A.rows) {
        int upper = kind.upper ? 1 : 0, ones = kind.ones ? 1 : 0;
        check(library_.set_attribute(matrix_, fill_mode, &upper, sizeof upper), "cusparseSpMatSetAttribute");
        check(library_.set_attribute(matrix_, diagonal_type, &ones, sizeof ones), "cusparseSpMatSetAttribute");
        check(library_.create_solve(&solve_), "cusparseSpSV_createDescr");
        make.keep(solve_, library_.destroy_solve);
        std::size_t bytes = 0;
        void* handle = library_.cuda.sparse_handle;
        check(library_.solve_buffer_size(handle, operation_, &one, matrix_, x_.name, y_.name, real_type<Number>,
                                         default_algorithm, solve_, &bytes),
              "cusparseSpSV_bufferSize");
        check(library_.solve_analysis(handle, operation_, &one, matrix_, x_.name, y_.name, real_type<Number>,
                                      default_algorithm, solve_, make.buffer(bytes)),
              "cusparseSpSV_analysis");
    }
    void solve(const CusparseVector<Number>& x, const CusparseVector<Number>& y) const {
        check(library_.solve(library_.cuda.sparse_handle, operation_, &one, matrix_, x.name, y.name, real_type<Number>,
                             default_algorithm, solve_),
              "cusparseSpSV_solve");
    }

  private:
    static constexpr Number one = 1;
    const CusparseFunctions<Number>& library_;
    int operation_;
    void *matrix_, *solve_ = nullptr;
    CusparseVector<Number> x_, y_;  // of the analysis
};

}  // namespace glsolve::bench
