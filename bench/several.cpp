// Four right-hand sides at once against the same four one after the other, in turn: the ratio of their times.
//     bench_several --rounds 5 --iterations 100 --stage fragment
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <glsolve/glsolve.hpp>

#include "stage_option.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using bench::LeastTimes;

constexpr int four = 4;

std::int64_t iterations(const std::vector<Report>& reports) {
    std::int64_t sum = 0;
    for (const Report& report : reports) sum += report.iterations;
    return sum;
}

void compare(Device& device, const std::string& title, CsrView A, FormatKind format, int rounds, std::int64_t limit) {
    Solver solver(device, A,
                  {.format = format, .precision = Precision::single, .max_iterations = limit, .zero_guess = true});
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> b, column(n), x(four * n);
    for (int k = 0; k < four; ++k) {
        multiply(A, known_answer(A.rows, static_cast<std::uint64_t>(20 + k)), column);
        b.insert(b.end(), column.begin(), column.end());
    }
    std::vector<Report> together, apart(four);
    const auto at_once = [&] { together = solver.solve_several(b, x, four); };
    const auto one_by_one = [&] {
        for (std::size_t k = 0; k < four; ++k) {
            apart[k] = solver.solve(std::span(b).subspan(k * n, n), std::span(x).subspan(k * n, n));
        }
    };
    at_once();  // shaders are compiled now
    one_by_one();
    LeastTimes with_one_product, with_four;
    for (int round = 0; round < rounds; ++round) {
        with_one_product.least_of(at_once);
        with_four.least_of(one_by_one);
    }
    fmt::print("| {} | {} | {} | {} | {} | {:.2f} | {:.2f} |\n", title, A.rows, name(solver.format().format),
               iterations(together), iterations(apart), with_four.clock / with_one_product.clock,
               with_four.processor / with_one_product.processor);
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
    CLI::App app("Four right-hand sides at once against four one after the other: how many times as fast.");
    int rounds = 5, side = 300;
    DeviceOptions options;
    std::int64_t limit = 0;
    bool host = false;
    app.add_option("--rounds", rounds, "of both, in turn; the least time of each counts")->capture_default_str();
    app.add_option("--side", side, "of the grid")->capture_default_str();
    bench::add_stage_option(app, options.stage);
    app.add_option("--iterations", limit, "of each solve at most; 0: until it has converged")->capture_default_str();
    app.add_flag("--host", host, "on the host");
    CLI11_PARSE(app, argc, argv);
    if (host) options.backend = BackendKind::host;
    Device device = Device::open(options);
    fmt::print("{}, {} stage\n\n", device.info().renderer, name(device.info().stage));
    fmt::print("| matrix | rows | format | iterations at once | one by one | ratio | of processor time |\n");
    fmt::print("|---|---:|---|---:|---:|---:|---:|\n");
    const CsrMatrix grid = poisson2d(side);
    for (const FormatKind format : {FormatKind::dia, FormatKind::runs, FormatKind::ell}) {
        compare(device, "5-point Poisson", grid, format, rounds, limit);
    }
    const Index rows = side * side / 4;
    compare(device, "random", random_spd(rows, Offset{16} * rows), FormatKind::automatic, rounds, limit);
    compare(device, "random", random_spd(1000, 250'000), FormatKind::dense, rounds, limit);
}
