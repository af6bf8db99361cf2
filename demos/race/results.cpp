#include "race/results.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

namespace race {
namespace {

std::string csv(const Field& field) {
    std::string text = "runner,iteration,seconds,relative_residual,corrected\n";
    for (const Runner& runner : field.runners()) {
        for (const CurvePoint& point : runner.curve()) {
            text += fmt::format("{},{},{:.6e},{:.6e},{}\n", runner.label(), point.iteration, point.seconds,
                                point.residual, point.corrected ? 1 : 0);
        }
    }
    return text;
}

/// JSON knows no infinity.
std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.6e}", value) : "null"; }

// Labels are made of names of ours, which need no escapes.
std::string json(const Field& field) {
    std::string text = fmt::format("{{\"tolerance\": {}, \"runners\": [", field.tolerance());
    const char* between = "";
    for (const Runner& runner : field.runners()) {
        text += fmt::format(
            "{}\n  {{\"runner\": \"{}\", \"status\": \"{}\", \"iterations\": {}, \"seconds\": {}, "
            "\"setup_seconds\": {}, \"relative_residual\": {}, \"curve\": [",
            between, runner.label(), glsolve::name(runner.status()), runner.iterations(), runner.seconds(),
            runner.setup_seconds(), number(runner.residual()));
        between = ",";
        const char* comma = "";
        for (const CurvePoint& point : runner.curve()) {
            text += fmt::format("{}\n    [{}, {:.6e}, {}, {}]", comma, point.iteration, point.seconds,
                                number(point.residual), point.corrected);
            comma = ",";
        }
        text += "]}";
    }
    return text + "\n]}\n";
}

}  // namespace

void check_output(const std::string& file) {
    if (!file.ends_with(".csv") && !file.ends_with(".json")) {
        throw std::runtime_error(fmt::format("--output {}: the name has to end in .csv or .json", file));
    }
}

void save(const std::string& file, const Field& field) {
    std::ofstream out(file);
    out << (file.ends_with(".csv") ? csv(field) : json(field));
    out.close();
    if (!out) throw std::runtime_error("cannot write " + file);
}

void print(const Field& field) {
    fmt::print("{:<26}{:>11}{:>11}{:>11}{:>14}  {}\n", "runner", "iterations", "seconds", "set-up", "true residual",
               "status");
    for (const Runner& runner : field.runners()) {
        fmt::print("{:<26}{:>11}{:>11.4f}{:>11.4f}{:>14.2e}  {}\n", runner.label(), runner.iterations(),
                   runner.seconds(), runner.setup_seconds(), runner.residual(),
                   runner.running() ? "still running" : glsolve::name(runner.status()));
    }
}

}  // namespace race
