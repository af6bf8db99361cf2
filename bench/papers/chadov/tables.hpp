/// Chadov's tables 1 and 2: what is printed, what devices and cores do here, and the headlines.
#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "cores.hpp"
#include "forms.hpp"

namespace glsolve::bench::chebyshev {

constexpr double chadov_tolerance = 1e-5;

/// Iterations and milliseconds as printed.
struct Printed {
    int iterations = 0;
    double milliseconds = 0;
};
struct PrintedTable {
    int number, rows;
    Printed naive, optimised, stochastic, processor, bicgstab;
};
inline constexpr std::array printed_tables{
    PrintedTable{1, 39204, {869, 265}, {864, 131}, {768, 101}, {869, 1400}, {41, 49}},
    PrintedTable{2, 350000, {2747, 2900}, {2656, 2311}, {1247, 2111}, {2747, 10656}, {86, 250}}};

/// A system that stands for one of the paper's, and how cores do on it.
struct Grid {
    Grid(Index side, const PrintedTable& table, const Setting& setting);
    std::string rows() const;

    const PrintedTable& printed;
    ChadovSystem system;
    CoreChebyshev::Run one, all;
};

/// What a device does with a grid.
struct DeviceRuns {
    ChadovRun naive, optimised;
    ChadovRun without_waits;                          // the naive form's passes, tested on the device
    std::vector<std::pair<ChadovRun, Printed>> rows;  // of the table, these included
    std::optional<ChadovRun> chaotic;
    std::vector<std::string> remarks;
};

DeviceRuns run_forms(NamedDevice& device, const Grid& grid, int rounds);
/// Some steps of the naive and of the optimised form, and the time scaled to as many as the cores take; and BiCGStab.
DeviceRuns run_sample(NamedDevice& device, const Grid& grid);

void add_table(Section& section, const NamedDevice& device, const Grid& grid, const DeviceRuns& runs, int threads);
void add_claims(Section& section, NamedDevice& device, const Grid& grid, const DeviceRuns& runs);
/// The paper's outlook: BiCGStab first, then the Chebyshev iteration.
void add_combination(Section& section, NamedDevice& device, const Grid& grid, int rounds);

}  // namespace glsolve::bench::chebyshev
