/// The command line, as values.
#pragma once

#include <filesystem>
#include <glsolve/device.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <string>
#include <variant>

#include "cli/generate_arguments.hpp"

namespace glsolve::cli {

struct SolveArguments {
    std::filesystem::path matrix;
    std::optional<std::filesystem::path> right_hand_side, solution, json, plot;
    DeviceOptions device;
    Options options;
    bool quiet = false;
};

struct AnalyzeArguments {
    std::filesystem::path matrix;
    std::optional<std::filesystem::path> json, plot;
    Options options;  // of the format
};

struct InfoArguments {};

using Arguments = std::variant<SolveArguments, AnalyzeArguments, InfoArguments, GenerateArguments>;

/// Either what to do, or the exit code when there is nothing more to do (help was printed, or an error).
std::variant<Arguments, int> parse(int argc, char** argv);

}  // namespace glsolve::cli
