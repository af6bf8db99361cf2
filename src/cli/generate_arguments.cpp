#include "cli/generate_arguments.hpp"

#include <CLI/CLI.hpp>

#include "cli/choices.hpp"
#include "cli/output_names.hpp"

namespace glsolve::cli {
namespace {

using Kind = GenerateArguments::Kind;

/// Adds kinds of systems, each a command with the same outputs.
class Kinds {
  public:
    Kinds(CLI::App& app, GenerateArguments& arguments) : app_(app), a_(arguments) {}

    CLI::App& add(const char* command, const char* description, Kind kind) {
        CLI::App* sub = app_.add_subcommand(command, description);
        sub->parse_complete_callback([&a = a_, kind] { a.kind = kind; });
        const CLI::Validator matrix(check_matrix_output, ""), vector(check_vector_output, "");
        add_text(*sub, "-o,--output", a_.output,
                 "the file to write; .mtx.gz is compressed, .npz is scipy's, - is standard output")
            ->required()
            ->type_name("A.mtx|A.npz|-")
            ->check(matrix);
        add_text(*sub, "-b,--right-hand-side", a_.right_hand_side, "writes b = A x* with a known random x*")
            ->type_name("b.mtx|b.npy")
            ->check(vector);
        add_text(*sub, "-x,--solution", a_.solution, "writes x*")->type_name("x.mtx|x.npy")->check(vector);
        return *sub;
    }

    /// A kind on N unknowns a side.
    CLI::App& add_grid(const char* command, const char* description, Kind kind) {
        CLI::App& sub = add(command, description, kind);
        add_number(sub, "N", a_.size, "unknowns a side", 1)->required();
        return sub;
    }

  private:
    CLI::App& app_;
    GenerateArguments& a_;
};

/// What the flows on squares and cubes have in common.
template <std::size_t axes>
void add_flow(CLI::App& kind, Convection& c, const char* velocities, const char* velocity_by_default) {
    CLI::Option* diffusion = add_any_number(kind, "--diffusion", c.diffusion, "EPS")->type_name("EPS");
    add_number(kind, "--peclet", c.cell_peclet,
               "cell Peclet number |w| h / (2 EPS), h the spacing; EPS follows from it", 1e-100, 1e100)
        ->default_str("")
        ->type_name("PE")
        ->excludes(diffusion);
    CLI::Option* velocity = kind.add_option_function<std::array<double, axes>>(
                                    "--velocity",
                                    [&c](const std::array<double, axes>& w) {
                                        c.velocity_x = w[0];
                                        c.velocity_y = w[1];
                                        if constexpr (axes == 3) c.velocity_z = w[2];
                                    },
                                    "w, constant")
                                ->type_name(velocities)
                                ->default_str(velocity_by_default);
    kind.add_flag("--recirculating", c.recirculating, "w goes round in circles")->excludes(velocity);
    kind.add_flag_callback(
        "--central", [&c] { c.differences = Differences::central; },
        "central differences of w grad u, not upwind ones");
}

void add_convection(Kinds& kinds, GenerateArguments& a) {
    add_flow<2>(
        kinds.add_grid("convection-diffusion", "-EPS (u_xx + u_yy) + w grad u on N x N unknowns, upwind; unsymmetric",
                       Kind::convection_diffusion),
        a.convection, "VX VY", "1 0.5");
    add_flow<3>(kinds.add_grid("convection-diffusion3d", "the same on N x N x N unknowns; unsymmetric",
                               Kind::convection_diffusion3d),
                a.convection, "VX VY VZ", "1 0.5 0.25");
}

void add_saddle_points(Kinds& kinds, GenerateArguments& a) {
    CLI::App& stokes = kinds.add(
        "stokes2d", "Stokes flow in a closed square, staggered grid, one pressure fixed; symmetric indefinite",
        Kind::stokes2d);
    add_number(stokes, "N", a.size, "cells a side", 2)->required();

    CLI::App& darcy = kinds.add(
        "darcy2d", "Darcy flow, mixed finite elements, log-normal permeability; symmetric indefinite", Kind::darcy2d);
    add_number(darcy, "N", a.size, "cells a side", 1)->required();
    add_any_number(darcy, "CONTRAST", a.contrast, "largest permeability over smallest")->required();
    darcy.add_flag_callback(
        "--lumped", [&a] { a.mass = MassMatrix::lumped; }, "a diagonal block of the fluxes (finite volumes)");
}

void add_helmholtz(Kinds& kinds, GenerateArguments& a) {
    CLI::App& helmholtz = kinds.add_grid(
        "helmholtz2d", "-u_xx - u_yy - k^2 u on N x N unknowns, Dirichlet; symmetric indefinite", Kind::helmholtz2d);
    add_any_number(helmholtz, "--points-per-wavelength", a.points_per_wavelength, "gives k; from 3")->type_name("P");
    helmholtz.add_flag("--absorbing", a.absorbing,
                       "absorbing boundaries: complex, as real 2 x 2 blocks on N x N points; unsymmetric");
}

void add_circuit(Kinds& kinds, GenerateArguments& a) {
    CLI::App& circuit = kinds.add(
        "circuit", "random circuit by modified nodal analysis; zeros on the diagonal, unsymmetric", Kind::circuit);
    add_number(circuit, "NODES", a.size, "nodes, the ground apart", 2)->required();
    add_number(circuit, "--degree", a.circuit.degree, "about so many resistors at a node", 2)->type_name("D");
    add_any_number(circuit, "--voltage-sources", a.circuit.voltage_sources, "as a share of the nodes")
        ->type_name("SHARE");
    add_any_number(circuit, "--controlled-sources", a.circuit.controlled_sources, "the same; 0: symmetric")
        ->type_name("SHARE");
}

void add_shell(Kinds& kinds, GenerateArguments& a) {
    CLI::App& shell =
        kinds.add("thermal-shell", "heat in a thin curved shell of NX x NY x LAYERS elements with fibres; SPD",
                  Kind::thermal_shell);
    add_number(shell, "NX", a.bricks[0], "elements along the arc", 1)->required();
    add_number(shell, "NY", a.bricks[1], "elements along the axis", 1)->required();
    add_number(shell, "LAYERS", a.bricks[2], "elements through the thickness", 1)->required();
    const auto add = [&](const char* option, double& value, const char* description, const char* type) {
        add_any_number(shell, option, value, description)->type_name(type);
    };
    add("--through-thickness", a.shell.through_thickness, "conductivity; 1 along the fibres", "K");
    add("--across-fibres", a.shell.across_fibres, "conductivity within the shell", "K");
    add("--fibre-angle", a.shell.fibre_angle, "degrees from the arc; the sign alternates by layers", "DEGREES");
    add("--thickness", a.shell.thickness, "of the shell; its radius is 1", "T");
}

void add_elasticity(Kinds& kinds, GenerateArguments& a) {
    CLI::App& elasticity = kinds.add(
        "elasticity", "an elastic body of NX x NY x NZ trilinear bricks, one face clamped; SPD", Kind::elasticity);
    add_number(elasticity, "NX", a.bricks[0], "bricks from the clamped face on", 1)->required();
    add_number(elasticity, "NY", a.bricks[1], "bricks", 1)->required();
    add_number(elasticity, "NZ", a.bricks[2], "bricks", 1)->required();
    add_any_number(elasticity, "--youngs-modulus", a.youngs_modulus, "stress over strain")->type_name("E");
    add_any_number(elasticity, "--poisson-ratio", a.poisson_ratio, "lateral contraction over extension")
        ->type_name("NU");
    add_text(elasticity, "--coordinates", a.coordinates,
             "writes where the nodes are: row i for the unknowns 3i, 3i+1, 3i+2, columns x, y, z")
        ->type_name("FILE.mtx")
        ->check(CLI::Validator(check_matrix_output, ""));
}

}  // namespace

void add_generate(CLI::App& app, GenerateArguments& a) {
    app.require_subcommand(1);
    Kinds kinds(app, a);
    kinds.add_grid("poisson2d", "5-point Laplacian on N x N unknowns; SPD", Kind::poisson2d);
    kinds.add_grid("poisson3d", "7-point Laplacian on N x N x N unknowns; SPD", Kind::poisson3d);

    CLI::App& anisotropic = kinds.add_grid("anisotropic", "-u_xx - EPS u_yy on N x N unknowns; SPD", Kind::anisotropic);
    add_any_number(anisotropic, "EPS", a.epsilon, "weight of the second direction")->required();

    CLI::App& jumping = kinds.add_grid(
        "jumping-coefficients", "-div(k grad u) on N x N unknowns, k = 1 or CONTRAST; SPD", Kind::jumping_coefficients);
    add_any_number(jumping, "CONTRAST", a.contrast, "the other value of k")->required();
    jumping.add_flag_callback(
        "--inclusions", [&a] { a.coefficients = Coefficients::inclusions; },
        "k = CONTRAST on random tiles of 4 x 4 unknowns, one in four; without it a checkerboard, 8 tiles a side");
    jumping.add_flag_callback(
        "--cells", [&a] { a.coefficients = Coefficients::cells; }, "k = 1 or CONTRAST at each unknown, at random");

    add_convection(kinds, a);
    add_saddle_points(kinds, a);
    add_helmholtz(kinds, a);
    add_circuit(kinds, a);
    add_elasticity(kinds, a);
    add_shell(kinds, a);

    CLI::App& graph = kinds.add("graph-laplacian", "Laplacian of a random connected graph, one vertex grounded; SPD",
                                Kind::graph_laplacian);
    add_number(graph, "ROWS", a.size, "vertices", 1)->required();
    add_number(graph, "DEGREE", a.degree, "about so many edges a vertex", 1)->required();
    graph.add_flag_callback(
        "--power-law", [&a] { a.degrees = Degrees::power_law; }, "few vertices have many edges, most have few");

    CLI::App& random =
        kinds.add("random-spd", "random symmetric, strictly diagonally dominant matrix; SPD", Kind::random_spd);
    add_number(random, "ROWS", a.size, "rows", 1)->required();
    add_number(random, "NONZEROS", a.nonzeros, "about so many nonzeros", 1)->required();
}

}  // namespace glsolve::cli
