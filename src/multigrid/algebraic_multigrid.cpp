#include "multigrid/algebraic_multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <glsolve/error.hpp>
#include <optional>

#include "amg/check_amg.hpp"
#include "device/open_backend.hpp"
#include "formats/transfer.hpp"
#include "multigrid/block_levels.hpp"
#include "multigrid/coarse_inverse.hpp"
#include "multigrid/levels_on_host.hpp"
#include "multigrid/sparse_levels.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int usual_steps = 3;  // of the smoother

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

/// Levels for A: new ones, or those that are `known`, with A's numbers.
std::shared_ptr<Hierarchy> make_hierarchy(CsrView A, bool symmetric, const AmgOptions& options, Index coarsest,
                                          const Hierarchy* known) {
    if (known == nullptr || !known->takes(symmetric)) {
        return std::make_shared<Hierarchy>(A, options, coarsest, symmetric);
    }
    auto made = std::make_shared<Hierarchy>(*known);  // a copy: should this fail, others have what they had
    made->update(A);
    return made;
}

/// Of what the coarsest level has become: a level whose matrix single precision can hold the inverse of. Where it
/// cannot, the inverse would not be positive definite, and coarser levels follow as long as there are any. None where
/// even the last one is too large, or too ill-conditioned.
std::optional<HostInverse> invert_coarsest(Hierarchy& hierarchy, const AssembledSystem& system) {
    for (;;) {
        const int last = hierarchy.count() - 1;
        const CsrView A = hierarchy.matrix(last);
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

/// The first level that the host works on; as many as there are levels where there is none.
std::size_t first_on_host(const HierarchyReport& report) {
    const auto first = std::find_if(report.levels.begin(), report.levels.end(),
                                    [](const LevelReport& level) { return level.on_host; });
    return static_cast<std::size_t>(first - report.levels.begin());
}

std::string host_in_words(const AmgOptions& options, const HierarchyReport& report) {
    if (options.host_rows == 0) return "";
    const std::size_t first = first_on_host(report);
    if (first < report.levels.size()) return fmt::format("; the host works on the levels from {} on", first);
    return fmt::format("; no level is on the host: behind the finest none has {} rows or fewer", options.host_rows);
}

std::vector<double> reciprocals(std::span<const double> scale) {
    std::vector<double> made(scale.begin(), scale.end());
    for (double& s : made) s = 1 / s;
    return made;
}

/// P goes from S_c y_c to S^-1 x: what is S A S on one level is S_c (P^T A P) S_c on the next.
class SparseTransfer final : public LevelTransfer {
  public:
    /// From a level of a hierarchy, whose matrix is A, to the next. `errors`: of all levels; half precision holds the
    /// numbers where that does them no harm, and never where there are none.
    static std::unique_ptr<SparseTransfer> make(const AssembledSystem& fine, const Hierarchy& hierarchy, int k,
                                                std::span<const double> coarse_scale,
                                                std::span<const SmoothErrors> errors) {
        const AmgLevel& level = hierarchy.level(k);
        const std::vector<double> reciprocal = reciprocals(fine.scale);
        const TransferInput P{level.P, reciprocal, coarse_scale, level.points.size, level.blocks.size};
        const TransferInput Pt{level.Pt, coarse_scale, reciprocal, P.columns, P.rows};
        if (errors.empty() || !has_many_numbers(level.P, level.points.size))
            return std::make_unique<SparseTransfer>(fine, P, Pt);
        const auto here = static_cast<std::size_t>(k);
        const std::vector<double> rounded = rounded_numbers(P, errors[here + 1]);
        if (rounding_of_transfer(level.P, rounded, diagonal(hierarchy.matrix(k)), errors[here], errors[here + 1])
            > harmless_rounding) {
            return std::make_unique<SparseTransfer>(fine, P, Pt);
        }
        const std::vector<double> transposed = transposed_numbers(level.P, rounded, level.Pt);
        return std::make_unique<SparseTransfer>(
            fine, TransferInput{level.P, reciprocal, coarse_scale, P.rows, P.columns, true, rounded},
            TransferInput{level.Pt, coarse_scale, reciprocal, P.columns, P.rows, true, transposed});
    }
    SparseTransfer(const AssembledSystem& fine, const TransferInput& P, const TransferInput& Pt)
        : A_(fine.A),
          r_(fine.backend, fine.size, "r"),
          halves_(P.halves),
          prolongation_(make_transfer(fine.backend, P)),
          restriction_(make_transfer(fine.backend, Pt)) {}

    void restrict_residual(Vector& coarse, Vector& /*coarse_x*/, const Vector& b, const Vector& x) override {
        A_.residual(r_, b, x);
        restriction_.multiply(coarse, r_);
    }
    void prolong(Vector& fine, const Vector& coarse) override { prolongation_.add(fine, coarse); }
    bool halves() const { return halves_; }

  private:
    AssembledMatrix& A_;
    Vector r_;
    bool halves_;
    Transfer prolongation_, restriction_;
};

}  // namespace

AlgebraicMultigrid::AlgebraicMultigrid(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                       const Slicing& slicing, const Hierarchy* known)
    : symmetric_(system.symmetric),
      unfit_smoother_(options.smoother == MultigridSmoother::chebyshev && !system.symmetric) {
    check_amg(options, A.rows);
    if (options.cycle == MultigridCycle::k && !system.symmetric) {
        throw InvalidInput(
            "amg: the K cycle makes steps of conjugate gradients, and this matrix is not symmetric: v, w");
    }
    if (take_levels_of_passes(system, A, options)) return;
    const std::shared_ptr<Hierarchy> made =
        make_hierarchy(A, system.symmetric, options, rows_of_coarsest(options), known);
    Hierarchy& hierarchy = *made;
    const auto before_inverse = Clock::now();
    const std::optional<HostInverse> inverse = invert_coarsest(hierarchy, system);
    const double inverse_seconds = seconds_since(before_inverse);
    std::string why_host = std::move(report_.why_host);
    report_ = hierarchy.report();
    report_.why_host = std::move(why_host);
    report_.coarse_seconds = inverse_seconds;

    const auto begin = Clock::now();
    std::vector<Level> levels = upload(hierarchy, system, options, slicing, inverse);
    const int steps = options.steps > 0 ? options.steps : usual_steps;
    std::unique_ptr<CoarseSolver> coarsest;
    if (inverse) coarsest = std::make_unique<CoarseInverse>(levels.back().system.backend, *inverse);
    if (host_) coarsest = leave_to_host(levels, first_on_host(report_), std::move(coarsest), options.cycle, steps);
    report_.coarsest =
        in_words(hierarchy.matrix(hierarchy.count() - 1).rows, inverse) + host_in_words(options, report_);
    report_.upload_seconds = seconds_since(begin);
    cycle_ = std::make_unique<Cycle>(std::move(levels), std::move(coarsest), options.cycle, steps);
    hierarchy.forget_numbers();
    structure_ = made;
}

/// False where the device cannot make them, or is not asked to.
bool AlgebraicMultigrid::take_levels_of_passes(const AssembledSystem& system, CsrView A, const AmgOptions& options) {
    if (!asks_for_passes(options, system.backend.can(), A.rows)) return false;
    const auto is_left_to_host = [&](std::string_view why) {
        if (options.setup == MultigridSetup::device) report_.why_host = why;
        return false;
    };
    if (A.rows <= rows_of_coarsest(options)) return is_left_to_host("there is one level");
    if (!can_be_made_by_passes(options, A.rows, system.symmetric)) {
        return is_left_to_host(
            "passes make levels of symmetric matrices, by smoothed aggregation, with the smoother chebyshev");
    }
    const bool of_any = makes_sparse_levels(system.backend.can()), of_grid = has_one_constant(options);
    std::string why = "here passes make levels of grids only: other matrices need a compute stage that is no software";
    try {
        const Index enough = rows_of_coarsest(options);
        std::optional<DeviceLevels> made;
        if (of_grid && options.on_lattice) made = make_lattice_levels(system, A, options, enough);
        if (!made && of_any && of_grid) made = make_sparse_levels(system, A, options, enough, why);
        if (of_any && !of_grid) made = make_block_levels(system, A, options, enough, why);
        if (!made) return is_left_to_host(why);
        const auto begin = Clock::now();
        auto coarsest = std::make_unique<CoarseInverse>(system.backend, made->inverse);
        cycle_ = std::make_unique<Cycle>(std::move(made->levels), std::move(coarsest), options.cycle,
                                         options.steps > 0 ? options.steps : usual_steps);
        by_passes_ = std::move(made->coarse);
        report_ = std::move(made->report);
        report_.coarsest = in_words(made->inverse.size, made->inverse);
        report_.upload_seconds += seconds_since(begin);
        return true;
    } catch (const DeviceError& error) {
        return is_left_to_host(error.what());
    } catch (const InvalidInput& error) {  // textures are too small
        return is_left_to_host(error.what());
    }
}

std::string AlgebraicMultigrid::advice() const {
    if (unfit_smoother_) {
        return "amg: the smoother chebyshev may amplify where the matrix is not symmetric; l1-jacobi, which auto takes "
               "then, does not";
    }
    if (symmetric_) return {};
    return "amg may do worse than jacobi where the matrix is not symmetric: preconditioner jacobi, or coarsening "
           "aggregation, may solve it";
}

std::vector<Level> AlgebraicMultigrid::upload(const Hierarchy& hierarchy, const AssembledSystem& system,
                                              const AmgOptions& options, const Slicing& slicing,
                                              const std::optional<HostInverse>& inverse) {
    if (first_on_host(report_) < report_.levels.size()) host_ = open_backend({.backend = BackendKind::host});
    const int last = hierarchy.count() - 1;
    // Without an inverse nobody knows how smooth errors are.
    std::vector<SmoothErrors> errors;
    if (options.half_floats && inverse && last > 0) {
        const AmgLevel& finest = hierarchy.level(0);
        errors = smooth_errors(hierarchy, *inverse, coarse_scaling(hierarchy.matrix(last)),
                               has_many_numbers(finest.P, finest.points.size) ? 0 : 1);
    }
    const auto errors_of = [&](int k) { return errors.empty() ? nullptr : &errors[static_cast<std::size_t>(k)]; };
    std::vector<Level> levels;
    for (int k = 0; k < hierarchy.count(); ++k) {
        const CsrView A = hierarchy.matrix(k);
        Backend& backend = report_.levels[static_cast<std::size_t>(k)].on_host ? *host_ : system.backend;
        if (k > 0) {
            coarse_.push_back(std::make_unique<CoarseSystem>(backend, A, system.symmetric, k, slicing,
                                                             k < last || !inverse ? errors_of(k) : nullptr));
            report_.levels[static_cast<std::size_t>(k)].stored = coarse_.back()->stored();
        }
        const AssembledSystem& here = k == 0 ? system : coarse_.back()->system();
        if (k > 0) {
            auto transfer = SparseTransfer::make(levels.back().system, hierarchy, k - 1, here.scale, errors);
            std::string& stored = report_.levels[static_cast<std::size_t>(k - 1)].stored;
            if (transfer->halves()) stored += stored.empty() ? "transfer half" : ", transfer half";
            levels.back().transfer = std::move(transfer);
        }
        const auto vector = [&](const char* what, bool is_used) {
            return Vector(backend, is_used ? A.rows : 0, fmt::format("{} of level {}", what, k));
        };
        levels.push_back({here,
                          inverse && k == last ? nullptr : make_smoother(here, A, hierarchy.level(k), options.smoother),
                          nullptr, vector("x", k > 0), vector("b", k > 0)});
    }
    return levels;
}

}  // namespace glsolve::inline v0_1
