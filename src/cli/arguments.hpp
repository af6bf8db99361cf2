/// The command line, as values.
#pragma once

#include <filesystem>
#include <glsolve/device.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "cli/generate_arguments.hpp"
#include "cli/place.hpp"

namespace glsolve::cli {

/// What a system and a solve of it begin with. "-" is standard input.
struct SystemFiles {
    std::filesystem::path matrix;
    std::optional<std::filesystem::path> right_hand_side, initial_guess;
};

struct SolveArguments {
    SystemFiles system;
    std::optional<std::filesystem::path> solution, json, plot, plot_error, coordinates;
    DeviceOptions device;
    std::string device_name;  // or its number, or its PCI address
    Options options{.method = Method::automatic, .preconditioner = PreconditionerKind::automatic};
    int columns = 1;  // right-hand sides, where no file says
    bool quiet = false, verbose = false;
};

/// Every method with every preconditioner, format and place. The defaults are those of `solve`, but for the methods.
struct CompareArguments {
    SystemFiles system;
    std::optional<std::filesystem::path> json, plot, coordinates;
    std::vector<Method> methods = all_methods();
    std::vector<PreconditionerKind> preconditioners{Options{}.preconditioner};
    bool asks_for_preconditioners = false;  // else it is the usual one
    std::vector<FormatKind> formats{Options{}.format};
    std::vector<Place> places{Place{}};
    std::string device_name;
    Options options;  // of each run
    int repeat = 1;
    bool quiet = false;
};

struct AnalyzeArguments {
    std::filesystem::path matrix;
    std::optional<std::filesystem::path> json, plot, plot_format;
    Options options;       // of the format
    bool advice = false;   // what `auto` would do
    bool measure = false;  // the product in each format, on a device
    DeviceOptions device;
    std::string device_name;
    bool spectrum = false;  // where the eigenvalues lie
    int steps = 0;          // of Lanczos; 0: as usual
    bool amg = false;       // the levels of algebraic multigrid
    std::optional<std::filesystem::path> plot_amg, coordinates;
};

struct ConvertArguments {
    std::filesystem::path input, output;
};

struct WarmArguments {
    std::optional<std::filesystem::path> matrix;  ///< what it is for; none: usual systems
    DeviceOptions device;
    std::string device_name;
};

struct InfoArguments {
    bool report = false;  ///< a page about this driver, to be sent in
    std::optional<std::filesystem::path> json;
};

using Arguments = std::variant<SolveArguments, CompareArguments, AnalyzeArguments, ConvertArguments, WarmArguments,
                               InfoArguments, GenerateArguments>;

/// Either what to do, or the exit code when there is nothing more to do (help was printed, or an error).
std::variant<Arguments, int> parse(int argc, char** argv);

}  // namespace glsolve::cli
