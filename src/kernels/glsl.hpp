/// GLSL's vectors and functions in C++, for the texts that shaders/generator makes of kernels: what they use,
/// no more. A swizzle v.zw is v.pick<2, 3>() there. Sums of four are formed from left to right.
#pragma once

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <type_traits>

// NVIDIA's and AMD's compilers take the four numbers of a vector one by one.
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIP__)
#include "kernels/lanes.hpp"
#define GLSL_TOGETHER 1
#define GLSL_LANES(v) (v).lanes
#else
#define GLSL_TOGETHER 0
#define GLSL_LANES(v) (v)
#endif

namespace glsolve::inline v0_1::glsl {

using uint = std::uint32_t;

template <class T, int n>
struct Vec;

/// f of the first components, of the second ones, and so on.
template <class F, class T, class... More>
constexpr auto each(F f, Vec<T, 2> a, More... more) {
    return Vec<decltype(f(a.x, more.x...)), 2>(f(a.x, more.x...), f(a.y, more.y...));
}
template <class F, class T, class... More>
constexpr auto each(F f, Vec<T, 3> a, More... more) {
    return Vec<decltype(f(a.x, more.x...)), 3>(f(a.x, more.x...), f(a.y, more.y...), f(a.z, more.z...));
}
template <class F, class T, class... More>
constexpr auto each(F f, Vec<T, 4> a, More... more) {
    return Vec<decltype(f(a[0], more[0]...)), 4>(f(a[0], more[0]...), f(a[1], more[1]...), f(a[2], more[2]...),
                                                 f(a[3], more[3]...));
}

template <class T>
struct Vec<T, 2> {
    T x, y;

    Vec() = default;
    constexpr explicit Vec(T all) : x(all), y(all) {}
    constexpr Vec(T x_, T y_) : x(x_), y(y_) {}
    template <class S>
    constexpr explicit Vec(Vec<S, 2> v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)) {}

    constexpr T& operator[](int i) { return i == 0 ? x : y; }
    constexpr T operator[](int i) const { return i == 0 ? x : y; }
    template <int... i>
    constexpr const Vec<T, sizeof...(i)> pick() const {  // const: GLSL could assign it
        static_assert(((i < 2) && ...));
        return {(*this)[i]...};
    }
};

template <class T>
struct Vec<T, 3> {
    T x, y, z;

    Vec() = default;
    constexpr explicit Vec(T all) : x(all), y(all), z(all) {}
    constexpr Vec(T x_, T y_, T z_) : x(x_), y(y_), z(z_) {}
    constexpr Vec(Vec<T, 2> v, T z_) : x(v.x), y(v.y), z(z_) {}
    constexpr Vec(T x_, Vec<T, 2> v) : x(x_), y(v.x), z(v.y) {}
    template <class S>
    constexpr explicit Vec(Vec<S, 3> v) : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)) {}

    constexpr T& operator[](int i) { return i == 0 ? x : i == 1 ? y : z; }
    constexpr T operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; }
    template <int... i>
    constexpr const Vec<T, sizeof...(i)> pick() const {  // const: GLSL could assign it
        static_assert(((i < 3) && ...));
        return {(*this)[i]...};
    }
};

template <class T>
struct alignas(16) Vec<T, 4> {
#if GLSL_TOGETHER
    using Lane = typename Together<T>::Lane;
    union {
        __extension__ struct {
            Lane x, y, z, w;
        };
        Lanes<T> lanes;
    };
    constexpr explicit Vec(Lanes<T> four) : lanes(four) {}
    constexpr Vec(T x_, T y_, T z_, T w_) : lanes(lanes_of<T>(x_, y_, z_, w_)) {}
    template <class S>
    constexpr explicit Vec(Vec<S, 4> v) : lanes(converted<T, S>(v.lanes)) {}
#else
    using Lane = T;
    T x, y, z, w;
    constexpr Vec(T x_, T y_, T z_, T w_) : x(x_), y(y_), z(z_), w(w_) {}
    template <class S>
    constexpr explicit Vec(Vec<S, 4> v)
        : x(static_cast<T>(v.x)), y(static_cast<T>(v.y)), z(static_cast<T>(v.z)), w(static_cast<T>(v.w)) {}
#endif
    Vec() = default;
    constexpr explicit Vec(T all) : Vec(all, all, all, all) {}
    constexpr Vec(Vec<T, 2> a, Vec<T, 2> b) : Vec(a.x, a.y, b.x, b.y) {}
    constexpr Vec(Vec<T, 2> a, T z_, T w_) : Vec(a.x, a.y, z_, w_) {}
    constexpr Vec(T x_, Vec<T, 2> b, T w_) : Vec(x_, b.x, b.y, w_) {}
    constexpr Vec(T x_, T y_, Vec<T, 2> b) : Vec(x_, y_, b.x, b.y) {}
    constexpr Vec(Vec<T, 3> a, T w_) : Vec(a.x, a.y, a.z, w_) {}
    constexpr Vec(T x_, Vec<T, 3> b) : Vec(x_, b.x, b.y, b.z) {}

    constexpr Lane& operator[](int i) { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    constexpr T operator[](int i) const { return i == 0 ? x : i == 1 ? y : i == 2 ? z : w; }
    template <int... i>
    constexpr const Vec<T, sizeof...(i)> pick() const {  // const: GLSL could assign it
        static_assert(((i < 4) && ...));
#if GLSL_TOGETHER
        return {static_cast<T>(lanes[i])...};
#else
        return {(*this)[i]...};
#endif
    }
};

using vec2 = Vec<float, 2>;
using vec3 = Vec<float, 3>;
using vec4 = Vec<float, 4>;
using dvec4 = Vec<double, 4>;
using ivec2 = Vec<int, 2>;
using ivec3 = Vec<int, 3>;
using ivec4 = Vec<int, 4>;
using uvec4 = Vec<uint, 4>;
using bvec2 = Vec<bool, 2>;
using bvec4 = Vec<bool, 4>;

/// A number beside a vector of Ts, which does not take part in finding out what T is.
template <class T>
using Scalar = std::type_identity_t<T>;

#define GLSL_OPERATOR(op)                                                                  \
    template <class T, int n>                                                              \
    constexpr Vec<T, n> operator op(Vec<T, n> a, Vec<T, n> b) {                            \
        if constexpr (n == 4 && GLSL_TOGETHER) {                                           \
            return Vec<T, n>(GLSL_LANES(a) op GLSL_LANES(b));                              \
        } else {                                                                           \
            return each([](T p, T q) { return static_cast<T>(p op q); }, a, b);            \
        }                                                                                  \
    }                                                                                      \
    template <class T, int n>                                                              \
    constexpr Vec<T, n> operator op(Vec<T, n> a, Scalar<T> b) {                            \
        return a op Vec<T, n>(b);                                                          \
    }                                                                                      \
    template <class T, int n>                                                              \
    constexpr Vec<T, n> operator op(Scalar<T> a, Vec<T, n> b) {                            \
        return Vec<T, n>(a) op b;                                                          \
    }                                                                                      \
    template <class T, int n>                                                              \
    constexpr Vec<T, n>& operator op##=(Vec<T, n>& a, std::type_identity_t<Vec<T, n>> b) { \
        return a = a op b;                                                                 \
    }                                                                                      \
    template <class T, int n>                                                              \
    constexpr Vec<T, n>& operator op##=(Vec<T, n>& a, Scalar<T> b) {                       \
        return a = a op b;                                                                 \
    }
GLSL_OPERATOR(+)
GLSL_OPERATOR(-)
GLSL_OPERATOR(*)
GLSL_OPERATOR(/)
GLSL_OPERATOR(%)
GLSL_OPERATOR(&)
GLSL_OPERATOR(|)
GLSL_OPERATOR(<<)
GLSL_OPERATOR(>>)
#undef GLSL_OPERATOR

template <class T, int n>
constexpr Vec<T, n> operator-(Vec<T, n> a) {
    return each([](T p) { return -p; }, a);
}
template <class T, int n>
constexpr Vec<T, n> operator~(Vec<T, n> a) {
    return each([](T p) { return ~p; }, a);
}

#define GLSL_COMPARISON(name, op)                                      \
    template <class T, int n>                                          \
    constexpr Vec<bool, n> name(Vec<T, n> a, Vec<T, n> b) {            \
        if constexpr (n == 4 && GLSL_TOGETHER) {                       \
            return Vec<bool, n>(Mask(GLSL_LANES(a) op GLSL_LANES(b))); \
        } else {                                                       \
            return each([](T p, T q) { return p op q; }, a, b);        \
        }                                                              \
    }
GLSL_COMPARISON(equal, ==)
GLSL_COMPARISON(notEqual, !=)
GLSL_COMPARISON(lessThan, <)
GLSL_COMPARISON(lessThanEqual, <=)
GLSL_COMPARISON(greaterThan, >)
GLSL_COMPARISON(greaterThanEqual, >=)
#undef GLSL_COMPARISON

template <int n>
constexpr bool any(Vec<bool, n> a) {
    bool found = false;
    for (int i = 0; i < n; ++i) found = found || a[i];
    return found;
}
template <int n>
constexpr bool all(Vec<bool, n> a) {
    bool found = true;
    for (int i = 0; i < n; ++i) found = found && a[i];
    return found;
}
template <class T, int n>
constexpr bool operator==(Vec<T, n> a, Vec<T, n> b) {
    return all(equal(a, b));
}

// --- functions of numbers, and of vectors of them
template <class T>
concept Number = std::is_arithmetic_v<T>;

template <Number T>
constexpr T min(T a, T b) {
    return b < a ? b : a;
}
template <Number T>
constexpr T max(T a, T b) {
    return a < b ? b : a;
}
template <Number T>
constexpr T clamp(T v, T low, T high) {
    return min(max(v, low), high);
}
template <Number T>
constexpr T mix(T a, T b, std::same_as<bool> auto second) {  // a share, 0.25, must not become true
    return second ? b : a;
}
template <Number T>
constexpr T sign(T v) {
    return static_cast<T>((v > 0) - (v < 0));
}
inline float abs(float v) { return std::fabs(v); }
inline double abs(double v) { return std::fabs(v); }
constexpr int abs(int v) { return v < 0 ? -v : v; }
inline float floor(float v) { return std::floor(v); }
inline double floor(double v) { return std::floor(v); }
inline float sqrt(float v) { return std::sqrt(v); }
inline double sqrt(double v) { return std::sqrt(v); }
constexpr uint floatBitsToUint(float v) { return std::bit_cast<uint>(v); }
constexpr float uintBitsToFloat(uint v) { return std::bit_cast<float>(v); }
// Of the bits of doubles kernels ask what single precision shows: infinite, not a number, exponents.
constexpr uint floatBitsToUint(double v) { return floatBitsToUint(static_cast<float>(v)); }

template <class T, int n>
constexpr Vec<T, n> mix(Vec<T, n> a, Vec<T, n> b, Vec<bool, n> second) {
#if GLSL_TOGETHER
    if constexpr (n == 4) return Vec<T, n>(chosen(second.lanes, a.lanes, b.lanes));
#endif
    return each([](T p, T q, bool s) { return s ? q : p; }, a, b, second);
}
template <class T, int n>
constexpr Vec<T, n> min(Vec<T, n> a, Vec<T, n> b) {
    if constexpr (n == 4 && GLSL_TOGETHER) {
        return mix(a, b, lessThan(b, a));
    } else {
        return each([](T p, T q) { return min(p, q); }, a, b);
    }
}
template <class T, int n>
constexpr Vec<T, n> min(Vec<T, n> a, Scalar<T> b) {
    return min(a, Vec<T, n>(b));
}
template <class T, int n>
constexpr Vec<T, n> max(Vec<T, n> a, Vec<T, n> b) {
    if constexpr (n == 4 && GLSL_TOGETHER) {
        return mix(a, b, lessThan(a, b));
    } else {
        return each([](T p, T q) { return max(p, q); }, a, b);
    }
}
template <class T, int n>
constexpr Vec<T, n> max(Vec<T, n> a, Scalar<T> b) {
    return max(a, Vec<T, n>(b));
}
template <class T, int n>
constexpr Vec<T, n> clamp(Vec<T, n> v, Vec<T, n> low, Vec<T, n> high) {
    return min(max(v, low), high);
}
template <class T, int n>
constexpr Vec<T, n> sign(Vec<T, n> a) {
    return each([](T p) { return sign(p); }, a);
}
template <class T, int n>
Vec<T, n> abs(Vec<T, n> a) {
    return each([](T p) { return abs(p); }, a);
}
template <class T, int n>
Vec<T, n> sqrt(Vec<T, n> a) {
    return each([](T p) { return sqrt(p); }, a);
}
template <int n>
constexpr Vec<uint, n> floatBitsToUint(Vec<float, n> a) {
#if GLSL_TOGETHER
    if constexpr (n == 4) return Vec<uint, n>((Lanes<uint>)a.lanes);
#endif
    return each([](float p) { return floatBitsToUint(p); }, a);
}
template <int n>
constexpr Vec<uint, n> floatBitsToUint(Vec<double, n> a) {
    return floatBitsToUint(Vec<float, n>(a));
}
template <int n>
constexpr Vec<float, n> uintBitsToFloat(Vec<uint, n> a) {
#if GLSL_TOGETHER
    if constexpr (n == 4) return Vec<float, n>((Lanes<float>)a.lanes);
#endif
    return each([](uint p) { return uintBitsToFloat(p); }, a);
}
template <class T>
constexpr T dot(Vec<T, 2> a, Vec<T, 2> b) {
    return a.x * b.x + a.y * b.y;
}
template <class T>
constexpr T dot(Vec<T, 4> a, Vec<T, 4> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
template <class T>
T length(Vec<T, 2> a) {
    return sqrt(dot(a, a));
}

}  // namespace glsolve::inline v0_1::glsl
