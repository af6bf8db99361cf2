#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "amg_peers.hpp"

namespace glsolve::bench {
namespace {

#ifdef GLSOLVE_BENCH_HYPRE
constexpr const char* hypre_program = GLSOLVE_BENCH_HYPRE;
constexpr const char* mpi_launcher = GLSOLVE_BENCH_MPIEXEC;
#else
constexpr const char* hypre_program = "";
constexpr const char* mpi_launcher = "";
#endif

/// What a command prints.
std::string output_of(const std::string& command) {
    std::FILE* pipe = popen(command.c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("cannot start " + command);
    std::string text;
    std::array<char, 4096> buffer{};
    while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
    if (pclose(pipe) != 0) throw std::runtime_error("failed: " + command);
    return text;
}

}  // namespace

bool has_hypre() { return *hypre_program != '\0' && std::filesystem::exists(hypre_program); }

PeerTimes run_hypre(Index size, std::span<double> x, double tolerance, int ranks) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / fmt::format("glsolve_bench_hypre_{}.x", getpid());
    // MPI as the superuser, and more ranks than cores, have to be asked for.
    const std::string text = output_of(fmt::format(
        "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 '{}' "
        "-n {} '{}' --size {} --tolerance {} --solution '{}'",
        mpi_launcher, ranks, hypre_program, size, tolerance, file.string()));
    const nlohmann::json report = nlohmann::json::parse(text);
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(x.data()), static_cast<std::streamsize>(x.size_bytes()));
    if (!stream) throw std::runtime_error("hypre's solution is not there, or too short: " + file.string());
    stream.close();
    std::filesystem::remove(file);
    return {report.at("setup_seconds"), report.at("solve_seconds"), report.at("iterations")};
}

}  // namespace glsolve::bench
