/// The command line of `generate`, as values.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <glsolve/generate.hpp>
#include <optional>

namespace CLI {
class App;
}

namespace glsolve::cli {

struct GenerateArguments {
    enum class Kind : std::uint8_t {
        poisson2d,
        poisson3d,
        anisotropic,
        jumping_coefficients,
        convection_diffusion,
        convection_diffusion3d,
        stokes2d,
        darcy2d,
        helmholtz2d,
        circuit,
        elasticity,
        thermal_shell,
        graph_laplacian,
        random_spd
    } kind = Kind::poisson2d;
    Index size = 0;                                          ///< N, or rows
    double epsilon = 1;                                      ///< of `anisotropic`
    double contrast = 1;                                     ///< of `jumping_coefficients` and `darcy2d`
    Coefficients coefficients = Coefficients::checkerboard;  ///< of `jumping_coefficients`
    Convection convection;                                   ///< of `convection_diffusion` and in 3D
    MassMatrix mass = MassMatrix::consistent;                ///< of `darcy2d`
    double points_per_wavelength = 10;                       ///< of `helmholtz2d`
    bool absorbing = false;                                  ///< of `helmholtz2d`
    Circuit circuit;                                         ///< of `circuit`
    Shell shell;                                             ///< of `thermal_shell`
    std::array<Index, 3> bricks{};                           ///< of `elasticity` and `thermal_shell`: NX, NY, NZ
    double youngs_modulus = 1, poisson_ratio = 0.3;          ///< of `elasticity`
    Index degree = 0;                                        ///< of `graph_laplacian`
    Degrees degrees = Degrees::even;                         ///< of `graph_laplacian`
    Offset nonzeros = 0;                                     ///< of `random_spd`
    std::filesystem::path output;
    std::optional<std::filesystem::path> right_hand_side, solution, coordinates;
};

/// Adds the kinds and their options to the command `generate`. What ranges they have, the library knows.
void add_generate(CLI::App& app, GenerateArguments& arguments);

}  // namespace glsolve::cli
