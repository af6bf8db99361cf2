#include "formats/product_costs.hpp"

#include <algorithm>
#include <cmath>

#include "formats/team.hpp"

namespace glsolve::inline v0_1 {

/// Fitted to an H100 (docs/measurements/formats-2026-11-27.md), where a step waits for the second-level cache.
std::optional<ProductCosts> product_costs(const Backend& backend) {
    if (!has_teams(backend)) return {};
    constexpr double pass_in_graph = 2.6e-6, pass_alone = 5.6e-6, step = 0.35e-6;
    constexpr double usual_rate = 2.4e12, of_update = 0.7;  // a product reaches that much of what an update does
    const std::vector<StageInfo>& stages = backend.info().stages;
    const double rate = stages.empty() ? 0 : of_update * stages.back().update_bytes_per_second;
    return ProductCosts{.pass = backend.can().graphs ? pass_in_graph : pass_alone,
                        .step = step,
                        .bytes_per_second = rate > 0 ? rate : usual_rate};
}

double product_seconds(const ProductCosts& costs, std::int64_t texels, int team, double steps, double memory) {
    const double rounds = std::max(1.0, static_cast<double>(texels) * team / invocations_at_work);
    return costs.pass + std::hypot(steps / team * costs.step * rounds, memory / costs.bytes_per_second);
}

void predict_seconds(FormatPrediction& p, const FormatInput& in, const ProductSteps& steps) {
    if (!in.costs) return;
    const std::int64_t texels = layout_of(in.A.rows).extent().texels();
    const TeamWork work{.slots = steps.mean, .texels = texels, .side_by_side = steps.side_by_side};
    const int team = steps.team > 0 ? steps.team : steps.in_teams ? best_team(work) : 1;
    p.predicted_seconds = (p.passes - 1) * in.costs->pass
                          + product_seconds(*in.costs, texels, team, steps.longest, steps.of_bytes * p.memory);
}

}  // namespace glsolve::inline v0_1
