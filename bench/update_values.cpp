// New numbers for a solver against a new solver for them, on a device that has compiled its shaders, in turn.
//     bench_update_values --side 512 --rounds 5 --stage fragment
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <glsolve/glsolve.hpp>

#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;

/// Other numbers in the same places, no two diagonals of one number: as the matrix of a time step has them.
CsrMatrix at_time(CsrMatrix A, int step) {
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            if (A.column[k] == i) A.value[k] += 1e-3 * (1 + (i + step) % 7);
        }
    }
    return A;
}

std::int64_t iterations(Solver& solver) {
    std::vector<double> b(static_cast<std::size_t>(solver.matrix().rows), 1.0), x(b.size(), 0.0);
    return solver.solve(b, x).iterations;
}

void compare(Device& device, const std::string& title, CsrView A, const Options& options, int rounds) {
    Solver updated(device, A, options);
    Solver made(device, A, options);
    iterations(updated);  // shaders are compiled now
    bench::LeastTimes anew, update;
    for (int round = 0; round < rounds; ++round) {
        const CsrMatrix next = at_time(copy_of(A), round);
        anew.least_of([&] {
            made = {};  // its room is the next one's
            made = Solver(device, next, options);
        });
        update.least_of([&] { updated.update_values(next.value); });
    }
    const std::int64_t of_new = iterations(made), of_updated = iterations(updated);
    fmt::print("| {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.2f} | {} | {} |\n", title, A.rows, anew.clock * 1e3,
               update.clock * 1e3, anew.clock / update.clock, anew.processor / update.processor, of_new, of_updated);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("New numbers for a solver against a new solver for them: how many times as fast.");
    int rounds = 5, side = 512;
    DeviceOptions options;
    app.add_option("--rounds", rounds, "of both, in turn; the least time of each counts")->capture_default_str();
    app.add_option("--side", side, "of the grid")->capture_default_str();
    bench::add_stage_option(app, options.stage);
    CLI11_PARSE(app, argc, argv);
    Device device = Device::open(options);
    fmt::print("{}, {} stage\n\n", device.info().renderer, name(device.info().stage));
    fmt::print(
        "| matrix, preconditioner | rows | new, ms | update, ms | ratio | of processor time | iterations | updated "
        "|\n");
    fmt::print("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    const CsrMatrix grid = poisson2d(side);
    Options amg, classical, bodies;
    amg.preconditioner = classical.preconditioner = bodies.preconditioner = PreconditionerKind::amg;
    classical.amg.coarsening = Coarsening::ruge_stueben;
    compare(device, "5-point Poisson, amg", grid, amg, rounds);
    compare(device, "5-point Poisson, amg ruge-stueben", grid, classical, rounds);
    compare(device, "5-point Poisson, jacobi", grid, {}, rounds);
    const Index bricks = 20;
    const ElasticBody body = elasticity(bricks, bricks, bricks);
    bodies.amg.near_null_space = rigid_body_modes(body.coordinates, 3);
    bodies.amg.near_null_vectors = 6;
    bodies.amg.unknowns_a_point = 3;
    compare(device, "elastic body, amg", body.A, bodies, rounds);
    compare(device, "elastic body, jacobi", body.A, {}, rounds);
}
