#include "multigrid/algebraic_multigrid.hpp"

#include <fmt/format.h>

#include <chrono>

#include "amg/check_amg.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

}  // namespace

AlgebraicMultigrid::AlgebraicMultigrid(const AssembledSystem& system, const CsrMatrix& A, const AmgOptions& options,
                                       const Slicing& slicing) {
    check_amg(options, A.rows);
    Backend& backend = system.backend;
    const Hierarchy hierarchy(A, options, options.coarsest > 0 ? options.coarsest : usual_coarsest);
    report_ = hierarchy.report();
    const auto begin = Clock::now();
    std::vector<Level> levels;
    const AssembledSystem* above = nullptr;
    for (int k = 0; k < hierarchy.count(); ++k) {
        const CsrMatrix& own = hierarchy.matrix(k);
        if (k > 0) coarse_.push_back(std::make_unique<CoarseSystem>(backend, own, system.symmetric, k, slicing));
        const AssembledSystem& here = k == 0 ? system : coarse_.back()->system();
        if (k > 0) {
            // P goes from S_c y_c to S^-1 x: what is S A S on one level is S_c (P^T A P) S_c on the next.
            std::vector<double> reciprocal(above->scale.begin(), above->scale.end());
            for (double& s : reciprocal) s = 1 / s;
            const AmgLevel& fine = hierarchy.level(k - 1);
            levels.back().prolongation = std::make_unique<Transfer>(backend, fine.P, reciprocal, here.scale);
            levels.back().restriction = std::make_unique<Transfer>(backend, fine.Pt, here.scale, reciprocal);
            report_.levels[static_cast<std::size_t>(k)].stored = coarse_.back()->stored();
        }
        const bool inverse = k + 1 == hierarchy.count() && own.rows <= largest_inverse;
        levels.push_back({here, inverse ? nullptr : make_smoother(here, own, hierarchy.level(k), options.smoother),
                          nullptr, nullptr, Vector(backend, own.rows, fmt::format("x of level {}", k)),
                          Vector(backend, own.rows, fmt::format("b of level {}", k)),
                          Vector(backend, own.rows, fmt::format("r of level {}", k))});
        above = &here;
    }
    report_.upload_seconds = seconds_since(begin);

    const auto before_inverse = Clock::now();
    std::unique_ptr<CoarseInverse> inverse;
    const int last = hierarchy.count() - 1;
    const CsrMatrix& coarsest = hierarchy.matrix(last);
    if (coarsest.rows <= largest_inverse) {
        NearNullSpace null = hierarchy.level(last).near_null;
        if (null.values.empty()) null = constants(coarsest.rows);
        inverse = std::make_unique<CoarseInverse>(backend, coarsest, above->scale, null.values, null.vectors);
        report_.coarsest = fmt::format("{} rows, by a product with the inverse", coarsest.rows);
    } else {
        report_.coarsest =
            fmt::format("{} rows, smoothed: nothing there depends strongly on anything else", coarsest.rows);
    }
    report_.coarse_seconds = seconds_since(before_inverse);
    cycle_ = std::make_unique<Cycle>(std::move(levels), std::move(inverse), options.cycle, options.steps);
}

}  // namespace glsolve::inline v0_1
