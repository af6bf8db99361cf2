/// What bench_amg_tables has found, as tables, as JSON and as a picture.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glsolve/device.hpp>
#include <glsolve/multigrid.hpp>
#include <string>
#include <vector>

#include "amg_levels.hpp"

namespace glsolve::bench {

/// Cycles as a solver, from x = 0.
struct CycleRun {
    double seconds = 0;
    std::int64_t cycles = 0;
    double residual = 0;  ///< |b - A x| / |b| in double precision
    std::string outcome;  ///< in one word
};

/// The same on a device and on one CPU core.
struct Pair {
    CycleRun device, core;

    double ratio() const { return core.seconds / device.seconds; }
};

struct HierarchyResult {
    std::string name;  ///< in a few words
    AmgOptions amg;
    HierarchyReport hierarchy;
    Pair fixed = {}, to_tolerance = {};
    CycleRun gradients =
        {};  ///< to the tolerance by conjugate gradients, the cycle their preconditioner, on the device
    CycleCosts costs = {};
};

/// What all hierarchies have in common.
struct Setting {
    DeviceInfo device;
    Index size = 1000;  ///< unknowns a side
    int cycles = 200;
    double tolerance = 1e-6;
    int rounds = 3;
};

/// Do the cycles on the device and on the core reach the tolerance after as many, give or take one?
bool reduce_alike(const HierarchyResult& result);

void print(const Setting& setting, const std::vector<HierarchyResult>& results);
/// Throws Error where the file cannot be written.
void write_json(const std::filesystem::path& file, const Setting& setting, const std::vector<HierarchyResult>& results);
/// Time over the rows of each level: the first result on the device and on the core, the last one on the device.
void plot(const std::filesystem::path& file, const Setting& setting, const std::vector<HierarchyResult>& results);

}  // namespace glsolve::bench
