// Liu, Yin and Wu (2011), section 2.2 and algorithm 3: each block makes the inner product of two pieces of m numbers, by
// halves in shared memory; the host adds up what the blocks leave in memory that it shares (`parts`). The grid and m
// come from the decision tree over n (cuda_kernels.cpp).
extern "C" __global__ void inner_product(int n, int m, const number* v, const number* w, number* parts) {
    __shared__ number r_s[512];
    const int thread = threadIdx.x;
    const long long begin = (long long)blockIdx.x * m;
    const long long end = begin + m < n ? begin + m : n;
    number sum = 0;
    for (long long i = begin + thread; i < end; i += blockDim.x) sum += v[i] * w[i];
    r_s[thread] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half > 0; half /= 2) {
        if (thread < half) r_s[thread] += r_s[thread + half];
        __syncthreads();
    }
    if (thread == 0) parts[blockIdx.x] = r_s[0];
}
