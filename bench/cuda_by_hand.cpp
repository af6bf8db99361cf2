// Kernels as they are written by hand (cuda_by_hand.cu), compiled at run time and launched through CUDA's driver.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "measure.hpp"
#include "papers/methods/plain_program.hpp"
#include "suites.hpp"

namespace glsolve::bench {

namespace {

class ByHand {
  public:
    ByHand()
        : context_(cuda::load_driver(), cuda::find_devices(cuda::load_driver()).front()),
          program_(context_, cuda::load_compiler(), std::string(bench_file("cuda_by_hand.cu")), "cuda_by_hand.cu") {}
    cuda::CUfunction function(const std::string& name) { return program_.kernel(name.c_str()); }
    cuda::CUdeviceptr memory(std::int64_t bytes) {
        memory_.emplace_back(context_, static_cast<std::size_t>(bytes));
        return memory_.back().at();
    }
    template <class... Arguments>
    void launch(cuda::CUfunction f, std::array<unsigned, 2> grid, std::array<unsigned, 2> block,
                Arguments... arguments) {
        cuda::launch(context_, f, grid, block, arguments...);
    }
    void wait() {
        const cuda::Current current(context_);
        context_.synchronize();
    }

  private:
    cuda::Context context_;
    cuda::PlainProgram program_;
    std::vector<cuda::DeviceArray<std::byte>> memory_;
};

unsigned blocks(long long threads, int size) { return static_cast<unsigned>((threads + size - 1) / size); }

/// An iteration of conjugate gradients without preconditioner, with the 5-point operator.
void add_cg(const std::shared_ptr<ByHand>& hand, const Clock& clock, Index side, const std::string& type, int size) {
    const long long n = static_cast<long long>(side) * side;
    add({"hand/cg iteration, " + type, 10.0 * size * static_cast<double>(n),
         [=]() -> Work {
             std::array<cuda::CUdeviceptr, 4> v{};  // y, r, p, q
             for (cuda::CUdeviceptr& each : v) each = hand->memory(n * size);
             const cuda::CUdeviceptr s = hand->memory(64), rr = s + static_cast<cuda::CUdeviceptr>(size);
             const auto [y, r, p, q] = v;
             constexpr unsigned many = 132 * 8;
             const auto of = [&](const char* name) { return hand->function(std::string(name) + "_" + type); };
             hand->launch(of("begin"), {many, 1}, {256, 1}, n, r, p, y, s);
             return [=, product = of("product"), update = of("update"), direction = of("direction"),
                     scalars = of("scalars")] {
                 hand->launch(product, {blocks(side, 64), blocks(side, 16)}, {64, 4}, side, p, q, s);
                 hand->launch(update, {many, 1}, {256, 1}, n, s, p, q, y, r, rr);
                 hand->launch(direction, {many, 1}, {256, 1}, n, s, r, p);
                 hand->launch(scalars, {1, 1}, {1, 1}, s);
             };
         }},
        clock);
}

}  // namespace

std::string add_cuda_by_hand(Index n) {
    try {
        const auto hand = std::make_shared<ByHand>();
        const Clock clock{nullptr, [hand] { hand->wait(); }};
        const auto side = static_cast<Index>(std::lround(std::sqrt(n)));
        const long long all = static_cast<long long>(side) * side, fours = all / 4;
        const double vector = 4.0 * static_cast<double>(all);
        const cuda::CUdeviceptr s = hand->memory(64), x = hand->memory(all * 4), y = hand->memory(all * 4),
                                work = hand->memory(1 << 16);
        const cuda::CUdeviceptr zeros = hand->memory(all * 4);
        hand->launch(hand->function("begin_float"), {1056, 1}, {256, 1}, all, x, y, zeros, s);
        add({"hand/axpy", 3 * vector,
             [=]() -> Work {
                 return [=, f = hand->function("axpy")] {
                     hand->launch(f, {blocks(fours, 256), 1}, {256, 1}, fours, 1e-3f, x, y);
                 };
             }},
            clock);
        add({"hand/dot", 2 * vector,
             [=]() -> Work {
                 const unsigned parts = std::min(blocks(fours, 512), 132u * 4);
                 return [=, f = hand->function("dot_parts"), g = hand->function("dot_end")] {
                     hand->launch(f, {parts, 1}, {512, 1}, fours, x, y, work);
                     hand->launch(g, {1, 1}, {512, 1}, static_cast<int>(parts), work, s);
                 };
             }},
            clock);
        add({"hand/ell 5-point", 11 * vector,
             [=]() -> Work {
                 const cuda::CUdeviceptr values = hand->memory(all * 20), columns = hand->memory(all * 16);
                 hand->launch(hand->function("fill_ell"), {blocks(all, 256), 1}, {256, 1}, side, values, columns);
                 return [=, f = hand->function("ell")] {
                     hand->launch(f, {blocks(all, 256), 1}, {256, 1}, all, values, columns, x, y);
                 };
             }},
            clock);
        add({"hand/5-point without a matrix", 2 * vector,
             [=]() -> Work {
                 return [=, f = hand->function("stencil_float")] {
                     hand->launch(f, {blocks(side, 64), blocks(side, 16)}, {64, 4}, side, x, y);
                 };
             }},
            clock);
        add_cg(hand, clock, side, "float", 4);
        add_cg(hand, clock, side, "double", 8);
    } catch (const Error& missing) {
        return missing.what();
    }
    return {};
}

}  // namespace glsolve::bench
