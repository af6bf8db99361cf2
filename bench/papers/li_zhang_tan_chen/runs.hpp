/// The paper's solves anew: many V cycles, and as many as a tolerance takes, on a device and on the processor.
#pragma once

#include <cstdint>
#include <glsolve/device.hpp>
#include <glsolve/multigrid.hpp>
#include <memory>
#include <string>
#include <vector>

#include "levels.hpp"

namespace glsolve::bench::amg {

/// Cycles as a solver, from x = 0 and b = 1.
struct CycleRun {
    double seconds = 0;
    std::int64_t cycles = 0;
    double residual = 0;       ///< |b - A x| / |b| in double precision
    std::string outcome = {};  ///< in one word
};

/// What all runs aim at.
struct Aim {
    int side = 1000;           ///< unknowns a side of the 5-point matrix
    int cycles = 200;          ///< of the long run, at most of the other
    int cycles_on_cores = 10;  ///< so many are timed where the processor does them; the time of the rest is inferred
    double tolerance = 1e-6;
    int rounds = 3;   ///< the least time counts
    int threads = 1;  ///< of all cores
    Care care = Care::usual;
};

/// A hierarchy, and its name in a few words.
struct Candidate {
    std::string name;
    AmgOptions amg;
    bool by_level;  ///< its levels are measured one by one, too
};

/// Falgout's coarsening, Jacobi over C and F unknowns, down to three rows, direct interpolation; single precision.
Candidate as_published();
inline constexpr Index early_end = 1500;
/// The same, but a level of at most `early_end` rows is solved by a product with its inverse.
Candidate ending_early();
/// What glsolve does where nothing else is asked for, with an inverse of the same size on all devices.
Candidate own_hierarchy();

/// On some of the processor's cores.
struct CoreRuns {
    CycleRun fixed = {}, to_tolerance = {};
};

/// A candidate's levels, and what the processor takes for them.
struct Peer {
    Candidate candidate;
    std::shared_ptr<const Hierarchy> hierarchy;
    CoreRuns one = {};
    CoreRuns all = {};      ///< all cores, or one where that takes less: threads wait for one another
    CycleCosts costs = {};  ///< of one core, by level
};
/// A must outlive what is returned.
Peer measure_peer(CsrView A, const Candidate& candidate, const Aim& aim);

/// On a device.
struct DeviceRuns {
    HierarchyReport hierarchy = {};
    double setup_seconds = 0;  ///< all of a solver's, with programs compiled before
    CycleRun fixed = {}, to_tolerance = {};
    CycleRun gradients = {};  ///< to the tolerance by conjugate gradients, a cycle their preconditioner
    CycleCosts costs = {};    ///< by level

    double hierarchy_seconds() const;  ///< of the set-up: the levels on the host, and the inverse
};
DeviceRuns measure_device(Device& device, CsrView A, const Peer& peer, const Aim& aim);

}  // namespace glsolve::bench::amg
