/// The table of options: a row for each member of Options that can be said in words. Checks of ranges, the program's
/// switches and help, its reports, and set_option walk it. To add an option is to add its member and its row.
#pragma once

#include <cstdint>
#include <glsolve/options.hpp>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "options/names.hpp"

namespace glsolve::inline v0_1 {

/// Some values of an enumeration, methods say.
template <class Choice>
class Kinds {
  public:
    constexpr Kinds() = default;
    constexpr Kinds(std::initializer_list<Choice> kinds) {
        for (const Choice kind : kinds) bits_ |= bit_of(kind);
    }
    constexpr bool empty() const { return bits_ == 0; }
    constexpr bool contains(Choice kind) const { return (bits_ & bit_of(kind)) != 0; }

  private:
    static constexpr std::uint64_t bit_of(Choice kind) { return std::uint64_t{1} << static_cast<unsigned>(kind); }
    std::uint64_t bits_ = 0;
};

/// The struct that a member stands in: Options itself, or one of those nested in it.
struct OptionGroup {
    std::string_view name;  ///< "gmres": in messages, and as a key of reports
    void* (*of)(Options&);  ///< where it is
};

struct ChoicePointer {
    std::uint8_t* value;
    const Enumeration* enumeration;
};
using OptionPointer = std::variant<int*, std::int64_t*, double*, bool*, std::string*, ChoicePointer>;
/// Of an enumeration the name.
using OptionValue = std::variant<std::int64_t, double, bool, std::string_view>;

struct OptionPlace {
    const OptionGroup* group = nullptr;
    std::string_view member = {};  ///< "restart"
    OptionPointer (*in)(void* group) = nullptr;
};

/// From the least number to the most, both included.
struct OptionRange {
    std::int64_t least = 0, most = std::numeric_limits<std::int64_t>::max();  ///< of whole numbers
    double least_real = 0, most_real = std::numeric_limits<double>::max();

    constexpr OptionRange() = default;
    template <class Number>
    constexpr OptionRange(Number from, Number to) {
        if constexpr (std::is_floating_point_v<Number>) {
            least_real = from;
            most_real = to;
        } else {
            least = from;
            most = to;
        }
    }
};

struct OptionRow {
    std::string_view name;  ///< "restart": in set_option, and behind two dashes in the program
    OptionPlace at;
    OptionRange range = {};
    std::string_view words = {};        ///< for help: one phrase, without the kinds that take it
    std::string_view other_names = {};  ///< "tol,rtol"
    std::string_view unset_by = {};     ///< of a flag that is true unless asked for: the name that makes it false
    bool in_program = true;             ///< false: the program has no switch for it
    bool common = false;                ///< stands in the short help
    /// The methods or preconditioners that take it. Where both are empty it is for all.
    Kinds<Method> methods = {};
    Kinds<PreconditionerKind> preconditioners = {};
    /// How the text report says its value, {}, behind the name of the method. Empty: it does not.
    std::string_view in_report = {};
    /// The message where a value, {}, is refused. Empty: "gmres: restart is 0; it has to be from 1 to 1024".
    std::string_view refusal = {};
    bool (*fits)(std::int64_t value) = nullptr;  ///< what else is asked of a whole number
    bool zero_is_chosen = false;                 ///< 0 stands for a number that is chosen, and is said as "chosen"
};

/// Rows that belong together, and what they are about.
struct OptionSection {
    std::string_view heading;
    std::span<const OptionRow> rows;
};

/// The common ones come first.
GLSOLVE_API const std::vector<OptionSection>& option_sections();

template <class Visit>
void each_option(const Visit& visit) {
    for (const OptionSection& section : option_sections()) {
        for (const OptionRow& row : section.rows) visit(row);
    }
}

/// By one of its names; null if there is none.
GLSOLVE_API const OptionRow* find_option(std::string_view name);

GLSOLVE_API OptionPointer pointer_to(const OptionRow& row, Options& options);
GLSOLVE_API OptionValue value_of(const OptionRow& row, const Options& options);
GLSOLVE_API std::string text_of(const OptionRow& row, const Options& options);
/// Why a word is no value of this option; empty if it is one. How large a number may be at most that is not whole, and
/// what else is asked of it, is left to check_ranges, which has the words for it.
GLSOLVE_API std::string misread(const OptionRow& row, std::string_view word);
/// Takes a word that is not misread.
GLSOLVE_API void read_option(const OptionRow& row, Options& options, std::string_view word);

/// Is it of use to them? What is for all methods and preconditioners is not asked for.
GLSOLVE_API bool belongs_to(const OptionRow& row, const Options& options);
/// The names of what takes it; none where that is everything.
GLSOLVE_API std::vector<std::string> takers(const OptionRow& row);

/// Throw InvalidInput where a value is out of its range.
GLSOLVE_API void check_ranges(const Options& options);
GLSOLVE_API void check_ranges(const AmgOptions& options);
/// What they say of a value.
GLSOLVE_API std::string refusal(const OptionRow& row, double value);

}  // namespace glsolve::inline v0_1
