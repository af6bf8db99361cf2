/// The little of C++'s library that kernels/glsl.hpp uses, for a compiler that comes without: NVRTC finds it under the
/// names of the library's headers (cuda/program_text.cpp).
#pragma once

namespace std {

using size_t = decltype(sizeof(0));
using uint32_t = unsigned int;

template <class T>
struct type_identity {
    using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

template <class A, class B>
inline constexpr bool is_same_v = false;
template <class A>
inline constexpr bool is_same_v<A, A> = true;
template <class A, class B>
concept same_as = is_same_v<A, B>;

template <class T>
inline constexpr bool is_arithmetic_v =
    is_same_v<T, bool> || is_same_v<T, int> || is_same_v<T, unsigned> || is_same_v<T, long long>
    || is_same_v<T, unsigned long long> || is_same_v<T, float> || is_same_v<T, double>;

template <class To, class From>
constexpr To bit_cast(const From& from) {
    return __builtin_bit_cast(To, from);
}

#define GLSOLVE_OF_REAL(name)                           \
    inline float name(float v) { return ::name##f(v); } \
    inline double name(double v) { return ::name(v); }
GLSOLVE_OF_REAL(fabs)
GLSOLVE_OF_REAL(floor)
GLSOLVE_OF_REAL(ceil)
GLSOLVE_OF_REAL(trunc)
GLSOLVE_OF_REAL(round)
GLSOLVE_OF_REAL(sqrt)
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
#undef GLSOLVE_OF_REAL
inline float pow(float a, float b) { return ::powf(a, b); }
inline double pow(double a, double b) { return ::pow(a, b); }
inline float atan2(float a, float b) { return ::atan2f(a, b); }
inline double atan2(double a, double b) { return ::atan2(a, b); }

}  // namespace std
