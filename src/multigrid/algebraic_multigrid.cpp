#include "multigrid/algebraic_multigrid.hpp"

#include <fmt/format.h>

#include <chrono>
#include <glsolve/error.hpp>
#include <optional>

#include "amg/check_amg.hpp"
#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int usual_steps = 2;           // of the smoother
constexpr double worst_condition = 1e6;  // beyond, the inverse in single precision is no longer definite

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Of what the coarsest level has become: a level whose matrix single precision can hold the inverse of. Where it
/// cannot, the inverse would not be positive definite, and coarser levels follow as long as there are any. None where
/// even the last one is too large, or too ill-conditioned.
std::optional<HostInverse> invert_coarsest(Hierarchy& hierarchy, const AssembledSystem& system) {
    for (;;) {
        const int last = hierarchy.count() - 1;
        const CsrMatrix& A = hierarchy.matrix(last);
        if (A.rows > largest_inverse) return {};
        NearNullSpace null = hierarchy.level(last).near_null;
        if (null.values.empty()) null = constants(A.rows);
        const std::vector<double> chosen = coarse_scaling(A);
        HostInverse inverse = invert(A, last == 0 ? system.scale : chosen, null.values, null.vectors);
        if (inverse.condition < worst_condition) return inverse;
        if (!hierarchy.extend()) return {};
    }
}

std::string in_words(Index rows, const std::optional<HostInverse>& inverse) {
    if (inverse)
        return fmt::format("{} rows, by a product with the inverse; condition {:.1e}", rows, inverse->condition);
    return fmt::format("{} rows, smoothed: {}, and there is no coarser level", rows,
                       rows > largest_inverse ? "too many for an inverse" : "single precision cannot hold the inverse");
}

std::vector<double> reciprocals(std::span<const double> scale) {
    std::vector<double> made(scale.begin(), scale.end());
    for (double& s : made) s = 1 / s;
    return made;
}

/// P goes from S_c y_c to S^-1 x: what is S A S on one level is S_c (P^T A P) S_c on the next.
class SparseTransfer final : public LevelTransfer {
  public:
    SparseTransfer(Backend& backend, const AmgLevel& level, std::span<const double> scale,
                   std::span<const double> coarse_scale)
        : SparseTransfer(backend, level, reciprocals(scale), coarse_scale) {}

    void restrict_to(Vector& coarse, const Vector& fine) override { restriction_.multiply(coarse, fine); }
    void prolong(Vector& fine, const Vector& coarse) override { prolongation_.add(fine, coarse); }

  private:
    SparseTransfer(Backend& backend, const AmgLevel& level, const std::vector<double>& reciprocal,
                   std::span<const double> coarse_scale)
        : prolongation_(backend, level.P, reciprocal, coarse_scale),
          restriction_(backend, level.Pt, coarse_scale, reciprocal) {}

    Transfer prolongation_, restriction_;
};

}  // namespace

AlgebraicMultigrid::AlgebraicMultigrid(const AssembledSystem& system, const CsrMatrix& A, const AmgOptions& options,
                                       const Slicing& slicing) {
    check_amg(options, A.rows);
    if (options.cycle == MultigridCycle::k && !system.symmetric) {
        throw InvalidInput(
            "amg: the K cycle makes steps of conjugate gradients, and this matrix is not symmetric: v, w");
    }
    Hierarchy hierarchy(A, options, options.coarsest > 0 ? options.coarsest : usual_coarsest);
    const auto before_inverse = Clock::now();
    const std::optional<HostInverse> inverse = invert_coarsest(hierarchy, system);
    const double inverse_seconds = seconds_since(before_inverse);
    report_ = hierarchy.report();
    report_.coarse_seconds = inverse_seconds;

    const auto begin = Clock::now();
    std::vector<Level> levels = upload(hierarchy, system, options, slicing, inverse.has_value());
    std::unique_ptr<CoarseInverse> on_device;
    if (inverse) on_device = std::make_unique<CoarseInverse>(system.backend, *inverse);
    report_.coarsest = in_words(hierarchy.matrix(hierarchy.count() - 1).rows, inverse);
    report_.upload_seconds = seconds_since(begin);
    cycle_ = std::make_unique<Cycle>(std::move(levels), std::move(on_device), options.cycle,
                                     options.steps > 0 ? options.steps : usual_steps);
}

std::vector<Level> AlgebraicMultigrid::upload(const Hierarchy& hierarchy, const AssembledSystem& system,
                                              const AmgOptions& options, const Slicing& slicing, bool has_inverse) {
    Backend& backend = system.backend;
    std::vector<Level> levels;
    for (int k = 0; k < hierarchy.count(); ++k) {
        const CsrMatrix& A = hierarchy.matrix(k);
        if (k > 0) {
            coarse_.push_back(std::make_unique<CoarseSystem>(backend, A, system.symmetric, k, slicing));
            report_.levels[static_cast<std::size_t>(k)].stored = coarse_.back()->stored();
        }
        const AssembledSystem& here = k == 0 ? system : coarse_.back()->system();
        if (k > 0) {
            levels.back().transfer = std::make_unique<SparseTransfer>(backend, hierarchy.level(k - 1),
                                                                      levels.back().system.scale, here.scale);
        }
        const bool inverted = has_inverse && k + 1 == hierarchy.count();
        const auto vector = [&](const char* what) {
            return Vector(backend, A.rows, fmt::format("{} of level {}", what, k));
        };
        levels.push_back({here, inverted ? nullptr : make_smoother(here, A, hierarchy.level(k), options.smoother),
                          nullptr, vector("x"), vector("b"), vector("r")});
    }
    return levels;
}

}  // namespace glsolve::inline v0_1
