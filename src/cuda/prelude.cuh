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

inline uint atomicMin(uint& a, uint v) { return ::atomicMin(&a, v); }
inline uint atomicMax(uint& a, uint v) { return ::atomicMax(&a, v); }

inline long long index_of(const Texels& t, ivec2 at) { return static_cast<long long>(at.y) * t.width + at.x; }
inline bool holds(const Texels& t, ivec2 at) {
    return static_cast<uint>(at.x) < static_cast<uint>(t.width) && static_cast<uint>(at.y) < static_cast<uint>(t.height);
}
inline vec4 vec4_of(float4 v) { return vec4(v.x, v.y, v.z, v.w); }

// Inputs. No pass writes texels that another invocation of it reads (chaotic passes have images): so all of them may come
// through the cache for what is only read.
struct Reals {
    const Texels& t;
    vec4 texel(ivec2 at) const { return vec4_of(__ldg(static_cast<const float4*>(t.data) + index_of(t, at))); }
};
struct Integers {
    const Texels& t;
    ivec4 texel(ivec2 at) const {
        const int4 v = __ldg(static_cast<const int4*>(t.data) + index_of(t, at));
        return ivec4(v.x, v.y, v.z, v.w);
    }
};
inline float float_of_half(unsigned short bits) {
    float number;
    asm("cvt.f32.f16 %0, %1;" : "=f"(number) : "h"(bits));
    return number;
}
struct Halves {
    const Texels& t;
    vec4 texel(ivec2 at) const {
        const ushort4 v = __ldg(static_cast<const ushort4*>(t.data) + index_of(t, at));
        return vec4(float_of_half(v.x), float_of_half(v.y), float_of_half(v.z), float_of_half(v.w));
    }
};
template <class Of>
auto texelFetch(Of of, ivec2 at, int /*level*/) {
    return of.texel(at);
}
template <class Of>
ivec2 textureSize(Of of, int /*level*/) {
    return ivec2(of.t.width, of.t.height);
}

// A 1 x 1 storage, or what counts where there is none.
struct OneTexel {
    const void* data;
    float otherwise;
};
inline vec4 texelFetch(OneTexel t, ivec2 /*at*/, int /*level*/) {
    return t.data != nullptr ? vec4_of(*static_cast<const float4*>(t.data)) : vec4(t.otherwise);
}

// Images: what others write meanwhile, past the cache; zeros outside.
inline vec4 imageLoad(const Texels& t, ivec2 at) {
    return holds(t, at) ? vec4_of(__ldcg(static_cast<const float4*>(t.data) + index_of(t, at))) : vec4(0.0f);
}
inline void imageStore(const Texels& t, ivec2 at, vec4 v) {
    static_cast<float4*>(t.data)[index_of(t, at)] = make_float4(v.x, v.y, v.z, v.w);
}
inline void imageStore(unsigned* count, ivec2 /*at*/, uvec4 v) { *count = v.x; }
inline uint imageAtomicAdd(unsigned* count, ivec2 /*at*/, uint v) { return atomicAdd(count, v); }

// A texture of the caller's: four numbers a texel, by their bits.
struct OutsideTexels {
    const Texels& t;
};
inline uvec4 imageLoad(OutsideTexels of, ivec2 at) { return floatBitsToUint(imageLoad(of.t, at)); }
inline void imageStore(OutsideTexels of, ivec2 at, uvec4 bits) { imageStore(of.t, at, uintBitsToFloat(bits)); }

struct TableOfPairs {
    const float* numbers;
    vec2 operator[](int i) const { return vec2(numbers[2 * i], numbers[2 * i + 1]); }
};

}  // namespace glsolve::inline v0_1::glsl
