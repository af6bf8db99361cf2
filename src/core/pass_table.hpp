/// The table of passes. A pass is one evaluation of a *kernel* (a function of the texel position) over all texels of
/// its outputs. A row declares everything that is not arithmetic; shaders, checks and tests are derived from it. The
/// arithmetic of row `name` is shaders/pass/`file`.glsl and, for the reference, the host function `name`.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace glsolve::inline v0_1 {

enum class PassId : std::uint8_t {
    fill,
    axpby,
    multiply,
    add_where,
    squares,
    axpby_field,
    axpby_field_scaled,
    field_put,
    field_take,
    sum,
    measures,
    measures_stage,
    measures_last,
    extremes,
    extremes_stage,
    extremes_last,
    compensated_sum,
    compensated_dot,
    compensated_stage,
    compensated_last,
    field_sums,
    field_sums_scaled,
    field_sums_stage,
    field_sums_last,
    dia_multiply,
    dia_multiply_dot,
    dia_residual,
    dia_multiply_two_float,
    dia_residual_two_float,
    dia_relax,
    dia_relax_twice,
    dia_chebyshev,
    dia_chebyshev_norms,
    dia_multiply_dots,
    dia_field,
    dia_chebyshev_chaotic,
    ell_multiply,
    ell_multiply_dot,
    ell_residual,
    ell_multiply_two_float,
    ell_residual_two_float,
    ell_relax,
    ell_relax_twice,
    ell_chebyshev,
    ell_chebyshev_norms,
    ell_multiply_dots,
    ell_field,
    ell_chebyshev_chaotic,
    sliced_multiply,
    sliced_multiply_dot,
    sliced_residual,
    sliced_multiply_two_float,
    sliced_residual_two_float,
    sliced_relax,
    sliced_relax_twice,
    sliced_chebyshev,
    sliced_chebyshev_norms,
    sliced_multiply_dots,
    sliced_field,
    sliced_chebyshev_chaotic,
    sumVector,
    sumVector_dot,
    sumVector_residual,
    sumVector_two_float,
    sumVector_residual_two_float,
    sumVector_relax,
    sumVector_chebyshev,
    sumVector_chebyshev_norms,
    sumVector_multiply_dots,
    sumVector_four,
    sumVector_four_dot,
    sumTexel,
    spread,
    krueger_diagonal,
    dense_partial,
    dense_partial_two_float,
    dense_partial_residual_two_float,
    dense_transposed,
    dense_four,
    dense_rank_one,
    jordan_extract,
    jordan_pivot,
    jordan_mark,
    jordan_step,
    jordan_gather,
    jordan_update,
    jordan_permute,
    cg_update,
    cg_update_jacobi,
    cg_update_two_float,
    cg_update_two_float_jacobi,
    cg_step_two_float,
    cg_control,
    cg_restart,
    cg_direction,
    cg_update_field,
    cg_update_field_sums,
    cg_update_field_sums_jacobi,
    cg_control_field,
    cg_restart_field,
    cg_gather,
    pipelined_update,
    pipelined_update_jacobi,
    pipelined_update_preconditioned,
    pipelined_update_two_float,
    pipelined_update_two_float_jacobi,
    pipelined_update_two_float_preconditioned,
    pipelined_step_two_float,
    pipelined_dots,
    pipelined_dots_jacobi,
    pipelined_dots_preconditioned,
    pipelined_control,
    pipelined_restart,
    bicgstab_direction,
    bicgstab_direction_jacobi,
    bicgstab_half,
    bicgstab_half_jacobi,
    bicgstab_products,
    bicgstab_update,
    bicgstab_control,
    bicgstab_restart,
    bicgstab2_half,
    bicgstab2_beta,
    bicgstab2_second,
    bicgstab2_products,
    bicgstab2_omegas,
    bicgstab2_update,
    bicgstab2_control,
    minres_update,
    minres_finish,
    minres_control,
    minres_restart,
    normalise,
    normalise_jacobi,
    normalise_layer,
    basis_dot,
    basis_sum,
    basis_last,
    basis_dot_pair,
    basis_sum_pair,
    basis_last_pair,
    basis_subtract,
    basis_subtract_norm,
    basis_combine,
    basis_combine_jacobi,
    arnoldi_step,
    arnoldi_column,
    arnoldi_column_flexible,
    arnoldi_update,
    arnoldi_update_jacobi,
    gmres_restart,
    gmres_column,
    gmres_raw_column,
    gmres_status,
    gmres_raw_status,
    gmres_solve,
    step_control,
    record,
    two_float_axpy,
    residual_norms,
    error_free,
    transfer,
    transfer_add,
    box_transfer,
    box_transfer_add,
    grid_multiply,
    grid_multiply_dot,
    grid_residual,
    grid_multiply_two_float,
    grid_residual_two_float,
    grid_relax,
    grid_relax_twice,
    grid_chebyshev,
    grid_chebyshev_norms,
    grid_multiply_dots,
    grid_field,
    grid_chebyshev_chaotic,
    grid_couplings,
    grid_diagonal,
    grid_coarsen,
    grid_coarsen_two,
    grid_restrict,
    grid_restrict_residual,
    grid_prolong,
    grid_pitch,
    grid_columns,
    grid_relax_field,
    grid_relax_twice_field,
    grid_restrict_residual_field,
    grid_prolong_field,
    grid_columns_field,
    function_multiply,
    function_multiply_dot,
    function_residual,
    function_multiply_two_float,
    function_residual_two_float,
    function_relax,
    function_relax_twice,
    function_chebyshev,
    function_chebyshev_norms,
    function_multiply_dots,
    function_field,
    function_chebyshev_chaotic,
    function_diagonal,
    texture_take,
    texture_put,
    texture_unit,
    texture_gain,
    texture_verdict,
    count  // not a pass
};

inline constexpr int pass_count = static_cast<int>(PassId::count);
inline constexpr int max_outputs = 5;
inline constexpr int max_inputs = 9;
inline constexpr int max_scalars = 2;
inline constexpr int max_integers = 12;
inline constexpr int most_chaotic_steps = 16;

/// What a pass runs over.
enum class Domain : std::uint8_t {
    output,  ///< all texels of the first output
    input,   ///< all texels of the first input (its only output is the sum)
    window   ///< of the outputs the rectangle of `columns` x `rows` texels at `x`, `y`, which are the first four
             ///< integers; the other texels keep what they hold
};

/// One input of a pass.
struct Input {
    std::string_view name;
    bool integer = false;  ///< RGBA32I instead of RGBA32F
    bool outside = false;  ///< a texture of the caller's: of any format of floats, with coordinates of its own
};

/// What a reduction adds up: vectors, or the inner products of a vector with many.
enum class Summed : std::uint8_t { vectors, bases };

/// Does an output of this name hold partial sums?
constexpr bool is_sum(std::string_view output) { return output.starts_with("sum"); }

/// A row of the table. Outputs whose names begin with `sum`, the last ones, hold partial sums: one texel for each texel
/// of the domain, or for each work group where the stage has groups; passes `sum` add them up.
struct PassRow {
    PassId id = PassId::count;
    std::string_view name = {};
    std::string_view file = name;   ///< shaders/pass/`file`.glsl
    std::string_view defines = {};  ///< "A B": which variant of the file this is
    std::string_view formula = {};  ///< for people
    std::span<const std::string_view> outputs = {};
    std::span<const Input> inputs = {};
    std::span<const std::string_view> scalars = {};    ///< arguments formed on the device
    std::span<const std::string_view> integers = {};   ///< arguments known to the host
    std::span<const std::string_view> constants = {};  ///< the same, real numbers
    bool guarded = false;      ///< obeys the status: keeps the old values when the solve has stopped
    bool each_apart = false;   ///< ... of a Field: the status holds one stop for each of four right-hand sides
    bool two_float = false;    ///< uses the error-free arithmetic of shaders/two_float.glsl
    bool in_parts = false;     ///< makes zones of partial products: long work for each texel
    bool elementwise = false;  ///< reads all inputs at the texel it writes, and nowhere else
    /// Makes several steps, as its last integer says, of each texel without waiting for the others. Its first output,
    /// y, is its first input as well and has two textures: step k reads one and writes the other, and what others have
    /// there at that moment (of any step) counts. All other outputs are read only where they are written. Coefficients
    /// of the steps end the table. Tiles that are made together: work groups, threads, or bands one after the other.
    bool chaotic = false;
    /// Its output is a texture of the caller's. Its last integer says which components are written, as bits; the others
    /// keep what they hold, and all of a texel do where the kernel ends in KEEP.
    bool writes_outside = false;
    /// Part of its text is the caller's (ShaderVariant::source), which knows no two floats: in double precision where
    /// there is any.
    bool callers_words = false;
    Domain domain = Domain::output;
    /// Where not empty: passes with the same word here share a program, as tasks of it ("texel": those over a texel or
    /// a few, or of next to no work; others not where software renders). They have no scalars, sums, defines or
    /// variants, and what their texts define has names of its own, or is undefined at the end.
    std::string_view shares = {};

    /// A stage of a reduction: a texel from a tile of the input, whose size belongs to the backend.
    bool reduces() const { return file == "reduce"; }
    Summed summed() const { return defines.find("BASIS") != std::string_view::npos ? Summed::bases : Summed::vectors; }
    bool has_sum() const { return !outputs.empty() && is_sum(outputs.back()); }
};

/// All rows, in the order of PassId.
std::span<const PassRow> pass_table();

const PassRow& row(PassId pass);

}  // namespace glsolve::inline v0_1
