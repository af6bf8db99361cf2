#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <memory>
#include <string>

#include "cuda_libraries.hpp"
#include "measure.hpp"
#include "suites.hpp"

namespace glsolve::bench {
namespace {

void add_vectors(const std::shared_ptr<CudaLibraries>& cuda, const Clock& clock, Index n) {
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

void add_dense_product(const std::shared_ptr<CudaLibraries>& cuda, const Clock& clock, Index n) {
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

void add_product(const std::shared_ptr<CudaLibraries>& cuda, const Clock& clock, const Matrix& matrix) {
    const CsrView A = matrix.A;
    add({"cuda/cusparse csr " + matrix.name, 8.0 * static_cast<double>(A.nonzeros()) + 12.0 * A.rows,
         [=, &A]() -> Work {
             return [cuda, product = std::make_shared<CusparseProduct>(*cuda, A)] { product->multiply(); };
         }},
        clock);
}

}  // namespace

std::string add_cuda(Index n, const std::vector<Matrix>& matrices, const std::vector<Index>& dense) {
    try {
        const auto cuda = std::make_shared<CudaLibraries>();
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
