// Passes and formats of each stage, beside their peers: bytes a second, and their share of a plain copy's rate.
//     bench_passes --size 1048576 mesh.mtx.gz          a table
//     bench_passes --benchmark_out=result.json ...     and JSON; see also --help and --benchmark_repetitions=3
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <list>
#include <string_view>
#include <thread>

#include "measure.hpp"
#include "suites.hpp"

namespace {

using namespace glsolve;

std::vector<bench::Matrix> matrices(Index size, const std::vector<std::string>& files) {
    std::vector<bench::Matrix> all;
    const auto side = static_cast<Index>(std::lround(std::sqrt(size)));
    all.push_back({fmt::format("poisson2d {}", side), poisson2d(side)});
    for (const std::string& file : files) {
        all.push_back({std::filesystem::path(file).filename().string(), read_matrix_market(file)});
    }
    return all;
}

DeviceOptions options_of(const std::string& prefix, int threads) {
    if (prefix == "host") return {.backend = BackendKind::host, .threads = threads};
    if (prefix == "cuda") return {.backend = BackendKind::cuda, .program_cache = default_program_cache()};
    if (prefix == "fragment") return {.backend = BackendKind::opengl, .stage = Stage::fragment};
    if (prefix == "compute") return {.backend = BackendKind::opengl, .stage = Stage::compute};
    throw InvalidInput(fmt::format("{}: there are fragment, compute, cuda and host", prefix));
}

}  // namespace

int main(int argc, char** argv) try {
    const bool asks_for_help = std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--help"; });
    if (!asks_for_help) benchmark::Initialize(&argc, argv);  // takes its own options out, but ends where it helps
    CLI::App app("Passes and formats on each stage, beside Eigen and CUDA's libraries");
    app.footer(
        "And the options of Google Benchmark: --benchmark_filter=REGEX, --benchmark_out=FILE, "
        "--benchmark_repetitions=N ...");
    Index size = 1 << 20;
    int threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
    std::vector<std::string> stages{"fragment", "compute"}, files;
    std::vector<int> heights{16}, columns{0};
    std::vector<Index> dense{1024};
    app.add_option("--size", size, "numbers in a vector, and about so many rows of the grid")->capture_default_str();
    app.add_option("--threads", threads, "of Eigen, beside 1, and of the host")->capture_default_str();
    app.add_option("--stages", stages, "of OpenGL; cuda and host")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--slice-heights", heights, "of the sliced formats")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--dense", dense, "orders of dense matrices")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("--columns", columns, "columns of a part of a dense product; 0: as the library chooses")
        ->allow_extra_args(false)
        ->delimiter(',')
        ->capture_default_str();
    app.add_option("matrices", files, "Matrix Market files to multiply with");
    CLI11_PARSE(app, argc, argv);

    const std::vector<bench::Matrix> all = matrices(size, files);
    std::list<Device> devices;
    for (const std::string& prefix : stages) {
        try {
            devices.push_back(Device::open(options_of(prefix, threads)));
        } catch (const NoDevice& missing) {
            fmt::print("{}: {}\n", prefix, missing.what());
            continue;
        }
        Device& device = devices.back();
        benchmark::AddCustomContext(prefix, device.info().renderer + ", " + device.info().version);
        bench::add_passes(device, prefix + "/", size);
        bench::add_reductions(device, prefix + "/", size);
        bench::add_cg(device.backend(), prefix + "/", size);
        if (const auto doubles = device.backend().in_doubles()) bench::add_cg(*doubles, prefix + " in doubles/", size);
        for (const bench::Matrix& matrix : all) {
            bench::add_formats(device, prefix + "/", matrix, heights);
            bench::add_host_residual(device, prefix + "/", matrix, threads);
        }
        for (const Index order : dense) bench::add_dense(device, prefix + "/", order, columns);
    }
    for (const bench::Matrix& matrix : all) bench::add_eigen(matrix, threads);
    for (const Index order : dense) bench::add_eigen_dense(order, threads);
    if (const std::string missing = bench::add_cuda(size, all, dense); !missing.empty()) {
        fmt::print("no CUDA beside it: {}\n", missing);
    }
    if (const std::string missing = bench::add_cuda_by_hand(size); !missing.empty())
        fmt::print("no kernels by hand beside it: {}\n", missing);
    benchmark::RunSpecifiedBenchmarks();
    benchmark::ClearRegisteredBenchmarks();  // what they hold must go before the devices
    benchmark::Shutdown();
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_passes: {}\n", error.what());
    return 2;
}
