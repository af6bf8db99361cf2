#include "cli/switches.hpp"

#include <array>
#include <cctype>
#include <utility>

namespace glsolve::cli {
namespace {

/// How the library names a member, and what it is here. What begins with another one stands before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 45> switches{{
    {"preconditioning: steps", "--preconditioner-steps"},
    {"preconditioning: relaxation", "--preconditioner-relaxation"},
    {"preconditioning: block", "--block"},
    {"preconditioning: level", "--fill-level"},
    {"preconditioning: drop_tolerance", "--drop-tolerance"},
    {"preconditioning: fill", "--fill"},
    {"preconditioning: modified", "--modified"},
    {"preconditioning: shift", "--shift"},
    {"preconditioning: inverse_power", "--inverse-power"},
    {"preconditioning: factor_block", "--factor-block"},
    {"preconditioning: factor_sweeps", "--factor-sweeps"},
    {"apply sweeps and apply isai", "--apply sweeps and --apply isai"},
    {"factor_block", "--factor-block"},
    {"factor_order", "--factor-order"},
    {"amg: steps", "--amg-steps"},
    {"amg: levels", "--amg-levels"},
    {"amg: coarsest", "--amg-coarsest"},
    {"amg: host_rows", "--amg-host-rows"},
    {"amg: most_interpolated", "--amg-most-interpolated"},
    {"amg: unknowns_a_point", "--amg-unknowns-a-point"},
    {"amg: strength", "--amg-strength"},
    {"amg: truncation", "--amg-truncation"},
    {"amg: near_null_space", "--amg-coordinates"},
    {"host_rows", "--amg-host-rows"},
    {"near_null_space", "--amg-coordinates"},
    {"unknowns_a_point", "--amg-unknowns-a-point"},
    {"gmres: restart", "--restart"},
    {"idr: s", "--idr-s"},
    {"chebyshev: chaotic_steps", "--chaotic-steps"},
    {"chebyshev: bounds", "--smallest and --largest"},
    {"options: test_every", "--test-every"},
    {"options: fixed_iterations", "--fixed-iterations"},
    {"fixed_iterations and seconds", "--fixed-iterations and --seconds"},
    {"fixed_iterations", "--fixed-iterations"},
    {"max_iterations", "--max-iterations"},
    {"relaxation is", "--relaxation is"},
    {"slicing: sort_window", "--sort-window"},
    {"sort_window and reorder", "--sort-window and --reorder"},
    {"sort_window must be 0, and reorder none", "--sort-window must be 0, and --reorder none"},
    {"sort_window", "--sort-window"},
    {"slice height", "--slice-height"},
    {"preconditioner none", "--preconditioner none"},
    {"precision single", "--precision single"},
    {"precision two-float", "--precision two-float"},
    {"format auto", "--format auto"},
}};

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' || c == '.';
}

}  // namespace

std::string in_switches(std::string_view complaint) {
    std::string said;
    const auto member_at = [&](std::size_t at) -> const std::pair<std::string_view, std::string_view>* {
        if (at > 0 && is_part_of_word(complaint[at - 1])) return nullptr;
        for (const auto& each : switches) {
            const std::size_t end = at + each.first.size();
            const bool whole = end >= complaint.size() || complaint[end] == '.' || !is_part_of_word(complaint[end]);
            if (complaint.substr(at).starts_with(each.first) && whole) return &each;
        }
        return nullptr;
    };
    for (std::size_t at = 0; at < complaint.size();) {
        if (const auto* member = member_at(at)) {
            said += member->second;
            at += member->first.size();
        } else {
            said += complaint[at++];
        }
    }
    return said;
}

}  // namespace glsolve::cli
