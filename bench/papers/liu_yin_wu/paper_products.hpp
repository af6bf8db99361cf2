/// How long the papers' own kernels on CUDA take (papers/methods/cuda_kernels.hpp).
#pragma once

#include <array>
#include <optional>

#include "papers/methods/cuda_kernels.hpp"

namespace glsolve::bench::gmres {

/// A CUDA device with the papers' kernels; opened once. Null where there is no CUDA.
struct PaperDevice {
    cuda::Context context{cuda::load_driver(), cuda::find_devices(cuda::load_driver()).front()};
    PaperKernels kernels{context};
};
PaperDevice* paper_device();

/// Seconds of one product in single precision, x random, launched one by one as the papers did; the mean of `count` in
/// a row, of some rounds the least. None where there is no CUDA.
std::optional<std::array<double, all_paper_products.size()>> paper_product_seconds(CsrView A, int count);

struct InnerProductTime {
    double seconds = 0;  ///< the host's sum and its wait included
    double value = 0;
};
/// The inner product by the decision tree.
std::optional<InnerProductTime> paper_inner_product(const std::vector<float>& v, const std::vector<float>& w);

}  // namespace glsolve::bench::gmres
