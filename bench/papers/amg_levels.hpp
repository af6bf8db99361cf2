/// What each level of a V cycle costs, on a device and on one CPU core.
#pragma once

#include <glsolve/multigrid.hpp>
#include <string>
#include <vector>

#include "cpu_cycle.hpp"
#include "device/backend.hpp"

namespace glsolve::bench {

/// What is done once in a cycle.
struct Part {
    double device = 0, core = 0;  ///< seconds
    double passes = 0;            ///< on the device
    double bytes = 0;             ///< ... as PassTime has them

    Part& operator+=(const Part& other);
    /// Seconds on the device if bytes moved as fast as a copy does and each pass took a little longer than that.
    double predicted(double copied_bytes_per_second) const;
    static constexpr double pass_seconds = 10e-6;
};

struct LevelCosts {
    Index rows = 0;
    Offset nonzeros = 0;
    std::string stored;  ///< the matrix's format on the device; none where only its inverse is used
    Part smoothing;      ///< down and up; on the coarsest level, all of the solution
    Part restriction;    ///< the residual, and its way to the next level
    Part interpolation;  ///< of the next level's correction to this one

    Part sum() const;
};

struct CycleCosts {
    std::vector<LevelCosts> levels;
    Part whole;                          ///< a cycle, its levels one after the other
    double copied_bytes_per_second = 0;  ///< by the device, at the same time: busy machines are slower

    Part sum() const;  ///< of the levels
};

/// Each thing by itself, repeated in a row: what levels leave in caches for one another does not count, and what they
/// find there is their own. `core` is the same cycle on the CPU.
CycleCosts measure_cycle(Backend& backend, const CsrMatrix& A, const AmgOptions& options, CpuCycle& core);

/// Of several measurements of one cycle: the median of each time, and of the rates.
CycleCosts median_of(const std::vector<CycleCosts>& rounds);

}  // namespace glsolve::bench
