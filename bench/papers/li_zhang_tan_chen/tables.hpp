/// What runs.hpp measures, as tables and a figure, beside what the paper prints.
#pragma once

#include <string>
#include <vector>

#include "report/report.hpp"
#include "runs.hpp"

namespace glsolve::bench::amg {

/// A hierarchy on the processor and on a device.
struct AmgResult {
    const Peer& peer;
    DeviceRuns device;

    const std::string& name() const { return peer.candidate.name; }
};

/// The time of all cycles, and of a solve to the tolerance: device, one core, all cores.
Table fixed_table(const Aim& aim, const std::vector<AmgResult>& results);
Table tolerance_table(const Aim& aim, const std::vector<AmgResult>& results);
/// Each level's smoothing, restriction and interpolation; beside the paper's level with about as many rows if
/// `with_paper`.
Table parts_table(const AmgResult& result, bool with_paper);
/// Each level as a whole.
Table levels_table(const AmgResult& result, bool with_paper);
/// The first level from which on one core takes less than the device; -1: there is none.
int first_slower_level(const AmgResult& result);
/// Millions of floating-point operations a second: the paper's table 2.
Table rates_table(const AmgResult& result);
/// Phases of a solve, and parts of a cycle, of what was measured by level: the paper's tables 3 and 4.
Table phases_table(const std::vector<AmgResult>& results);
/// Time over the rows of each level.
Figure levels_figure(const std::string& where, const AmgResult& published, const AmgResult& own);
/// The paper's appendix.
Table appendix_table();

}  // namespace glsolve::bench::amg
