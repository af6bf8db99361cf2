/// The table of preconditioners: what is asked of one before it is made, and how it is made. To add one is to add a
/// row.
#pragma once

#include <array>
#include <glsolve/options.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "options/option_table.hpp"
#include "preconditioners/jacobi.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

class Hierarchy;
struct FixedPointPlan;
struct CompleteFactors;

/// What was found out from where the numbers of a matrix stand: it serves other numbers in the same places.
struct KnownPlaces {
    PreconditionerKind of = PreconditionerKind::none;
    std::shared_ptr<const Hierarchy> hierarchy = {};     ///< levels of algebraic multigrid, without their numbers
    std::shared_ptr<const FixedPointPlan> factors = {};  ///< of factors that the device makes
    std::shared_ptr<const CompleteFactors> complete = {};
};

/// What a preconditioner is made for.
struct PreconditionerInput {
    AssembledSystem system;  ///< on the device; has no preconditioner yet
    CsrView A;               ///< its matrix on the host
    const Options& options;
    KnownPlaces known = {};  ///< from a matrix with other numbers in the same places
};

/// A preconditioner on the device, and what it stands on.
struct MadePreconditioner {
    std::unique_ptr<Jacobi> diagonal = {};     ///< the preconditioner, or what it smooths with
    std::unique_ptr<Preconditioner> own = {};  ///< ... that has passes of its own
    HierarchyReport hierarchy = {};            ///< of multigrid
    double unit = 1;                           ///< M^-1, where it is a multiple of the identity and left out
    std::string remark = {};                   ///< how it was made and is applied, in words
    KnownPlaces known = {};                    ///< for a matrix with new numbers

    Preconditioner* M() const {
        if (own) return own.get();
        return diagonal.get();
    }
};

struct PreconditionerTraits {
    bool symmetric = true;      ///< for symmetric matrices
    bool multigrid = false;     ///< takes Options::amg; with a K cycle it changes from one application to the next
    bool divides = true;        ///< by the diagonal
    bool finds_pivots = false;  ///< by itself, where the diagonal has none
    bool in_blocks = false;     ///< takes PreconditionerOptions::factor_block
    bool over_relaxes = false;  ///< takes weights up to 2
    int steps = 1;              ///< of its smoother, where nobody asks for another number
};

struct PreconditionerRow {
    PreconditionerKind kind{};
    std::string_view name;
    /// Throws InvalidInput where the matrix does not allow it.
    MadePreconditioner (*make)(const PreconditionerInput&) = nullptr;
    PreconditionerTraits is = {};
    /// Throws InvalidInput for options that it does not take. Null: it takes all.
    void (*check)(const Options&) = nullptr;
    OptionSection options = {};  ///< that no other one takes
};

// Each in the file of its name; sweeps and polynomials in smoothing.cpp, incomplete factors and approximate inverses in
// incomplete_factors.cpp.
extern const PreconditionerRow no_preconditioner, jacobi_preconditioner, block_jacobi_preconditioner,
    chebyshev_preconditioner, richardson_preconditioner, cf_jacobi_preconditioner, gauss_seidel_preconditioner,
    sor_preconditioner, ssor_preconditioner, amg_preconditioner, multigrid_preconditioner, ilu0_preconditioner,
    iluk_preconditioner, ilut_preconditioner, ic0_preconditioner, ick_preconditioner, ict_preconditioner,
    lu_preconditioner, isai_preconditioner, parilu_preconditioner, fsai_preconditioner, spai_preconditioner,
    saddle_preconditioner, automatic_preconditioner;

inline constexpr std::array preconditioner_table{
    &no_preconditioner,         &jacobi_preconditioner,    &block_jacobi_preconditioner, &chebyshev_preconditioner,
    &richardson_preconditioner, &cf_jacobi_preconditioner, &gauss_seidel_preconditioner, &sor_preconditioner,
    &ssor_preconditioner,       &amg_preconditioner,       &ilu0_preconditioner,         &iluk_preconditioner,
    &ilut_preconditioner,       &ic0_preconditioner,       &ick_preconditioner,          &ict_preconditioner,
    &lu_preconditioner,         &isai_preconditioner,      &parilu_preconditioner,       &fsai_preconditioner,
    &spai_preconditioner,       &multigrid_preconditioner, &saddle_preconditioner,       &automatic_preconditioner};

const PreconditionerRow& preconditioner_row(PreconditionerKind kind);
/// The names of those that have these traits.
std::vector<std::string> preconditioners_that(bool (*fits)(const PreconditionerTraits& is));

/// Throws InvalidInput where the options of the preconditioner do not go together. Asks neither for the method nor for
/// ranges (options/option_table.hpp).
void check_preconditioner(const Options& options);

/// Steps of the smoother that it is made of.
int steps_of(const Options& options);

/// Is it the reciprocal diagonal and no more?
bool is_diagonal(const Options& options);

/// The reciprocal diagonal, or `unit` where it is the same number everywhere; `input.system` has it from here on.
MadePreconditioner make_diagonal(PreconditionerInput& input);

}  // namespace glsolve::inline v0_1
