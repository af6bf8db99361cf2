// A page about the driver at hand: what it is, and whether some systems are solved on it, as docs/drivers.md lists
// them.
#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <glsolve/version.hpp>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"

namespace glsolve::cli {
namespace {

struct Trial {
    const char* name;
    CsrMatrix A;
    Options options;
};

/// Small, so that it takes seconds without a GPU, too.
std::vector<Trial> trials() {
    std::vector<Trial> all;
    all.push_back({"poisson2d 128, cg + jacobi", poisson2d(128), {}});
    all.push_back({"poisson2d 128, cg + jacobi, two floats, 1e-11",
                   poisson2d(128),
                   {.precision = Precision::two_float, .tolerance = 1e-11}});
    all.push_back({"poisson3d 20, cg + amg", poisson3d(20), {.preconditioner = PreconditionerKind::amg}});
    all.push_back({"poisson2d 128, cg + multigrid", poisson2d(128), {.preconditioner = PreconditionerKind::multigrid}});
    all.push_back({"convection-diffusion 64, gmres + jacobi", convection_diffusion(64), {.method = Method::gmres}});
    all.push_back(
        {"convection-diffusion 64, bicgstab + jacobi", convection_diffusion(64), {.method = Method::bicgstab}});
    return all;
}

/// True where it has converged; the residual is that in double precision.
bool try_on(Device& device, const Trial& trial) {
    const std::vector<double> known = known_answer(trial.A.rows);
    std::vector<double> b(known.size()), x(known.size(), 0.0);
    multiply(trial.A, known, b);
    try {
        const Report report = Solver(device, trial.A, trial.options).solve(b, x);
        fmt::print("| {} | {} | {} | {:.1e} | {:.1f} |\n", trial.name, name(report.outcome), report.iterations,
                   report.relative_residual, 1e3 * report.solve_seconds);
        return report.converged();
    } catch (const Error& error) {
        fmt::print("| {} | {} | | | |\n", trial.name, error.what());
        return false;
    }
}

void describe(const DeviceInfo& d) {
    fmt::print("### {}\n\n- glsolve {}\n- vendor: {}\n- OpenGL: {}\n- context: {}\n- two floats: {}\n", d.renderer,
               GLSOLVE_VERSION, d.vendor, d.version, d.context,
               d.two_float_fault.empty() ? "trusted" : "not trusted: " + d.two_float_fault);
    for (const StageInfo& s : d.stages) {
        fmt::print("- {}: {}\n", name(s.stage),
                   !d.fault.empty() ? d.fault
                   : s.available    ? fmt::format("update {:.1f} GB/s, dependent pass {:.1f} us",
                                                  1e-9 * s.update_bytes_per_second, 1e6 * s.pass_seconds)
                                    : "missing: " + s.missing);
    }
}

/// True where all trials have converged.
bool try_all_on(Device& device) {
    fmt::print(
        "\n{} stage:\n\n| system and method | outcome | iterations | true residual | ms |\n|---|---|---:|---:|---:|\n",
        name(device.info().stage));
    bool all = true;
    for (const Trial& trial : trials()) all = try_on(device, trial) && all;
    return all;
}

/// A debug context, in which what the driver reports as an error is one.
Device open_stage(Stage stage) {
    return Device::open({.backend = BackendKind::opengl, .stage = stage, .debug = true, .measure = true});
}

}  // namespace

int driver_report() {
    bool all = true;
    try {
        Device fragment = open_stage(Stage::fragment);  // the least that any driver has
        describe(fragment.info());
        all = try_all_on(fragment);
    } catch (const Error& error) {
        fmt::print("\nfragment stage: {}\n", error.what());
        return exit_no_device;
    }
    try {
        Device compute = open_stage(Stage::compute);
        all = try_all_on(compute) && all;
    } catch (const Error& error) {  // missing, or the driver's
        fmt::print("\ncompute stage: {}\n", error.what());
    }
    return all ? exit_converged : exit_not_converged;
}

}  // namespace glsolve::cli
