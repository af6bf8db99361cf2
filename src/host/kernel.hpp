/// What the reference's kernels see: the same names as in the shaders, so that the two can be read side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>
#include <vector>

#include "core/backend.hpp"

namespace glsolve::inline v0_1::host {

using glm::bvec4;
using glm::dvec4;
using glm::ivec2;
using glm::ivec4;
using glm::vec4;

/// The texels of a storage; only one of the two is filled.
struct Texels {
    Extent extent;
    std::vector<vec4> real;
    std::vector<ivec4> integer;
};

/// Reads a storage texel by texel.
class In {
  public:
    explicit In(const Texels& texels) : width_(texels.extent.width), height_(texels.extent.height), texels_(&texels) {}

    vec4 operator()(ivec2 at) const { return texels_->real[index(at)]; }
    ivec4 integer(ivec2 at) const { return texels_->integer[index(at)]; }
    int height() const { return height_; }

  private:
    std::size_t index(ivec2 at) const {
        return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(at.x);
    }
    int width_, height_;
    const Texels* texels_;
};

/// Writes a storage texel by texel.
class Out {
  public:
    explicit Out(Texels& texels) : width_(texels.extent.width), texels_(&texels) {}

    vec4& operator()(ivec2 at) const {
        return texels_
            ->real[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(at.x)];
    }

  private:
    int width_;
    Texels* texels_;
};

/// A vector read number by number, counted from its beginning; what is outside is zero.
class Numbers {
  public:
    Numbers(const In& in, int log2_width) : in_(in), log2_width_(log2_width) {}

    float operator[](int i) const {
        const int t = i >> 2;  // rounds down
        if (t < 0 || t >> log2_width_ >= in_.height()) return 0;
        return in_({t & ((1 << log2_width_) - 1), t >> log2_width_})[i & 3];
    }

  private:
    In in_;
    int log2_width_;
};

/// A quotient with a zero denominator is 0.
inline vec4 quotient(vec4 n, vec4 d) { return glm::mix(n / d, vec4(0.0f), glm::equal(d, vec4(0.0f))); }

/// v as the sum of two floats.
inline void split(dvec4 v, vec4& hi, vec4& lo) {
    hi = vec4(v);
    lo = vec4(v - dvec4(hi));
}

/// Infinite or not a number, component by component, and in any of them.
inline bvec4 bad(vec4 v) {
    const auto bits = [](float f) { return (std::bit_cast<std::uint32_t>(f) & 0x7f800000u) == 0x7f800000u; };
    return {bits(v.x), bits(v.y), bits(v.z), bits(v.w)};
}
inline bool is_bad(vec4 v) { return glm::any(bad(v)); }

/// alpha = (r,z) / (p,Ap), or 0 where (p,Ap) <= 0 or a number is none; component by component.
inline vec4 step_length(vec4 alpha) {
    const vec4 a = glm::mix(vec4(0.0f), alpha, glm::greaterThan(alpha, vec4(0.0f)));
    return glm::mix(a, vec4(0.0f), bad(a));
}

/// The same, or zeros where a number is none.
inline vec4 finite_or_zero(vec4 v) { return is_bad(v) ? vec4(0.0f) : v; }

/// One pass as its kernel sees it. Arguments are numbered as in the pass table.
struct Pass {
    const PassCall& call;
    ivec2 origin{0, 0};
    Extent domain;
    std::array<const Texels*, max_inputs> inputs{};
    std::array<Texels*, max_outputs> outputs{};
    std::array<vec4, max_scalars> scalars{};
    std::array<int, 2> tile{};  ///< of the sums
    bvec4 stopped{false};       ///< all alike, but of a Field
    Texels* other = nullptr;    ///< of chaotic passes: the texels that the first output takes turns with

    In in(int i) const { return In(*inputs[static_cast<std::size_t>(i)]); }
    Out out(int i) const { return Out(*outputs[static_cast<std::size_t>(i)]); }
    vec4 scalar(int i) const { return scalars[static_cast<std::size_t>(i)]; }
    int integer(int i) const { return call.integer[static_cast<std::size_t>(i)]; }
    float constant(int i) const { return call.constant[static_cast<std::size_t>(i)]; }

    /// The new value, unless the solve has stopped: then the old one.
    vec4 commit(vec4 before, vec4 after) const { return glm::mix(after, before, stopped); }

    /// Calls kernel(at) for each texel of the domain.
    template <class Kernel>
    void each(const Kernel& kernel) const {
        for (int y = 0; y < domain.height; ++y) {
            for (int x = 0; x < domain.width; ++x) kernel(origin + ivec2(x, y));
        }
    }
};

using KernelFunction = void (*)(const Pass&);

// The kernels, by the names of the pass table.
#define PASS(name) void name(const Pass&);
#include "pass_names.inc"
#undef PASS

}  // namespace glsolve::inline v0_1::host
