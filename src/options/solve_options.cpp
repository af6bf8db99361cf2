// Options of every solve, and of how a matrix is stored.
#include <bit>

#include "options/option_rows.hpp"

namespace glsolve::inline v0_1 {
namespace {

using O = Options;

constexpr auto slicing = group_of<&Options::slicing>("slicing");

constexpr std::int64_t most_fixed_iterations = 65536;  // as many as a History records

constexpr std::string_view tolerance_refusal = "tolerances must be finite and not negative";

constexpr OptionRow of_the_solve[] = {
    {.name = "method",
     .at = at<whole, &O::method>("method"),
     .words = "the method; cgnr takes a matrix of any shape and makes |b - A x| smallest",
     .other_names = "solver",
     .common = true},
    {.name = "preconditioner",
     .at = at<whole, &O::preconditioner>("preconditioner"),
     .words = "the preconditioner; auto: by predicted time; the direct method takes none, cgnr none or jacobi; "
              "multigrid is for 5-point and 7-point matrices, amg for any, saddle for saddle points",
     .other_names = "precond,pc",
     .common = true},
    {.name = "tolerance",
     .at = at<whole, &O::tolerance>("tolerance"),
     .words = "the true relative residual to reach, in double precision; of cgnr also |A^T r| / (|A| |r|)",
     .other_names = "tol,rtol",
     .common = true,
     .refusal = tolerance_refusal},
    {.name = "absolute-tolerance",
     .at = at<whole, &O::absolute_tolerance>("absolute_tolerance"),
     .words = "the true residual to reach, where that comes first",
     .in_program = false,
     .refusal = tolerance_refusal},
    {.name = "max-iterations",
     .at = at<whole, &O::max_iterations>("max_iterations"),
     .range = {std::int64_t{0}, any_offset},
     .words = "0: 100 for each row, and 10000; of the direct method: corrections, 0: 100",
     .other_names = "max-iter,maxiter,max-it",
     .common = true,
     .refusal = "max_iterations must not be negative"},
    {.name = "seconds",
     .at = at<whole, &O::seconds>("seconds"),
     .range = {0.0, infinite},
     .words = "a solve ends after so many seconds, with the best x so far and exit code 1; reading and set-up do not "
              "count; 0: no limit",
     .common = true,
     .refusal = "seconds must not be negative; 0 is no limit"},
    {.name = "precision",
     .at = at<whole, &O::precision>("precision"),
     .words = "of the iteration: single with corrections, two floats, the second when the first no longer helps "
              "(auto), the matrix in half precision, which is read faster, or double precision, on CUDA and the host",
     .common = true},
    {.name = "fixed-iterations",
     .at = at<whole, &O::fixed_iterations>("fixed_iterations"),
     .range = {std::int64_t{0}, most_fixed_iterations},
     .words = "so many iterations whatever the residual is, and nothing read back before they are done; 0: until the "
              "tolerance is met",
     .other_names = "fixed-iter"},
    {.name = "zero-guess",
     .at = at<whole, &O::zero_guess>("zero_guess"),
     .words = "begins with x = 0, whatever x holds",
     .in_program = false},
    {.name = "profile", .at = at<whole, &O::profile>("profile"), .words = "times each pass; slow", .common = true},
};

constexpr bool is_power_of_two(std::int64_t value) { return std::has_single_bit(static_cast<std::uint64_t>(value)); }

constexpr OptionRow of_the_format[] = {
    {.name = "format",
     .at = at<whole, &O::format>("format"),
     .words = "how the matrix is stored on the device",
     .common = true},
    {.name = "choice-cache",
     .at = at<whole, &O::choice_cache>("choice_cache"),
     .words = "folder where what was found for a structure is kept: formats, methods",
     .in_program = false},
    {.name = "slice-height",
     .at = at<slicing, &Slicing::height>("height"),
     .range = {4, 1 << 20},
     .words = "rows of a slice of runs and sell: a power of two from 4 on",
     .refusal = "slice height {}: it must be a power of two between 4 and 1048576",
     .fits = is_power_of_two},
    {.name = "sort-window",
     .at = at<slicing, &Slicing::sort_window>("sort_window"),
     .range = {0, any},
     .words = "sorts rows by their lengths within windows of so many; 0: not at all",
     .refusal = "slicing: sort_window must not be negative"},
    {.name = "reorder",
     .at = at<whole, &O::reorder>("reorder"),
     .words = "order of rows and unknowns on the device: rcm near the diagonal, degree by length, amd for few nonzeros "
              "in factors; auto: rcm or degree, where it pays"},
    {.name = "ell-width",
     .at = at<whole, &O::ell_width>("ell_width"),
     .words = "how many nonzeros of each row hec and hyb keep in ell: by cost, by the rule of Cheng (2018), or timed"},
};

constexpr OptionSection sections_of_solve[] = {
    {"The solve", of_the_solve},
    {"How the matrix is stored", of_the_format},
};

}  // namespace

constinit const std::span<const OptionSection> solve_sections = sections_of_solve;

}  // namespace glsolve::inline v0_1
