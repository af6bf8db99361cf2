// The little of HIP's headers that CUDA's programs use, so that clang alone can compile them for AMD's GPUs (there is
// no ROCm on the machine that does). Included in front of a program by scripts/hip_programs.sh. Nothing of it is run.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __launch_bounds__(n) __attribute__((amdgpu_flat_work_group_size(1, n)))
#define __grid_constant__
#pragma clang force_cuda_host_device begin

struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(8) ushort4 {
    unsigned short x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};
inline float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
inline double2 make_double2(double x, double y) { return {x, y}; }
template <class T>
T __ldg(const T* p) {
    return *p;
}
template <class T>
T __ldcg(const T* p) {
    return *p;
}
inline long long __double_as_longlong(double d) { return __builtin_bit_cast(long long, d); }
inline double __longlong_as_double(long long d) { return __builtin_bit_cast(double, d); }
inline void __syncthreads() { __builtin_amdgcn_s_barrier(); }
// Word by word, from the lane so many places behind this one.
template <class T>
T __shfl_down_sync(unsigned /*lanes*/, T value, unsigned distance) {
    const unsigned lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
    int words[sizeof(T) / sizeof(int)];
    __builtin_memcpy(words, &value, sizeof value);
    for (int& word : words) word = __builtin_amdgcn_ds_bpermute(static_cast<int>(4 * (lane + distance)), word);
    __builtin_memcpy(&value, words, sizeof value);
    return value;
}
inline void __threadfence() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent"); }
inline void __threadfence_block() { __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup"); }
template <class T>
T atomicMin(T* a, T v) {
    return __atomic_fetch_min(a, v, 0);
}
template <class T>
T atomicMax(T* a, T v) {
    return __atomic_fetch_max(a, v, 0);
}
template <class T>
T atomicAdd(T* a, T v) {
    return __atomic_fetch_add(a, v, 0);
}
struct ThreeNumbers {
    unsigned x, y, z;
};
#define threadIdx (ThreeNumbers{__builtin_amdgcn_workitem_id_x(), __builtin_amdgcn_workitem_id_y(), 0u})
#define blockIdx (ThreeNumbers{__builtin_amdgcn_workgroup_id_x(), __builtin_amdgcn_workgroup_id_y(), 0u})
#define gridDim \
    (ThreeNumbers{__builtin_amdgcn_grid_size_x() / GROUP_WIDTH, __builtin_amdgcn_grid_size_y() / GROUP_HEIGHT, 1u})

// Libraries' functions, which are declared and not linked.
#define GLSOLVE_OF_REAL(name)          \
    extern "C" float name##f(float v); \
    extern "C" double name(double v);
GLSOLVE_OF_REAL(sin)
GLSOLVE_OF_REAL(cos)
GLSOLVE_OF_REAL(tan)
GLSOLVE_OF_REAL(asin)
GLSOLVE_OF_REAL(acos)
GLSOLVE_OF_REAL(atan)
GLSOLVE_OF_REAL(sinh)
GLSOLVE_OF_REAL(cosh)
GLSOLVE_OF_REAL(tanh)
GLSOLVE_OF_REAL(exp)
GLSOLVE_OF_REAL(log)
GLSOLVE_OF_REAL(exp2)
GLSOLVE_OF_REAL(log2)
GLSOLVE_OF_REAL(fabs)
GLSOLVE_OF_REAL(floor)
GLSOLVE_OF_REAL(ceil)
GLSOLVE_OF_REAL(trunc)
GLSOLVE_OF_REAL(round)
GLSOLVE_OF_REAL(sqrt)
#undef GLSOLVE_OF_REAL
extern "C" float powf(float a, float b);
extern "C" double pow(double a, double b);
extern "C" float atan2f(float a, float b);
extern "C" double atan2(double a, double b);
