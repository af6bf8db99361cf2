#include "cli/generate_arguments.hpp"

#include <CLI/CLI.hpp>

#include "cli/choices.hpp"

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
        sub->add_option("-o,--output", a_.output, "the file to write; .mtx.gz is compressed, - is standard output")
            ->required()
            ->type_name("A.mtx|-");
        sub->add_option("-b,--right-hand-side", a_.right_hand_side, "writes b = A x* with a known random x*")
            ->type_name("b.mtx");
        sub->add_option("-x,--solution", a_.solution, "writes x*")->type_name("x.mtx");
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

void add_elasticity(Kinds& kinds, GenerateArguments& a) {
    CLI::App& elasticity = kinds.add(
        "elasticity", "an elastic body of NX x NY x NZ trilinear bricks, one face clamped; SPD", Kind::elasticity);
    add_number(elasticity, "NX", a.bricks[0], "bricks from the clamped face on", 1)->required();
    add_number(elasticity, "NY", a.bricks[1], "bricks", 1)->required();
    add_number(elasticity, "NZ", a.bricks[2], "bricks", 1)->required();
    elasticity.add_option("--youngs-modulus", a.youngs_modulus, "stress over strain")
        ->capture_default_str()
        ->type_name("E");
    elasticity.add_option("--poisson-ratio", a.poisson_ratio, "lateral contraction over extension")
        ->capture_default_str()
        ->type_name("NU");
    elasticity
        .add_option("--coordinates", a.coordinates,
                    "writes where the nodes are: row i for the unknowns 3i, 3i+1, 3i+2, columns x, y, z")
        ->type_name("FILE.mtx");
}

}  // namespace

void add_generate(CLI::App& app, GenerateArguments& a) {
    app.require_subcommand(1);
    Kinds kinds(app, a);
    kinds.add_grid("poisson2d", "5-point Laplacian on N x N unknowns; SPD", Kind::poisson2d);
    kinds.add_grid("poisson3d", "7-point Laplacian on N x N x N unknowns; SPD", Kind::poisson3d);

    CLI::App& anisotropic = kinds.add_grid("anisotropic", "-u_xx - EPS u_yy on N x N unknowns; SPD", Kind::anisotropic);
    anisotropic.add_option("EPS", a.epsilon, "weight of the second direction")->required();

    CLI::App& jumping = kinds.add_grid(
        "jumping-coefficients", "-div(k grad u) on N x N unknowns, k = 1 or CONTRAST; SPD", Kind::jumping_coefficients);
    jumping.add_option("CONTRAST", a.contrast, "the other value of k")->required();
    jumping.add_flag_callback(
        "--inclusions", [&a] { a.coefficients = Coefficients::inclusions; },
        "k = CONTRAST on random tiles of 4 x 4 unknowns, one in four; without it a checkerboard, 8 tiles a side");
    jumping.add_flag_callback(
        "--cells", [&a] { a.coefficients = Coefficients::cells; }, "k = 1 or CONTRAST at each unknown, at random");

    CLI::App& convection =
        kinds.add_grid("convection-diffusion", "-EPS (u_xx + u_yy) + w grad u on N x N unknowns, upwind; unsymmetric",
                       Kind::convection_diffusion);
    convection.add_option("--diffusion", a.convection.diffusion, "EPS")->capture_default_str()->type_name("EPS");
    CLI::Option* velocity = convection
                                .add_option_function<std::array<double, 2>>(
                                    "--velocity",
                                    [&a](const std::array<double, 2>& w) {
                                        a.convection.velocity_x = w[0];
                                        a.convection.velocity_y = w[1];
                                    },
                                    "w, constant")
                                ->type_name("VX VY")
                                ->default_str("1 0.5");
    convection.add_flag("--recirculating", a.convection.recirculating, "w goes round in circles")->excludes(velocity);

    add_elasticity(kinds, a);

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
