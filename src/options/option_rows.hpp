/// What rows of the table of options are written with.
#pragma once

#include <limits>
#include <type_traits>

#include "options/option_table.hpp"

namespace glsolve::inline v0_1 {

/// A group, and the type of the struct.
template <class StructOfOptions>
struct GroupOf {
    using Struct = StructOfOptions;
    OptionGroup group;
};

inline constexpr GroupOf<Options> whole{{"options", [](Options& options) -> void* { return &options; }}};

template <class Struct>
Struct* type_of(Struct Options::*);

/// A struct nested in Options.
template <auto nested>
constexpr auto group_of(std::string_view name) {
    using Struct = std::remove_pointer_t<decltype(type_of(nested))>;
    return GroupOf<Struct>{{name, [](Options& options) -> void* { return &(options.*nested); }}};
}

template <class Value>
OptionPointer pointer_of(Value& value) {
    if constexpr (std::is_enum_v<Value>) {
        static_assert(sizeof(Value) == 1);
        return ChoicePointer{reinterpret_cast<std::uint8_t*>(&value), &enumeration<Value>};
    } else {
        return &value;
    }
}

/// A member of the struct of a group, and its name.
template <const auto& group, auto member>
constexpr OptionPlace at(std::string_view name) {
    using Struct = typename std::remove_cvref_t<decltype(group)>::Struct;
    return {&group.group, name, [](void* structure) { return pointer_of(static_cast<Struct*>(structure)->*member); }};
}

inline constexpr auto preconditioning = group_of<&Options::preconditioning>("preconditioning");

inline constexpr int any = std::numeric_limits<int>::max();
inline constexpr double infinite = std::numeric_limits<double>::infinity(), large = 1e100,
                        largest = std::numeric_limits<double>::max(),
                        below_one = 1 - std::numeric_limits<double>::epsilon() / 2,
                        smallest_single = std::numeric_limits<float>::min(),
                        largest_single = std::numeric_limits<float>::max();
inline constexpr std::int64_t any_offset = std::numeric_limits<std::int64_t>::max();

// Each in the file of its name, solve_options.cpp say.
extern const std::span<const OptionSection> solve_sections, method_sections, preconditioner_sections,
    multigrid_sections;
/// What single preconditioners take, each from its row (preconditioners/preconditioner_table.cpp).
std::vector<OptionSection> sections_of_preconditioner_rows();

}  // namespace glsolve::inline v0_1
