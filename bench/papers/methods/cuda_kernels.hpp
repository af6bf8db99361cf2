/// The papers' own CUDA kernels, for comparison (the .cu files beside this one): compiled when a PaperKernels is made.
/// In single precision, as most of the papers.
#pragma once

#include <array>
#include <glsolve/csr.hpp>
#include <memory>
#include <string_view>
#include <vector>

#include "papers/methods/plain_program.hpp"

namespace glsolve::inline v0_1 {

using DeviceNumbers = cuda::DeviceArray<float>;
using DeviceIntegers = cuda::DeviceArray<int>;

/// A in CSR in the device's memory. `diagonal_first`: each row begins with its diagonal.
struct PaperMatrix {
    /// Throws InvalidInput where a row that must begin with its diagonal has none.
    PaperMatrix(cuda::Context& context, CsrView A, bool diagonal_first = false);
    int rows, entries;
    DeviceIntegers offsets, columns;
    DeviceNumbers values;
    DeviceNumbers products;  ///< of the two-kernel form: an entry each
};

/// How a product in CSR is shared out.
enum class PaperProduct : std::uint8_t {
    two_kernels_128,  ///< Liu, Yin and Wu (2011), algorithm 2, with tiles of 128 entries
    two_kernels_512,  ///< ... of 512
    thread_a_row,     ///< Li et al. (2011), figure 5
    warp_a_row        ///< Chadov, after Bell and Garland (2008)
};
std::string_view name(PaperProduct product);
inline constexpr std::array all_paper_products{PaperProduct::two_kernels_128, PaperProduct::two_kernels_512,
                                               PaperProduct::thread_a_row, PaperProduct::warp_a_row};

/// How an inner product of n numbers is shared out (Liu, Yin and Wu, figure 1): `blocks` of `threads` threads, at most
/// 512 of them, each with `piece` numbers.
struct InnerProductPlan {
    int threads = 128, blocks = 1, piece = 128;
};
/// The decision tree: blocks of 128, 256 and 512 threads with a number for each thread; from 512 * 512 numbers on 512
/// blocks of 512 threads, with pieces as long as they must be.
InnerProductPlan plan_inner_product(int n);

class PaperKernels {
  public:
    /// Throws NoDevice where CUDA's compiler is missing. `context` must live as long as this.
    explicit PaperKernels(cuda::Context& context);
    ~PaperKernels();
    PaperKernels(const PaperKernels&) = delete;
    PaperKernels& operator=(const PaperKernels&) = delete;

    /// y <- A x. Queued, as the next two.
    void multiply(PaperProduct how, const PaperMatrix& A, DeviceNumbers& y, const DeviceNumbers& x);
    /// u <- a step of Jacobi's relaxation with this weight in the rows with this mark; `before` is u before it. Rows
    /// must begin with their diagonal.
    void relax(const PaperMatrix& A, const DeviceIntegers& marks, int mark, float weight, const DeviceNumbers& before,
               const DeviceNumbers& f, DeviceNumbers& u);
    /// `steps` steps of Chebyshev's iteration in one kernel, rows not waiting for one another; `alpha_beta` has two
    /// numbers for each step. Rows must begin with their diagonal.
    void chebyshev(const PaperMatrix& A, int steps, const DeviceNumbers& alpha_beta, const DeviceNumbers& b,
                   DeviceNumbers& x, DeviceNumbers& p);
    /// (v, w); the host adds up what the blocks leave in memory that both see, and waits for it.
    double inner_product(int n, const DeviceNumbers& v, const DeviceNumbers& w);

  private:
    struct Programs;
    cuda::Context& context_;
    std::unique_ptr<Programs> programs_;
    float* parts_ = nullptr;  // page-locked; the device writes it
};

/// The text of a .cu file here, embedded by the build; empty where there is none.
std::string_view paper_kernel_file(std::string_view file);

/// The texts, by their names, with what stands in front of them. For tests.
std::vector<std::pair<std::string, std::string>> paper_kernel_texts(bool in_doubles = false);

}  // namespace glsolve::inline v0_1
