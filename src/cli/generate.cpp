#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <glsolve/generate.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"

namespace glsolve::cli {
namespace {

using Kind = GenerateArguments::Kind;

struct Generated {
    CsrMatrix A;
    std::string arguments;  ///< that give it again
    std::vector<double> coordinates{};
};

/// The options that give a flow again; `velocity_z` follows the other velocities.
std::string flow_arguments(const Convection& c, const std::string& velocity_z) {
    const std::string diffusion =
        c.cell_peclet != 0 ? fmt::format(" --peclet {}", c.cell_peclet) : fmt::format(" --diffusion {}", c.diffusion);
    const std::string flow = c.recirculating
                                 ? " --recirculating"
                                 : fmt::format(" --velocity {} {}{}", c.velocity_x, c.velocity_y, velocity_z);
    return diffusion + flow + (c.differences == Differences::central ? " --central" : "");
}

Generated make(const GenerateArguments& a) {
    switch (a.kind) {
        case Kind::poisson2d:
            return {poisson2d(a.size), fmt::format("poisson2d {}", a.size)};
        case Kind::poisson3d:
            return {poisson3d(a.size), fmt::format("poisson3d {}", a.size)};
        case Kind::anisotropic:
            return {anisotropic(a.size, a.epsilon), fmt::format("anisotropic {} {}", a.size, a.epsilon)};
        case Kind::jumping_coefficients:
            return {jumping_coefficients(a.size, a.contrast, a.coefficients),
                    fmt::format("jumping-coefficients {} {}{}", a.size, a.contrast,
                                a.coefficients == Coefficients::inclusions ? " --inclusions"
                                : a.coefficients == Coefficients::cells    ? " --cells"
                                                                           : "")};
        case Kind::convection_diffusion:
            return {convection_diffusion(a.size, a.convection),
                    fmt::format("convection-diffusion {}{}", a.size, flow_arguments(a.convection, ""))};
        case Kind::convection_diffusion3d:
            return {convection_diffusion3d(a.size, a.convection),
                    fmt::format("convection-diffusion3d {}{}", a.size,
                                flow_arguments(a.convection, fmt::format(" {}", a.convection.velocity_z)))};
        case Kind::stokes2d:
            return {stokes2d(a.size), fmt::format("stokes2d {}", a.size)};
        case Kind::darcy2d:
            return {darcy2d(a.size, a.contrast, a.mass), fmt::format("darcy2d {} {}{}", a.size, a.contrast,
                                                                     a.mass == MassMatrix::lumped ? " --lumped" : "")};
        case Kind::helmholtz2d:
            return {a.absorbing ? helmholtz2d_absorbing(a.size, a.points_per_wavelength)
                                : helmholtz2d(a.size, a.points_per_wavelength),
                    fmt::format("helmholtz2d {} --points-per-wavelength {}{}", a.size, a.points_per_wavelength,
                                a.absorbing ? " --absorbing" : "")};
        case Kind::circuit:
            return {circuit(a.size, a.circuit),
                    fmt::format("circuit {} --degree {} --voltage-sources {} --controlled-sources {}", a.size,
                                a.circuit.degree, a.circuit.voltage_sources, a.circuit.controlled_sources)};
        case Kind::thermal_shell: {
            const auto [NX, NY, layers] = a.bricks;
            const Shell& s = a.shell;
            return {thermal_shell(NX, NY, layers, s),
                    fmt::format("thermal-shell {} {} {} --through-thickness {} --across-fibres {} --fibre-angle {} "
                                "--thickness {}",
                                NX, NY, layers, s.through_thickness, s.across_fibres, s.fibre_angle, s.thickness)};
        }
        case Kind::elasticity: {
            const auto [NX, NY, NZ] = a.bricks;
            ElasticBody body = elasticity(NX, NY, NZ, a.youngs_modulus, a.poisson_ratio);
            return {std::move(body.A),
                    fmt::format("elasticity {} {} {} --youngs-modulus {} --poisson-ratio {}", NX, NY, NZ,
                                a.youngs_modulus, a.poisson_ratio),
                    std::move(body.coordinates)};
        }
        case Kind::graph_laplacian:
            return {graph_laplacian(a.size, a.degree, a.degrees),
                    fmt::format("graph-laplacian {} {}{}", a.size, a.degree,
                                a.degrees == Degrees::power_law ? " --power-law" : "")};
        case Kind::random_spd:
            return {random_spd(a.size, a.nonzeros), fmt::format("random-spd {} {}", a.size, a.nonzeros)};
    }
    return {};
}

}  // namespace

int generate(const GenerateArguments& a) {
    const Files outputs{a.output, a.right_hand_side, a.solution, a.coordinates};
    check_outputs(outputs);
    const Generated made = make(a);
    const std::string comment = "glsolve generate " + made.arguments;
    const bool piped = std::any_of(outputs.begin(), outputs.end(), is_standard);
    const auto note = [&](const std::filesystem::path& file, const std::string& what) {
        const std::string where = is_standard(file) ? "standard output" : file.string();
        fmt::print(piped ? stderr : stdout, "{}: {}\n", where, what);
    };
    std::vector<std::function<void()>> last;  // standard output, which who reads it may close early
    const auto write = [&](const std::filesystem::path& file, const std::function<void()>& work) {
        is_standard(file) ? last.push_back(work) : work();
    };
    const auto write_vector = [&](const File& file, std::span<const double> values, const std::string& what,
                                  Index columns = 1) {
        if (!file) return;
        write(*file, [=] {
            write_columns(*file, values, fmt::format("{} of {}", what, comment), columns);
            note(*file, what);
        });
    };
    write(a.output, [&] {
        write_matrix(a.output, made.A, comment);
        note(a.output, fmt::format("{} x {}, {} nonzeros", made.A.rows, made.A.columns, made.A.nonzeros()));
    });
    write_vector(a.coordinates, made.coordinates, "coordinates of the nodes", 3);
    std::vector<double> x, b;
    if (a.right_hand_side || a.solution) {
        x = known_answer(made.A.rows);
        b.resize(x.size());
        multiply(made.A, x, b);
        write_vector(a.right_hand_side, b, "right-hand side A x*");
        write_vector(a.solution, x, "known answer x*");
    }
    for (const auto& work : last) work();
    return exit_converged;
}

}  // namespace glsolve::cli
