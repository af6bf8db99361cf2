#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <array>
#include <glsolve/version.hpp>
#include <map>
#include <optional>
#include <string_view>

#include "cli/exit_code.hpp"

namespace glsolve::cli {
namespace {

/// An option that takes one of the names of an enumeration.
template <class Enum, std::size_t count>
CLI::Option* add_choice(CLI::App& app, const std::string& option, Enum& value, const std::array<Enum, count>& choices,
                        const std::string& description) {
    std::map<std::string, Enum> names;
    std::string list;
    for (const Enum choice : choices) {
        names.emplace(std::string(name(choice)), choice);
        list += (list.empty() ? "" : "|") + std::string(name(choice));
    }
    const std::string preset(name(value));
    return app
        .add_option_function<std::string>(
            option, [&value, names](const std::string& text) { value = names.at(text); }, description)
        ->check(CLI::IsMember(names).description(""))
        ->type_name(list)
        ->default_str(preset);
}

/// In words; CLI11's own check prints a bound of 300 digits.
const CLI::Validator zero_or_more(
    [](const std::string& text) {
        double value = 0;
        const bool number = CLI::detail::lexical_cast(text, value);
        return number && value >= 0 ? "" : fmt::format("'{}' is no number from 0 on", text);
    },
    "");

/// What is wrong, and where help is.
std::string complaint(const CLI::App* app, const CLI::Error& error) {
    std::string command;
    for (const CLI::App* chosen : app->get_subcommands()) {
        command += " " + chosen->get_name();
        for (const CLI::App* kind : chosen->get_subcommands()) command += " " + kind->get_name();
    }
    return fmt::format("glsolve: {}\nglsolve{} --help lists what there is.\n", error.what(), command);
}

/// The names of an app's commands.
std::string commands(const CLI::App& app) {
    std::string list;
    for (const CLI::App* command : app.get_subcommands({})) {
        list += (list.empty() ? "" : ", ") + command->get_name();
    }
    return list;
}

/// The end of a picture's name decides what is drawn.
std::string check_picture(const std::string& file) {
    const std::filesystem::path extension = std::filesystem::path(file).extension();
    return extension == ".svg" || extension == ".png" ? "" : "a picture is FILE.svg or FILE.png, not " + file;
}

void add_format(CLI::App& app, Options& options) {
    add_choice(app, "--format", options.format,
               std::array{FormatKind::automatic, FormatKind::measure, FormatKind::dia, FormatKind::ell,
                          FormatKind::runs, FormatKind::sell, FormatKind::dense},
               "how the matrix is stored on the device");
    app.add_option("--slice-height", options.slicing.height,
                   "rows of a slice of runs and sell: a power of two from 4 on")
        ->capture_default_str();
    app.add_option("--sort-window", options.slicing.sort_window,
                   "sorts rows by their lengths within windows of so many; 0: not at all")
        ->check(zero_or_more)
        ->capture_default_str();
}

void add_matrix(CLI::App& app, std::filesystem::path& matrix) {
    app.add_option("matrix", matrix, "the matrix A: Matrix Market, .mtx or .mtx.gz")->required()->type_name("A.mtx");
}

void add_picture(CLI::App& app, std::optional<std::filesystem::path>& file, const std::string& description) {
    app.add_option("--plot", file, description + " (needs gnuplot)")
        ->type_name("FILE.svg|FILE.png")
        ->check(CLI::Validator(check_picture, "", "picture"));
}

void add_json(CLI::App& app, std::optional<std::filesystem::path>& file) {
    app.add_option("--json", file, "writes the report as JSON; - for standard output, instead of the text")
        ->type_name("FILE|-");
}

void add_analyze(CLI::App& app, AnalyzeArguments& a) {
    add_matrix(app, a.matrix);
    add_format(app, a.options);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws where the nonzeros are");
}

void add_solve(CLI::App& app, SolveArguments& a) {
    add_matrix(app, a.matrix);
    app.add_option("-b,--right-hand-side", a.right_hand_side,
                   "the right-hand side, one column; without it b = A x* with a known random x*")
        ->type_name("b.mtx");
    app.add_option("-o,--output", a.solution, "writes the solution")->type_name("x.mtx");
    add_choice(app, "--method", a.options.method,
               std::array{Method::cg, Method::minres, Method::bicgstab, Method::gmres, Method::fgmres, Method::direct},
               "the method");
    add_choice(app, "--preconditioner", a.options.preconditioner,
               std::array{PreconditionerKind::none, PreconditionerKind::jacobi},
               "the preconditioner; the direct method takes none");
    app.add_option("--restart", a.options.gmres.restart, "steps of gmres and fgmres between restarts")
        ->capture_default_str();
    add_choice(app, "--orthogonalisation", a.options.gmres.orthogonalisation,
               std::array{Orthogonalisation::classical_twice, Orthogonalisation::modified},
               "of gmres: classical Gram-Schmidt twice, or the modified process");
    add_choice(app, "--least-squares", a.options.gmres.least_squares,
               std::array{LeastSquares::device, LeastSquares::host}, "where gmres solves its small problem");
    add_choice(app, "--precision", a.options.precision,
               std::array{Precision::automatic, Precision::single, Precision::two_float},
               "of the iteration: single with corrections, two floats, or the second when the first no longer helps");
    add_choice(app, "--backend", a.device.backend,
               std::array{BackendKind::automatic, BackendKind::opengl, BackendKind::host}, "where to compute");
    add_choice(app, "--stage", a.device.stage, std::array{Stage::automatic, Stage::fragment, Stage::compute},
               "how OpenGL computes");
    add_format(app, a.options);
    app.add_option("--tolerance", a.options.tolerance, "the true relative residual to reach, in double precision")
        ->check(zero_or_more)
        ->capture_default_str();
    app.add_option("--max-iterations", a.options.max_iterations,
                   "0: 100 for each row, and 10000; of the direct method: corrections, 0: 100")
        ->check(zero_or_more)
        ->capture_default_str();
    add_json(app, a.json);
    add_picture(app, a.plot, "draws the convergence curve");
    app.add_flag("--profile", a.options.profile, "times each pass; slow");
    app.add_flag("--quiet", a.quiet, "prints nothing but errors");
}

}  // namespace

std::variant<Arguments, int> parse(int argc, char** argv) {
    CLI::App app(
        "glsolve solves linear systems A x = b through OpenGL.\n"
        "Exit codes: 0 converged, 1 not converged, 2 bad input or use, 3 no such device, 130 interrupted.",
        "glsolve");
    app.set_version_flag("--version", GLSOLVE_VERSION);
    app.require_subcommand(1);
    app.failure_message(complaint);
    SolveArguments solve;
    GenerateArguments generate;
    CLI::App* solve_command = app.add_subcommand("solve", "solves a system from a Matrix Market file");
    add_solve(*solve_command, solve);
    AnalyzeArguments analyze;
    CLI::App* analyze_command = app.add_subcommand("analyze", "tells what a matrix is like, and which format suits it");
    add_analyze(*analyze_command, analyze);
    CLI::App* info_command = app.add_subcommand("info", "lists devices, their stages, rates and limits");
    CLI::App* generate_command = app.add_subcommand("generate", "writes a system to try things on");
    add_generate(*generate_command, generate);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        const int code = app.exit(error);
        for (const CLI::App* level : std::initializer_list<const CLI::App*>{&app, generate_command}) {
            if (code == 0 || !level->parsed() || !level->get_subcommands().empty()) continue;
            fmt::print(stderr, "commands{}: {}\n", level == &app ? "" : " of " + level->get_name(), commands(*level));
        }
        return code == 0 ? exit_converged : exit_bad_input;
    }
    if (solve_command->parsed()) return Arguments(std::move(solve));
    if (analyze_command->parsed()) return Arguments(std::move(analyze));
    if (info_command->parsed()) return Arguments(InfoArguments{});
    return Arguments(std::move(generate));
}

}  // namespace glsolve::cli
