// Table 3: ten restarts of GMRES(m), beside one core and all cores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/solver.hpp>
#include <limits>

#include "cores.hpp"
#include "device/backend.hpp"
#include "matrices.hpp"
#include "parts.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::gmres {
namespace {

constexpr int restarts = 10;
constexpr double unreachable = 1e-10;             // in ten restarts; less would move corrections to another precision
constexpr double long_enough = 0.5;               // seconds: after so many, restarts of a core are counted up to ten
constexpr double printed_mean = 40;               // "on average more than 40 times", machine 1
constexpr double printed_most = 161.2;            // of the row below
constexpr std::string_view of_most = "Language";  // with m = 32
constexpr Index most_rows = 700'000;              // on a processor that stands in for a GPU: more would take an hour

/// Seconds of ten restarts. All of them do the same work: the first ones are scaled where they take long.
double core_seconds(const CoreMatrix<float>& A, const std::vector<float>& b, int m) {
    CoreGmres<float> gmres(A, m);
    gmres.solve(b, 1);  // touches memory
    double seconds = 0;
    int done = 0;
    for (; done < restarts && seconds < long_enough; ++done) {
        const auto begin = Clock::now();
        gmres.solve(b, m);
        seconds += seconds_since(begin);
    }
    return seconds * restarts / done;
}

struct SolvesOfDevice {
    double seconds = 0;
    std::int64_t iterations = 0;
    double residual = 0;
};

SolvesOfDevice device_seconds(Device& device, CsrView A, const std::vector<double>& b, int m, int rounds) {
    Solver solver(device, A,
                  {.method = Method::gmres,
                   .preconditioner = PreconditionerKind::none,
                   .gmres = {.restart = m},
                   .tolerance = unreachable,
                   .max_iterations = restarts * m,
                   .zero_guess = true});
    SolvesOfDevice found{.seconds = std::numeric_limits<double>::infinity()};
    std::vector<double> x(b.size());
    for (int round = 0; round < rounds; ++round) {
        const auto begin = Clock::now();
        const Report report = solver.solve(b, x);
        found = {.seconds = std::min(found.seconds, seconds_since(begin)),
                 .iterations = report.iterations,
                 .residual = report.relative_residual};
    }
    // Where the tolerance is met sooner, the time of ten whole restarts counts, as on the cores.
    if (found.iterations > 0)
        found.seconds *= static_cast<double>(restarts * m) / static_cast<double>(found.iterations);
    return found;
}

std::vector<double> right_hand_side(std::size_t n) {
    std::vector<double> b(n);
    for (std::size_t i = 0; i < n; ++i) b[i] = 1 + 0.5 * std::sin(0.7 * static_cast<double>(i));
    return b;
}

bool on_processor(const NamedDevice& on) { return on.device.backend().can().on_processor; }

/// One core / device, over the rows of the table.
struct Gains {
    double sum = 0, most = 0, latest = 0, of_printed_most = NAN;
    int rows = 0;

    void add(double gain) {
        latest = gain;
        sum += gain;
        most = std::max(most, gain);
        ++rows;
    }
};

struct CoreTimes {
    double one = 0, all = 0;
};

}  // namespace

void add_gmres_restarts(Section& section, Bench& bench) {
    const std::vector<std::string> head{"matrix",
                                        "m",
                                        "the paper: core, s",
                                        "the paper: GPU, s",
                                        "the paper: core / GPU",
                                        "the paper, machine 2: core / GPU",
                                        "here: one core, s",
                                        "here: all cores, s",
                                        "here: device, s",
                                        "here: one core / device",
                                        "here: all cores / device",
                                        "iterations",
                                        "true residual"};
    std::vector<Table> tables(bench.devices.size(), Table{head});
    std::vector<Gains> gains(bench.devices.size());
    for (const PrintedMatrix& printed : printed_matrices) {
        if (bench.setting.quick && printed.rows > 500'000) continue;
        const auto left_out = [&](const NamedDevice& on) { return printed.rows > most_rows && on_processor(on); };
        if (std::ranges::all_of(bench.devices, left_out)) continue;
        progress(fmt::format("gmres: table 3, {}", printed.name));
        const MadeMatrix matrix = matrix_of(bench, printed, bench.pick<Index>(1, 100));
        const std::vector<double> b = right_hand_side(static_cast<std::size_t>(matrix.A.rows));
        std::array<CoreTimes, restart_lengths.size()> cores;
        {
            const std::vector<float> single(b.begin(), b.end());
            const CoreMatrix<float> one(matrix.A, 1), all(matrix.A, bench.setting.threads);
            for (std::size_t k = 0; k < restart_lengths.size(); ++k)
                cores[k] = {core_seconds(one, single, restart_lengths[k]),
                            core_seconds(all, single, restart_lengths[k])};
        }
        for (std::size_t d = 0; d < tables.size(); ++d) {
            NamedDevice& on = bench.devices[d];
            if (left_out(on)) continue;
            for (std::size_t k = 0; k < restart_lengths.size(); ++k) {
                const int rounds = on_processor(on) ? 1 : std::min(bench.setting.rounds, 2);
                const SolvesOfDevice found = device_seconds(on.device, matrix.A, b, restart_lengths[k], rounds);
                const auto& [cpu, gpu] = printed.restarts[k];
                const auto& [cpu_2, gpu_2] = printed.machine_2[k];
                tables[d].rows.push_back({k == 0 ? matrix.name : "", std::to_string(restart_lengths[k]), digits(cpu),
                                          digits(gpu), digits(cpu / gpu), gpu_2 > 0 ? digits(cpu_2 / gpu_2) : "-",
                                          digits(cores[k].one), digits(cores[k].all), digits(found.seconds),
                                          digits(cores[k].one / found.seconds), digits(cores[k].all / found.seconds),
                                          std::to_string(found.iterations), fmt::format("{:.1e}", found.residual)});
                gains[d].add(cores[k].one / found.seconds);
                if (printed.name == of_most && restart_lengths[k] == 32) gains[d].of_printed_most = gains[d].latest;
            }
        }
    }
    section.add(Heading{"Table 3: ten restarts of GMRES(m)"});
    section.add(Text{fmt::format(
        "Times of the solve, set-up not included, the least of {} rounds (one on processors). The paper's times are of "
        "its machine 1 (Q9400), machine 2 is an i7 920, both with a GTX 260. (For kkt_power, m = 32, it prints a ratio "
        "of 31.8; its times give 29.8.) "
        "Cores run the paper's algorithm 1 in single precision "
        "(`bench/papers/liu_yin_wu/cores.cpp`: compressed rows, -O3 -march=native, OpenMP). Where ten "
        "restarts take longer than {} s only the first ones are run, and their time is scaled to ten; so is that of a "
        "device that meets 1e-10 sooner. The device restarts from the residual in double precision. Devices on a "
        "processor leave out matrices of more than {} rows.{}",
        std::min(bench.setting.rounds, 2), long_enough, most_rows,
        bench.setting.quick ? " Quick: a hundredth of the rows, and not all matrices." : "")});
    for (std::size_t d = 0; d < tables.size(); ++d) {
        const NamedDevice& on = bench.devices[d];
        section.add(Text{fmt::format("On {}: {}.", on.name, on.device.info().renderer)});
        section.add(std::move(tables[d]));
        const bool fragments = on.device.info().stage == Stage::fragment;
        const std::string why = on_processor(on)      ? "the same cores do both"
                                : bench.setting.quick ? ""
                                : fragments ? "products take the fragment stage several times as long (table 2)"
                                            : "small matrices fit into a core's caches";
        const auto claim = [&](std::string_view what, double in_print, double found, const std::string& reason) {
            section.claims.push_back(
                {fmt::format("ten restarts: one core / device, {}", what), on.name, in_print, found, true, reason});
        };
        claim("mean of the rows (the paper: as its text has it)", printed_mean, gains[d].sum / gains[d].rows, why);
        claim("the largest of the rows", printed_most, gains[d].most, why);
        claim("the row that is the paper's largest: Language, m = 32", printed_most, gains[d].of_printed_most,
              fragments || on_processor(on) ? why : "since the paper, a core has gained more on it than the GPU");
    }
}

}  // namespace glsolve::bench::gmres
