/// What the kernels in C++ stand on (shaders/generator): a struct for each of them, an object for each texel.
/// Its base knows the pass; the other names are the shaders' own.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <glsolve/error.hpp>
#include <span>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/parallel.hpp"
#include "device/no_unknown.hpp"
#include "device/reduction_plan.hpp"
#include "device/stop.hpp"
#include "host/pass.hpp"

namespace glsolve::inline v0_1::GLSOLVE_HOST {

using namespace glsl;

inline Real uintBitsToReal(uint bits) { return uintBitsToFloat(bits); }
template <int n>
Vec<Real, n> uintBitsToReal(Vec<uint, n> bits) {
    return Vec<Real, n>(uintBitsToFloat(bits));
}

// What shaders find defined (src/kernels/shader_source.cpp).
#define HAS_PRECISE
#define ZEROS_OUTSIDE
#define HAS_DOUBLES
#define precise
inline constexpr Real UNIT_ROUNDOFF = in_doubles ? 0x1p-53 : 0x1p-24;
inline constexpr Real NO_UNKNOWN = no_unknown, SUM_OF_NONE = sum_of_none;
inline constexpr int TILE_WIDTH = reduction.tile.width, TILE_HEIGHT = reduction.tile.height;
consteval Real number_of_stop(std::string_view name) {
    for (const auto& [stop_name, stop] : stop_names) {
        if (stop_name == name) return static_cast<Real>(stop);
    }
    throw "no such stop";
}
inline constexpr Real STOP_RUNNING = number_of_stop("STOP_RUNNING"), STOP_TARGET = number_of_stop("STOP_TARGET"),
                      STOP_REDUCED = number_of_stop("STOP_REDUCED"), STOP_DRIFTED = number_of_stop("STOP_DRIFTED"),
                      STOP_INDEFINITE = number_of_stop("STOP_INDEFINITE"),
                      STOP_NOT_FINITE = number_of_stop("STOP_NOT_FINITE"), STOP_LIMIT = number_of_stop("STOP_LIMIT"),
                      STOP_COMPLETE = number_of_stop("STOP_COMPLETE"),
                      STOP_BREAKDOWN = number_of_stop("STOP_BREAKDOWN"),
                      STOP_DIVERGED = number_of_stop("STOP_DIVERGED"),
                      STOP_STATIONARY = number_of_stop("STOP_STATIONARY"), STOP_ABSENT = number_of_stop("STOP_ABSENT");

/// The texels of an input; outside there are zeros, as images have them.
template <class Texel>
struct Image {
    const Texel* texels;
    int width, height;

    Texel operator()(ivec2 at) const {
        if (static_cast<uint>(at.x) >= static_cast<uint>(width)
            || static_cast<uint>(at.y) >= static_cast<uint>(height)) {
            return Texel(0);
        }
        return texels[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width)
                      + static_cast<std::size_t>(at.x)];
    }

    // Counted along the lines: one number that is there, and four real ones from i on, zeros outside.
    using Number = std::conditional_t<std::is_same_v<Texel, ivec4>, int, Real>;
    Number number(int i) const { return reinterpret_cast<const Number*>(texels)[i]; }
    Texel run(int i) const {
        const auto or_zero = [&](int j) {
            return static_cast<uint>(j) < static_cast<uint>(4 * width * height) ? number(j) : Number(0);
        };
        if (i < 0 || i > 4 * (width * height - 1)) return {or_zero(i), or_zero(i + 1), or_zero(i + 2), or_zero(i + 3)};
        Texel four;
        std::memcpy(&four, reinterpret_cast<const Real*>(texels) + i, sizeof four);
        return four;
    }
};
/// A list that a definition has ("OFFSETS -1,1").
template <class T>
struct List;
template <>
struct List<int> {
    const int* numbers;
    int operator[](int i) const { return numbers[i]; }
};
template <>
struct List<ivec3> {
    const int* numbers;
    ivec3 operator[](int i) const { return {numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]}; }
};

/// A kernel's own array, as long as a definition says: on the stack where it is short.
template <class T>
class Array {
  public:
    explicit Array(int count) {
        if (count > short_count) long_.resize(static_cast<std::size_t>(count));
        data_ = long_.empty() ? short_ : long_.data();
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    T& operator[](int i) { return data_[i]; }

  private:
    static constexpr int short_count = 24;
    T short_[short_count];
    std::vector<T> long_;
    T* data_;
};

/// Pairs of numbers that a call brings along.
struct Table {
    std::span<const float> numbers;
    vec2 operator[](int i) const {  // what a uniform was not given is zero
        const std::size_t at = 2 * static_cast<std::size_t>(i);
        return at + 1 < numbers.size() ? vec2(numbers[at], numbers[at + 1]) : vec2(0.0f);
    }
};

// Asynchronous passes on the host (PassRow::asynchronous): threads that do not wait for one another. What one of them
// writes while others read it goes through atomic operations without any order.

/// Step k reads one of y's two rectangles and writes the other.
inline Texels& read_in(const Pass& pass, int step) { return step % 2 == 0 ? *pass.outputs[0] : *pass.other; }
inline Texels& written_in(const Pass& pass, int step) { return read_in(pass, step + 1); }

template <class Texel>
Texel& texel_at(std::vector<Texel>& texels, const Texels& y, ivec2 at) {
    return texels[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(y.extent.width)
                  + static_cast<std::size_t>(at.x)];
}
/// Zeros outside.
inline vec4 load_shared(Texels& y, ivec2 at) {
    if (at.x < 0 || at.y < 0 || at.x >= y.extent.width || at.y >= y.extent.height) return vec4(0.0f);
    vec4& from = texel_at(y.real, y, at);
    const auto load = [](Real& f) { return std::atomic_ref<Real>(f).load(std::memory_order_relaxed); };
    return {load(from.x), load(from.y), load(from.z), load(from.w)};
}

inline void store_shared(Texels& y, ivec2 at, vec4 value) {
    vec4& to = texel_at(y.real, y, at);
    for (int i = 0; i < 4; ++i) std::atomic_ref<Real>(to[i]).store(value[i], std::memory_order_relaxed);
}

/// Calls kernel(step, at) for all steps of all texels: a thread for each tile of texels, one behind the other.
template <class Kernel>
void each_in_no_order(const Pass& pass, const Kernel& kernel) {
    const int width = pass.domain.width, texels = width * pass.domain.height,
              steps = pass.call.integer[row(pass.call.pass).integers.size() - 1];
    if (texels == 0) return;
    const int tiles = std::min(std::clamp(threads_in_use(), 2, 16), texels);
    const int tile = (texels + tiles - 1) / tiles;
    const auto work = [&](int begin) {
        for (int step = 0; step < steps; ++step) {
            for (int t = begin; t < std::min(begin + tile, texels); ++t) kernel(step, ivec2(t % width, t / width));
        }
    };
    std::vector<std::jthread> others;
    for (int begin = tile; begin < texels; begin += tile) {
        try {
            others.emplace_back(work, begin);
        } catch (const std::system_error&) {  // no more threads are to be had
            work(begin);
        }
    }
    work(0);
}

/// The arguments of a pass, and where its outputs go.
struct Given {
    const Pass& pass;

    template <class Texel>
    Image<Texel> image(std::size_t i) const {
        const Texels& t = *pass.inputs[i];
        if constexpr (std::is_same_v<Texel, ivec4>) {
            return {t.integer.data(), t.extent.width, t.extent.height};
        } else {
            return {t.real.data(), t.extent.width, t.extent.height};
        }
    }
    vec4 scalar(std::size_t i) const { return pass.scalars[i]; }
    int integer(std::size_t i) const { return pass.call.integer[i]; }
    Real constant(std::size_t i) const { return pass.call.constant[i]; }
    int defined(std::string_view name) const { return numbers(name, 1)[0]; }
    template <class T>
    List<T> list(std::string_view name, int count) const {
        return {numbers(name, static_cast<std::size_t>(count) * (std::is_same_v<T, ivec3> ? 3 : 1)).data()};
    }
    const std::vector<int>& numbers(std::string_view name, std::size_t count) const {
        const std::vector<int>& all = pass.definitions.numbers(name);
        if (all.size() == count) return all;
        throw Error("host backend: the definition of " + std::string(name) + " has " + std::to_string(all.size())
                    + " numbers and not " + std::to_string(count));
    }
    vec4& output(std::size_t i, ivec2 at) const { return texel_at(pass.outputs[i]->real, *pass.outputs[i], at); }
    ivec4& integers(std::size_t i, ivec2 at) const { return texel_at(pass.outputs[i]->integer, *pass.outputs[i], at); }
};

/// What all kernels have.
struct Kernel {
    explicit Kernel(const Pass& pass)
        : given{pass},
          u_domain(pass.domain.width, pass.domain.height),
          u_origin(pass.origin),
          arg_table{pass.call.table} {}

    Given given;
    ivec2 u_domain, u_origin;
    Table arg_table;
    int local_step = 0;  // of an asynchronous pass
    bool keeps = false;  // of one that writes into a texture of the caller's
};
#define KEEP          \
    {                 \
        keeps = true; \
        return;       \
    }

/// Runs a kernel over one piece of a line of texels.
template <class Of>
void run_piece(const Pass& pass, const Of& prepared, ivec2 piece) {
    vec4 sums[Of::sum_count + 1];
    for (vec4& sum : sums) sum = vec4(0);
    const int end = std::min(pass.domain.width, (piece.x + 1) * piece_width);
    for (int x = piece.x * piece_width; x < end; ++x) {
        const ivec2 at = pass.origin + ivec2(x, piece.y);
        Of kernel = prepared;
        if constexpr (Of::makes_ranges) {
            const ivec2 range = kernel.range_of(at);
            for (int t = range.x; t < range.y; ++t) {
                kernel.kernel(at);
                kernel.store_outputs(t);
            }
        } else {
            kernel.kernel(at);
            kernel.store_outputs(at);
            kernel.add_terms(sums);
        }
    }
    prepared.store_sums(piece, sums);
}

/// Runs a kernel over the domain of a pass.
template <class Of>
void run(const Pass& pass) {
    static_assert(std::is_trivially_copy_constructible_v<Of> && !(Of::asynchronous && Of::sum_count > 0));
    const Of prepared(pass);
    if constexpr (Of::asynchronous) {
        each_in_no_order(pass, [&](int step, ivec2 at) {
            Of kernel = prepared;
            kernel.local_step = step;
            kernel.kernel(at);
            kernel.store_outputs(at);
        });
    } else {
        const Extent pieces = pieces_of(pass.domain);
        parallel_for(pieces.texels(), pass.grain, [&](int, Offset begin, Offset end) {
            for (Offset i = begin; i < end; ++i) {
                run_piece(pass, prepared, {static_cast<int>(i % pieces.width), static_cast<int>(i / pieces.width)});
            }
        });
    }
}

}  // namespace glsolve::inline v0_1::GLSOLVE_HOST
