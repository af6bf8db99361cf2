#include "amg_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "copy_rate.hpp"
#include "formats/choose_format.hpp"
#include "matrix/scaling.hpp"
#include "measure.hpp"
#include "multigrid/algebraic_multigrid.hpp"
#include "preconditioners/preconditioner_table.hpp"

namespace glsolve::bench {
namespace {

constexpr Index copied_numbers = 1 << 24;  // more than caches hold

std::vector<float> random_numbers(Index n) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (float& number : numbers) number = uniform(random);
    return numbers;
}

/// A matrix and its hierarchy on the device, as a Solver has them.
class OnDevice {
  public:
    OnDevice(Backend& backend, const CsrMatrix& A, const AmgOptions& options)
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
                                         {.preconditioner = PreconditionerKind::amg, .amg = options}})) {}

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
        const std::vector<float> numbers = random_numbers(n);
        for (Vector* v : {&x, &b}) v->upload(numbers);
    }
    Vector x, b;
};

Part on_device(Backend& backend, const Work& work) {
    Part part{.device = seconds_of(Clock{.backend = &backend}, work)};
    backend.profile(true);
    work();
    backend.profile(false);
    for (const auto& [pass, time] : backend.profile()) {
        part.passes += static_cast<double>(time.calls);
        part.bytes += time.bytes;
    }
    return part;
}

void measure_device(Backend& backend, const CsrMatrix& A, const AmgOptions& options, int steps, CycleCosts& costs) {
    OnDevice device(backend, A, options);
    Cycle& cycle = device.cycle();
    const std::vector<Level>& levels = cycle.levels();
    std::vector<Vectors> vectors;
    vectors.reserve(levels.size());
    for (const Level& level : levels) vectors.emplace_back(backend, level.system.size);
    // First, since a device that has been idle begins slowly.
    costs.whole = on_device(backend, [&] { cycle.apply(vectors[0].x, vectors[0].b); });
    costs.copied_bytes_per_second = copied_bytes_per_second(backend, copied_numbers);
    for (std::size_t k = 0; k < levels.size(); ++k) {
        const Level& level = levels[k];
        Vectors& v = vectors[k];
        LevelCosts& cost = costs.levels.emplace_back();
        cost.rows = level.system.size;
        if (k + 1 == levels.size()) {
            if (level.smoother) cost.stored = device.stored(k);
            cost.smoothing = on_device(backend, [&] { cycle.solve_coarsest(v.x, v.b); });
            break;
        }
        cost.stored = device.stored(k);
        cost.smoothing = on_device(backend, [&] {
            level.smoother->smooth_from_zero(v.x, v.b, steps);
            level.smoother->smooth_adjoint(v.x, v.b, steps);
        });
        Vectors& coarse = vectors[k + 1];
        cost.restriction = on_device(backend, [&] { level.transfer->restrict_residual(coarse.b, coarse.x, v.b, v.x); });
        cost.interpolation = on_device(backend, [&] { level.transfer->prolong(v.x, coarse.x); });
    }
}

void measure_core(CpuCycle& core, CycleCosts& costs) {
    const Clock clock;  // no device
    costs.whole.core = seconds_of(clock, [&] { core.cycle(); });
    for (std::size_t i = 0; i < costs.levels.size(); ++i) {
        LevelCosts& cost = costs.levels[i];
        const int k = static_cast<int>(i);
        if (i + 1 == costs.levels.size()) {
            cost.smoothing.core = seconds_of(clock, [&] { core.smooth_from_zero(k); });
            break;
        }
        cost.smoothing.core = seconds_of(clock, [&] {
            core.smooth_from_zero(k);
            core.smooth_adjoint(k);
        });
        cost.restriction.core = seconds_of(clock, [&] { core.restrict_residual(k); });
        cost.interpolation.core = seconds_of(clock, [&] { core.interpolate(k); });
    }
}

/// The median of what `number` says of each round.
template <class Number>
double median_by(const std::vector<CycleCosts>& rounds, const Number& number) {
    std::vector<double> values;
    for (const CycleCosts& round : rounds) values.push_back(number(round));
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// `part` picks the same part of each round; bytes and passes are always the same.
template <class Pick>
void take_median(Part& taken, const std::vector<CycleCosts>& rounds, const Pick& part) {
    taken.device = median_by(rounds, [&](const CycleCosts& round) { return part(round).device; });
    taken.core = median_by(rounds, [&](const CycleCosts& round) { return part(round).core; });
}

}  // namespace

Part& Part::operator+=(const Part& other) {
    device += other.device;
    core += other.core;
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

Part CycleCosts::sum() const {
    Part all;
    for (const LevelCosts& level : levels) all += level.sum();
    return all;
}

CycleCosts measure_cycle(Backend& backend, const CsrMatrix& A, const AmgOptions& options, CpuCycle& core) {
    const Session session(backend);
    CycleCosts costs;
    measure_device(backend, A, options, core.steps(), costs);
    for (int k = 0; k < std::max(core.count(), static_cast<int>(costs.levels.size())); ++k) {
        const auto i = static_cast<std::size_t>(k);
        const Index here = i < costs.levels.size() ? costs.levels[i].rows : 0;
        const Index there = k < core.count() ? core.matrix(k).rows : 0;
        if (here != there)
            throw Error(fmt::format("level {} has {} rows on the device, {} on the CPU", k, here, there));
        costs.levels[i].nonzeros = core.matrix(k).nonzeros();
    }
    measure_core(core, costs);
    return costs;
}

CycleCosts median_of(const std::vector<CycleCosts>& rounds) {
    CycleCosts taken = rounds.front();
    taken.copied_bytes_per_second =
        median_by(rounds, [](const CycleCosts& round) { return round.copied_bytes_per_second; });
    take_median(taken.whole, rounds, [](const CycleCosts& round) { return round.whole; });
    for (std::size_t k = 0; k < taken.levels.size(); ++k) {
        for (Part LevelCosts::*part : {&LevelCosts::smoothing, &LevelCosts::restriction, &LevelCosts::interpolation}) {
            take_median(taken.levels[k].*part, rounds, [&](const CycleCosts& round) { return round.levels[k].*part; });
        }
    }
    return taken;
}

}  // namespace glsolve::bench
