// Prints the table of docs/measurements/methods-conformance.md: every method with every preconditioner on every
// problem, on each device there is, judged by the double-precision residual of the answer handed back.
//
//     build/tests/conformance_table > table.md
//     build/tests/conformance_table cg minres > part.md      (these methods only: parts can run side by side)
//
// Exit code 1 if a solve was not honest, or one that theory promises did not converge.
#include <fmt/format.h>

#include <cstdio>
#include <glsolve/error.hpp>
#include <memory>
#include <set>
#include <vector>

#include "support/conformance.hpp"

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr std::int64_t most_iterations = 5000;

struct Place {
    std::string name;
    Device device;
};

/// The host, the stages that OpenGL offers here, and CUDA.
std::vector<Place> all_places() {
    std::vector<Place> places;
    const auto add = [&](const std::string& name, const DeviceOptions& options) {
        try {
            places.push_back({name, Device::open(options)});
        } catch (const Error& error) {
            fmt::print(stderr, "{}: {}\n", name, error.what());
        }
    };
    add("host", {.backend = BackendKind::host});
    add("fragment", {.backend = BackendKind::opengl, .stage = Stage::fragment});
    add("compute", {.backend = BackendKind::opengl, .stage = Stage::compute});
    add("cuda", {.backend = BackendKind::cuda});
    return places;
}

/// What became of it, in a word: iterations where it converged.
std::string word(const Attempt& outcome) {
    if (!outcome.honest()) return "WRONG";
    if (!outcome.refused.empty()) return "refused";
    if (outcome.solved()) return std::to_string(outcome.report.iterations);
    return std::string(name(outcome.report.outcome));
}

/// The same word once, or a word for each place.
std::string cell(const std::vector<std::string>& words) {
    if (std::set<std::string>(words.begin(), words.end()).size() == 1) return words[0];
    return fmt::format("{}", fmt::join(words, " / "));
}

}  // namespace

int main(int argc, char** argv) {
    const std::set<std::string_view> wanted(argv + 1, argv + argc);
    std::vector<Place> places = all_places();
    std::vector<Problem> problems = all_problems();
    std::erase_if(problems, [](const Problem& p) { return p.A.rows < 10; });

    std::vector<std::string> names;
    for (const Place& place : places) names.push_back(fmt::format("{} ({})", place.name, place.device.info().renderer));
    fmt::print("Iterations, or what it ended with; one entry where all devices agree, else one for each of\n{}.\n\n",
               fmt::join(names, ", "));
    fmt::print("| method | preconditioner |");
    for (const Problem& problem : problems) fmt::print(" {} |", problem.name);
    fmt::print("\n|---|---|");
    for (std::size_t i = 0; i < problems.size(); ++i) fmt::print("---|");
    fmt::print("\n");

    int bad = 0, solves = 0;
    for (const Method method : all_methods()) {
        if (!wanted.empty() && !wanted.contains(name(method))) continue;
        for (const PreconditionerKind kind : all_preconditioners()) {
            std::string line;
            bool tried = false;
            for (const Problem& problem : problems) {
                std::vector<std::string> words;
                for (Place& place : places) {
                    const Attempt outcome = attempt(place.device, problem,
                                                    {.method = method,
                                                     .preconditioner = kind,
                                                     .tolerance = conformance_tolerance,
                                                     .max_iterations = most_iterations});
                    words.push_back(word(outcome));
                    tried = tried || outcome.refused.empty();
                    solves += outcome.refused.empty() ? 1 : 0;
                    const bool kept = outcome.solved() || !promised(problem, method, kind);
                    if (!outcome.honest() || !kept) ++bad;
                }
                line += fmt::format(" {} |", cell(words));
            }
            if (tried) fmt::print("| {} | {} |{}\n", name(method), name(kind), line);
        }
    }
    fmt::print("\n{} solves, {} of them not as they should be.\n", solves, bad);
    return bad == 0 ? 0 : 1;
}
