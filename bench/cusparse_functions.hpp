/// What whole solves need of cuSPARSE and cuBLAS beside what CudaLibraries has, for one type of numbers: double or
/// float. Names, numbers and arguments are those of the CUDA 11 to 13 manuals; pointers to opaque types are void*.
#pragma once

#include <dlfcn.h>

#include <concepts>
#include <cstdint>
#include <glsolve/error.hpp>
#include <string>

#include "cuda_libraries.hpp"

namespace glsolve::bench {

inline constexpr int from_zero = 0;               // CUSPARSE_INDEX_BASE_ZERO
inline constexpr int plain = 0;                   // CUSPARSE_OPERATION_NON_TRANSPOSE
inline constexpr int transposed = 1;              // CUSPARSE_OPERATION_TRANSPOSE
inline constexpr int fill_mode = 0;               // CUSPARSE_SPMAT_FILL_MODE: 0 lower, 1 upper
inline constexpr int diagonal_type = 1;           // CUSPARSE_SPMAT_DIAG_TYPE: 0 stored, 1 ones
inline constexpr int default_algorithm = 0;       // CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPSV_ALG_DEFAULT
inline constexpr int by_levels = 1;               // CUSPARSE_SOLVE_POLICY_USE_LEVEL
inline constexpr int zero_pivot = 9;              // CUSPARSE_STATUS_ZERO_PIVOT
inline constexpr int to_device = 1, to_host = 2;  // cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost
template <std::floating_point Number>
inline constexpr int real_type = sizeof(Number) == 8 ? 1 : 0;  // CUDA_R_64F, CUDA_R_32F

/// Of csrilu02 or csric02, which CUDA 12 calls deprecated. Null where a later one has lost them.
template <class Number>
struct FactorFunctions {
    int (*create_info)(void**) = nullptr;
    int (*destroy_info)(void*) = nullptr;
    int (*buffer_size)(void*, int, int, void*, Number*, const int*, const int*, void*, int*) = nullptr;
    int (*analyse)(void*, int, int, void*, const Number*, const int*, const int*, void*, int, void*) = nullptr;
    int (*factor)(void*, int, int, void*, Number*, const int*, const int*, void*, int, void*) = nullptr;
    int (*find_zero_pivot)(void*, void*, int*) = nullptr;

    bool all() const { return create_info && destroy_info && buffer_size && analyse && factor && find_zero_pivot; }
};

/// Throws Error where a function other than those of factors is missing. `cuda` must outlive it.
template <std::floating_point Number>
struct CusparseFunctions {
    explicit CusparseFunctions(const CudaLibraries& libraries) : cuda(libraries) {
        const std::string type = sizeof(Number) == 8 ? "D" : "S";
        need(fill, "cudaMemset");
        need(dot, "cublas" + type + "dot_v2");
        need(norm, "cublas" + type + "nrm2_v2");
        need(axpy, "cublas" + type + "axpy_v2");
        need(scale, "cublas" + type + "scal_v2");
        need(copy, "cublas" + type + "copy_v2");
        need(create_coo, "cusparseCreateCoo");
        find(create_sliced_ell, "cusparseCreateSlicedEll");  // from CUDA 12.1 on
        need(set_attribute, "cusparseSpMatSetAttribute");
        need(destroy_matrix, "cusparseDestroySpMat");
        need(destroy_vector, "cusparseDestroyDnVec");
        need(create_solve, "cusparseSpSV_createDescr");
        need(destroy_solve, "cusparseSpSV_destroyDescr");
        need(solve_buffer_size, "cusparseSpSV_bufferSize");
        need(solve_analysis, "cusparseSpSV_analysis");
        need(solve, "cusparseSpSV_solve");
        need(create_description, "cusparseCreateMatDescr");
        need(destroy_description, "cusparseDestroyMatDescr");
        for (auto& [functions, name] : {std::pair{&ilu, std::string("ilu02")}, std::pair{&ic, std::string("ic02")}}) {
            const std::string typed = "cusparse" + type + "csr" + name;
            find(functions->create_info, "cusparseCreateCsr" + name + "Info");
            find(functions->destroy_info, "cusparseDestroyCsr" + name + "Info");
            find(functions->buffer_size, typed + "_bufferSize");
            find(functions->analyse, typed + "_analysis");
            find(functions->factor, typed);
            find(functions->find_zero_pivot, "cusparseXcsr" + name + "_zeroPivot");
        }
        check(cuda.create_blas(&blas), "cublasCreate");  // its scalars are the host's, which CudaLibraries' are not
    }

    const CudaLibraries& cuda;
    void* blas = nullptr;
    int (*fill)(void*, int, std::size_t) = nullptr;
    int (*dot)(void*, int, const Number*, int, const Number*, int, Number*) = nullptr;
    int (*norm)(void*, int, const Number*, int, Number*) = nullptr;
    int (*axpy)(void*, int, const Number*, const Number*, int, Number*, int) = nullptr;
    int (*scale)(void*, int, const Number*, Number*, int) = nullptr;
    int (*copy)(void*, int, const Number*, int, Number*, int) = nullptr;
    int (*create_coo)(void**, std::int64_t, std::int64_t, std::int64_t, void*, void*, void*, int, int, int) = nullptr;
    int (*create_sliced_ell)(void**, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::int64_t, void*, void*,
                             void*, int, int, int, int) = nullptr;
    int (*set_attribute)(void*, int, void*, std::size_t) = nullptr;
    int (*destroy_matrix)(const void*) = nullptr;
    int (*destroy_vector)(const void*) = nullptr;
    int (*create_solve)(void**) = nullptr;
    int (*destroy_solve)(void*) = nullptr;
    int (*solve_buffer_size)(void*, int, const void*, const void*, const void*, void*, int, int, void*,
                             std::size_t*) = nullptr;
    int (*solve_analysis)(void*, int, const void*, const void*, const void*, void*, int, int, void*, void*) = nullptr;
    int (*solve)(void*, int, const void*, const void*, const void*, void*, int, int, void*) = nullptr;
    int (*create_description)(void**) = nullptr;  // CUSPARSE_MATRIX_TYPE_GENERAL, CUSPARSE_INDEX_BASE_ZERO
    int (*destroy_description)(void*) = nullptr;
    FactorFunctions<Number> ilu, ic;

  private:
    /// In the libraries that CudaLibraries has opened for all.
    template <class Function>
    static void find(Function*& function, const std::string& name) {
        function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name.c_str()));
    }
    template <class Function>
    static void need(Function*& function, const std::string& name) {
        find(function, name);
        if (function == nullptr) throw Error(name + " is missing");
    }
};

}  // namespace glsolve::bench
