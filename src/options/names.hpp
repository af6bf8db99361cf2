/// Enumerations of the options by the names of their values, both ways.
#pragma once

#include <cstdint>
#include <glsolve/device.hpp>
#include <glsolve/options.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.hpp"

namespace glsolve::inline v0_1 {

/// All values of an enumeration, in the order in which they are listed: of each one that has names.
template <class Choice>
GLSOLVE_API std::vector<Choice> values_of();

template <>
GLSOLVE_API std::vector<Method> values_of();
template <>
GLSOLVE_API std::vector<PreconditionerKind> values_of();
template <>
GLSOLVE_API std::vector<FormatKind> values_of();
template <>
GLSOLVE_API std::vector<Precision> values_of();
template <>
GLSOLVE_API std::vector<Reordering> values_of();
template <>
GLSOLVE_API std::vector<EllWidth> values_of();
template <>
GLSOLVE_API std::vector<FactorApplication> values_of();
template <>
GLSOLVE_API std::vector<FactorOrder> values_of();
template <>
GLSOLVE_API std::vector<Orthogonalisation> values_of();
template <>
GLSOLVE_API std::vector<LeastSquares> values_of();
template <>
GLSOLVE_API std::vector<DirectForm> values_of();
template <>
GLSOLVE_API std::vector<ChebyshevForm> values_of();
template <>
GLSOLVE_API std::vector<Coarsening> values_of();
template <>
GLSOLVE_API std::vector<Interpolation> values_of();
template <>
GLSOLVE_API std::vector<MultigridCycle> values_of();
template <>
GLSOLVE_API std::vector<MultigridSetup> values_of();
template <>
GLSOLVE_API std::vector<MultigridSmoother> values_of();
template <>
GLSOLVE_API std::vector<BackendKind> values_of();
template <>
GLSOLVE_API std::vector<Stage> values_of();

/// "cg with jacobi", "direct"
GLSOLVE_API std::string in_words(Method method, PreconditionerKind preconditioner);

/// The value of this name, whatever the case of its letters.
template <class Choice>
std::optional<Choice> from_name(std::string_view word) {
    const std::string wanted = lower_case(word);
    for (const Choice value : values_of<Choice>()) {
        if (lower_case(name(value)) == wanted) return value;
    }
    return std::nullopt;
}

/// An enumeration, whatever its type: all of them are of one byte.
struct Enumeration {
    std::string_view (*name)(std::uint8_t value);
    std::vector<std::uint8_t> (*values)();

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const std::uint8_t value : values()) all.emplace_back(name(value));
        return all;
    }
};

template <class Choice>
inline constexpr Enumeration enumeration{[](std::uint8_t value) { return name(static_cast<Choice>(value)); },
                                         [] {
                                             std::vector<std::uint8_t> all;
                                             for (const Choice value : values_of<Choice>()) {
                                                 all.push_back(static_cast<std::uint8_t>(value));
                                             }
                                             return all;
                                         }};

}  // namespace glsolve::inline v0_1
