/// The table of methods: what is asked of a method before it is made, and how it is made. To add one is to add a row.
#pragma once

#include <array>
#include <glsolve/options.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "matrix/factor_plan.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// What a method is made for.
struct MethodInput {
    const AssembledSystem& system;  ///< scaled, on the device, with its preconditioner
    CsrView A;                      ///< its matrix on the host
    const Options& options;
    std::int64_t max_iterations;
    const FactorPlan* factors = nullptr;  ///< of this matrix, where they are known
};

/// What a method takes.
struct MethodTraits {
    bool symmetric = false;    ///< made for symmetric A; where A is not, a report of failure says so
    bool symmetric_M = false;  ///< ... and the preconditioner
    bool varying_M = false;    ///< takes one that changes from one application to the next
    bool any_shape = false;    ///< A need not be square
    /// Needs nothing of A but its products: where A is a function and reads other numbers, it need not be made again.
    bool products_only = false;
    /// Reads numbers back on its way, so that it is no method for textures.
    bool reads = false;
    bool stationary = false;
    /// Looks at its residual with each Options::test_every-th iteration only.
    bool tests_at_intervals = false;
    bool over_relaxes = false;  ///< takes Options::relaxation up to 2
    bool takes_M = true;        ///< a preconditioner at all, be it a scaling
    /// Has preconditioners applied. Else jacobi, which it takes all the same, is in the scaling of A.
    bool applies_M = true;
    /// Says so of preconditioners but none and jacobi, {0}, and of itself, {1}. Empty: it takes them.
    std::string_view refuses_M = {};
    /// Says so of Precision::two_float, of itself, {0}, and of the methods that take it, {1}. Empty: it takes it.
    std::string_view refuses_two_float = {};
    /// Says so of Options::fixed_iterations. Empty: it takes them.
    std::string_view refuses_fixed = {};
};

inline constexpr std::string_view single_alone = "{} iterates in single precision; precision two-float is for {}";

struct MethodRow {
    Method kind{};
    std::string_view name;
    /// May throw InvalidInput for the matrix. Null: it has another system than S A S y = S b.
    std::unique_ptr<IterativeMethod> (*make)(const MethodInput&) = nullptr;
    MethodTraits is = {};
};

// Each in the file of its name; stationary ones in stationary.cpp, fgmres in gmres.cpp.
extern const MethodRow cg_method, pipelined_cg_method, minres_method, bicgstab_method, bicgstab2_method, idr_method,
    gmres_method, fgmres_method, chebyshev_method, bicgstab_chebyshev_method, richardson_method, jacobi_method,
    cf_jacobi_method, gauss_seidel_method, sor_method, ssor_method, direct_method, cgnr_method, automatic_method;

inline constexpr std::array method_table{
    &cg_method,         &pipelined_cg_method, &minres_method,    &bicgstab_method,     &bicgstab2_method,
    &idr_method,        &gmres_method,        &fgmres_method,    &chebyshev_method,    &bicgstab_chebyshev_method,
    &richardson_method, &jacobi_method,       &cf_jacobi_method, &gauss_seidel_method, &sor_method,
    &ssor_method,       &direct_method,       &cgnr_method,      &automatic_method};

const MethodRow& method_row(Method kind);
/// The names of those that have these traits; `automatic`, which becomes one of them, is none of them.
std::vector<std::string> methods_that(bool (*fits)(const MethodTraits& is));

}  // namespace glsolve::inline v0_1
