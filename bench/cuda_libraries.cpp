#include "cuda_libraries.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <glsolve/error.hpp>
#include <limits>
#include <random>
#include <string>

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

}  // namespace

void check(int status, const char* call) {
    if (status != 0) throw Error(std::string(call) + ": status " + std::to_string(status));
}

CudaLibraries::CudaLibraries() {
    const Library runtime(std::array{"libcudart.so", "libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"});
    runtime.load(allocate, "cudaMalloc");
    runtime.load(copy, "cudaMemcpy");
    runtime.load(copy_async, "cudaMemcpyAsync");
    runtime.load(free_memory, "cudaFree");
    runtime.load(stream_create, "cudaStreamCreate");
    runtime.load(begin_capture, "cudaStreamBeginCapture");
    runtime.load(end_capture, "cudaStreamEndCapture");
    runtime.load(instantiate, "cudaGraphInstantiate");
    runtime.load(launch, "cudaGraphLaunch");
    runtime.load(synchronize, "cudaDeviceSynchronize");
    const Library blas(std::array{"libcublas.so", "libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
    blas.load(create_blas, "cublasCreate_v2");
    blas.load(pointer_mode, "cublasSetPointerMode_v2");
    blas.load(saxpy, "cublasSaxpy_v2");
    blas.load(sdot, "cublasSdot_v2");
    blas.load(sgemv, "cublasSgemv_v2");
    const Library sparse(std::array{"libcusparse.so", "libcusparse.so.12", "libcusparse.so.11"});
    sparse.load(create_sparse, "cusparseCreate");
    sparse.load(set_stream, "cusparseSetStream");
    sparse.load(create_csr, "cusparseCreateCsr");
    sparse.load(create_vector, "cusparseCreateDnVec");
    sparse.load(buffer_size, "cusparseSpMV_bufferSize");
    sparse.load(preprocess, "cusparseSpMV_preprocess");
    sparse.load(multiply, "cusparseSpMV");
    check(create_blas(&blas_handle), "cublasCreate");
    check(create_sparse(&sparse_handle), "cusparseCreate");
    check(pointer_mode(blas_handle, 1), "cublasSetPointerMode");  // results stay on the device
}

void* CudaLibraries::upload(const void* bytes, std::size_t count) const {
    void* memory = nullptr;
    check(allocate(&memory, std::max<std::size_t>(count, 1)), "cudaMalloc");
    check(copy(memory, bytes, count, 1), "cudaMemcpy");
    return memory;
}

constexpr int real_32 = 0;                    // CUDA_R_32F
constexpr float host_one = 1, host_zero = 0;  // factors come from the host unless cuSPARSE is told otherwise

CusparseProduct::CusparseProduct(const CudaLibraries& cuda, CsrView A, Algorithm algorithm)
    : cuda_(cuda), algorithm_(algorithm) {
    const auto keep = [&](auto* piece) {
        memory_.push_back(piece);
        return piece;
    };
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(0.5f, 1.5f);
    std::vector<float> numbers(static_cast<std::size_t>(A.columns));
    for (float& n : numbers) n = number(random);
    float* values = keep(cuda.upload(std::vector<float>(A.value.begin(), A.value.end())));
    auto* offsets = keep(cuda.upload(std::vector<std::int32_t>(A.offsets.begin(), A.offsets.end())));
    auto* columns = keep(cuda.upload(A.column));
    check(cuda.create_csr(&csr_, A.rows, A.columns, A.nonzeros(), offsets, columns, values, index_32, index_32, 0,
                          real_32),
          "cusparseCreateCsr");
    check(cuda.create_vector(&x_, A.columns, keep(cuda.upload(numbers)), real_32), "cusparseCreateDnVec");
    numbers.resize(static_cast<std::size_t>(A.rows));
    check(cuda.create_vector(&y_, A.rows, keep(cuda.upload(numbers)), real_32), "cusparseCreateDnVec");
    std::size_t size = 0;
    const int how = static_cast<int>(algorithm_);
    check(cuda.buffer_size(cuda.sparse_handle, 0, &host_one, csr_, x_, &host_zero, y_, real_32, how, &size),
          "cusparseSpMV_bufferSize");
    buffer_ = keep(cuda.upload(std::vector<char>(size + 16, 0)));
    check(cuda.preprocess(cuda.sparse_handle, 0, &host_one, csr_, x_, &host_zero, y_, real_32, how, buffer_),
          "cusparseSpMV_preprocess");
}

CusparseProduct::~CusparseProduct() {
    for (void* piece : memory_) cuda_.free_memory(piece);
}

void CusparseProduct::multiply() const {
    check(cuda_.multiply(cuda_.sparse_handle, 0, &host_one, csr_, x_, &host_zero, y_, real_32,
                         static_cast<int>(algorithm_), buffer_),
          "cusparseSpMV");
}

double CusparseProduct::seconds(int count) const {
    void *stream = nullptr, *graph = nullptr, *ready = nullptr;
    check(cuda_.stream_create(&stream), "cudaStreamCreate");
    check(cuda_.set_stream(cuda_.sparse_handle, stream), "cusparseSetStream");
    const auto all = [&] {
        for (int i = 0; i < count; ++i) multiply();
    };
    check(cuda_.begin_capture(stream, 2), "cudaStreamBeginCapture");  // cudaStreamCaptureModeRelaxed
    all();
    check(cuda_.end_capture(stream, &graph), "cudaStreamEndCapture");
    check(cuda_.instantiate(&ready, graph, 0), "cudaGraphInstantiate");
    const auto time = [&](const auto& work) {
        check(cuda_.synchronize(), "cudaDeviceSynchronize");
        const auto begin = std::chrono::steady_clock::now();
        work();
        check(cuda_.synchronize(), "cudaDeviceSynchronize");
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / count;
    };
    double least = 1e300;
    for (int round = 0; round < 5; ++round) {
        least = std::min(least, time(all));
        least = std::min(least, time([&] { check(cuda_.launch(ready, stream), "cudaGraphLaunch"); }));
    }
    check(cuda_.set_stream(cuda_.sparse_handle, nullptr), "cusparseSetStream");
    return least;
}

double least_cusparse_seconds(const CudaLibraries* cuda, CsrView A, int count) {
    if (cuda == nullptr) return 0;
    using enum CusparseProduct::Algorithm;
    double least = std::numeric_limits<double>::infinity();
    for (const auto algorithm : {standard, rows, balanced})
        least = std::min(least, CusparseProduct(*cuda, A, algorithm).seconds(count));
    return least;
}

}  // namespace glsolve::bench
