/// Plain CUDA kernels on the host, so that tests need no GPU: blocks run one after the other, the threads of one
/// together. A test includes the kernels' text behind this.
#pragma once

#include <algorithm>
#include <array>
#include <barrier>
#include <memory>
#include <thread>
#include <vector>

#define __global__
#define __device__
#define __shared__ static  // blocks run one after the other

namespace glsolve::test::emulated {

struct Place {
    int x = 0, y = 0;
};

/// Barriers and exchanged numbers of the block at work.
struct Block {
    static constexpr int warp = 32;

    explicit Block(int threads) : all(threads), lanes(static_cast<std::size_t>(threads)) {
        for (int first = 0; first < threads; first += warp)
            warps.push_back(std::make_unique<std::barrier<>>(std::min(warp, threads - first)));
    }
    std::barrier<> all;
    std::vector<std::unique_ptr<std::barrier<>>> warps;
    std::vector<double> lanes;
};

}  // namespace glsolve::test::emulated

inline thread_local glsolve::test::emulated::Place threadIdx, blockIdx;
inline glsolve::test::emulated::Place blockDim, gridDim;
inline glsolve::test::emulated::Block* emulated_block = nullptr;

inline void __syncthreads() { emulated_block->all.arrive_and_wait(); }

template <class Number>
Number __shfl_down_sync(unsigned, Number v, int distance) {
    const int thread = threadIdx.x, lane = thread & 31;
    auto& warp = *emulated_block->warps[static_cast<std::size_t>(thread / 32)];
    emulated_block->lanes[static_cast<std::size_t>(thread)] = static_cast<double>(v);
    warp.arrive_and_wait();
    const int from = lane + distance < 32 ? thread + distance : thread;
    const double other = emulated_block->lanes[static_cast<std::size_t>(from)];
    warp.arrive_and_wait();
    return static_cast<Number>(other);
}

namespace glsolve::test {

/// Runs kernel() for each thread of so many blocks.
template <class Kernel>
void emulate(int blocks, int threads, const Kernel& kernel) {
    blockDim = {threads, 1};
    gridDim = {blocks, 1};
    for (int b = 0; b < blocks; ++b) {
        emulated::Block block(threads);
        emulated_block = &block;
        std::vector<std::jthread> all;
        for (int t = 0; t < threads; ++t) {
            all.emplace_back([&, t] {
                threadIdx = {t, 0};
                blockIdx = {b, 0};
                kernel();
            });
        }
    }
}

/// The same for kernels without barriers, one thread after the other.
template <class Kernel>
void emulate_in_turn(int blocks, int threads, const Kernel& kernel) {
    blockDim = {threads, 1};
    gridDim = {blocks, 1};
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x) {
        for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) kernel();
    }
}

}  // namespace glsolve::test
