#include "papers/methods/cuda_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <numeric>

namespace glsolve::inline v0_1 {
namespace {

constexpr unsigned block = 128;
constexpr int most_blocks = 512;

/// One at least: a grid without blocks is an error.
unsigned blocks_for(std::int64_t threads) {
    return static_cast<unsigned>(std::max<std::int64_t>((threads + block - 1) / block, 1));
}

std::string text_of(std::string_view file, bool in_doubles) {
    return fmt::format("typedef {} number;\n{}", in_doubles ? "double" : "float", paper_kernel_file(file));
}

constexpr std::array files{"csr_products.cu", "inner_product.cu", "relaxations.cu"};

/// Entries in the order of the device.
struct HostCsrArrays {
    std::vector<int> offsets, columns;
    std::vector<float> values;

    HostCsrArrays(CsrView A, bool diagonal_first)
        : offsets(A.offsets.begin(), A.offsets.end()),
          columns(A.column.begin(), A.column.end()),
          values(A.value.begin(), A.value.end()) {
        if (!diagonal_first) return;
        for (Index i = 0; i < A.rows; ++i) {
            const auto begin = offsets[static_cast<std::size_t>(i)], end = offsets[static_cast<std::size_t>(i) + 1];
            const auto at = std::find(columns.begin() + begin, columns.begin() + end, i) - columns.begin();
            if (at == end)
                throw InvalidInput(fmt::format("row {} has no diagonal, with which the kernel's rows begin", i + 1));
            std::swap(columns[static_cast<std::size_t>(at)], columns[static_cast<std::size_t>(begin)]);
            std::swap(values[static_cast<std::size_t>(at)], values[static_cast<std::size_t>(begin)]);
        }
    }
};

}  // namespace

std::vector<std::pair<std::string, std::string>> paper_kernel_texts(bool in_doubles) {
    std::vector<std::pair<std::string, std::string>> texts;
    for (const char* file : files) texts.emplace_back(file, text_of(file, in_doubles));
    return texts;
}

PaperMatrix::PaperMatrix(cuda::Context& context, CsrView A, bool diagonal_first)
    : rows(A.rows),
      entries(static_cast<int>(A.nonzeros())),
      offsets(context, A.offsets.size()),
      columns(context, A.column.size()),
      values(context, A.value.size()),
      products(context, A.value.size()) {
    const HostCsrArrays arrays(A, diagonal_first);
    offsets.upload(arrays.offsets);
    columns.upload(arrays.columns);
    values.upload(arrays.values);
}

std::string_view name(PaperProduct product) {
    constexpr std::array names{"two kernels, 128", "two kernels, 512", "a thread a row", "a warp a row"};
    return names[static_cast<std::size_t>(product)];
}

InnerProductPlan plan_inner_product(int n) {
    for (const int threads : {128, 256, 512}) {
        if (n <= threads * most_blocks) return {threads, std::max((n + threads - 1) / threads, 1), threads};
    }
    const int piece = static_cast<int>((std::int64_t{n} + most_blocks - 1) / most_blocks);
    return {512, most_blocks, piece};
}

struct PaperKernels::Programs {
    explicit Programs(cuda::Context& context)
        : products(context, cuda::load_compiler(), text_of(files[0], false), files[0]),
          inner(context, cuda::load_compiler(), text_of(files[1], false), files[1]),
          relaxations(context, cuda::load_compiler(), text_of(files[2], false), files[2]) {}

    cuda::PlainProgram products, inner, relaxations;
    cuda::CUfunction multiply_entries = products.kernel("multiply_entries"),
                     sum_rows_128 = products.kernel("sum_rows_128"), sum_rows_512 = products.kernel("sum_rows_512"),
                     thread_a_row = products.kernel("thread_a_row"), warp_a_row = products.kernel("warp_a_row"),
                     inner_product = inner.kernel("inner_product"), jacobi = relaxations.kernel("jacobi_csr_kernel"),
                     chebyshev = relaxations.kernel("chebyshev_stochastic");
};

PaperKernels::PaperKernels(cuda::Context& context) : context_(context), programs_(std::make_unique<Programs>(context)) {
    constexpr unsigned device_may_write = 2;  // CU_MEMHOSTALLOC_DEVICEMAP
    const cuda::Current current(context_);
    void* memory = nullptr;
    context_.driver().check(context_.driver().MemHostAlloc(&memory, most_blocks * sizeof(float), device_may_write),
                            "allocating mapped memory");
    parts_ = static_cast<float*>(memory);
}

PaperKernels::~PaperKernels() {
    const cuda::CurrentIfPossible current(context_);
    context_.driver().MemFreeHost(parts_);
}

void PaperKernels::multiply(PaperProduct how, const PaperMatrix& A, DeviceNumbers& y, const DeviceNumbers& x) {
    const Programs& k = *programs_;
    switch (how) {
        case PaperProduct::thread_a_row:
        case PaperProduct::warp_a_row: {
            const bool by_warps = how == PaperProduct::warp_a_row;
            cuda::launch(context_, by_warps ? k.warp_a_row : k.thread_a_row,
                         {blocks_for((by_warps ? 32 : 1) * std::int64_t{A.rows}), 1}, {block, 1}, A.rows,
                         A.offsets.at(), A.columns.at(), A.values.at(), x.at(), y.at());
            return;
        }
        case PaperProduct::two_kernels_128:
        case PaperProduct::two_kernels_512:
            cuda::launch(context_, k.multiply_entries, {blocks_for(A.entries), 1}, {block, 1}, A.entries, A.values.at(),
                         A.columns.at(), x.at(), A.products.at());
            cuda::launch(context_, how == PaperProduct::two_kernels_128 ? k.sum_rows_128 : k.sum_rows_512,
                         {blocks_for(A.rows), 1}, {block, 1}, A.rows, A.offsets.at(), A.products.at(), y.at());
            return;
    }
}

void PaperKernels::relax(const PaperMatrix& A, const DeviceIntegers& marks, int mark, float weight,
                         const DeviceNumbers& before, const DeviceNumbers& f, DeviceNumbers& u) {
    cuda::launch(context_, programs_->jacobi, {blocks_for(A.rows), 1}, {block, 1}, A.rows, mark, weight, marks.at(),
                 A.offsets.at(), A.columns.at(), A.values.at(), before.at(), f.at(), u.at());
}

void PaperKernels::chebyshev(const PaperMatrix& A, int steps, const DeviceNumbers& alpha_beta, const DeviceNumbers& b,
                             DeviceNumbers& x, DeviceNumbers& p) {
    cuda::launch(context_, programs_->chebyshev, {blocks_for(A.rows), 1}, {block, 1}, A.rows, steps, alpha_beta.at(),
                 A.offsets.at(), A.columns.at(), A.values.at(), b.at(), x.at(), p.at());
}

double PaperKernels::inner_product(int n, const DeviceNumbers& v, const DeviceNumbers& w) {
    const InnerProductPlan plan = plan_inner_product(n);
    // The device knows page-locked memory by the host's address.
    cuda::launch(context_, programs_->inner_product, {static_cast<unsigned>(plan.blocks), 1},
                 {static_cast<unsigned>(plan.threads), 1}, n, plan.piece, v.at(), w.at(),
                 reinterpret_cast<cuda::CUdeviceptr>(parts_));
    const cuda::Current current(context_);
    context_.synchronize();
    return std::accumulate(parts_, parts_ + plan.blocks, 0.0);
}

}  // namespace glsolve::inline v0_1
