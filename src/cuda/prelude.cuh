// What a compute shader has, in CUDA C++: texels in linear memory, work groups, barriers. GLSL's vectors are those of the
// host (kernels/glsl.hpp). All functions are the device's (-default-device).
#include "arguments.hpp"
#include "glsl.hpp"
#include "glsl_functions.hpp"

#define precise
#define highp
#define mediump
#define lowp

namespace glsolve::inline v0_1::glsl {

using cuda::Texels;

#define gl_WorkGroupID uvec3(blockIdx.x, blockIdx.y, 0u)
#define gl_NumWorkGroups uvec3(gridDim.x, gridDim.y, 1u)
#define gl_LocalInvocationID uvec3(threadIdx.x, threadIdx.y, 0u)
#define gl_LocalInvocationIndex (threadIdx.y * GROUP_WIDTH + threadIdx.x)
#define barrier() __syncthreads()
#define memoryBarrierShared()  // __syncthreads() does that as well
#define memoryBarrierImage() __threadfence()
#define groupMemoryBarrier() __threadfence_block()
#define HAS_SHUFFLES

inline uint atomicMin(uint& a, uint v) { return ::atomicMin(&a, v); }
inline uint atomicMax(uint& a, uint v) { return ::atomicMax(&a, v); }

inline long long index_of(const Texels& t, ivec2 at) { return static_cast<long long>(at.y) * t.width + at.x; }
inline bool holds(const Texels& t, ivec2 at) {
    return static_cast<uint>(at.x) < static_cast<uint>(t.width) && static_cast<uint>(at.y) < static_cast<uint>(t.height);
}
inline vec4 vec4_of(float4 v) { return vec4(v.x, v.y, v.z, v.w); }

// What a texel of real numbers is: four floats, or four doubles, which are as long as two loads.
#ifdef DOUBLE_REALS
using real = double;
using reals = dvec4;
inline reals reals_of(double2 a, double2 b) { return reals(a.x, a.y, b.x, b.y); }
inline const double2* texel_of(const Texels& t, ivec2 at) { return static_cast<const double2*>(t.data) + 2 * index_of(t, at); }
inline reals cached(const double2* texel) { return reals_of(__ldg(texel), __ldg(texel + 1)); }
inline reals uncached(const double2* texel) { return reals_of(__ldcg(texel), __ldcg(texel + 1)); }
inline reals plain(const void* data) {
    const double2* texel = static_cast<const double2*>(data);
    return reals_of(texel[0], texel[1]);
}
inline void store(const Texels& t, ivec2 at, reals v) {
    double2* texel = static_cast<double2*>(t.data) + 2 * index_of(t, at);
    texel[0] = make_double2(v.x, v.y);
    texel[1] = make_double2(v.z, v.w);
}
inline double uintBitsToReal(uint bits) { return uintBitsToFloat(bits); }
template <int n>
Vec<double, n> uintBitsToReal(Vec<uint, n> bits) { return Vec<double, n>(uintBitsToFloat(bits)); }
// Numbers in the order of their bits, and zero by one name (shaders/pass/reduce.compute.glsl).
using Key = unsigned long long;
#define KEY Key
inline KEY key_of(double value) {
    const KEY bits = __double_as_longlong(value), sign = KEY(1) << 63;
    return bits << 1 == 0 ? sign : (bits & sign) != 0 ? ~bits : bits | sign;
}
inline double of_key(KEY key) {
    const KEY sign = KEY(1) << 63;
    return __longlong_as_double((key & sign) != 0 ? key ^ sign : ~key);
}
inline KEY atomicMin(KEY& a, KEY v) { return ::atomicMin(&a, v); }
inline KEY atomicMax(KEY& a, KEY v) { return ::atomicMax(&a, v); }
#else
#define KEY uint  // (declarations of what a group shares stand in front of all conditions)
using real = float;
using reals = vec4;
inline const float4* texel_of(const Texels& t, ivec2 at) { return static_cast<const float4*>(t.data) + index_of(t, at); }
inline reals cached(const float4* texel) { return vec4_of(__ldg(texel)); }
inline reals uncached(const float4* texel) { return vec4_of(__ldcg(texel)); }
inline reals plain(const void* data) { return vec4_of(*static_cast<const float4*>(data)); }
inline void store(const Texels& t, ivec2 at, reals v) {
    static_cast<float4*>(t.data)[index_of(t, at)] = make_float4(v.x, v.y, v.z, v.w);
}
#endif

// Of the lane `distance` behind this one.
inline reals shuffled(reals v, int distance) {
    const auto of = [&](real one) { return __shfl_down_sync(0xffffffffu, one, static_cast<unsigned>(distance)); };
    return reals(of(v.x), of(v.y), of(v.z), of(v.w));
}

// Inputs. No pass writes texels that another invocation of it reads (asynchronous passes have images): so all of them may come
// through the cache for what is only read.
struct Reals {
    const Texels& t;
    reals texel(ivec2 at) const { return cached(texel_of(t, at)); }
    real number(int i) const { return __ldg(static_cast<const real*>(t.data) + i); }
};
struct Integers {
    const Texels& t;
    ivec4 texel(ivec2 at) const {
        const int4 v = __ldg(static_cast<const int4*>(t.data) + index_of(t, at));
        return ivec4(v.x, v.y, v.z, v.w);
    }
};
inline float float_of_half(unsigned short bits) {
#ifdef __HIP__
    return __builtin_bit_cast(_Float16, bits);
#else
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));
    return number;
#endif
}
struct Halves {
    const Texels& t;
    reals texel(ivec2 at) const {
        const ushort4 v = __ldg(static_cast<const ushort4*>(t.data) + index_of(t, at));
        return reals(float_of_half(v.x), float_of_half(v.y), float_of_half(v.z), float_of_half(v.w));
    }
    real number(int i) const { return float_of_half(__ldg(static_cast<const unsigned short*>(t.data) + i)); }
};
template <class Of>
auto texelFetch(Of of, ivec2 at, int /*level*/) {
    return of.texel(at);
}
template <class Of>
real numberFetch(Of of, int i) {
    return of.number(i);
}
template <class Of>
ivec2 textureSize(Of of, int /*level*/) {
    return ivec2(of.t.width, of.t.height);
}

// A 1 x 1 storage, or what counts where there is none.
struct OneTexel {
    const void* data;
    real otherwise;
};
inline reals texelFetch(OneTexel t, ivec2 /*at*/, int /*level*/) {
    return t.data != nullptr ? plain(t.data) : reals(t.otherwise);
}

// Images: what others write meanwhile, past the cache; zeros outside.
inline reals imageLoad(const Texels& t, ivec2 at) {
    return holds(t, at) ? uncached(texel_of(t, at)) : reals(real(0));
}
inline void imageStore(const Texels& t, ivec2 at, reals v) { store(t, at, v); }
inline void imageStore(const Texels& t, ivec2 at, ivec4 v) {
    static_cast<int4*>(t.data)[index_of(t, at)] = make_int4(v.x, v.y, v.z, v.w);
}
// What the own work group alone has written: through its cache.
inline reals load_of_group(const Texels& t, ivec2 at) { return plain(texel_of(t, at)); }
inline real number_of_group(const Texels& t, int i) { return static_cast<const real*>(t.data)[i]; }
inline void imageStore(unsigned* count, ivec2 /*at*/, uvec4 v) { *count = v.x; }
inline uint imageAtomicAdd(unsigned* count, ivec2 /*at*/, uint v) { return atomicAdd(count, v); }

// A texture of the caller's: four numbers a texel, by their bits.
struct OutsideTexels {
    const Texels& t;
};
inline uvec4 imageLoad(OutsideTexels of, ivec2 at) { return floatBitsToUint(imageLoad(of.t, at)); }
inline void imageStore(OutsideTexels of, ivec2 at, uvec4 bits) { store(of.t, at, reals(uintBitsToFloat(bits))); }

struct TableOfPairs {
    const float* numbers;
    Vec<real, 2> operator[](int i) const { return Vec<real, 2>(numbers[2 * i], numbers[2 * i + 1]); }
};

}  // namespace glsolve::inline v0_1::glsl
