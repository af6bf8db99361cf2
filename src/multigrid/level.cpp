#include "multigrid/level.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "base/large_pages.hpp"
#include "formats/choose_format.hpp"
#include "formats/product_costs.hpp"
#include "matrix/empty_lines.hpp"
#include "matrix/scaling.hpp"
#include "smoothers/inverse_smoother.hpp"
#include "smoothers/polynomial.hpp"
#include "smoothers/sweeps.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double damped_part = 0.2;  // of the spectrum, from its upper end, is what the polynomial damps
constexpr double above = 1.05;       // the bound of the spectral radius may come from below

/// The reciprocals of the rows' absolute sums, with the diagonal's signs: sweeps need no damping with them (A. H.
/// Baker, R. D. Falgout, T. V. Kolev and U. M. Yang, SIAM J. Sci. Comput. 33 (2011)).
std::vector<double> l1_reciprocals(CsrView A, std::span<const double> scale) {
    std::vector<double> d = filled(static_cast<std::size_t>(A.rows), 0.0);
    for (Index i = 0; i < A.rows; ++i) {
        double sum = 0, sign = 1;
        for (const auto [j, a_ij] : A.row(i)) {
            const double a = scale[i] * a_ij * scale[j];
            sum += std::abs(a);
            if (j == i && a < 0) sign = -1;
        }
        d[i] = sum > 0 ? sign / sum : 0;
    }
    return d;
}

/// The unknowns of each kind, C first.
std::vector<Index> kinds(const Splitting& splitting) {
    std::vector<Index> kind;
    for (const Point point : splitting) kind.push_back(point == Point::coarse ? 0 : 1);
    return kind;
}

}  // namespace

std::vector<double> coarse_scaling(CsrView A) { return choose_scaling(A, ScalingRule::always); }

CoarseSystem::CoarseSystem(Backend& backend, CsrView A, bool symmetric, int level, const Slicing& slicing,
                           const SmoothErrors* errors) {
    LevelStorage storage =
        choose_storage(A, coarse_scaling(A), slicing, backend.info().max_texture_size, product_costs(backend), errors);
    scale_ = std::move(storage.scale);
    std::vector<double> reciprocals = divisors(A, scale_);
    const auto zero = std::find(reciprocals.begin(), reciprocals.end(), 0.0);
    if (zero != reciprocals.end()) {
        throw InvalidInput(fmt::format("multigrid: row {} of level {} has a zero on the diagonal; jacobi may serve",
                                       zero - reciprocals.begin() + 1, level));
    }
    for (double& d : reciprocals) d = 1 / d;
    ChosenFormat chosen = make_format(backend,
                                      {.A = A,
                                       .scale = scale_,
                                       .slicing = slicing,
                                       .max_texture_size = backend.info().max_texture_size,
                                       .low_parts = false,
                                       .halves = storage.halves,
                                       .dia = storage.dia},
                                      FormatKind::automatic, storage.format);
    stored_ = name(chosen.choice.format);
    if (storage.halves) stored_ += ", half";
    matrix_ = std::move(chosen.matrix);
    diagonal_ = std::make_unique<Diagonal>(backend, reciprocals);
    system_.emplace(System{.backend = backend,
                           .A = *matrix_,
                           .M = diagonal_.get(),
                           .size = A.rows,
                           .infinity_norm = infinity_norm(A, scale_),
                           .symmetric = symmetric,
                           .scale = scale_},
                    *matrix_);
}

ChebyshevOptions smoothed_part(double radius) { return {.smallest = damped_part * radius, .largest = above * radius}; }

std::unique_ptr<Smoother> make_smoother(const AssembledSystem& system, CsrView A, const AmgLevel& level,
                                        MultigridSmoother kind) {
    const double damped = 4.0 / 3.0 / level.radius;
    // The polynomial damps a real interval. Eigenvalues of flows lie far beside it, where it may amplify.
    if (kind == MultigridSmoother::automatic)
        kind = system.symmetric ? MultigridSmoother::chebyshev : MultigridSmoother::l1_jacobi;
    switch (kind) {
        case MultigridSmoother::automatic:  // has become one of the others
        case MultigridSmoother::chebyshev:
            return std::make_unique<Polynomial>(system, A, smoothed_part(level.radius));
        case MultigridSmoother::jacobi:
            return std::make_unique<Sweeps>(system, A, Method::jacobi, damped);
        case MultigridSmoother::l1_jacobi:
            return std::make_unique<Sweeps>(system, l1_reciprocals(A, system.scale));
        case MultigridSmoother::cf_jacobi:
            // A level that nothing is interpolated to has neither C nor F.
            if (level.splitting.empty()) return std::make_unique<Sweeps>(system, A, Method::jacobi, damped);
            return std::make_unique<Sweeps>(system, A, kinds(level.splitting));
        case MultigridSmoother::gauss_seidel:
            return std::make_unique<Sweeps>(system, A, Method::gauss_seidel, 1);
        case MultigridSmoother::ilu0:
            return std::make_unique<InverseSmoother>(
                system, A,
                incomplete_factors(system, A, system.symmetric ? Factorisation::ic : Factorisation::ilu, 0, {},
                                   ChosenBy::passes));
        case MultigridSmoother::fsai:
            return std::make_unique<InverseSmoother>(system, A, factorised_inverse(system, A, {}));
    }
    return nullptr;
}

}  // namespace glsolve::inline v0_1
