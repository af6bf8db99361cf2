/// One pass as the host runs it: texels in memory, and what the compiler of a shader would have been told.
#pragma once

#include <array>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/backend.hpp"
#include "device/reduction_plan.hpp"
#include "host/real.hpp"

namespace glsolve::inline v0_1::GLSOLVE_HOST {

using glsl::ivec2;
using glsl::ivec4;
static_assert(sizeof(vec4) == 4 * sizeof(Real)
              && sizeof(ivec4) == 16);  // texels are copied from and to four numbers each

/// The texels of a storage; only one of the two is filled.
struct Texels {
    Extent extent;
    std::vector<vec4> real;
    std::vector<ivec4> integer;
};

/// The definitions of a variant (Backend::variant), read: of each the numbers in it.
class Definitions {
  public:
    explicit Definitions(const std::string& text);

    bool has(std::string_view name) const { return numbers_.contains(name); }
    /// Throws Error where there is no such definition.
    const std::vector<int>& numbers(std::string_view name) const;

  private:
    std::map<std::string, std::vector<int>, std::less<>> numbers_;
};

/// Threads share the domain of a pass by pieces of its lines. The terms of a sum are added up over each piece, so the
/// bits are the same for any number of threads.
inline constexpr int piece_width = 64;
inline constexpr ReductionShape reduction{.tile = {32, 8}};  // lines of memory, one behind the other
inline Extent pieces_of(Extent domain) { return reduced(domain, {piece_width, 1}); }

/// Arguments are numbered as in the pass table.
struct Pass {
    const PassCall& call;
    const Definitions& definitions;
    Extent domain;
    ivec2 origin{0, 0};
    Offset grain = 0;  ///< pieces that are worth a thread
    std::array<const Texels*, max_inputs> inputs{};
    std::array<Texels*, max_outputs> outputs{};
    std::array<vec4, max_scalars> scalars{};
    vec4 stopped{0.0f};       ///< what the status says: all alike, but of a MultiVector
    Texels* other = nullptr;  ///< of asynchronous passes: the texels that the first output takes turns with

    /// Which of these definitions there are: bit i for the i-th.
    unsigned switches(std::initializer_list<std::string_view> names) const {
        unsigned mask = 0, bit = 1;
        for (const std::string_view name : names) {
            if (definitions.has(name)) mask |= bit;
            bit <<= 1;
        }
        return mask;
    }
};

using KernelFunction = void (*)(const Pass&);

// The kernels, by the names of the pass table.
#define PASS(name) void name(const Pass&);
#include "pass_names.inc"
#undef PASS

}  // namespace glsolve::inline v0_1::GLSOLVE_HOST
