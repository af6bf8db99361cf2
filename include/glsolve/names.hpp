/// Enumerations and options by their names, as files, command lines and other languages give them.
///
///     glsolve::Options options;
///     glsolve::set_option(options, "preconditioner", "amg");
///     const auto method = glsolve::from_name<glsolve::Method>("bicgstab");  // none: there is no such method
#pragma once

#include <glsolve/device.hpp>
#include <glsolve/export.hpp>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// All values of an enumeration that has names, in the order in which they are listed.
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
template <>
GLSOLVE_API std::vector<StatePolicy> values_of();
template <>
GLSOLVE_API std::vector<Outcome> values_of();

/// Are the two the same but for the case of their letters?
GLSOLVE_API bool is_same_name(std::string_view a, std::string_view b);

/// The value of this name, whatever the case of its letters.
template <class Choice>
std::optional<Choice> from_name(std::string_view word) {
    for (const Choice value : values_of<Choice>()) {
        if (is_same_name(name(value), word)) return value;
    }
    return std::nullopt;
}

/// An option that has a name. (`near_null_space` and the observers have none.)
struct OptionInfo {
    std::string name;                      ///< "restart"
    std::string heading;                   ///< what it belongs to, "Methods" say
    std::string words;                     ///< what it does: one phrase
    std::string usual;                     ///< its value where nobody sets it
    std::vector<std::string> values = {};  ///< its values, if it is a choice among names
    std::vector<std::string> takers = {};  ///< the methods or preconditioners that take it; empty: all
};

/// All of them, the common ones first.
GLSOLVE_API std::vector<OptionInfo> all_options();

/// Sets a member of the options by its name. Throws InvalidInput that says what would be accepted: where there is no
/// such name, and for text that is no value of it, or one out of its range. What options come to together is checked
/// when a solver is made.
GLSOLVE_API void set_option(Options& options, std::string_view name, std::string_view text);
/// Its value, as set_option takes it.
GLSOLVE_API std::string option_text(const Options& options, std::string_view name);
/// Sets the options that a text names: "method=cg tolerance=1e-10". White space stands between them; a value with white
/// space in it stands in double quotes. Throws InvalidInput as set_option does.
GLSOLVE_API void set_options(Options& options, std::string_view text);

}  // namespace glsolve::inline v0_1
