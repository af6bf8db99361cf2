#include <fmt/format.h>

#include <cmath>
#include <glsolve/analyze.hpp>
#include <glsolve/error.hpp>
#include <nlohmann/json.hpp>

#include "base/parallel.hpp"
#include "cli/advice.hpp"
#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/gnuplot.hpp"
#include "cli/hierarchy.hpp"
#include "cli/open_device.hpp"
#include "cli/problem.hpp"
#include "cli/spectrum.hpp"
#include "cli/spy_plot.hpp"
#include "cli/switches.hpp"
#include "cli/terminal.hpp"

namespace glsolve::cli {
namespace {

constexpr Index most_drawn_rows = 200;  // number by number

void print_histogram(const Analysis& a) {
    Index most = 1;
    for (const RowLengths& bin : a.histogram) most = std::max(most, bin.rows);
    for (const RowLengths& bin : a.histogram) {
        const std::string lengths = bin.shortest == bin.longest ? fmt::format("{}", bin.shortest)
                                                                : fmt::format("{}-{}", bin.shortest, bin.longest);
        // At least one mark for any row at all: the rare long ones matter.
        const auto marks = static_cast<int>(std::ceil(40.0 * bin.rows / most));
        fmt::print("{:>12} {:>10}  {:#<{}}\n", lengths, bin.rows, "", marks);
    }
}

std::string symmetry(const Analysis& a) {
    if (!a.square) return "none: not square";
    if (a.asymmetry == 0) return "symmetric";
    return fmt::format("not symmetric: by {:.1e} of the largest entry; the pattern is{} symmetric", a.asymmetry,
                       a.structurally_symmetric ? "" : " not");
}

std::string diagonal(const Analysis& a) {
    std::string text = a.zero_diagonal == 0 ? "no zeros" : fmt::format("{} zeros", a.zero_diagonal);
    if (a.negative_diagonal > 0) text += fmt::format(", {} below zero: not positive definite", a.negative_diagonal);
    return text;
}

/// What a product takes, where that is known.
std::string times(const FormatPrediction& p) {
    std::string text;
    if (p.seconds > 0) text += fmt::format("{:.4f} ms", p.seconds * 1e3);
    if (p.predicted_seconds > 0)
        text += fmt::format("{}{:.4f} ms expected", text.empty() ? "" : ", ", p.predicted_seconds * 1e3);
    return text.empty() ? text : text + "; ";
}

void print_text(const std::string& file, std::span<const std::string> remarks, const Analysis& a,
                const FormatChoice& format) {
    print_line(stdout, "matrix", fmt::format("{}: {} x {}, {} nonzeros", file, a.rows, a.columns, a.nonzeros));
    for (const std::string& remark : remarks) print_line(stdout, "", remark);
    print_line(stdout, "rows",
               fmt::format("{} to {} nonzeros each, {:.1f} in the mean{}", a.shortest_row, a.longest_row, a.mean_row,
                           a.empty_rows > 0 ? fmt::format("; {} are empty", a.empty_rows) : ""));
    print_histogram(a);
    print_line(stdout, "bandwidth",
               fmt::format("{} to the left, {} to the right of the diagonal", a.lower_bandwidth, a.upper_bandwidth));
    print_line(stdout, "diagonals", fmt::format("{} with nonzeros", a.diagonals));
    print_line(stdout, "symmetry", symmetry(a));
    print_line(stdout, "diagonal", diagonal(a));
    print_line(stdout, "dominance",
               fmt::format("{} of {} rows are diagonally dominant{}", a.dominant_rows, std::min(a.rows, a.columns),
                           std::isfinite(a.least_dominance) ? fmt::format(
                               "; the least |a_ii| is {:.3g} times the sum of the others in its row", a.least_dominance)
                                                            : "; no row holds anything beside the diagonal"));
    print_line(stdout, "values",
               a.nonzeros == 0 ? "none"
                               : fmt::format("from {:.1e} to {:.1e}; scaled by powers of two: {:.1e} to {:.1e}",
                                             a.smallest, a.largest, a.smallest_scaled, a.largest_scaled));
    if (!a.square) return;
    print_line(stdout, "format", format.reason);
    for (const FormatPrediction& p : format.predictions) {
        fmt::print("{:>12} {}\n", name(p.format),
                   p.possible() ? fmt::format("{}{}; {:.2f} MB on the device, {:.2f} MB fetched", times(p), p.note,
                                              p.memory * 1e-6, p.bytes * 1e-6)
                                : "impossible: " + p.impossible);
    }
}

nlohmann::ordered_json to_json(const Eigenvalues& e) {
    if (!e.why_not.empty()) return nullptr;
    nlohmann::ordered_json json{{"gershgorin", e.gershgorin}};
    if (!e.found) return json;
    json["smallest_at_most"] = e.found->smallest;
    json["largest_at_least"] = e.found->largest;
    json["steps"] = e.found->steps;
    json["inverse_steps"] = e.found->inverse_steps;
    json["definite"] = e.found->definite == ExtremeEigenvalues::Definite::positive;
    json["negative_definite"] = e.found->definite == ExtremeEigenvalues::Definite::negative;
    return json;
}

nlohmann::ordered_json to_json(const Advice& advice) {
    using nlohmann::ordered_json;
    ordered_json json = {{"device", advice.device},
                         {"method", name(advice.choice.method)},
                         {"preconditioner", name(advice.choice.preconditioner)},
                         {"reason", advice.choice.reason},
                         {"predictions", ordered_json::array()}};
    for (const MethodPrediction& way : advice.choice.predictions) {
        json["predictions"].push_back({{"method", name(way.method)},
                                       {"preconditioner", name(way.preconditioner)},
                                       {"predicted_seconds", way.seconds}});
    }
    return json;
}

/// What was found out.
struct Findings {
    Analysis matrix;
    FormatChoice format;
    std::optional<SpectrumReport> spectrum = {};
    std::optional<Advice> advice = {};
    std::optional<HierarchyReport> levels = {};
};

std::string to_json(const std::string& file, std::span<const std::string> remarks, const Findings& found) {
    using nlohmann::ordered_json;
    const auto& [a, format, spectrum, advice, levels] = found;
    ordered_json json;
    json["matrix"] = {{"file", file}, {"rows", a.rows}, {"columns", a.columns}, {"nonzeros", a.nonzeros}};
    if (!remarks.empty()) json["matrix"]["remarks"] = remarks;
    json["row_lengths"] = {{"shortest", a.shortest_row},
                           {"longest", a.longest_row},
                           {"mean", a.mean_row},
                           {"empty", a.empty_rows},
                           {"histogram", ordered_json::array()}};
    for (const RowLengths& bin : a.histogram) {
        json["row_lengths"]["histogram"].push_back({bin.shortest, bin.longest, bin.rows});
    }
    json["bandwidth"] = {{"lower", a.lower_bandwidth}, {"upper", a.upper_bandwidth}};
    json["diagonals"] = a.diagonals;
    json["symmetry"] = {{"asymmetry", a.square ? ordered_json(a.asymmetry) : ordered_json(nullptr)},
                        {"pattern", a.structurally_symmetric}};
    json["diagonal"] = {{"zeros", a.zero_diagonal}, {"negative", a.negative_diagonal}};
    json["dominance"] = {
        {"rows", a.dominant_rows},
        {"least", std::isfinite(a.least_dominance) ? ordered_json(a.least_dominance) : ordered_json(nullptr)}};
    json["values"] = {{"smallest", a.smallest},
                      {"largest", a.largest},
                      {"smallest_scaled", a.smallest_scaled},
                      {"largest_scaled", a.largest_scaled}};
    if (a.square) {
        json["format"] = {{"chosen", format.predictions.empty() ? "none" : name(format.format)},
                          {"reason", format.reason},
                          {"predictions", ordered_json::array()}};
        for (const FormatPrediction& p : format.predictions) {
            json["format"]["predictions"].push_back({{"format", name(p.format)},
                                                     {"possible", p.possible()},
                                                     {"note", p.possible() ? p.note : p.impossible},
                                                     {"bytes", p.bytes},
                                                     {"memory", p.memory},
                                                     {"passes", p.passes},
                                                     {"seconds", p.seconds},
                                                     {"predicted_seconds", p.predicted_seconds}});
        }
    }
    if (spectrum) {
        json["spectrum"] = {
            {"symmetric", spectrum->symmetric}, {"A", to_json(spectrum->plain)}, {"D^-1 A", to_json(spectrum->jacobi)}};
    }
    if (advice) json["advice"] = to_json(*advice);
    if (levels) json["amg"] = cli::to_json(*levels);
    return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

void print_spectrum(const SpectrumReport& s) {
    print_line(stdout, "eigenvalues", "of A: " + in_words(s.plain, s.symmetric));
    print_line(stdout, "", "of D^-1 A: " + in_words(s.jacobi, s.symmetric));
}

/// A matrix that no solver takes is analyzed all the same.
FormatChoice choose(CsrView A, const AnalyzeArguments& arguments) {
    try {
        if (!arguments.measure) return predict_format(A, arguments.options);
        Device device = open_device(arguments.device, arguments.device_name);
        return measure_formats(device, A, arguments.options);
    } catch (const InvalidInput& unfit) {
        return {.reason = fmt::format("none: {}", in_switches(unfit.what())), .predictions = {}};
    }
}

}  // namespace

int analyze(const AnalyzeArguments& arguments) {
    const ThreadLimit limit(arguments.device.threads);
    if (arguments.plot || arguments.plot_format || arguments.plot_amg) require_gnuplot();
    const Files inputs{arguments.matrix, arguments.coordinates};
    check_inputs(inputs);
    check_outputs({arguments.json, arguments.plot, arguments.plot_format, arguments.plot_amg}, inputs);
    ProgressLine progress(false);
    const std::string file = name_of_input(arguments.matrix);
    std::vector<std::string> remarks;
    const CsrMatrix A = read_matrix(arguments.matrix, remarks, show_reading(progress, file));
    if ((arguments.amg || arguments.plot_amg) && A.rows != A.columns) {
        throw InvalidInput(
            fmt::format("{}: {} x {}; algebraic multigrid needs a square matrix", file, A.rows, A.columns));
    }
    if ((arguments.plot || arguments.plot_format || arguments.plot_amg) && (A.rows == 0 || A.columns == 0)) {
        throw InvalidInput(fmt::format("{}: nothing to draw: it is empty", file));
    }
    if (arguments.measure && A.rows != A.columns) {
        throw InvalidInput(fmt::format("{}: {} x {}; --measure takes a square matrix", file, A.rows, A.columns));
    }
    if (arguments.plot_format && (A.rows != A.columns || A.rows > most_drawn_rows)) {
        throw InvalidInput(fmt::format("{}: {} x {}; --plot-format draws square matrices of up to {} rows", file,
                                       A.rows, A.columns, most_drawn_rows));
    }
    progress.show("analyzing", true);
    Findings found{.matrix = analyze(A), .format = {}};
    auto& [a, format, spectrum, advice, levels] = found;
    if (a.square) format = choose(A, arguments);
    if (arguments.spectrum) {
        progress.show("looking for eigenvalues", true);
        spectrum = find_spectrum(A, arguments.steps);
    }
    if (arguments.advice) {
        progress.show("choosing", true);
        advice = advise(A, arguments.device, arguments.device_name);
    }
    if (arguments.amg || arguments.plot_amg) {
        progress.show("coarsening", true);
        AmgOptions amg = arguments.options.amg;
        take_coordinates(arguments.coordinates, A.rows, amg, remarks);
        try {
            levels = analyze_hierarchy(A, amg);
        } catch (const InvalidInput& unfit) {
            throw InvalidInput(fmt::format("{}: {}", file, in_switches(unfit.what())));
        }
    }
    progress.clear();
    if (!is_standard(arguments.json)) {
        print_text(file, remarks, a, format);
        if (spectrum) print_spectrum(*spectrum);
        if (advice) print_advice(*advice);
        if (levels) print_hierarchy(stdout, *levels);
    }
    const std::string title = std::filesystem::path(file).filename().string();
    Attempts attempts;
    if (arguments.plot_amg) {
        attempts.make([&] {
            plot_hierarchy(*arguments.plot_amg, *levels,
                           fmt::format("{}: {}, {} levels, operator complexity {:.2f}", title,
                                       name(arguments.options.amg.coarsening), levels->levels.size(),
                                       levels->operator_complexity()));
        });
    }
    if (arguments.plot) {
        attempts.make([&] {
            plot_spy(*arguments.plot, A, fmt::format("{}: {} x {}, {} nonzeros", title, a.rows, a.columns, a.nonzeros));
        });
    }
    if (arguments.plot_format) {
        attempts.make([&] {
            plot_parts(*arguments.plot_format, A, parts_of_format(A, format.format, arguments.options),
                       fmt::format("{} as {}", title, name(format.format)));
        });
    }
    if (arguments.json) {
        attempts.make([&] { write_text(*arguments.json, to_json(file, remarks, found)); });
    }
    attempts.finish();
    return exit_converged;
}

}  // namespace glsolve::cli
