/// How long a product takes on a device: a model of three numbers.
#pragma once

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// None on a processor and in the fragment stage: there the bytes that are fetched decide.
std::optional<ProductCosts> product_costs(const Backend& backend);

/// Seconds of a pass whose invocations go through `steps` nonzeros, one after the other, or their team together:
///     pass + sqrt((steps / team * step * rounds of invocations)^2 + (memory / rate)^2)
double product_seconds(const ProductCosts& costs, std::int64_t texels, int team, double steps, double memory);

/// How many nonzeros an invocation goes through without a team, one after the other.
struct ProductSteps {
    double longest = 0;  ///< where rows are longest, times what one takes beside a slot of `sell`
    double mean = 0;     ///< of all rows; it decides how large a team is
    int team = 0;        ///< known already; 0: by the mean
    bool in_teams = true, side_by_side = false;  // TeamWork
    double of_bytes = 1;                         ///< the time of a byte, beside one of sell
};

/// Sets `predicted_seconds`, where the costs are known, to those of all its passes.
void predict_seconds(FormatPrediction& prediction, const FormatInput& in, const ProductSteps& steps);

}  // namespace glsolve::inline v0_1
