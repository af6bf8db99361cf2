// CUDA's libraries are opened at run time: the bench builds without them. What is declared here is the small part of
// their C interfaces that is called; their names and numbers are those of the CUDA 11 to 13 manuals.
#include <dlfcn.h>

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <glsolve/error.hpp>
#include <memory>
#include <string>

#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

class Library {
  public:
    /// The first of `names` that can be opened.
    template <std::size_t count>
    explicit Library(const std::array<const char*, count>& names) {
        for (const char* name : names) {
            handle_ = dlopen(name, RTLD_NOW | RTLD_GLOBAL);
            if (handle_ != nullptr) return;
        }
        throw Error(std::string(names[0]) + " cannot be opened");
    }
    template <class Function>
    void load(Function*& function, const char* name) const {
        function = reinterpret_cast<Function*>(dlsym(handle_, name));
        if (function == nullptr) throw Error(std::string(name) + " is missing");
    }

  private:
    void* handle_ = nullptr;  // stays open to the end of the program
};

void check(int status, const char* call) {
    if (status != 0) throw Error(std::string(call) + ": status " + std::to_string(status));
}

struct Cuda {
    Cuda() {
        const Library runtime(std::array{"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"});
        runtime.load(allocate, "cudaMalloc");
        runtime.load(copy, "cudaMemcpy");
        runtime.load(copy_async, "cudaMemcpyAsync");
        runtime.load(synchronize, "cudaDeviceSynchronize");
        const Library blas(std::array{"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
        blas.load(create_blas, "cublasCreate_v2");
        blas.load(pointer_mode, "cublasSetPointerMode_v2");
        blas.load(saxpy, "cublasSaxpy_v2");
        blas.load(sdot, "cublasSdot_v2");
        blas.load(sgemv, "cublasSgemv_v2");
        const Library sparse(std::array{"libcusparse.so", "libcusparse.so.12", "libcusparse.so.11"});
        sparse.load(create_sparse, "cusparseCreate");
        sparse.load(create_csr, "cusparseCreateCsr");
        sparse.load(create_vector, "cusparseCreateDnVec");
        sparse.load(buffer_size, "cusparseSpMV_bufferSize");
        sparse.load(preprocess, "cusparseSpMV_preprocess");
        sparse.load(multiply, "cusparseSpMV");
        check(create_blas(&blas_handle), "cublasCreate");
        check(create_sparse(&sparse_handle), "cusparseCreate");
        check(pointer_mode(blas_handle, 1), "cublasSetPointerMode");  // results stay on the device
    }

    template <class Number>
    Number* upload(const std::vector<Number>& numbers) const {
        void* memory = nullptr;
        check(allocate(&memory, numbers.size() * sizeof(Number)), "cudaMalloc");
        check(copy(memory, numbers.data(), numbers.size() * sizeof(Number), 1), "cudaMemcpy");
        return static_cast<Number*>(memory);
    }

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
    void *blas_handle = nullptr, *sparse_handle = nullptr;
};

void add_vectors(const std::shared_ptr<Cuda>& cuda, const Clock& clock, Index n) {
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i % 1013) / 1013 + 0.1f;
    float* x = cuda->upload(numbers);
    float* y = cuda->upload(numbers);
    float* small = cuda->upload(std::vector<float>{1e-6f});
    const double vector = 4.0 * n;
    add({"cuda/copy", 2 * vector,
         [=]() -> Work {
             return
                 [=] { check(cuda->copy_async(y, x, static_cast<std::size_t>(n) * 4, 3, nullptr), "cudaMemcpyAsync"); };
         }},
        clock);
    add({"cuda/cublas saxpy", 3 * vector,
         [=]() -> Work { return [=] { check(cuda->saxpy(cuda->blas_handle, n, small, x, 1, y, 1), "cublasSaxpy"); }; }},
        clock);
    float* result = cuda->upload(std::vector<float>{0});
    add({"cuda/cublas sdot", 2 * vector,
         [=]() -> Work { return [=] { check(cuda->sdot(cuda->blas_handle, n, x, 1, y, 1, result), "cublasSdot"); }; }},
        clock);
}

void add_dense_product(const std::shared_ptr<Cuda>& cuda, const Clock& clock, Index n) {
    add({fmt::format("cuda/cublas sgemv dense {}", n), 4.0 * n * n + 8.0 * n,
         [cuda, n]() -> Work {
             const auto order = static_cast<std::size_t>(n);
             float* A = cuda->upload(std::vector<float>(order * order, 0.3f));
             float* x = cuda->upload(std::vector<float>(order, 0.7f));
             float* y = cuda->upload(std::vector<float>(order, 0.7f));
             float* one = cuda->upload(std::vector<float>{1});
             float* zero = cuda->upload(std::vector<float>{0});
             return [=] { check(cuda->sgemv(cuda->blas_handle, 0, n, n, one, A, n, x, 1, zero, y, 1), "cublasSgemv"); };
         }},
        clock);
}

void add_product(const std::shared_ptr<Cuda>& cuda, const Clock& clock, const Matrix& matrix) {
    constexpr int index_32 = 2, real_32 = 0,
                  algorithm = 0;  // CUSPARSE_INDEX_32I, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT
    const CsrMatrix& A = matrix.A;
    const auto n = static_cast<std::size_t>(A.rows);
    float* values = cuda->upload(std::vector<float>(A.value.begin(), A.value.end()));
    auto* offsets = cuda->upload(std::vector<std::int32_t>(A.offsets.begin(), A.offsets.end()));
    auto* columns = cuda->upload(A.column);
    void *csr = nullptr, *x = nullptr, *y = nullptr;
    check(cuda->create_csr(&csr, A.rows, A.columns, A.nonzeros(), offsets, columns, values, index_32, index_32, 0,
                           real_32),
          "cusparseCreateCsr");
    check(cuda->create_vector(&x, A.rows, cuda->upload(std::vector<float>(n, 0.7f)), real_32), "cusparseCreateDnVec");
    check(cuda->create_vector(&y, A.rows, cuda->upload(std::vector<float>(n, 0.7f)), real_32), "cusparseCreateDnVec");
    static const float host_one = 1, host_zero = 0;  // factors come from the host unless cuSPARSE is told otherwise
    std::size_t size = 0;
    check(cuda->buffer_size(cuda->sparse_handle, 0, &host_one, csr, x, &host_zero, y, real_32, algorithm, &size),
          "cusparseSpMV_bufferSize");
    void* buffer = cuda->upload(std::vector<char>(size + 16, 0));
    check(cuda->preprocess(cuda->sparse_handle, 0, &host_one, csr, x, &host_zero, y, real_32, algorithm, buffer),
          "cusparseSpMV_preprocess");
    add({"cuda/cusparse csr " + matrix.name, 8.0 * static_cast<double>(A.nonzeros()) + 12.0 * A.rows,
         [=]() -> Work {
             return [=] {
                 check(cuda->multiply(cuda->sparse_handle, 0, &host_one, csr, x, &host_zero, y, real_32, algorithm,
                                      buffer),
                       "cusparseSpMV");
             };
         }},
        clock);
}

}  // namespace

std::string add_cuda(Index n, const std::vector<Matrix>& matrices, const std::vector<Index>& dense) {
    try {
        const auto cuda = std::make_shared<Cuda>();
        const Clock clock{nullptr, [cuda] { check(cuda->synchronize(), "cudaDeviceSynchronize"); }};
        add_vectors(cuda, clock, n);
        for (const Matrix& matrix : matrices) add_product(cuda, clock, matrix);
        for (const Index order : dense) add_dense_product(cuda, clock, order);
    } catch (const Error& missing) {
        return missing.what();
    }
    return {};
}

}  // namespace glsolve::bench
