#include "cli/arguments.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <glsolve/device.hpp>
#include <glsolve/version.hpp>
#include <iostream>
#include <optional>

#include "cli/choices.hpp"
#include "cli/complaint.hpp"
#include "cli/exit_code.hpp"
#include "cli/output_names.hpp"

namespace glsolve::cli {
namespace {

void add_slicing(CLI::App& app, Slicing& slicing) {
    add_number(app, "--slice-height", slicing.height, "rows of a slice of runs and sell: a power of two from 4 on", 4);
    add_number(app, "--sort-window", slicing.sort_window,
               "sorts rows by their lengths within windows of so many; 0: not at all");
}

/// The program keeps what it has measured.
void add_format(CLI::App& app, Options& options) {
    options.format_cache = default_program_cache();
    add_choice(app, "--format", options.format, all_formats(), "how the matrix is stored on the device");
    add_slicing(app, options.slicing);
    add_choice(app, "--reorder", options.reorder, all_reorderings(),
               "order of rows and unknowns on the device: rcm near the diagonal, degree by length, amd for few "
               "nonzeros in factors; auto: rcm or degree, where it pays");
    add_choice(app, "--ell-width", options.ell_width, all_ell_widths(),
               "how many nonzeros of each row hec and hyb keep in ell: by cost, by the rule of Cheng (2018), or timed");
}

void add_matrix(CLI::App& app, std::filesystem::path& matrix) {
    add_text(app, "matrix", matrix, "the matrix A: Matrix Market, .mtx or .mtx.gz; - for standard input")
        ->required()
        ->type_name("A.mtx|-");
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

void add_amg(CLI::App& app, AmgOptions& amg, std::optional<std::filesystem::path>& coordinates) {
    add_choice(app, "--amg-coarsening", amg.coarsening, all_coarsenings(), "how amg chooses coarser levels");
    add_choice(app, "--amg-interpolation", amg.interpolation, all_interpolations(),
               "from which coarse unknowns ruge-stueben, pmis and falgout interpolate");
    add_choice(app, "--amg-cycle", amg.cycle, all_multigrid_cycles(), "in which order levels take their turns");
    add_choice(app, "--amg-smoother", amg.smoother, all_multigrid_smoothers(), "what smooths on each level");
    add_number(app, "--amg-steps", amg.steps,
               "of the smoother, before and after each correction, at most 16; 0: chosen", 0, 16);
    add_any_number(app, "--amg-strength", amg.strength, "share from which on an entry is strong; negative: chosen");
    app.add_flag("--amg-second-pass", amg.second_pass,
                 "of ruge-stueben: more coarse unknowns, where coefficients jump");
    add_number(app, "--amg-truncation", amg.truncation, "share of the largest below which interpolation is left out");
    add_number(app, "--amg-most-interpolated", amg.most_interpolated,
               "entries of a row of interpolation; 0: extended 4, direct any", 0, 1 << 16);
    add_number(app, "--amg-coarsest", amg.coarsest,
               "rows from which on a level is solved by a dense product; 0: as measured, 300 to 2000");
    add_number(app, "--amg-host-rows", amg.host_rows,
               "levels with at most so many rows are worked on by the host, for which the device waits; 0: none");
    add_number(app, "--amg-levels", amg.levels, "at most", 1, 64);
    app.add_flag("!--amg-no-lattice", amg.on_lattice, "grids are coarsened as any other matrix");
    app.add_flag("!--amg-no-half", amg.half_floats, "single precision for all numbers of levels and interpolation");
    add_number(app, "--amg-unknowns-a-point", amg.unknowns_a_point, "consecutive rows that aggregates keep together", 1,
               64);
    add_text(app, "--amg-coordinates", coordinates,
             "where the points of an elastic body are, in 2 or 3 columns: amg then knows how it moves and turns")
        ->type_name("points.mtx");
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
               "where to compute; auto: the faster of OpenGL and CUDA, or the host where neither is there");
    add_device(app, name);
    add_choice(app, "--stage", device.stage, std::array{Stage::automatic, Stage::fragment, Stage::compute},
               "how OpenGL computes");
}

void add_analyze(CLI::App& app, AnalyzeArguments& a) {
    add_matrix(app, a.matrix);
    add_format(app, a.options);
    CLI::Option* measure = app.add_flag("--measure", a.measure, "times a product in each format on a device");
    add_place(app, a.device, a.device_name);
    for (const char* where : {"--backend", "--device", "--stage"}) app.get_option(where)->needs(measure);
    app.add_flag("--amg", a.amg, "makes the levels of algebraic multigrid, and says what they are");
    add_picture(app, a.plot_amg, "draws the levels of algebraic multigrid", "--plot-amg");
    add_amg(app, a.options.amg, a.coordinates);
    CLI::Option* spectrum = app.add_flag(
        "--spectrum", a.spectrum,
        "says where the eigenvalues lie: bounds from Lanczos, with A and its inverse, and from Gershgorin");
    add_number(app, "--steps", a.steps,
               "of Lanczos for --spectrum; 0: 64, or 512 where factors for the inverse would take too long", 0, 1 << 20)
        ->needs(spectrum);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws where the nonzeros are");
    add_picture(app, a.plot_format, "draws which part of the format keeps each nonzero, of up to 200 rows",
                "--plot-format");
}

void add_system(CLI::App& app, SystemFiles& files) {
    add_matrix(app, files.matrix);
    add_text(app, "-b,--rhs,--right-hand-side", files.right_hand_side,
             "the right-hand side, or - for standard input; solve takes several, the columns of an array file, "
             "with a number for each row of A. Without it b = A x* with a known random x*")
        ->type_name("b.mtx|-");
    add_text(app, "--initial-guess,--guess,--x0", files.initial_guess,
             "where to begin, a number for each column of A; for several right-hand sides as many columns, or one "
             "for all. Without it x = 0")
        ->type_name("x.mtx|-");
}

/// What matters to any method, and what to some.
void add_iteration(CLI::App& app, Options& options, std::optional<std::filesystem::path>& coordinates) {
    PreconditionerOptions& p = options.preconditioning;
    add_number(app, "--preconditioner-steps", p.steps,
               "sweeps of a preconditioner, or the degree of a polynomial; 0: one sweep, degree 4", 0, 64);
    add_weight(app, "--preconditioner-relaxation", p.relaxation, "weight of its sweeps");
    add_number(app, "--block", p.block, "rows of a block of block-jacobi, 2 to 4", 2, 4);
    add_number(app, "--fill-level", p.level, "of iluk and ick", 0, 100);
    add_number(app, "--drop-tolerance", p.drop_tolerance,
               "of ilut and ict: what is smaller than this share of its row is dropped");
    add_number(app, "--fill", p.fill, "of ilut and ict: at most about so many times the nonzeros of A");
    add_number(app, "--modified", p.modified, "share of what is dropped that is added to the diagonal, 0 to 1");
    add_number(app, "--shift", p.shift, "first shift of the diagonal for factors; grows until pivots are safe");
    add_number(app, "--inverse-power", p.inverse_power,
               "of isai, fsai and spai: p, where the inverse has nonzeros in the places of A^p; 0: chosen", 0, 8);
    add_number(app, "--factor-block", p.factor_block,
               "of ilu0, iluk, ic0 and ick: rows that stay together, and whose blocks are inverted", 1, 4);
    add_number(app, "--factor-sweeps", p.factor_sweeps,
               "of parilu: sweeps that make the factors; 0: until they change little", 0, 64);
    add_choice(app, "--apply", p.apply, all_factor_applications(),
               "incomplete factors: exact by levels of rows, by sweeps (--preconditioner-steps), by approximate "
               "inverses, or what is measured to be best (auto)");
    add_choice(app, "--factor-order", p.order, all_factor_orders(),
               "rows are factored in this order; auto: as they are, amd where the diagonal has zeros");
    add_amg(app, options.amg, coordinates);
    add_number(app, "--restart", options.gmres.restart, "steps of gmres and fgmres between restarts", 1, 1024);
    add_number(app, "--idr-s", options.idr.s, "shadow vectors of idr: an iteration takes one product more", 1, 8);
    add_choice(app, "--orthogonalisation,--orthogonalization", options.gmres.orthogonalisation,
               std::array{Orthogonalisation::classical_twice, Orthogonalisation::modified},
               "of gmres: classical Gram-Schmidt twice, or the modified process");
    add_choice(app, "--least-squares", options.gmres.least_squares,
               std::array{LeastSquares::device, LeastSquares::host}, "where gmres solves its small problem");
    add_choice(
        app, "--chebyshev-form", options.chebyshev.form,
        std::array{ChebyshevForm::fused, ChebyshevForm::published, ChebyshevForm::chaotic},
        "steps of chebyshev: one pass each; as published, one operation after the other; or chaotic, several in a "
        "pass that do not wait for one another, with results that differ from run to run");
    add_number(app, "--chaotic-steps", options.chebyshev.chaotic_steps, "how many, 1 to 16", 1, 16);
    add_number(app, "--smallest", options.chebyshev.smallest,
               "lower bound of the spectrum for chebyshev; 0: estimated by Lanczos");
    add_number(app, "--largest", options.chebyshev.largest, "upper bound of it; 0: estimated by Lanczos");
    add_number(app, "--test-every", options.test_every,
               "steps of chebyshev and stationary methods from one look at the residual to the next", 1, 1 << 16);
    add_weight(app, "--relaxation", options.relaxation, "weight of stationary methods");
    add_choice(
        app, "--precision", options.precision,
        std::array{Precision::automatic, Precision::half, Precision::single, Precision::two_float, Precision::doubles},
        "of the iteration: single with corrections, two floats, the second when the first no longer helps (auto), "
        "the matrix in half precision, which is read faster, or double precision, on CUDA");
    add_number(app, "--tolerance,--tol,--rtol", options.tolerance,
               "the true relative residual to reach, in double precision; of cgnr also |A^T r| / (|A| |r|)");
    add_number(app, "--max-iterations,--max-iter,--maxiter,--max-it", options.max_iterations,
               "0: 100 for each row, and 10000; of the direct method: corrections, 0: 100");
    add_number(app, "--fixed-iterations,--fixed-iter", options.fixed_iterations,
               "so many iterations whatever the residual is, and nothing read back before they are done; 0: until "
               "the tolerance is met",
               0, 65536);
    add_number(app, "--seconds", options.seconds,
               "a solve ends after so many seconds, with the best x so far and exit code 1; reading and set-up do not "
               "count; 0: no limit");
}

void add_solve(CLI::App& app, SolveArguments& a) {
    add_system(app, a.system);
    add_number(app, "--rhs-count", a.columns,
               "so many right-hand sides b = A x*, where no file is given. Several are solved together: cg in single "
               "precision takes four at a time, whatever else one after the other",
               1)
        ->excludes("--right-hand-side");
    add_text(app, "-o,--output", a.solution,
             "writes the solution, a column for each right-hand side; - for standard output, and the report then "
             "goes to standard error")
        ->type_name("x.mtx|-")
        ->check(CLI::Validator(check_matrix_output, ""));
    add_choice(app, "--method,--solver", a.options.method, all_methods(),
               "the method; cgnr takes a matrix of any shape and makes |b - A x| smallest");
    add_choice(app, "--preconditioner,--precond,--pc", a.options.preconditioner, all_preconditioners(),
               "the preconditioner; the direct method takes none, cgnr none or jacobi; multigrid is for "
               "5-point and 7-point matrices, amg for any");
    add_iteration(app, a.options, a.coordinates);
    add_place(app, a.device, a.device_name);
    add_format(app, a.options);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws the convergence curve");
    add_picture(app, a.plot_error,
                "draws a histogram of the componentwise error, beside a reference answer: computed on the host in "
                "double precision for the b at hand, also where b = A x*, whose rounding moves the answer away from x*",
                "--plot-error");
    app.add_flag("--profile", a.options.profile, "times each pass; slow");
    app.add_flag("--verbose", a.verbose, "says all about the choice of the format");
    app.add_flag("--quiet", a.quiet, "prints nothing but errors");
}

void add_compare(CLI::App& app, CompareArguments& a) {
    add_system(app, a.system);
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
    add_iteration(app, a.options, a.coordinates);
    add_slicing(app, a.options.slicing);
    add_json(app, a.json);
    add_picture(app, a.plot, "draws all convergence curves");
    app.add_flag("--quiet", a.quiet, "prints nothing but errors");
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
    CLI::App app(
        "glsolve solves linear systems A x = b through OpenGL or CUDA.\n"
        "Exit codes: 0 converged, 1 not converged, 2 bad input or use, 3 no such device, 130 interrupted.",
        "glsolve");
    app.set_version_flag("-V,--version", GLSOLVE_VERSION);
    app.footer("glsolve help COMMAND, or glsolve COMMAND --help, lists the options of a command.");
    app.require_subcommand(1);
    app.failure_message(complaint);
    SolveArguments solve;
    GenerateArguments generate;
    CLI::App* solve_command = app.add_subcommand("solve", "solves a system from a Matrix Market file");
    add_solve(*solve_command, solve);
    CompareArguments compare;
    CLI::App* compare_command = app.add_subcommand(
        "compare",
        "solves one system in many ways, and tells how each ended and what it took; exit code 0 if at least "
        "one converged");
    add_compare(*compare_command, compare);
    AnalyzeArguments analyze;
    CLI::App* analyze_command = app.add_subcommand("analyze", "tells what a matrix is like, and which format suits it");
    add_analyze(*analyze_command, analyze);
    InfoArguments info;
    CLI::App* info_command = app.add_subcommand("info", "lists devices, their stages, rates and limits");
    add_info(*info_command, info);
    CLI::App* generate_command = app.add_subcommand("generate", "writes a system to try things on");
    add_generate(*generate_command, generate);
    try {
        app.parse(in_order_of_cli11(argc, argv));
    } catch (const CLI::ParseError& error) {
        // Help about a command that there is not would be the help about all of them.
        if (error.get_exit_code() == 0 && wrong_command(app)) {
            std::cerr << complaint(&app, error);
            return exit_bad_input;
        }
        return app.exit(error) == 0 ? exit_converged : exit_bad_input;
    }
    solve.asks_for_preconditioner = solve_command->count("--preconditioner") > 0;
    compare.asks_for_preconditioners = compare_command->count("--preconditioners") > 0;
    if (solve_command->parsed()) return Arguments(std::move(solve));
    if (compare_command->parsed()) return Arguments(std::move(compare));
    if (analyze_command->parsed()) return Arguments(std::move(analyze));
    if (info_command->parsed()) return Arguments(info);
    return Arguments(std::move(generate));
}

}  // namespace glsolve::cli
