#include "preconditioners/make_preconditioner.hpp"

#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>

#include "amg/check_amg.hpp"
#include "core/require_range.hpp"
#include "grid/grid_multigrid.hpp"
#include "multigrid/algebraic_multigrid.hpp"
#include "preconditioners/block_jacobi.hpp"
#include "preconditioners/geometric_multigrid.hpp"
#include "preconditioners/smoothing.hpp"
#include "smoothers/polynomial.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_steps = 64;
constexpr int usual_degree = 4;  // of polynomials

/// The stationary iteration whose sweeps it is.
Method sweeps_of(PreconditionerKind kind) {
    switch (kind) {
        case PreconditionerKind::richardson:
            return Method::richardson;
        case PreconditionerKind::cf_jacobi:
            return Method::cf_jacobi;
        case PreconditionerKind::gauss_seidel:
            return Method::gauss_seidel;
        case PreconditionerKind::sor:
            return Method::sor;
        case PreconditionerKind::ssor:
            return Method::ssor;
        default:
            return Method::jacobi;
    }
}

/// What needs the reciprocals of the diagonal, as it was asked for.
std::string what_divides(const Options& options) {
    const bool splits = is_stationary(options.method) && options.method != Method::richardson;
    return splits ? std::string(name(options.method)) : fmt::format("preconditioner {}", name(options.preconditioner));
}

bool is_symmetric(PreconditionerKind kind) {
    return kind != PreconditionerKind::cf_jacobi && kind != PreconditionerKind::gauss_seidel
           && kind != PreconditionerKind::sor;
}

std::unique_ptr<Smoother> make_smoother(const AssembledSystem& system, const CsrMatrix& A, const Options& options) {
    if (options.preconditioner == PreconditionerKind::chebyshev) {
        return std::make_unique<Polynomial>(system, A, ChebyshevOptions{});
    }
    return std::make_unique<Sweeps>(system, A, sweeps_of(options.preconditioner), options.preconditioning.relaxation,
                                    Sweeps::Weight::to_smooth);
}

}  // namespace

int steps_of(const Options& options) {
    if (options.preconditioning.steps > 0) return options.preconditioning.steps;
    const bool polynomial = options.preconditioner == PreconditionerKind::chebyshev
                            || options.preconditioner == PreconditionerKind::richardson;
    return polynomial ? usual_degree : 1;
}

bool is_diagonal(const Options& options) {
    return options.preconditioner == PreconditionerKind::jacobi && steps_of(options) == 1;
}

void check_preconditioner(const Options& options) {
    const PreconditionerOptions& p = options.preconditioning;
    require_range("preconditioning", "steps", p.steps, 0, most_steps);
    require_range("preconditioning", "block", p.block, 2, 4);
    check_amg(options.amg, -1);
    const bool over_relaxes =
        options.preconditioner == PreconditionerKind::sor || options.preconditioner == PreconditionerKind::ssor;
    check_weight("preconditioning: relaxation", p.relaxation, over_relaxes);
    if (options.preconditioner == PreconditionerKind::block_jacobi && options.slicing.sort_window > 1) {
        throw InvalidInput("preconditioner block-jacobi takes blocks of neighbouring rows, and sort_window moves them");
    }
    const bool knows_rows = !options.amg.near_null_space.empty() || options.amg.unknowns_a_point > 1;
    if (options.preconditioner == PreconditionerKind::amg && knows_rows && options.slicing.sort_window > 1) {
        throw InvalidInput(
            "preconditioner amg: near_null_space and unknowns_a_point are about rows in their order, and sort_window "
            "moves them");
    }
    if (options.preconditioner == PreconditionerKind::multigrid) {
        check_grid_multigrid(options.amg);
        if (options.slicing.sort_window > 1) {
            throw InvalidInput("preconditioner multigrid finds cells by their order, and sort_window moves rows");
        }
    }
    if (options.preconditioner == PreconditionerKind::none || is_diagonal(options)) return;

    const std::string_view method = name(options.method), kind = name(options.preconditioner);
    if (options.method == Method::minres) {
        throw InvalidInput(fmt::format("minres works with preconditioner none or jacobi only, so not with {}", kind));
    }
    if (options.method == Method::cgnr) {
        throw InvalidInput(
            fmt::format("cgnr scales the columns: it takes preconditioner none or jacobi, not {}", kind));
    }
    if (options.method == Method::direct) {
        throw InvalidInput(fmt::format("the direct method takes no preconditioner, so not {}", kind));
    }
    if (is_stationary(options.method) && options.method != Method::richardson) {
        throw InvalidInput(fmt::format(
            "{} is an iteration with a splitting of its own and takes no preconditioner; richardson takes {}", method,
            kind));
    }
    const bool multigrid =
        options.preconditioner == PreconditionerKind::amg || options.preconditioner == PreconditionerKind::multigrid;
    const bool varies = multigrid && options.amg.cycle == MultigridCycle::k;
    const bool takes_varying = options.method == Method::cg || options.method == Method::fgmres
                               || options.method == Method::bicgstab || options.method == Method::bicgstab2
                               || options.method == Method::richardson || options.method == Method::automatic;
    if (varies && !takes_varying) {
        throw InvalidInput(fmt::format(
            "{} needs a preconditioner that is always the same, which the K cycle is not: v is{}, and cg, fgmres, "
            "bicgstab and richardson take it",
            method, options.preconditioner == PreconditionerKind::amg ? ", and w" : ""));
    }
    const bool needs_symmetry = is_cg(options.method) || is_chebyshev(options.method);
    if (needs_symmetry && !is_symmetric(options.preconditioner)) {
        throw InvalidInput(fmt::format(
            "{} needs a symmetric preconditioner, which {} is not: ssor is, and gmres and bicgstab take any", method,
            kind));
    }
}

MadePreconditioner make_preconditioner(AssembledSystem system, const CsrMatrix& A, const Options& options,
                                       const Hierarchy* known) {
    MadePreconditioner made;
    const PreconditionerKind kind = options.preconditioner;
    const bool scales = options.method == Method::minres;  // what there is is in S
    if (kind == PreconditionerKind::none || scales || options.method == Method::direct) return made;
    if (kind == PreconditionerKind::block_jacobi) {
        made.own = std::make_unique<BlockJacobi>(system.backend, A, system.scale, options.preconditioning.block);
        return made;
    }
    if (kind == PreconditionerKind::multigrid) {
        auto multigrid = std::make_unique<GeometricMultigrid>(system, A, options.amg);
        made.hierarchy = multigrid->report();
        made.own = std::move(multigrid);
        return made;
    }
    if (kind != PreconditionerKind::richardson) {
        made.diagonal = std::make_unique<Jacobi>(system.backend, A, system.scale, what_divides(options));
        if (made.diagonal->constant()) {
            made.unit = made.diagonal->first();
            made.diagonal.reset();
        }
    }
    if (is_diagonal(options)) return made;
    system.M = made.diagonal.get();
    system.unit = made.unit;
    if (kind == PreconditionerKind::amg) {
        auto multigrid = std::make_unique<AlgebraicMultigrid>(system, A, options.amg, options.slicing, known);
        made.hierarchy = multigrid->report();
        made.structure = multigrid->structure();
        made.own = std::move(multigrid);
        made.unit = 1;
        return made;
    }
    made.own = std::make_unique<Smoothing>(make_smoother(system, A, options), steps_of(options));
    made.unit = 1;
    return made;
}

}  // namespace glsolve::inline v0_1
