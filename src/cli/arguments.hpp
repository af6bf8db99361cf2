/// The command line, as values.
#pragma once

#include <cstdint>
#include <filesystem>
#include <glsolve/device.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <string>
#include <variant>

namespace glsolve::cli {

struct SolveArguments {
    std::filesystem::path matrix;
    std::optional<std::filesystem::path> right_hand_side, solution, json, plot;
    DeviceOptions device;
    Options options;
    bool quiet = false;
};

struct InfoArguments {};

struct GenerateArguments {
    enum class Kind : std::uint8_t { poisson2d, poisson3d, anisotropic, random_spd } kind = Kind::poisson2d;
    Index size = 0;       ///< N, or rows
    double epsilon = 1;   ///< of `anisotropic`
    Offset nonzeros = 0;  ///< of `random_spd`
    std::filesystem::path output;
};

using Arguments = std::variant<SolveArguments, InfoArguments, GenerateArguments>;

/// Either what to do, or the exit code when there is nothing more to do (help was printed, or an error).
std::variant<Arguments, int> parse(int argc, char** argv);

}  // namespace glsolve::cli
