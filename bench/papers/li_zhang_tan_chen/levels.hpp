/// What each level of a V cycle costs, on a device or on the processor.
#pragma once

#include <glsolve/multigrid.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cpu_cycle.hpp"
#include "device/backend.hpp"

namespace glsolve::bench::amg {

/// What is done once in a cycle.
struct Part {
    double seconds = 0;
    double passes = 0, bytes = 0;  ///< on a device, as PassTime has them

    Part& operator+=(const Part& other);
    /// Seconds if bytes moved as fast as a copy does and each pass took a little longer than that.
    double predicted(double copied_bytes_per_second) const;
    static constexpr double pass_seconds = 10e-6;
};

struct LevelCosts {
    Index rows = 0;
    Offset nonzeros = 0;
    std::string stored = {};  ///< the matrix's format on the device; none where only its inverse is used
    Part smoothing = {};      ///< down and up; on the coarsest level, all of the solution
    Part restriction = {};    ///< the residual, and its way to the next level
    Part interpolation = {};  ///< of the next level's correction to this one
    Part sweeps = {};         ///< of `smoothing`, those on the way up; nothing on the coarsest level
    Part product = {};        ///< y <- A x, which no cycle has; nothing on the coarsest level

    Part sum() const;  ///< of what a cycle has
};

struct CycleCosts {
    std::vector<LevelCosts> levels = {};
    Part whole = {};                     ///< a cycle, its levels one after the other
    double copied_bytes_per_second = 0;  ///< by the device, at the same time: busy machines are slower
    double transfer_seconds = 0;         ///< x, from the device to the host

    LevelCosts sum() const;  ///< over the levels; rows and format have no meaning
};

/// How long is measured.
enum class Care : std::uint8_t {
    usual,  ///< the median of some batches of 20 ms
    brief   ///< the least of three runs
};

/// Each thing by itself, repeated in a row: what levels leave in caches for one another does not count, and what they
/// find there is their own. `made`: the levels of A for these options, whose coarse unknowns are taken over. Throws
/// Error where the device has others.
CycleCosts device_costs(Backend& backend, CsrView A, const AmgOptions& options,
                        const std::shared_ptr<const Hierarchy>& made, Care care);
/// The same on the processor, on as many threads as the cycle uses.
CycleCosts core_costs(CpuCycle& core, Care care);

}  // namespace glsolve::bench::amg
