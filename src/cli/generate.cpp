#include <fmt/format.h>

#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/outputs.hpp"

namespace glsolve::cli {
namespace {

using Kind = GenerateArguments::Kind;

struct Generated {
    CsrMatrix A;
    std::string arguments;  ///< that give it again
    std::vector<double> coordinates{};
};

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
        case Kind::convection_diffusion: {
            const Convection& c = a.convection;
            const std::string flow =
                c.recirculating ? "--recirculating" : fmt::format("--velocity {} {}", c.velocity_x, c.velocity_y);
            return {convection_diffusion(a.size, c),
                    fmt::format("convection-diffusion {} --diffusion {} {}", a.size, c.diffusion, flow)};
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
    check_outputs({a.output, a.right_hand_side, a.solution, a.coordinates});
    const Generated made = make(a);
    const std::string comment = "glsolve generate " + made.arguments;
    write_matrix_market(a.output, made.A, comment);
    fmt::print("{}: {} x {}, {} nonzeros\n", a.output.string(), made.A.rows, made.A.columns, made.A.nonzeros());

    const auto write = [&](const std::optional<std::filesystem::path>& file, std::span<const double> values,
                           std::string_view what, Index columns = 1) {
        if (!file) return;
        write_matrix_market(*file, values, fmt::format("{} of {}", what, comment), columns);
        fmt::print("{}: {}\n", file->string(), what);
    };
    write(a.coordinates, made.coordinates, "coordinates of the nodes", 3);
    if (a.right_hand_side || a.solution) {
        const std::vector<double> x = known_answer(made.A.rows);
        std::vector<double> b(x.size());
        multiply(made.A, x, b);
        write(a.right_hand_side, b, "right-hand side A x*");
        write(a.solution, x, "known answer x*");
    }
    return exit_converged;
}

}  // namespace glsolve::cli
