// The tables and figures of the five papers, on this machine, beside the printed ones.
//     bench_papers --paper all --backend cuda opengl-compute --output report
//     bench_papers --results gpu.json cpu.json --output report      one report of several runs
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <glsolve/error.hpp>
#include <memory>
#include <thread>

#include "papers.hpp"
#include "report/this_machine.hpp"
#include "report/writers.hpp"
#include "stopwatch.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

/// Null, with a line that says why, where CUDA's libraries or a device for them are missing.
std::unique_ptr<CudaLibraries> open_vendor(std::vector<std::string>& lines) {
    try {
        auto libraries = std::make_unique<CudaLibraries>();
        lines.emplace_back("cuSPARSE and cuBLAS are there");
        return libraries;
    } catch (const Error& missing) {
        lines.push_back(fmt::format("cuSPARSE is left out: {}", missing.what()));
        return nullptr;
    }
}

Section run_paper(const Paper& paper, Bench& bench) {
    progress(fmt::format("{} ...", paper.title));
    try {
        return paper.run(bench);
    } catch (const std::exception& failed) {
        // What the other papers' benchmarks find shall not be lost.
        progress(fmt::format("{}: {}", paper.title, failed.what()));
        return {.paper = std::string(paper.key),
                .blocks = {Text{.words = fmt::format("It ended early: {}", failed.what()), .finding = true}}};
    }
}

void save_results(const std::filesystem::path& folder, const Run& run) {
    std::ofstream file(folder / "results.json");
    file << to_json(run) << '\n';
    if (!file) throw Error(fmt::format("{}: cannot be written", (folder / "results.json").string()));
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("The tables and figures of the five papers, measured here, beside the printed ones");
    Setting setting{.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))};
    std::vector<std::string> keys{"all"}, backends{"opengl-fragment", "opengl-compute", "cuda", "host"}, results;
    std::filesystem::path folder = "papers-report";
    bool add = false;
    app.add_option("--paper", keys, "2009, gmres, amg, chebyshev, hec or all")->delimiter(',')->capture_default_str();
    app.add_option("--backend", backends, "opengl-fragment, opengl-compute, cuda, host; what is not there is left out")
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--output", folder, "folder of report.html, report.md, results.json and pictures")
        ->type_name("FOLDER")
        ->capture_default_str();
    app.add_flag("--quick", setting.quick, "smaller sizes: some minutes on two cores without a GPU");
    app.add_option("--rounds", setting.rounds, "of what is timed")->check(CLI::Range(1, 100))->capture_default_str();
    app.add_option("--threads", setting.threads, "of peers that use all cores")
        ->check(CLI::Range(1, 1024))
        ->capture_default_str();
    app.add_option("--matrices", setting.matrices,
                   "folder of the papers' matrices in Matrix Market format, by their names (bcsstk28.mtx.gz, ...)")
        ->check(CLI::ExistingDirectory)
        ->type_name("FOLDER");
    app.add_flag("--add", add, "keeps what results.json in that folder has, of an earlier run on this machine");
    app.add_option("--results", results, "no run: a report of these results.json of earlier ones")
        ->check(CLI::ExistingFile)
        ->type_name("FILE");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    std::vector<const Paper*> wanted;
    for (const Paper& paper : papers) wanted.push_back(&paper);
    if (std::ranges::find(keys, "all") == keys.end()) {
        wanted.clear();
        for (const std::string& key : keys) wanted.push_back(&paper_of(key));
    }
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure)
        throw Error(fmt::format("--output {}: the folder cannot be made: {}", folder.string(), failure.message()));
    if (!results.empty()) {
        std::vector<Run> runs;
        for (const std::string& file : results) runs.push_back(read_run(file));
        write_report(folder, std::move(runs));
        return 0;
    }

    Run run{.date = today(),
            .command = command_of(argc, argv),
            .machine = machine(setting.threads),
            .quick = setting.quick};
    std::vector<NamedDevice> devices = open_devices(backends, run.devices);
    const std::unique_ptr<CudaLibraries> vendor = open_vendor(run.devices);
    for (const std::string& line : run.devices) fmt::print("- {}\n", line);
    if (devices.empty()) throw Error("none of the backends is there: see above");
    if (add && std::filesystem::exists(folder / "results.json"))
        run = continued(read_run(folder / "results.json"), run);
    Bench bench{setting, devices, vendor.get()};
    const auto begin = Clock::now();
    const double before = run.seconds;
    for (const Paper* paper : wanted) {
        run.sections.push_back(run_paper(*paper, bench));
        fmt::print("\n## {}\n\n{}", paper->title, to_markdown(run.sections.back()));
        std::fflush(stdout);
        run.seconds = before + seconds_since(begin);
        save_results(folder, run);  // each time: what follows may fail
    }
    write_report(folder, {run});
    fmt::print("\n{} and report.md are written\n", (folder / "report.html").string());
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_papers: {}\n", error.what());
    return 2;
}
