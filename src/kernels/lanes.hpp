/// Four numbers that go through a processor together, as the compiler's own vectors: loops over texels are too crooked
/// for it to find them by itself. Registers hold 16 bytes on every processor, so four doubles are a pair of vectors.
#pragma once

#include <concepts>
#include <cstdint>

namespace glsolve::inline v0_1::glsl {

template <class T>
struct RegisterOf {
    using Type __attribute__((vector_size(16))) = T;
};
template <class T>
using Register = typename RegisterOf<T>::Type;

template <class T>
struct Pair {
    Register<T> low, high;

    constexpr T operator[](int i) const { return i < 2 ? low[i] : high[i - 2]; }
};

/// The type of four. A bool is all bits of 32, or none.
template <class T>
struct Together {
    using Lane = T;
    using Type = Register<T>;
};
template <>
struct Together<bool> {
    using Lane = std::int32_t;
    using Type = Register<std::int32_t>;
};
template <class T>
    requires(sizeof(T) == 8)
struct Together<T> {
    using Lane = T;
    using Type = Pair<T>;
};
template <class T>
using Lanes = typename Together<T>::Type;

template <class T>
constexpr Lanes<T> lanes_of(T x, T y, T z, T w) {
    if constexpr (std::same_as<T, bool>) {
        return Lanes<T>{-x, -y, -z, -w};
    } else if constexpr (sizeof(T) == 8) {
        return Lanes<T>{{x, y}, {z, w}};
    } else {
        return Lanes<T>{x, y, z, w};
    }
}

#define GLSL_OF_PAIRS(op)                                 \
    template <class T>                                    \
    constexpr Pair<T> operator op(Pair<T> a, Pair<T> b) { \
        return {a.low op b.low, a.high op b.high};        \
    }
GLSL_OF_PAIRS(+)
GLSL_OF_PAIRS(-)
GLSL_OF_PAIRS(*)
GLSL_OF_PAIRS(/)
#undef GLSL_OF_PAIRS
template <class T>
constexpr Pair<T> operator-(Pair<T> a) {
    return {-a.low, -a.high};
}

// Comparisons. Of pairs every second half of 64 bits is kept.
using Mask = Lanes<bool>;
#define GLSL_OF_PAIRS(op)                                                         \
    template <class T>                                                            \
    constexpr Mask operator op(Pair<T> a, Pair<T> b) {                            \
        const Mask low = (Mask)(a.low op b.low), high = (Mask)(a.high op b.high); \
        return Mask{low[0], low[2], high[0], high[2]};                            \
    }
GLSL_OF_PAIRS(==)
GLSL_OF_PAIRS(!=)
GLSL_OF_PAIRS(<)
GLSL_OF_PAIRS(<=)
GLSL_OF_PAIRS(>)
GLSL_OF_PAIRS(>=)
#undef GLSL_OF_PAIRS

/// b where the mask says so, else a; by bits, since SSE2 has nothing else for halves of 64.
template <class Four>
constexpr Four chosen(Mask second, Four a, Four b) {
    return (Four)((second & (Mask)b) | (~second & (Mask)a));
}
template <class T>
constexpr Pair<T> chosen(Mask second, Pair<T> a, Pair<T> b) {
    const Mask low = {second[0], second[0], second[1], second[1]}, high = {second[2], second[2], second[3], second[3]};
    return {chosen(low, a.low, b.low), chosen(high, a.high, b.high)};
}

template <class T>
struct HalfRegisterOf {
    using Type __attribute__((vector_size(8))) = T;
};
template <class T>
using HalfRegister = typename HalfRegisterOf<T>::Type;

/// The same numbers as another type. Two at a time where one of the types has 8 bytes: of number by number GCC 12
/// thinks that a double comes back whole from a float.
template <class T, class S>
constexpr Lanes<T> converted(Lanes<S> v) {
    if constexpr (std::same_as<S, bool>) {
        return converted<T, std::int32_t>(v & 1);
    } else if constexpr (std::same_as<T, S>) {
        return v;
    } else if constexpr (std::same_as<T, bool>) {
        return (Mask)(v != Lanes<S>{});
    } else if constexpr (sizeof(T) == 8) {
        return {__builtin_convertvector((HalfRegister<S>{v[0], v[1]}), Register<T>),
                __builtin_convertvector((HalfRegister<S>{v[2], v[3]}), Register<T>)};
    } else if constexpr (sizeof(S) == 8) {
        const HalfRegister<T> low = __builtin_convertvector(v.low, HalfRegister<T>),
                              high = __builtin_convertvector(v.high, HalfRegister<T>);
        return Lanes<T>{low[0], low[1], high[0], high[1]};
    } else {
        return __builtin_convertvector(v, Lanes<T>);
    }
}

}  // namespace glsolve::inline v0_1::glsl
