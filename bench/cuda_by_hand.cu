// What a good programmer would write by hand for the passes of docs/cuda.md, with vectors of four and nothing else to
// share: the text that bench_passes compiles for itself (cuda_by_hand.cpp).
template <class T> __device__ T block_sum(T v) {
    __shared__ T part[32];
    for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    const int t = threadIdx.x + blockDim.x * threadIdx.y;
    if ((t & 31) == 0) part[t >> 5] = v;
    __syncthreads();
    v = t < (blockDim.x * blockDim.y >> 5) ? part[t] : T(0);
    if (t < 32) for (int o = 16; o; o >>= 1) v += __shfl_down_sync(~0u, v, o);
    return v;
}

extern "C" __global__ void axpy(long long n4, float a, const float4* x, float4* y) {
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i >= n4) return;
    const float4 u = x[i];
    float4 v = y[i];
    v.x += a * u.x, v.y += a * u.y, v.z += a * u.z, v.w += a * u.w;
    y[i] = v;
}

extern "C" __global__ void dot_parts(long long n4, const float4* x, const float4* y, float* part) {
    float s = 0;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n4; i += (long long)gridDim.x * blockDim.x) {
        const float4 u = x[i], v = y[i];
        s += u.x * v.x + u.y * v.y + u.z * v.z + u.w * v.w;
    }
    s = block_sum(s);
    if (threadIdx.x == 0) part[blockIdx.x] = s;
}
extern "C" __global__ void dot_end(int n, const float* part, float* result) {
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += part[i];
    s = block_sum(s);
    if (threadIdx.x == 0) *result = s;
}

// A 5-point matrix in ELL, by columns of slots; the diagonal comes last.
extern "C" __global__ void fill_ell(int side, float* values, int* columns) {
    const long long n = (long long)side * side, r = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (r >= n) return;
    const int x = r % side, y = r / side;
    const int to[4] = {y > 0 ? int(r) - side : -1, x > 0 ? int(r) - 1 : -1, x + 1 < side ? int(r) + 1 : -1, y + 1 < side ? int(r) + side : -1};
    for (int k = 0; k < 4; ++k) values[k * n + r] = to[k] < 0 ? 0.f : -1.f, columns[k * n + r] = to[k] < 0 ? int(r) : to[k];
    values[4 * n + r] = 4.f;
}
extern "C" __global__ void ell(long long n, const float* values, const int* columns, const float* x, float* y) {
    const long long r = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (r >= n) return;
    float s = values[4 * n + r] * x[r];
#pragma unroll
    for (int k = 0; k < 4; ++k) s += values[k * n + r] * x[columns[k * n + r]];
    y[r] = s;
}

// The same without a matrix, and with (x, y) for conjugate gradients: scalars are 0 (p,q), 1 (r,r), 2 rho.
template <class T, bool with_dot> __device__ void stencil_of(int side, const T* x, T* y, T* pi) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    T terms = 0;
    for (int j = blockIdx.y * blockDim.y * 4 + threadIdx.y, k = 0; k < 4; ++k, j += blockDim.y) {
        if (i >= side || j >= side) continue;
        const long long r = (long long)j * side + i;
        const T here = x[r];
        T s = 4 * here;
        if (i > 0) s -= x[r - 1];
        if (i + 1 < side) s -= x[r + 1];
        if (j > 0) s -= x[r - side];
        if (j + 1 < side) s -= x[r + side];
        y[r] = s;
        terms += here * s;
    }
    if (with_dot) {
        terms = block_sum(terms);
        if (threadIdx.x + threadIdx.y == 0) atomicAdd(pi, terms);
    }
}
template <class T> __device__ void update_of(long long n, const T* s, const T* p, const T* q, T* y, T* r, T* rr) {
    const T alpha = s[2] / s[0];
    T terms = 0;
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
        y[i] += alpha * p[i];
        const T v = r[i] - alpha * q[i];
        r[i] = v;
        terms += v * v;
    }
    terms = block_sum(terms);
    if (threadIdx.x == 0) atomicAdd(rr, terms);
}
template <class T> __device__ void direction_of(long long n, const T* s, const T* r, T* p) {
    const T beta = s[1] / s[2];
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) p[i] = r[i] + beta * p[i];
}
template <class T> __device__ void begin_of(long long n, T* r, T* p, T* y, T* s) {
    for (long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x; i < n; i += (long long)gridDim.x * blockDim.x) {
        r[i] = p[i] = T(1) - T((i * 2654435761u) % 2001) * T(1e-3), y[i] = 0;
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) s[0] = s[1] = 0, s[2] = T(n) / 3;
}
#define OF(T) \
    extern "C" __global__ void stencil_##T(int side, const T* x, T* y) { stencil_of<T, false>(side, x, y, nullptr); } \
    extern "C" __global__ void product_##T(int side, const T* p, T* q, T* s) { stencil_of<T, true>(side, p, q, s); } \
    extern "C" __global__ void update_##T(long long n, const T* s, const T* p, const T* q, T* y, T* r, T* rr) { update_of(n, s, p, q, y, r, rr); } \
    extern "C" __global__ void direction_##T(long long n, const T* s, const T* r, T* p) { direction_of(n, s, r, p); } \
    extern "C" __global__ void scalars_##T(T* s) { s[2] = s[1], s[0] = 0, s[1] = 0; } \
    extern "C" __global__ void begin_##T(long long n, T* r, T* p, T* y, T* s) { begin_of(n, r, p, y, s); }
OF(float)
OF(double)
