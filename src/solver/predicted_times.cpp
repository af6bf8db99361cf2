#include "solver/predicted_times.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

DeviceSpeed speed_of(Backend& backend) {
    const Capabilities can = backend.can();
    const double cores = std::clamp(usable_cores(), 1, 8);
    // Rates are those of passes that wait for nothing; those of a solve wait for each other.
    constexpr double least_of_gpu = 3e-6;
    DeviceSpeed speed;
    if (can.by_numbers) {
        speed = {.pass_seconds = 2.5e-6, .bytes_per_second = 6e9 * cores, .start_seconds = 0.02};
    } else if (can.on_processor) {
        speed = {.pass_seconds = 6e-5, .bytes_per_second = 3e9 * cores, .start_seconds = 0.02};
    } else {
        speed = {.pass_seconds = least_of_gpu, .bytes_per_second = 1.5e12, .start_seconds = 0.015};
    }
    speed.cores = usable_cores();
    for (const StageInfo& rates : backend.info().stages) {
        if (rates.stage != backend.info().stage) continue;
        if (rates.pass_seconds > 0) speed.pass_seconds = rates.pass_seconds;
        if (!can.on_processor) speed.pass_seconds = std::max(speed.pass_seconds, least_of_gpu);
        if (rates.update_bytes_per_second > 0) speed.bytes_per_second = rates.update_bytes_per_second;
    }
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
    // Of GMRES half a basis of 32 is read four times.
    const double alone = is_gmres(method)             ? iteration({.products = 1, .vectors = 64, .passes = 16})
                         : method == Method::bicgstab ? iteration({.products = 2, .vectors = 20, .passes = 16})
                                                      : cg(1);
    switch (preconditioner) {
        case PreconditionerKind::amg:
        case PreconditionerKind::multigrid:
        case PreconditionerKind::saddle:
            return alone + cycles(1);
        case PreconditionerKind::ilut:
            return alone * usual_factors;
        default:
            return alone;
    }
}

/// A V cycle takes some eight products with A, and sixteen passes on each of some six levels.
double PredictedTimes::cycles(int iterations) const {
    return iterations * iteration({.products = 9, .vectors = 10, .passes = 96});
}

// Measured for grids and meshes of 10^4 to 10^6 rows (docs/measurements/auto-2026-11-29.md). What does not suit takes
// 30 to 1100 cycles.
double PredictedTimes::amg(bool suits) const {
    const double nonzeros = static_cast<double>(A_.nonzeros());
    return 0.02 + 3.4e-7 * nonzeros / std::clamp(speed_.cores, 1, 4) + cycles(suits ? 15 : 300);
}

// Measured on an H200 (docs/measurements/multigrid-setup-2026-11-30.md).
double PredictedTimes::amg_on_device() const { return 0.008 + 5e-9 * static_cast<double>(A_.nonzeros()) + cycles(10); }
double PredictedTimes::any_amg_on_device(bool suits) const {
    return 0.012 + 1.1e-8 * static_cast<double>(A_.nonzeros()) + cycles(suits ? 15 : 300);
}

double PredictedTimes::saddle() const { return amg(true) + cycles(35); }

// Measured on 2 and on 16 cores (docs/measurements/multigrid-setup-2026-11-30.md).
double PredictedTimes::multigrid() const {
    const double nonzeros = static_cast<double>(A_.nonzeros());
    return 0.01 + 1.4e-7 * nonzeros / std::clamp(speed_.cores, 1, 16) + cycles(12);
}

}  // namespace glsolve::inline v0_1
