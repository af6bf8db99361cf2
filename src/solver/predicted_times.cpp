#include "solver/predicted_times.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "device/rates.hpp"

namespace glsolve::inline v0_1 {

DeviceSpeed speed_of(Backend& backend) {
    DeviceSpeed speed{.cores = usable_cores()};
    if (backend.can().by_numbers) {
        speed.bytes_per_second = 6e9 * std::clamp(speed.cores, 1, 8);
        return speed;
    }
    const StageInfo rates = remembered_rates(backend, backend.info().stage, RatesOf::all);
    if (rates.pass_seconds > 0) speed.pass_seconds = rates.pass_seconds;
    if (rates.update_bytes_per_second > 0) speed.bytes_per_second = rates.update_bytes_per_second;
    return speed;
}

double PredictedTimes::iteration(const Iteration& takes) const {
    constexpr double bytes_a_number = 4, bytes_an_entry = 8;  // with its column
    const double matrix = bytes_an_entry * static_cast<double>(A_.nonzeros());
    const double vector = bytes_a_number * A_.rows;
    const double bytes = takes.products * (matrix + 2 * vector) + takes.vectors * vector;
    return takes.passes * speed_.pass_seconds + bytes / speed_.bytes_per_second;
}

double PredictedTimes::iteration(Method method, PreconditionerKind preconditioner) const {
    constexpr double usual_factors = 3;  // times the nonzeros of A
    const double alone = is_gmres(method) ? gmres(1) : cg(1);
    switch (preconditioner) {
        case PreconditionerKind::amg:
        case PreconditionerKind::multigrid:
            return alone + cycles(1);
        case PreconditionerKind::ilut:
            return alone * usual_factors;
        default:
            return alone;
    }
}

/// A V cycle takes some eight products with A, and ten passes on each of some six levels.
double PredictedTimes::cycles(int iterations) const {
    return iterations * iteration({.products = 9, .vectors = 10, .passes = 60});
}

// Measured for grids and meshes of 10^4 to 10^6 rows (docs/measurements/auto-2026-11-29.md).
double PredictedTimes::amg(bool suits) const {
    const double nonzeros = static_cast<double>(A_.nonzeros());
    return 0.02 + 3.4e-7 * nonzeros / std::clamp(speed_.cores, 1, 4) + cycles(suits ? 15 : 2000);
}

double PredictedTimes::multigrid() const {
    const double nonzeros = static_cast<double>(A_.nonzeros());
    return 0.01 + 1.4e-7 * nonzeros / std::clamp(speed_.cores, 1, 4) + cycles(12);
}

}  // namespace glsolve::inline v0_1
