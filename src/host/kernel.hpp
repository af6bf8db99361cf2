/// What the reference's kernels see: the same names as in the shaders, so that the two can be read side by side.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <glm/vector_relational.hpp>
#include <vector>

#include "core/backend.hpp"

namespace glsolve::inline v0_1::host {

using glm::bvec4;
using glm::dvec4;
using glm::ivec2;
using glm::ivec4;
using glm::vec4;

/// The texels of a storage; only one of the two is filled.
struct Texels {
    Extent extent;
    std::vector<vec4> real;
    std::vector<ivec4> integer;
};

/// Reads a storage texel by texel.
class In {
  public:
    explicit In(const Texels& texels) : width_(texels.extent.width), height_(texels.extent.height), texels_(&texels) {}

    vec4 operator()(ivec2 at) const { return texels_->real[index(at)]; }
    ivec4 integer(ivec2 at) const { return texels_->integer[index(at)]; }
    int height() const { return height_; }

  private:
    std::size_t index(ivec2 at) const {
        return static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(at.x);
    }
    int width_, height_;
    const Texels* texels_;
};

/// Writes a storage texel by texel.
class Out {
  public:
    explicit Out(Texels& texels) : width_(texels.extent.width), texels_(&texels) {}

    vec4& operator()(ivec2 at) const {
        return texels_
            ->real[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(at.x)];
    }

  private:
    int width_;
    Texels* texels_;
};

/// A vector read number by number, counted from its beginning; what is outside is zero.
class Numbers {
  public:
    Numbers(const In& in, int log2_width) : in_(in), log2_width_(log2_width) {}

    float operator[](int i) const {
        const int t = i >> 2;  // rounds down
        if (t < 0 || t >> log2_width_ >= in_.height()) return 0;
        return in_({t & ((1 << log2_width_) - 1), t >> log2_width_})[i & 3];
    }

  private:
    In in_;
    int log2_width_;
};

/// A quotient with a zero denominator is 0.
inline vec4 quotient(vec4 n, vec4 d) { return glm::mix(n / d, vec4(0.0f), glm::equal(d, vec4(0.0f))); }

/// v as the sum of two floats.
inline void split(dvec4 v, vec4& hi, vec4& lo) {
    hi = vec4(v);
    lo = vec4(v - dvec4(hi));
}

/// Infinite or not a number, component by component, and in any of them.
inline bvec4 bad(vec4 v) {
    const auto bits = [](float f) { return (std::bit_cast<std::uint32_t>(f) & 0x7f800000u) == 0x7f800000u; };
    return {bits(v.x), bits(v.y), bits(v.z), bits(v.w)};
}
inline bool is_bad(vec4 v) { return glm::any(bad(v)); }

/// alpha = (r,z) / (p,Ap), or 0 where (p,Ap) <= 0 or a number is none; component by component.
inline vec4 step_length(vec4 alpha) {
    const vec4 a = glm::mix(vec4(0.0f), alpha, glm::greaterThan(alpha, vec4(0.0f)));
    return glm::mix(a, vec4(0.0f), bad(a));
}

/// The same, or zeros where a number is none.
inline vec4 finite_or_zero(vec4 v) { return is_bad(v) ? vec4(0.0f) : v; }

/// One pass as its kernel sees it. Arguments are numbered as in the pass table.
struct Pass {
    const PassCall& call;
    ivec2 origin{0, 0};
    Extent domain;
    std::array<const Texels*, max_inputs> inputs{};
    std::array<Texels*, max_outputs> outputs{};
    std::array<vec4, max_scalars> scalars{};
    std::array<int, 2> tile{};  ///< of the sums
    bvec4 stopped{false};       ///< all alike, but of a Field
    Texels* other = nullptr;    ///< of chaotic passes: the texels that the first output takes turns with

    In in(int i) const { return In(*inputs[static_cast<std::size_t>(i)]); }
    Out out(int i) const { return Out(*outputs[static_cast<std::size_t>(i)]); }
    vec4 scalar(int i) const { return scalars[static_cast<std::size_t>(i)]; }
    int integer(int i) const { return call.integer[static_cast<std::size_t>(i)]; }
    float constant(int i) const { return call.constant[static_cast<std::size_t>(i)]; }

    /// The new value, unless the solve has stopped: then the old one.
    vec4 commit(vec4 before, vec4 after) const { return glm::mix(after, before, stopped); }

    /// Calls kernel(at) for each texel of the domain.
    template <class Kernel>
    void each(const Kernel& kernel) const {
        for (int y = 0; y < domain.height; ++y) {
            for (int x = 0; x < domain.width; ++x) kernel(origin + ivec2(x, y));
        }
    }
};

using KernelFunction = void (*)(const Pass&);

// The kernels, by the names of the pass table.
void fill(const Pass&);
void axpby(const Pass&);
void axpby_field_scaled(const Pass&);
void multiply(const Pass&);
void add_where(const Pass&);
void squares(const Pass&);
void field_put(const Pass&);
void field_take(const Pass&);
void sum(const Pass&);
void measures(const Pass&);
void measures_stage(const Pass&);
void measures_last(const Pass&);
void extremes(const Pass&);
void extremes_stage(const Pass&);
void extremes_last(const Pass&);
void compensated_sum(const Pass&);
void compensated_dot(const Pass&);
void compensated_stage(const Pass&);
void compensated_last(const Pass&);
void field_sums(const Pass&);
void field_sums_scaled(const Pass&);
void field_sums_stage(const Pass&);
void field_sums_last(const Pass&);
void dia_multiply(const Pass&);
void dia_multiply_dot(const Pass&);
void dia_residual(const Pass&);
void dia_multiply_two_float(const Pass&);
void dia_residual_two_float(const Pass&);
void dia_relax(const Pass&);
void dia_relax_twice(const Pass&);
void dia_chebyshev(const Pass&);
void dia_chebyshev_norms(const Pass&);
void dia_multiply_dots(const Pass&);
void dia_field(const Pass&);
void dia_chebyshev_chaotic(const Pass&);
void ell_multiply(const Pass&);
void ell_multiply_dot(const Pass&);
void ell_residual(const Pass&);
void ell_multiply_two_float(const Pass&);
void ell_residual_two_float(const Pass&);
void ell_relax(const Pass&);
void ell_relax_twice(const Pass&);
void ell_chebyshev(const Pass&);
void ell_chebyshev_norms(const Pass&);
void ell_multiply_dots(const Pass&);
void ell_field(const Pass&);
void ell_chebyshev_chaotic(const Pass&);
void sliced_multiply(const Pass&);
void sliced_multiply_dot(const Pass&);
void sliced_residual(const Pass&);
void sliced_multiply_two_float(const Pass&);
void sliced_residual_two_float(const Pass&);
void sliced_relax(const Pass&);
void sliced_relax_twice(const Pass&);
void sliced_chebyshev(const Pass&);
void sliced_chebyshev_norms(const Pass&);
void sliced_multiply_dots(const Pass&);
void sliced_field(const Pass&);
void sliced_chebyshev_chaotic(const Pass&);
void sumVector(const Pass&);
void sumVector_dot(const Pass&);
void sumVector_residual(const Pass&);
void sumVector_two_float(const Pass&);
void sumVector_residual_two_float(const Pass&);
void sumVector_relax(const Pass&);
void sumVector_chebyshev(const Pass&);
void sumVector_chebyshev_norms(const Pass&);
void sumVector_multiply_dots(const Pass&);
void sumVector_four(const Pass&);
void sumVector_four_dot(const Pass&);
void sumTexel(const Pass&);
void spread(const Pass&);
void krueger_diagonal(const Pass&);
void dense_partial(const Pass&);
void dense_partial_two_float(const Pass&);
void dense_partial_residual_two_float(const Pass&);
void dense_transposed(const Pass&);
void dense_four(const Pass&);
void dense_rank_one(const Pass&);
void jordan_extract(const Pass&);
void jordan_pivot(const Pass&);
void jordan_mark(const Pass&);
void jordan_step(const Pass&);
void jordan_gather(const Pass&);
void jordan_update(const Pass&);
void jordan_permute(const Pass&);
void cg_update(const Pass&);
void cg_update_jacobi(const Pass&);
void cg_update_two_float(const Pass&);
void cg_update_two_float_jacobi(const Pass&);
void cg_step_two_float(const Pass&);
void cg_control(const Pass&);
void cg_restart(const Pass&);
void cg_direction(const Pass&);
void pipelined_update(const Pass&);
void pipelined_update_jacobi(const Pass&);
void pipelined_update_preconditioned(const Pass&);
void pipelined_update_two_float(const Pass&);
void pipelined_update_two_float_jacobi(const Pass&);
void pipelined_update_two_float_preconditioned(const Pass&);
void pipelined_step_two_float(const Pass&);
void pipelined_dots(const Pass&);
void pipelined_dots_jacobi(const Pass&);
void pipelined_dots_preconditioned(const Pass&);
void pipelined_control(const Pass&);
void pipelined_restart(const Pass&);
void cg_update_field(const Pass&);
void cg_update_field_sums(const Pass&);
void cg_update_field_sums_jacobi(const Pass&);
void cg_control_field(const Pass&);
void cg_restart_field(const Pass&);
void cg_gather(const Pass&);
void normalise(const Pass&);
void normalise_jacobi(const Pass&);
void normalise_layer(const Pass&);
void basis_dot(const Pass&);
void basis_sum(const Pass&);
void basis_last(const Pass&);
void basis_dot_pair(const Pass&);
void basis_sum_pair(const Pass&);
void basis_last_pair(const Pass&);
void basis_subtract(const Pass&);
void basis_subtract_norm(const Pass&);
void basis_combine(const Pass&);
void basis_combine_jacobi(const Pass&);
void bicgstab_direction(const Pass&);
void bicgstab_direction_jacobi(const Pass&);
void bicgstab_half(const Pass&);
void bicgstab_half_jacobi(const Pass&);
void bicgstab_products(const Pass&);
void bicgstab_update(const Pass&);
void bicgstab_control(const Pass&);
void bicgstab_restart(const Pass&);
void bicgstab2_half(const Pass&);
void bicgstab2_beta(const Pass&);
void bicgstab2_second(const Pass&);
void bicgstab2_products(const Pass&);
void bicgstab2_omegas(const Pass&);
void bicgstab2_update(const Pass&);
void bicgstab2_control(const Pass&);
void step_control(const Pass&);
void minres_update(const Pass&);
void minres_finish(const Pass&);
void minres_control(const Pass&);
void minres_restart(const Pass&);
void arnoldi_step(const Pass&);
void arnoldi_column(const Pass&);
void arnoldi_column_flexible(const Pass&);
void arnoldi_update(const Pass&);
void arnoldi_update_jacobi(const Pass&);
void gmres_restart(const Pass&);
void gmres_column(const Pass&);
void gmres_raw_column(const Pass&);
void gmres_status(const Pass&);
void gmres_raw_status(const Pass&);
void gmres_solve(const Pass&);
void record(const Pass&);
void two_float_axpy(const Pass&);
void residual_norms(const Pass&);
void error_free(const Pass&);
void transfer(const Pass&);
void transfer_add(const Pass&);
void box_transfer(const Pass&);
void box_transfer_add(const Pass&);
void grid_multiply(const Pass&);
void grid_multiply_dot(const Pass&);
void grid_residual(const Pass&);
void grid_multiply_two_float(const Pass&);
void grid_residual_two_float(const Pass&);
void grid_relax(const Pass&);
void grid_relax_twice(const Pass&);
void grid_chebyshev(const Pass&);
void grid_chebyshev_norms(const Pass&);
void grid_multiply_dots(const Pass&);
void grid_field(const Pass&);
void grid_chebyshev_chaotic(const Pass&);
void grid_couplings(const Pass&);
void grid_diagonal(const Pass&);
void grid_coarsen(const Pass&);
void grid_coarsen_two(const Pass&);
void grid_restrict(const Pass&);
void grid_restrict_residual(const Pass&);
void grid_prolong(const Pass&);
void grid_pitch(const Pass&);
void grid_columns(const Pass&);
void grid_relax_field(const Pass&);
void grid_relax_twice_field(const Pass&);
void grid_restrict_residual_field(const Pass&);
void grid_prolong_field(const Pass&);
void grid_columns_field(const Pass&);
void function_multiply(const Pass&);
void function_multiply_dot(const Pass&);
void function_residual(const Pass&);
void function_multiply_two_float(const Pass&);
void function_residual_two_float(const Pass&);
void function_relax(const Pass&);
void function_relax_twice(const Pass&);
void function_chebyshev(const Pass&);
void function_chebyshev_norms(const Pass&);
void function_multiply_dots(const Pass&);
void function_field(const Pass&);
void function_chebyshev_chaotic(const Pass&);
void function_diagonal(const Pass&);

void texture_take(const Pass&);
void texture_put(const Pass&);
void texture_unit(const Pass&);
void texture_gain(const Pass&);
void texture_verdict(const Pass&);

}  // namespace glsolve::inline v0_1::host
