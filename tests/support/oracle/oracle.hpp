/// What passes should make of their inputs: naive formulas in double precision, a texel at a time, which know no
/// backend. Rules of glsolve's own, such as when a run stops, are said a second time here. A pass without a formula is
/// judged in its own test.
#pragma once

#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "device/layout.hpp"
#include "device/stop.hpp"

namespace glsolve::test::oracle {

using glm::dvec4;
using glm::ivec2;

/// The arguments of a pass, by the names in the head of its kernel.
struct Given {
    struct Image {
        Extent extent;
        const std::vector<float>* texels;
    };
    std::map<std::string, Image, std::less<>> images;
    std::map<std::string, dvec4, std::less<>> scalars;
    std::map<std::string, int, std::less<>> integers;
    std::map<std::string, double, std::less<>> constants;
    bool stopped = false;

    template <class All>
    static const auto& found(const All& all, std::string_view name) {
        const auto at = all.find(name);
        if (at == all.end()) throw std::logic_error("a formula asks for " + std::string(name) + ", which is not given");
        return at->second;
    }
    bool has(std::string_view image) const { return images.contains(image); }
    dvec4 in(std::string_view image, ivec2 at = {0, 0}) const;
    dvec4 scalar(std::string_view name) const { return found(scalars, name); }
    int integer(std::string_view name) const { return found(integers, name); }
    double constant(std::string_view name) const { return found(constants, name); }
    /// The new value, unless the solve has stopped.
    dvec4 commit(dvec4 before, dvec4 after) const { return stopped ? before : after; }
};

/// The texel of each output, by name; it may have more of them than the pass.
using Made = std::map<std::string, dvec4, std::less<>>;
using Formula = Made (*)(const Given& given, ivec2 at);

/// The formula of a pass; null where there is none.
Formula formula_of(std::string_view pass);

struct Entry {
    std::string_view pass;
    Formula formula;
};
std::span<const Entry> formulas_of_vectors();
std::span<const Entry> formulas_of_two_floats();
std::span<const Entry> formulas_of_cg();
std::span<const Entry> formulas_of_pipelined_cg();
std::span<const Entry> formulas_of_minres();
std::span<const Entry> formulas_of_bicgstab();
std::span<const Entry> formulas_of_idr();

// --- what the formulas share
/// What a rounding may change a number by, in times of it: of what passes of the device under test compute in.
double half_ulp();

/// Infinite or not a number in single precision.
bool bad(double v);
bool bad(dvec4 v);
/// n / d, and 0 where d is.
dvec4 quotient(dvec4 n, dvec4 d);
/// alpha, or 0 where that is no positive number.
dvec4 step_length(dvec4 alpha);
dvec4 finite_or_zero(dvec4 v);
inline dvec4 status(Stop stop, double iterations, double r, double last = 0) {
    return {static_cast<double>(stop), iterations, r, last};
}

}  // namespace glsolve::test::oracle
