#include "cli/arguments.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <glsolve/device.hpp>
#include <glsolve/version.hpp>
#include <iostream>
#include <optional>

#include "base/parallel.hpp"
#include "cli/choices.hpp"
#include "cli/complaint.hpp"
#include "cli/exit_code.hpp"
#include "cli/output_names.hpp"

namespace glsolve::cli {
namespace {

constexpr std::string_view system_heading = "The system", place_heading = "Where to compute",
                           output_heading = "What comes out";

/// Options that are added from here on stand under this heading; with an empty one, in no help.
void under_heading(CLI::App& app, std::string_view heading) { app.option_defaults()->group(std::string(heading)); }

/// Which options a help shows. (CLI11 has no names for those that it hides, so complaints need all of them.)
struct Help {
    bool all = true;
    int hidden = 0;  ///< what the short one has left out
};

/// The switches of some rows of the table, those that few need in the long help alone.
void add_rows(CLI::App& app, const OptionSection& section, Options& options, Help& help,
              std::initializer_list<std::string_view> but = {}) {
    for (const OptionRow& row : section.rows) {
        if (!row.in_program || std::find(but.begin(), but.end(), row.name) != but.end()) continue;
        const bool shown = row.common || help.all;
        if (!shown) ++help.hidden;
        under_heading(app, shown ? section.heading : "");
        add_row(app, row, options);
    }
}

/// The section that a row stands in.
const OptionSection& section_of(std::string_view row) {
    const auto holds = [row](const OptionSection& section) {
        return std::ranges::find(section.rows, row, &OptionRow::name) != section.rows.end();
    };
    return *std::ranges::find_if(option_sections(), holds);
}

/// For elastic bodies: a file takes the place of two members of AmgOptions.
void add_coordinates(CLI::App& app, std::optional<std::filesystem::path>& coordinates, Help& help) {
    if (!help.all) ++help.hidden;
    under_heading(app, help.all ? section_of("amg-cycle").heading : "");
    add_text(app, "--amg-coordinates", coordinates,
             "where the points of an elastic body are, in 2 or 3 columns: amg then knows how it moves and turns")
        ->type_name("points.mtx");
}

/// Sections that matter to some methods and preconditioners.
void add_sections(CLI::App& app, Options& options, std::optional<std::filesystem::path>& coordinates, Help& help) {
    // The first two are for all, and stand further up.
    for (const OptionSection& section : std::span(option_sections()).subspan(2)) add_rows(app, section, options, help);
    add_coordinates(app, coordinates, help);
}

void tell_of_hidden(CLI::App& app, const Help& help) {
    if (help.hidden > 0) app.footer(fmt::format("--help-all lists {} more options.", help.hidden));
}

void add_matrix(CLI::App& app, std::filesystem::path& matrix) {
    add_text(app, "matrix", matrix,
             "the matrix A: Matrix Market, .mtx or .mtx.gz, or scipy's .npz; - for standard input")
        ->required()
        ->type_name("A.mtx|A.npz|-");
}

void add_picture(CLI::App& app, std::optional<std::filesystem::path>& file, const std::string& description,
                 const std::string& option = "--plot") {
    add_text(app, option, file, description + " (needs gnuplot)")
        ->type_name("FILE.svg|FILE.png")
        ->check(CLI::Validator(check_picture, "", "picture"));
}

void add_json(CLI::App& app, std::optional<std::filesystem::path>& file) {
    add_text(app, "--json", file, "writes the report as JSON; - for standard output, instead of the text")
        ->type_name("FILE|-");
}

void add_info(CLI::App& app, InfoArguments& a) {
    CLI::Option* report = app.add_flag("--report", a.report,
                                       "solves some systems in each stage, and prints a table about this driver to "
                                       "send in (docs/drivers.md)");
    app.add_option_function<std::string>(
           "--json", [&a](const std::string& file) { a.json = file.empty() ? "-" : file; },
           "writes it as JSON; without a file, or with -, to standard output instead of the text")
        ->expected(0, 1)
        ->type_name("[FILE|-]")
        ->excludes(report);
}

void add_device(CLI::App& app, std::string& device) {
    add_text(app, "--device", device,
             "one of the devices that `glsolve info` lists: its number (with a --backend), its PCI address, or "
             "part of its name; without it the first that can be opened")
        ->type_name("N|ADDRESS|NAME");
}

void add_place(CLI::App& app, DeviceOptions& device, std::string& name) {
    add_choice(app, "--backend", device.backend,
               std::array{BackendKind::automatic, BackendKind::opengl, BackendKind::cuda, BackendKind::host},
               "where to compute; auto: the faster of OpenGL and CUDA on a GPU, or the host where there is none or "
               "the system is small");
    add_device(app, name);
    add_choice(app, "--stage", device.stage, std::array{Stage::automatic, Stage::fragment, Stage::compute},
               "how OpenGL computes");
    add_number(app, "--threads", device.threads, "of the host, for set-up and the backend host; 0: one for each core",
               0, most_threads);
}

void add_analyze(CLI::App& app, AnalyzeArguments& a, Help& help) {
    under_heading(app, system_heading);
    add_matrix(app, a.matrix);
    under_heading(app, "What is told");
    app.add_flag("--measure", a.measure, "times a product in each format on a device");
    app.add_flag("--advice", a.advice, "says what auto would solve with, on which device, and what it expects");
    app.add_flag("--amg", a.amg, "makes the levels of algebraic multigrid, and says what they are");
    CLI::Option* spectrum = app.add_flag(
        "--spectrum", a.spectrum,
        "says where the eigenvalues lie: bounds from Lanczos, with A and its inverse, and from Gershgorin");
    add_number(app, "--steps", a.steps,
               "of Lanczos for --spectrum; 0: 64, or 512 where factors for the inverse would take too long", 0, 1 << 20)
        ->needs(spectrum);
    under_heading(app, output_heading);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws where the nonzeros are");
    add_picture(app, a.plot_format, "draws which part of the format keeps each nonzero, of up to 200 rows",
                "--plot-format");
    add_picture(app, a.plot_amg, "draws the levels of algebraic multigrid", "--plot-amg");
    under_heading(app, place_heading);
    add_place(app, a.device, a.device_name);
    app.parse_complete_callback([&app, &a] {
        for (const char* where : {"--backend", "--device", "--stage"}) {
            if (app.count(where) > 0 && !a.measure && !a.advice)
                throw CLI::RequiresError(where, "--measure or --advice");
        }
    });
    a.options.choice_cache = default_program_cache();
    add_rows(app, section_of("format"), a.options, help);
    add_rows(app, section_of("amg-cycle"), a.options, help);
    add_coordinates(app, a.coordinates, help);
    tell_of_hidden(app, help);
}

void add_system(CLI::App& app, SystemFiles& files) {
    add_matrix(app, files.matrix);
    add_text(app, "-b,--rhs,--right-hand-side", files.right_hand_side,
             "the right-hand side, .mtx or .npy, or - for standard input; solve takes several, the columns of an array "
             "file, "
             "with a number for each row of A. Without it b = A x* with a known random x*")
        ->type_name("b.mtx|-");
    add_text(app, "--initial-guess,--guess,--x0", files.initial_guess,
             "where to begin, a number for each column of A; for several right-hand sides as many columns, or one "
             "for all. Without it x = 0")
        ->type_name("x.mtx|-");
}

void add_solve(CLI::App& app, SolveArguments& a, Help& help) {
    a.options.choice_cache = default_program_cache();  // the program keeps what it has measured
    under_heading(app, system_heading);
    add_system(app, a.system);
    add_number(app, "--rhs-count", a.columns,
               "so many right-hand sides b = A x*, where no file is given. Several are solved together: cg in single "
               "precision takes four at a time, whatever else one after the other",
               1)
        ->excludes("--right-hand-side");
    add_rows(app, section_of("method"), a.options, help);
    app.add_flag_callback(
        "--forget", [&a] { a.options.choice_cache.clear(); },
        "chooses as if such a matrix had never been solved, or its formats measured; adds nothing to what is "
        "remembered");
    add_rows(app, section_of("format"), a.options, help);
    under_heading(app, place_heading);
    add_place(app, a.device, a.device_name);
    under_heading(app, output_heading);
    add_text(app, "-o,--output", a.solution,
             "writes the solution, a column for each right-hand side; - for standard output, and the report then "
             "goes to standard error")
        ->type_name("x.mtx|x.npy|-")
        ->check(CLI::Validator(check_vector_output, ""));
    add_json(app, a.json);
    add_picture(app, a.plot, "draws the convergence curve");
    add_picture(app, a.plot_error,
                "draws a histogram of the componentwise error, beside a reference answer: computed on the host in "
                "double precision for the b at hand, also where b = A x*, whose rounding moves the answer away from x*",
                "--plot-error");
    app.add_flag("--verbose", a.verbose, "says all about the choice of the format");
    app.add_flag("--quiet", a.quiet, "prints nothing but errors");
    add_sections(app, a.options, a.coordinates, help);
    tell_of_hidden(app, help);
}

void add_compare(CLI::App& app, CompareArguments& a, Help& help) {
    under_heading(app, system_heading);
    add_system(app, a.system);
    under_heading(app, "What is compared");
    std::erase(a.methods, Method::automatic);  // one of the others
    add_choices(app, "--methods", a.methods, all_methods(), "the methods");
    add_choices(app, "--preconditioners", a.preconditioners, all_preconditioners(),
                "the preconditioners; the direct method takes none, and is run once");
    add_choices(app, "--formats", a.formats, all_formats(), "how the matrix is stored on the device");
    add_choices(app, "--backends", a.places, all_places,
                "where to compute; opengl is the faster of its two stages, auto that or the host");
    add_device(app, a.device_name);
    add_number(app, "--repeat", a.repeat,
               "solves each so often, the fastest counts: what is compiled on first use then costs no longer", 1);
    add_rows(app, section_of("method"), a.options, help, {"method", "preconditioner", "profile"});
    add_rows(app, section_of("format"), a.options, help, {"format"});
    under_heading(app, output_heading);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws all convergence curves");
    app.add_flag("--quiet", a.quiet, "prints nothing but errors");
    add_sections(app, a.options, a.coordinates, help);
    tell_of_hidden(app, help);
}

void add_convert(CLI::App& app, ConvertArguments& a) {
    add_matrix(app, a.input);
    add_text(app, "output", a.output,
             ".mtx, .mtx.gz, .npz (scipy.sparse, for matrices), .npy (numpy, for vectors and dense matrices), or - for "
             "Matrix Market on standard output")
        ->required()
        ->type_name("FILE|-")
        ->check(CLI::Validator(check_output, ""));
}

void add_warm(CLI::App& app, WarmArguments& a) {
    add_text(app, "--for", a.matrix,
             "the programs that this matrix takes; without it those of some usual systems of small and medium size")
        ->type_name("A.mtx");
    add_place(app, a.device, a.device_name);
}

/// The words behind the program's name, the last one first. `help COMMAND` is `COMMAND --help`.
std::vector<std::string> in_order_of_cli11(int argc, char** argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    if (!words.empty() && words.front() == "help") {
        words.erase(words.begin());
        words.emplace_back("--help");
    }
    std::reverse(words.begin(), words.end());
    return words;
}

}  // namespace

std::variant<Arguments, int> parse(int argc, char** argv) {
    std::vector<std::string> words = in_order_of_cli11(argc, argv);
    const auto has = [&words](std::string_view word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    const bool all = has("--help-all") || !(has("--help") || has("-h"));
    Help help_of_solve{.all = all}, help_of_compare{.all = all}, help_of_analyze{.all = all};
    CLI::App app(
        "glsolve solves linear systems A x = b through OpenGL or CUDA.\n"
        "Exit codes: 0 converged, 1 not converged, 2 bad input or use, 3 no such device, 130 interrupted.",
        "glsolve");
    app.set_help_all_flag("--help-all", "Print the help of all options and exit");
    app.set_version_flag("-V,--version", GLSOLVE_VERSION);
    app.footer(
        "glsolve help COMMAND, or glsolve COMMAND --help, lists the options of a command that most need; --help-all "
        "lists all.");
    app.require_subcommand(1);
    app.failure_message(complaint);
    SolveArguments solve;
    GenerateArguments generate;
    CLI::App* solve_command = app.add_subcommand("solve", "solves a system from a file");
    add_solve(*solve_command, solve, help_of_solve);
    CompareArguments compare;
    CLI::App* compare_command = app.add_subcommand(
        "compare",
        "solves one system in many ways, and tells how each ended and what it took; exit code 0 if at least "
        "one converged");
    add_compare(*compare_command, compare, help_of_compare);
    AnalyzeArguments analyze;
    CLI::App* analyze_command = app.add_subcommand("analyze", "tells what a matrix is like, and which format suits it");
    add_analyze(*analyze_command, analyze, help_of_analyze);
    ConvertArguments convert;
    CLI::App* convert_command =
        app.add_subcommand("convert", "writes a matrix or vectors in another format: Matrix Market, .npz, .npy");
    add_convert(*convert_command, convert);
    WarmArguments warm;
    CLI::App* warm_command = app.add_subcommand(
        "warm", "compiles programs ahead and keeps them, so that the first solves need not wait; for installers");
    add_warm(*warm_command, warm);
    InfoArguments info;
    CLI::App* info_command = app.add_subcommand("info", "lists devices, their stages, rates and limits");
    add_info(*info_command, info);
    CLI::App* generate_command = app.add_subcommand("generate", "writes a system to try things on");
    add_generate(*generate_command, generate);
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& error) {
        // Help about a command that there is not would be the help about all of them.
        if (error.get_exit_code() == 0 && wrong_command(app)) {
            std::cerr << complaint(&app, error);
            return exit_bad_input;
        }
        return app.exit(error) == 0 ? exit_converged : exit_bad_input;
    }
    compare.asks_for_preconditioners = compare_command->count("--preconditioners") > 0;
    if (solve_command->parsed()) return Arguments(std::move(solve));
    if (compare_command->parsed()) return Arguments(std::move(compare));
    if (analyze_command->parsed()) return Arguments(std::move(analyze));
    if (convert_command->parsed()) return Arguments(std::move(convert));
    if (warm_command->parsed()) return Arguments(std::move(warm));
    if (info_command->parsed()) return Arguments(info);
    return Arguments(std::move(generate));
}

}  // namespace glsolve::cli
