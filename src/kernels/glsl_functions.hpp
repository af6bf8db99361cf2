/// GLSL's functions of real numbers that our kernels do not use, and functions of the caller's may
/// (ShaderVariant::source). Matrices are not among them.
#pragma once

#include "glsl.hpp"

namespace glsolve::inline v0_1::glsl {

using dvec2 = Vec<double, 2>;
using dvec3 = Vec<double, 3>;
using uvec2 = Vec<uint, 2>;
using uvec3 = Vec<uint, 3>;
using bvec3 = Vec<bool, 3>;

template <class T>
concept Real = std::same_as<T, float> || std::same_as<T, double>;

// f(v) of a number, and of each component.
#define GLSL_OF_REAL(name, value)                    \
    template <Real T>                                \
    T name(T v) {                                    \
        return value;                                \
    }                                                \
    template <Real T, int n>                         \
    Vec<T, n> name(Vec<T, n> a) {                    \
        return each([](T p) { return name(p); }, a); \
    }
GLSL_OF_REAL(radians, v* static_cast<T>(0.017453292519943295))
GLSL_OF_REAL(degrees, v* static_cast<T>(57.29577951308232))
GLSL_OF_REAL(sin, std::sin(v))
GLSL_OF_REAL(cos, std::cos(v))
GLSL_OF_REAL(tan, std::tan(v))
GLSL_OF_REAL(asin, std::asin(v))
GLSL_OF_REAL(acos, std::acos(v))
GLSL_OF_REAL(sinh, std::sinh(v))
GLSL_OF_REAL(cosh, std::cosh(v))
GLSL_OF_REAL(tanh, std::tanh(v))
GLSL_OF_REAL(exp, std::exp(v))
GLSL_OF_REAL(log, std::log(v))
GLSL_OF_REAL(exp2, std::exp2(v))
GLSL_OF_REAL(log2, std::log2(v))
GLSL_OF_REAL(inversesqrt, static_cast<T>(1) / std::sqrt(v))
GLSL_OF_REAL(ceil, std::ceil(v))
GLSL_OF_REAL(trunc, std::trunc(v))
GLSL_OF_REAL(round, std::round(v))
GLSL_OF_REAL(fract, v - std::floor(v))
#undef GLSL_OF_REAL
template <Real T, int n>
Vec<T, n> floor(Vec<T, n> a) {
    return each([](T p) { return floor(p); }, a);
}
template <Real T>
T atan(T v) {
    return std::atan(v);
}
template <Real T, int n>
Vec<T, n> atan(Vec<T, n> a) {
    return each([](T p) { return atan(p); }, a);
}

/// Of numbers of both precisions the wider one, as GLSL converts them.
template <Real... Ts>
using Wider = decltype((Ts() + ...));

// f(a, b) of two numbers, of two vectors, and of a vector and a number.
#define GLSL_OF_TWO(name, value)                                \
    template <Real A, Real B>                                   \
    Wider<A, B> name(A first, B second) {                       \
        const Wider<A, B> a = first, b = second;                \
        return value;                                           \
    }                                                           \
    template <Real T, int n>                                    \
    Vec<T, n> name(Vec<T, n> a, Vec<T, n> b) {                  \
        return each([](T p, T q) { return name(p, q); }, a, b); \
    }                                                           \
    template <Real T, int n>                                    \
    Vec<T, n> name(Vec<T, n> a, Scalar<T> b) {                  \
        return name(a, Vec<T, n>(b));                           \
    }
GLSL_OF_TWO(atan, std::atan2(a, b))
GLSL_OF_TWO(pow, std::pow(a, b))
GLSL_OF_TWO(mod, a - b * std::floor(a / b))
GLSL_OF_TWO(step, b < a ? 0 : 1)  // step(edge, v)
#undef GLSL_OF_TWO
template <Real T, int n>
Vec<T, n> step(Scalar<T> edge, Vec<T, n> v) {
    return step(Vec<T, n>(edge), v);
}
template <Real A, Real B>
    requires(!std::same_as<A, B>)
Wider<A, B> min(A a, B b) {
    return min<Wider<A, B>>(a, b);
}
template <Real A, Real B>
    requires(!std::same_as<A, B>)
Wider<A, B> max(A a, B b) {
    return max<Wider<A, B>>(a, b);
}
template <Real A, Real B, Real C>
    requires(!(std::same_as<A, B> && std::same_as<A, C>))
Wider<A, B, C> clamp(A v, B low, C high) {
    return clamp<Wider<A, B, C>>(v, low, high);
}

template <Real A, Real B, Real C>
Wider<A, B, C> mix(A a, B b, C share) {
    return a * (C(1) - share) + b * share;
}
template <Real T, int n>
Vec<T, n> mix(Vec<T, n> a, Vec<T, n> b, Vec<T, n> share) {
    return each([](T p, T q, T s) { return mix(p, q, s); }, a, b, share);
}
template <Real T, int n>
Vec<T, n> mix(Vec<T, n> a, Vec<T, n> b, Scalar<T> share) {
    return mix(a, b, Vec<T, n>(share));
}
template <class T, int n>
Vec<T, n> clamp(Vec<T, n> v, Scalar<T> low, Scalar<T> high) {
    return clamp(v, Vec<T, n>(low), Vec<T, n>(high));
}
template <Real A, Real B, Real C>
Wider<A, B, C> smoothstep(A low, B high, C v) {
    using T = Wider<A, B, C>;
    const T t = clamp<T>((v - low) / (high - low), 0, 1);
    return t * t * (T(3) - T(2) * t);
}
template <Real T, int n>
Vec<T, n> smoothstep(Scalar<T> low, Scalar<T> high, Vec<T, n> v) {
    return each([=](T p) { return smoothstep(low, high, p); }, v);
}

template <class T>
constexpr T dot(Vec<T, 3> a, Vec<T, 3> b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <Real T, int n>
T length(Vec<T, n> a) {
    return sqrt(dot(a, a));
}
template <Real T, int n>
T distance(Vec<T, n> a, Vec<T, n> b) {
    return length(a - b);
}
template <Real T, int n>
Vec<T, n> normalize(Vec<T, n> a) {
    return a / length(a);
}
template <Real T>
Vec<T, 3> cross(Vec<T, 3> a, Vec<T, 3> b) {
    return Vec<T, 3>(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
template <int n>
constexpr Vec<bool, n> operator!(Vec<bool, n> a) {
    return each([](bool p) { return !p; }, a);
}
}  // namespace glsolve::inline v0_1::glsl
