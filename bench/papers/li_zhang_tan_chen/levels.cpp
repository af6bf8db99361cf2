#include "levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>

#include "copy_rate.hpp"
#include "device_clock.hpp"
#include "formats/choose_format.hpp"
#include "matrix/scaling.hpp"
#include "multigrid/algebraic_multigrid.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "random_numbers.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::amg {
namespace {

constexpr Index copied_numbers = 1 << 24;  // more than caches hold

/// A matrix and its hierarchy on the device, as a Solver has them.
class OnDevice {
  public:
    OnDevice(Backend& backend, CsrView A, const AmgOptions& options, std::shared_ptr<const Hierarchy> made)
        : scale_(choose_scaling(A, ScalingRule::always)),
          stored_(make_format(backend,
                              {.A = A,
                               .scale = scale_,
                               .slicing = {},
                               .max_texture_size = backend.info().max_texture_size,
                               .low_parts = false},
                              FormatKind::automatic)),
          made_(amg_preconditioner.make({{System{.backend = backend,
                                                 .A = *stored_.matrix,
                                                 .size = A.rows,
                                                 .infinity_norm = infinity_norm(A, scale_),
                                                 .symmetric = asymmetry(A) < 1e-10,
                                                 .scale = scale_},
                                          *stored_.matrix},
                                         A,
                                         {.preconditioner = PreconditionerKind::amg, .amg = options},
                                         {.hierarchy = std::move(made)}})) {}

    Cycle& cycle() { return dynamic_cast<AlgebraicMultigrid&>(*made_.own).cycle(); }
    std::string stored(std::size_t level) const {
        if (level == 0) return std::string(name(stored_.choice.format));
        return made_.hierarchy.levels[level].stored;
    }

  private:
    std::vector<double> scale_;
    ChosenFormat stored_;
    MadePreconditioner made_;
};

/// Vectors of a level's length: its own belong to the cycle.
struct Vectors {
    Vectors(Backend& backend, Index n) : x(backend, n, "x"), b(backend, n, "b") {
        const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(n));
        for (Vector* v : {&x, &b}) v->upload(numbers);
    }
    Vector x, b;
};

double seconds_of(const Work& work, Backend* backend, Care care) {
    if (care == Care::usual) return seconds_of(DeviceClock{.backend = backend}, work);
    double least = HUGE_VAL;
    work();  // compiles and allocates
    for (int run = 0; run < 3; ++run) {
        if (backend != nullptr) backend->finish();
        const auto begin = Clock::now();
        work();
        if (backend != nullptr) backend->finish();
        least = std::min(least, seconds_since(begin));
    }
    return least;
}

/// Times work on a device, and counts its passes.
class DeviceWatch {
  public:
    DeviceWatch(Backend& backend, Care care) : backend_(backend), care_(care) {}

    Part operator()(const Work& work) const {
        Part part{.seconds = seconds_of(work, &backend_, care_)};
        backend_.profile(true);
        work();
        backend_.profile(false);
        for (const auto& [pass, time] : backend_.profile()) {
            part.passes += static_cast<double>(time.calls);
            part.bytes += time.bytes;
        }
        return part;
    }

  private:
    Backend& backend_;
    Care care_;
};

void check_alike(const std::vector<Level>& levels, const Hierarchy& made) {
    for (int k = 0; k < std::max(static_cast<int>(levels.size()), made.count()); ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Index here = i < levels.size() ? levels[i].system.size : 0;
        const Index there = k < made.count() ? made.matrix(k).rows : 0;
        if (here != there)
            throw Error(fmt::format("level {} has {} rows on the device, {} on the processor", k, here, there));
    }
}

}  // namespace

Part& Part::operator+=(const Part& other) {
    seconds += other.seconds;
    passes += other.passes;
    bytes += other.bytes;
    return *this;
}

double Part::predicted(double copied_bytes_per_second) const {
    return bytes / copied_bytes_per_second + pass_seconds * passes;
}

Part LevelCosts::sum() const {
    Part all = smoothing;
    all += restriction;
    return all += interpolation;
}

LevelCosts CycleCosts::sum() const {
    LevelCosts all;
    for (const LevelCosts& level : levels) {
        all.nonzeros += level.nonzeros;
        for (Part LevelCosts::*part : {&LevelCosts::smoothing, &LevelCosts::restriction, &LevelCosts::interpolation,
                                       &LevelCosts::sweeps, &LevelCosts::product}) {
            all.*part += level.*part;
        }
    }
    return all;
}

CycleCosts device_costs(Backend& backend, CsrView A, const AmgOptions& options,
                        const std::shared_ptr<const Hierarchy>& made, Care care) {
    const Session session(backend);
    OnDevice device(backend, A, options, made);
    Cycle& cycle = device.cycle();
    const std::vector<Level>& levels = cycle.levels();
    check_alike(levels, *made);
    std::vector<Vectors> vectors;
    vectors.reserve(levels.size());
    for (const Level& level : levels) vectors.emplace_back(backend, level.system.size);
    const DeviceWatch watch(backend, care);
    CycleCosts costs;
    // First, since a device that has been idle begins slowly.
    costs.whole = watch([&] { cycle.apply(vectors[0].x, vectors[0].b); });
    costs.copied_bytes_per_second = copied_bytes_per_second(backend, care == Care::usual ? copied_numbers : A.rows);
    costs.transfer_seconds = seconds_of([&] { vectors[0].x.download_texels(); }, &backend, care);
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const Level& level = levels[k];
        Vectors& v = vectors[k];
        LevelCosts& cost = costs.levels.emplace_back();
        cost.rows = level.system.size;
        cost.nonzeros = made->matrix(static_cast<int>(k)).nonzeros();
        if (level.smoother) cost.stored = device.stored(k);
        if (k + 1 == levels.size()) {
            cost.smoothing = watch([&] { cycle.solve_coarsest(v.x, v.b); });
            break;
        }
        cost.smoothing = watch([&] {
            level.smoother->smooth_from_zero(v.x, v.b, options.steps);
            level.smoother->smooth_adjoint(v.x, v.b, options.steps);
        });
        Vectors& coarse = vectors[k + 1];
        cost.restriction = watch([&] { level.transfer->restrict_residual(coarse.b, coarse.x, v.b, v.x); });
        cost.interpolation = watch([&] { level.transfer->prolong(v.x, coarse.x); });
        cost.sweeps = watch([&] { level.smoother->smooth_adjoint(v.x, v.b, options.steps); });
        cost.product = watch([&] { level.system.A.multiply(v.b, v.x); });
    }
    return costs;
}

CycleCosts core_costs(CpuCycle& core, Care care) {
    const auto watch = [&](const Work& work) { return Part{.seconds = seconds_of(work, nullptr, care)}; };
    CycleCosts costs;
    costs.whole = watch([&] { core.cycle(); });
    for (int k = 0; k < core.count(); ++k) {
        LevelCosts& cost = costs.levels.emplace_back();
        cost.rows = core.matrix(k).rows;
        cost.nonzeros = core.matrix(k).nonzeros();
        if (k + 1 == core.count()) {
            cost.smoothing = watch([&] { core.smooth_from_zero(k); });
            break;
        }
        cost.smoothing = watch([&] {
            core.smooth_from_zero(k);
            core.smooth_adjoint(k);
        });
        cost.restriction = watch([&] { core.restrict_residual(k); });
        cost.interpolation = watch([&] { core.interpolate(k); });
        cost.sweeps = watch([&] { core.smooth_adjoint(k); });
        cost.product = watch([&] { core.multiply(k); });
    }
    return costs;
}

}  // namespace glsolve::bench::amg
