// From a matrix in the host's memory to an answer: CG with algebraic multigrid, its set-up on the host or on the
// device, beside AMGCL and hypre in one run. A system is a file, or a name and a size:
//
//     bench_amg poisson2d:256 poisson2d:1024 poisson3d:64 --devices cuda,opengl-compute --setups device,host
//
// All take their turn; medians of some rounds, behind one that compiles. "set-up": from CSR arrays to ready to solve,
// upload included. "new values": Solver::update_values. Answers are judged here, by |b - A x| / |b| in double
// precision. With AMGCL: cmake -DAMGCL_INCLUDE_DIR=...; with hypre: libhypre-dev and openmpi-bin of Debian.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <glsolve/glsolve.hpp>
#include <numeric>
#include <random>
#include <stdexcept>

#include "amg_peers.hpp"
#include "named_devices.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

MultigridSetup setup_of_name(const std::string& text) {
    for (const MultigridSetup each : all_multigrid_setups()) {
        if (name(each) == text) return each;
    }
    throw std::runtime_error(fmt::format("--setups {}: there are auto, device and host", text));
}

struct System {
    std::string name;
    CsrMatrix A;
    std::vector<double> b;
    AmgOptions amg = {};
    Index grid = 0;  ///< points a side of poisson2d
};

/// Rows in an order that says nothing of where they are.
CsrMatrix shuffled(CsrView A) {
    std::vector<Index> place(static_cast<std::size_t>(A.rows));
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), std::mt19937(1));
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < place.size(); ++i) {
        for (const auto [j, a] : A.row(i)) entries.push_back({place[i], place[static_cast<std::size_t>(j)], a});
    }
    return csr_from_triplets(A.rows, A.rows, entries);
}

int size_of(const std::string& system, const std::string& digits) {
    int size = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
    const bool is_whole = error == std::errc{} && end == digits.data() + digits.size();
    if (!is_whole || size < 1) throw std::runtime_error(fmt::format("{}: a size is a whole number above 0", system));
    return size;
}

System make_system(const std::string& text) {
    System made{.name = text, .A = {}, .b = {}};
    const std::size_t colon = text.rfind(':');
    const std::string kind = text.substr(0, colon);
    const int size = colon == std::string::npos ? 0 : size_of(text, text.substr(colon + 1));
    if (kind == "poisson2d") {
        made.A = poisson2d(made.grid = size);
    } else if (kind == "poisson3d") {
        made.A = poisson3d(size);
    } else if (kind == "shuffled3d") {
        made.A = shuffled(poisson3d(size));
    } else if (kind == "anisotropic") {
        made.A = anisotropic(size, 0.01);
    } else if (kind == "jumping") {
        made.A = jumping_coefficients(size, 1000);
    } else if (kind == "elasticity") {
        const ElasticBody body = elasticity(size, size, size);
        made.A = body.A;
        made.amg.near_null_space = rigid_body_modes(body.coordinates, 3);
        made.amg.near_null_vectors = 6;
        made.amg.unknowns_a_point = 3;
    } else {
        made.A = read_matrix_market(text);
    }
    made.b.assign(static_cast<std::size_t>(made.A.rows), 1.0);
    return made;
}

/// |b - A x| / |b|
double true_residual(const System& system, std::span<const double> x) {
    std::vector<double> product(system.b.size());
    multiply(system.A, x, product);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
        left += (system.b[i] - product[i]) * (system.b[i] - product[i]);
        right += system.b[i] * system.b[i];
    }
    return std::sqrt(left / right);
}

/// Who solves, and the seconds of each round.
struct Contestant {
    std::string name;
    std::function<void(Contestant&)> run;
    std::vector<double> setup = {}, update = {}, solve = {}, sum = {};
    std::int64_t iterations = 0;
    double residual = 0;
    HierarchyReport hierarchy = {};
    std::string failed = {};

    void add(double setup_seconds, double solve_seconds) {
        setup.push_back(setup_seconds);
        solve.push_back(solve_seconds);
        sum.push_back(setup_seconds + solve_seconds);
    }
    void turn() {
        if (!failed.empty()) return;
        try {
            run(*this);
        } catch (const std::exception& error) {
            failed = error.what();
        }
    }
    void forget_times() {
        for (auto* each : {&setup, &update, &solve, &sum}) each->clear();
    }
};

Contestant ours(Device& device, const std::string& name, const System& system, Options options) {
    return {.name = name, .run = [&device, &system, options = std::move(options)](Contestant& c) {
                CsrMatrix A = system.A;
                std::vector<double> x(system.b.size(), 0.0);
                const auto begin = Clock::now();
                Solver solver(device, std::move(A), options);
                const double setup = seconds_since(begin);
                const auto ready = Clock::now();
                const Report report = solver.solve(system.b, x);
                c.add(setup, seconds_since(ready));
                c.iterations = report.iterations;
                c.residual = true_residual(system, x);
                c.hierarchy = solver.hierarchy();
                const auto solved = Clock::now();
                solver.update_values(system.A.value);
                c.update.push_back(seconds_since(solved));
            }};
}

Contestant peer(const std::string& name, const System& system, std::function<PeerTimes(std::span<double>)> run) {
    return {.name = name, .run = [&system, run = std::move(run)](Contestant& c) {
                std::vector<double> x(system.b.size(), 0.0);
                const PeerTimes times = run(x);
                c.add(times.setup, times.solve);
                c.iterations = times.iterations;
                c.residual = true_residual(system, x);
            }};
}

/// In milliseconds.
std::string phases(const HierarchyReport& h) {
    if (h.levels.empty()) return "";
    return fmt::format(
        "{} levels by the {}{}{}: strength {:.1f}, coarsening {:.1f}, interpolation {:.1f}, products "
        "{:.1f}, inverse {:.1f}, upload {:.1f}",
        h.levels.size(), name(h.set_up), h.why_host.empty() ? "" : "; ", h.why_host, 1e3 * h.strength_seconds,
        1e3 * h.coarsening_seconds, 1e3 * h.interpolation_seconds, 1e3 * h.product_seconds, 1e3 * h.coarse_seconds,
        1e3 * h.upload_seconds);
}

void print(const Contestant& c) {
    if (!c.failed.empty()) {
        fmt::print("{:<32} {}\n", c.name, c.failed);
        return;
    }
    fmt::print("{:<32} {:>9.1f} {:>9} {:>9.1f} {:>9.1f} {:>5} {:>9.1e}  {}\n", c.name, 1e3 * median(c.setup),
               c.update.empty() ? "" : fmt::format("{:.1f}", 1e3 * median(c.update)), 1e3 * median(c.solve),
               1e3 * median(c.sum), c.iterations, c.residual, phases(c.hierarchy));
    std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("CG with algebraic multigrid, from a matrix to an answer, beside AMGCL and hypre");
    std::vector<std::string> systems{"poisson2d:1024"}, devices{"cuda", "opengl-compute", "host"},
        setups{"device", "host"};
    int rounds = 5, ranks = 2;
    double tolerance = 1e-8;
    bool jacobi = false, alone = false;
    app.add_option("systems", systems,
                   "poisson2d:N, poisson3d:N, shuffled3d:N, anisotropic:N, jumping:N, elasticity:N, or files");
    app.add_option("--devices", devices, "cuda, opengl-compute, opengl-fragment, host")->delimiter(',');
    app.add_option("--setups", setups, "auto, device, host: where levels are made")->delimiter(',');
    app.add_flag("--jacobi", jacobi, "CG with jacobi as well");
    app.add_flag("--alone", alone, "without AMGCL and hypre");
    app.add_option("--rounds", rounds, "of each, in turn")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--ranks", ranks, "of hypre; 0: without")->check(CLI::NonNegativeNumber)->capture_default_str();
    app.add_option("--tolerance", tolerance, "")->capture_default_str();
    CLI11_PARSE(app, argc, argv);

    std::vector<std::string> lines;
    std::vector<NamedDevice> opened = open_devices(devices, lines);
    fmt::print("{}\nCG to {:.0e}, b = 1, medians of {}, milliseconds\n", fmt::join(lines, "\n"), tolerance, rounds);
    for (const std::string& text : systems) {
        const System system = make_system(text);
        fmt::print("\n{}: {} rows, {} nonzeros\n{:<32} {:>9} {:>9} {:>9} {:>9} {:>5} {:>9}\n", system.name,
                   system.A.rows, system.A.nonzeros(), "", "set-up", "new val.", "solve", "sum", "its", "residual");
        std::vector<Contestant> all;
        for (NamedDevice& each : opened) {
            Options options{.method = Method::cg, .tolerance = tolerance, .zero_guess = true};
            options.amg = system.amg;
            options.preconditioner = PreconditionerKind::amg;
            for (const std::string& setup : setups) {
                options.amg.setup = setup_of_name(setup);
                all.push_back(ours(each.device, fmt::format("{}, levels by: {}", each.name, setup), system, options));
            }
            options.preconditioner = PreconditionerKind::jacobi;
            if (jacobi) all.push_back(ours(each.device, each.name + ", jacobi", system, options));
        }
        for (const bool in_floats : {false, true}) {
            if (has_amgcl() && !alone) {
                all.push_back(peer(in_floats ? "AMGCL, levels in floats" : "AMGCL", system, [&, in_floats](auto x) {
                    return run_amgcl(system.A, system.b, x, tolerance, in_floats);
                }));
            }
        }
        if (has_hypre() && !alone && ranks > 0 && system.grid > 0) {
            all.push_back(peer(fmt::format("hypre, {} ranks", ranks), system,
                               [&](auto x) { return run_hypre(system.grid, x, tolerance, ranks); }));
        }
        for (int round = 0; round <= rounds; ++round) {
            for (Contestant& each : all) {
                if (round == 1) each.forget_times();
                each.turn();
            }
        }
        for (const Contestant& each : all) print(each);
    }
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_amg: {}\n", error.what());
    return 2;
}
