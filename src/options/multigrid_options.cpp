// Options of multigrid.
#include "options/limits.hpp"
#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

using P = PreconditionerKind;
using Amg = AmgOptions;

constexpr auto amg_group = group_of<&Options::amg>("amg");

constexpr Kinds<P> amg{P::amg, P::saddle}, any_multigrid{P::amg, P::multigrid, P::saddle};

constexpr OptionRow of_amg[] = {
    {.name = "amg-coarsening",
     .at = at<amg_group, &Amg::coarsening>("coarsening"),
     .words = "how coarser levels are chosen",
     .preconditioners = amg},
    {.name = "amg-interpolation",
     .at = at<amg_group, &Amg::interpolation>("interpolation"),
     .words = "from which coarse unknowns ruge-stueben, pmis and falgout interpolate",
     .preconditioners = amg},
    {.name = "amg-cycle",
     .at = at<amg_group, &Amg::cycle>("cycle"),
     .words = "in which order levels take their turns",
     .preconditioners = any_multigrid},
    {.name = "amg-smoother",
     .at = at<amg_group, &Amg::smoother>("smoother"),
     .words = "what smooths on each level",
     .preconditioners = any_multigrid},
    {.name = "amg-steps",
     .at = at<amg_group, &Amg::steps>("steps"),
     .range = {0, 16},
     .words = "of the smoother, before and after each correction, at most 16; 0: chosen",
     .preconditioners = any_multigrid},
    {.name = "amg-strength",
     .at = at<amg_group, &Amg::strength>("strength"),
     .range = {-largest, below_one},
     .words = "share from which on an entry is strong; negative: chosen",
     .preconditioners = amg,
     .refusal = "amg: strength is {}; it has to be below 1 (negative: chosen)"},
    {.name = "amg-second-pass",
     .at = at<amg_group, &Amg::second_pass>("second_pass"),
     .words = "of ruge-stueben: more coarse unknowns, where coefficients jump",
     .preconditioners = amg},
    {.name = "amg-truncation",
     .at = at<amg_group, &Amg::truncation>("truncation"),
     .range = {0.0, below_one},
     .words = "share of the largest below which interpolation is left out",
     .preconditioners = amg,
     .refusal = "amg: truncation is {}; it has to be at least 0 and below 1"},
    {.name = "amg-most-interpolated",
     .at = at<amg_group, &Amg::most_interpolated>("most_interpolated"),
     .range = {0, 1 << 16},
     .words = "entries of a row of interpolation; 0: extended 4, direct any",
     .preconditioners = amg},
    {.name = "amg-coarsest",
     .at = at<amg_group, &Amg::coarsest>("coarsest"),
     .range = {0, largest_inverse},
     .words = "rows from which on a level is solved by a dense product; 0: 400",
     .preconditioners = amg},
    {.name = "amg-host-rows",
     .at = at<amg_group, &Amg::host_rows>("host_rows"),
     .range = {0, any},
     .words = "levels with at most so many rows are worked on by the host, for which the device waits; 0: none",
     .preconditioners = amg},
    {.name = "amg-levels",
     .at = at<amg_group, &Amg::levels>("levels"),
     .range = {1, 64},
     .words = "levels at most",
     .preconditioners = any_multigrid},
    {.name = "amg-setup",
     .at = at<amg_group, &Amg::setup>("setup"),
     .words = "where levels are made: the device can make those of symmetric matrices; auto: there on a GPU, from "
              "65,536 rows",
     .preconditioners = amg},
    {.name = "amg-lattice",
     .at = at<amg_group, &Amg::on_lattice>("on_lattice"),
     .words = "grids are coarsened as any other matrix",
     .unset_by = "amg-no-lattice",
     .preconditioners = amg},
    {.name = "amg-half",
     .at = at<amg_group, &Amg::half_floats>("half_floats"),
     .words = "single precision for all numbers of levels and interpolation",
     .unset_by = "amg-no-half",
     .preconditioners = amg},
    {.name = "amg-unknowns-a-point",
     .at = at<amg_group, &Amg::unknowns_a_point>("unknowns_a_point"),
     .range = {1, 64},
     .words = "consecutive rows that aggregates keep together",
     .preconditioners = amg},
    {.name = "amg-near-null-vectors",
     .at = at<amg_group, &Amg::near_null_vectors>("near_null_vectors"),
     .range = {1, 64},
     .words = "how many vectors near_null_space holds",
     .in_program = false,
     .preconditioners = amg},
};

constexpr OptionSection sections_of_multigrid[] = {
    {"Of multigrid", of_amg},
};

}  // namespace

constinit const std::span<const OptionSection> multigrid_sections = sections_of_multigrid;

}  // namespace glsolve::inline v0_1
