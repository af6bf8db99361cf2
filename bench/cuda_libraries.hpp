/// CUDA's libraries, opened at run time: benchmarks build without them. What is declared here is the small part of
/// their C interfaces that is called; names and numbers are those of the CUDA 11 to 13 manuals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "glsolve/csr.hpp"

namespace glsolve::bench {

inline constexpr int index_32 = 2;  // CUSPARSE_INDEX_32I

/// Throws Error where a call failed.
void check(int status, const char* call);

/// The functions. Throws Error where a library is missing.
struct CudaLibraries {
    CudaLibraries();

    template <class Number>
    Number* upload(const std::vector<Number>& numbers) const {
        return upload(std::span<const Number>(numbers));
    }
    template <class Number>
    Number* upload(std::span<const Number> numbers) const {
        return static_cast<Number*>(upload(numbers.data(), numbers.size() * sizeof(Number)));
    }
    void* upload(const void* bytes, std::size_t count) const;

    int (*allocate)(void**, std::size_t) = nullptr;
    int (*copy)(void*, const void*, std::size_t, int) = nullptr;  // kind 1: to the device, 3: on the device
    int (*copy_async)(void*, const void*, std::size_t, int, void*) = nullptr;
    int (*synchronize)() = nullptr;
    int (*create_blas)(void**) = nullptr;
    int (*pointer_mode)(void*, int) = nullptr;
    int (*saxpy)(void*, int, const float*, const float*, int, float*, int) = nullptr;
    int (*sdot)(void*, int, const float*, int, const float*, int, float*) = nullptr;
    int (*sgemv)(void*, int, int, int, const float*, const float*, int, const float*, int, const float*, float*,
                 int) = nullptr;
    int (*create_sparse)(void**) = nullptr;
    int (*create_csr)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, int, int, int,
                      int) = nullptr;
    int (*create_vector)(void**, std::int64_t, void*, int) = nullptr;
    int (*buffer_size)(void*, int, const void*, void*, void*, const void*, void*, int, int, std::size_t*) = nullptr;
    int (*preprocess)(void*, int, const void*, void*, void*, const void*, void*, int, int, void*) = nullptr;
    int (*multiply)(void*, int, const void*, void*, void*, const void*, void*, int, int, void*) = nullptr;
    int (*stream_create)(void**) = nullptr;
    int (*begin_capture)(void*, int) = nullptr;
    int (*end_capture)(void*, void**) = nullptr;
    int (*instantiate)(void**, void*, unsigned long long) = nullptr;
    int (*launch)(void*, void*) = nullptr;
    int (*free_memory)(void*) = nullptr;
    int (*set_stream)(void*, void*) = nullptr;  // of cuSPARSE
    void *blas_handle = nullptr, *sparse_handle = nullptr;
};

/// cuSPARSE's product y = A x with a CSR matrix in single precision, x random.
class CusparseProduct {
  public:
    /// CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2
    enum class Algorithm : int { standard = 0, rows = 2, balanced = 3 };

    CusparseProduct(const CudaLibraries& cuda, CsrView A, Algorithm algorithm = Algorithm::standard);
    ~CusparseProduct();
    CusparseProduct(const CusparseProduct&) = delete;
    CusparseProduct& operator=(const CusparseProduct&) = delete;

    void multiply() const;
    /// Seconds of one of `count` products in a row: launched one by one, or as one graph, whichever is faster.
    double seconds(int count) const;

  private:
    const CudaLibraries& cuda_;
    Algorithm algorithm_;
    std::vector<void*> memory_;
    void *csr_ = nullptr, *x_ = nullptr, *y_ = nullptr, *buffer_ = nullptr;
};

/// Seconds of one of `count` products in a row by the fastest of the three algorithms. 0 where `cuda` is null.
double least_cusparse_seconds(const CudaLibraries* cuda, CsrView A, int count);

}  // namespace glsolve::bench
