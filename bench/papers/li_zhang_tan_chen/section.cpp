// J. Li, X. Zhang, G. Tan and M. Chen, algebraic multigrid on the GPU (2011): 200 V cycles and a solve to 1e-6 on the
// 5-point matrix with 1,000,000 rows, and what each level of a cycle takes, on a device, one core and all cores. The
// hierarchy as published (Falgout, Jacobi over C and F unknowns, all levels on the device), the same ending early in an
// inverse, and glsolve's own.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <glsolve/generate.hpp>

#include "papers.hpp"
#include "printed.hpp"
#include "tables.hpp"

namespace glsolve::bench::amg {
namespace {

Aim aim_of(const Bench& bench) {
    return {.side = bench.pick(1000, 64),
            .cycles = bench.pick(200, 20),
            .rounds = bench.pick(bench.setting.rounds, 1),
            .threads = bench.setting.threads,
            .care = bench.pick(Care::usual, Care::brief)};
}

void add_introduction(Section& section, const Aim& aim) {
    section.blocks.emplace_back(Text{fmt::format(
        "The 5-point matrix of {0} x {0} unknowns{1}, b = 1, x from 0; V cycles are the solver. Three hierarchies. `as "
        "published`: Falgout coarsening, direct interpolation, one step of Jacobi over C, then F unknowns (upwards the "
        "other way round), all levels on the device, single precision. `the same, ending early`: a level of at most "
        "1,500 rows is solved by one product with its inverse. `glsolve's own`: what `--preconditioner amg` does, "
        "ending in an inverse of as many rows.",
        aim.side, aim.side == 1000 ? "" : ", fewer than the paper's 1000 x 1000")});
    section.blocks.emplace_back(Text{fmt::format(
        "The processor runs the same cycles in double precision: compressed rows, plain loops, -O3 -march=native, on "
        "one core and with OpenMP on all {}; loops that are too small for threads stay on one, and where all cores "
        "take longer than one, one core's time stands for theirs. That was timed once, for all devices: {} cycles, "
        "from which the time of {} was inferred. Devices that compute on the processor (OpenGL by llvmpipe, the host) "
        "run as few cycles, once, and their levels were timed briefly; GPUs run all cycles.{}",
        aim.threads, aim.cycles_on_cores, aim.cycles,
        aim.rounds > 1 ? fmt::format(" Least of {} rounds (of two on the processor).", aim.rounds) : "")});
    section.blocks.emplace_back(Heading{
        "The paper's appendix: each level on its GPU and on one core (on which of its machines it does not say)"});
    section.blocks.emplace_back(Text{
        "Microseconds; smoothing is down and up; interpolation is moved to the level that it leads to. The last level "
        "is solved."});
    section.blocks.emplace_back(appendix_table());
}

void add_totals(Section& section, const std::string& where, const Aim& aim, const std::vector<AmgResult>& results) {
    section.blocks.emplace_back(Heading{fmt::format("{}: {} cycles", where, aim.cycles)});
    section.blocks.emplace_back(Text{fmt::format(
        "Table 1. Nothing is read back before the end; the paper reads u after each cycle. The paper's times are those "
        "of 200 cycles with 1,000,000 rows.{}",
        aim.cycles == 200 && aim.side == 1000 ? "" : " Only ratios can be compared.")});
    section.blocks.emplace_back(fixed_table(aim, results));
    section.blocks.emplace_back(Heading{fmt::format("{}: to 1e-6", where)});
    section.blocks.emplace_back(Text{
        "Figure 8. x comes back after each cycle, as in the paper, and the host has its true residual before the "
        "next one begins. On a GPU that takes several times as long as the cycle. In the last columns the cycle is the "
        "preconditioner of conjugate gradients, and x comes back at the end."});
    section.blocks.emplace_back(tolerance_table(aim, results));
}

std::string in_words(const AmgResult& result) {
    const int first = first_slower_level(result);
    if (first < 0) return "No level at the end of the hierarchy is quicker on one core.";
    return fmt::format(
        "From level {} on ({} rows) one core is quicker; the paper's is from its level 3 on (125,000 rows).", first,
        result.device.costs.levels[static_cast<std::size_t>(first)].rows);
}

void add_levels(Section& section, const std::string& where, const AmgResult& result, bool with_paper) {
    section.blocks.emplace_back(Heading{fmt::format("{}: level by level, {}", where, result.name())});
    section.blocks.emplace_back(Text{
        fmt::format("Microseconds of a cycle, each thing by itself and repeated; restriction includes the residual. "
                    "{}Predicted: the bytes of the passes at the {:.3g} GB/s of a copy, and {:g} us a pass. {}",
                    with_paper ? "The paper's numbers are those of its level with about as many rows. " : "",
                    1e-9 * result.device.costs.copied_bytes_per_second, 1e6 * Part::pass_seconds, in_words(result))});
    section.blocks.emplace_back(parts_table(result, with_paper));
    section.blocks.emplace_back(levels_table(result, with_paper));
}

void add_rates_and_phases(Section& section, const std::string& where, const std::vector<AmgResult>& results) {
    section.blocks.emplace_back(Heading{fmt::format("{}: table 2, MFLOP/s, {}", where, results.front().name())});
    section.blocks.emplace_back(Text{
        "Relaxation: the sweep on the way up, F then C, two operations for each nonzero. Product: y = A x. The paper's "
        "relaxation is a mean of both ways; how it counts operations it does not say."});
    section.blocks.emplace_back(rates_table(results.front()));
    section.blocks.emplace_back(
        Heading{fmt::format("{}: tables 3 and 4, phases of a solve and parts of a cycle", where)});
    section.blocks.emplace_back(Text{
        "Set-up by the clock of the host, programs compiled before. The rest of it is the choice of formats, the "
        "scaling and the upload of all levels; the paper has its initialisation of data there. Parts of a cycle are "
        "sums over the levels, each measured alone. The paper's cycle is longer than its parts as well."});
    section.blocks.emplace_back(phases_table(results));
}

/// Why a device may not reach what the paper's GPU did; empty: no reason is known.
std::string remark(Device& device, const Aim& aim, bool waits) {
    if (device.backend().can().on_processor) {
        return "this device computes on the processor's own cores, one pass after the other, and does not reach loops "
               "that are compiled for them";
    }
    if (aim.side < 1000) return fmt::format("{0} x {0} unknowns are too few for a GPU", aim.side);
    return waits ? "the host has x, and its residual, after each cycle" : "";
}

void add_claims(Section& section, NamedDevice& on, const Aim& aim, const std::vector<AmgResult>& results) {
    const auto timed = [&](std::string what, double printed, double found, bool waits = false) {
        Claim claim{.what = std::move(what) + " (double on the core, single on the device)",
                    .where = on.name,
                    .printed = printed,
                    .found = found};
        if (!claim.reached()) claim.remark = remark(on.device, aim, waits);
        section.claims.push_back(std::move(claim));
    };
    const auto counted = [&](std::string what, bool holds) {
        section.claims.push_back(
            {.what = std::move(what), .where = on.name, .printed = 1, .found = holds ? 1.0 : 0.0, .timed = false});
    };
    const AmgResult &published = results.front(), &own = results.back();
    for (const AmgResult* r : {&published, &own}) {
        const CoreRuns &one = r->peer.one, &all = r->peer.all;
        const DeviceRuns& device = r->device;
        timed(fmt::format("{} cycles, {}: one core / device", aim.cycles, r->name()), printed::core_over_device,
              one.fixed.seconds / device.fixed.seconds);
        timed(fmt::format("{} cycles, {}: all cores / device", aim.cycles, r->name()), printed::cores_over_device,
              all.fixed.seconds / device.fixed.seconds);
        timed(fmt::format("to 1e-6, {}: one core / device", r->name()), printed::core_over_device_to_tolerance,
              one.to_tolerance.seconds / device.to_tolerance.seconds, true);
        timed(fmt::format("to 1e-6, {}: all cores / device", r->name()), printed::cores_over_device_to_tolerance,
              all.to_tolerance.seconds / device.to_tolerance.seconds, true);
    }
    for (const AmgResult& r : results) {
        const CycleRun &device = r.device.to_tolerance, &core = r.peer.one.to_tolerance;
        counted(fmt::format("cycles to 1e-6, {}: device and core alike, give or take one", r.name()),
                std::abs(device.cycles - core.cycles) <= 1 && device.residual <= aim.tolerance
                    && core.residual <= aim.tolerance);
    }
    counted("fewer levels than as published in glsolve's own hierarchy",
            own.device.hierarchy.levels.size() < published.device.hierarchy.levels.size());
}

void add_device(Section& section, NamedDevice& on, CsrView A, const Aim& aim, const std::vector<Peer>& peers) {
    std::vector<AmgResult> results;
    for (const Peer& peer : peers) {
        progress(fmt::format("multigrid {}, {}", peer.candidate.name, on.name));
        results.push_back({peer, measure_device(on.device, A, peer, aim)});
    }
    add_totals(section, on.name, aim, results);
    add_levels(section, on.name, results.front(), true);
    add_levels(section, on.name, results.back(), false);
    section.blocks.emplace_back(levels_figure(on.name, results.front(), results.back()));
    add_rates_and_phases(section, on.name, results);
    add_claims(section, on, aim, results);
}

}  // namespace

}  // namespace glsolve::bench::amg

namespace glsolve::bench {

Section li_zhang_tan_chen(Bench& bench) {
    using namespace amg;
    Section section{.paper = "amg"};
    const Aim aim = aim_of(bench);
    add_introduction(section, aim);
    const CsrMatrix A = poisson2d(aim.side);
    std::vector<Peer> peers;
    for (const Candidate& candidate : {as_published(), ending_early(), own_hierarchy()}) {
        progress(fmt::format("multigrid {}, the processor", candidate.name));
        peers.push_back(measure_peer(A, candidate, aim));
    }
    for (NamedDevice& on : bench.devices) add_device(section, on, A, aim, peers);
    return section;
}

}  // namespace glsolve::bench
