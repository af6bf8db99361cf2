// `glsolve warm`: solves some systems, so that the programs that solves need are compiled and kept.
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <optional>
#include <vector>

#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/files.hpp"
#include "cli/open_device.hpp"
#include "cli/problem.hpp"
#include "cli/solution.hpp"
#include "cli/terminal.hpp"
#include "options/names.hpp"

namespace glsolve::cli {
namespace {

namespace fs = std::filesystem;
using Kind = PreconditionerKind;

struct Way {
    Method method;
    Kind preconditioner;
};
constexpr std::array of_definite{Way{Method::automatic, Kind::automatic}, Way{Method::cg, Kind::jacobi},
                                 Way{Method::cg, Kind::amg}, Way{Method::cg, Kind::multigrid},
                                 Way{Method::minres, Kind::jacobi}};
constexpr std::array of_any{Way{Method::automatic, Kind::automatic}, Way{Method::bicgstab, Kind::jacobi},
                            Way{Method::gmres, Kind::jacobi}, Way{Method::gmres, Kind::ilut}};

int count_files(const fs::path& folder) {
    std::error_code error;
    int count = 0;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) ++count;
    return count;
}

/// Some iterations are enough. What does not take the matrix compiles nothing.
void solve_some(Device& device, CsrView A, std::span<const Way> ways, ProgressLine& progress) {
    Options options{.max_iterations = 8};
    std::vector<double> b(static_cast<std::size_t>(A.rows));
    multiply(A, known_answer(A.columns), b);
    for (const Way& way : ways) {
        options.method = way.method;
        options.preconditioner = way.preconditioner;
        progress.show(fmt::format("{} rows: {}", A.rows, in_words(way.method, way.preconditioner)), true);
        try {
            std::vector<double> x(static_cast<std::size_t>(A.columns), 0.0);
            Solver(device, A, options).solve(b, x);
        } catch (const InvalidInput&) {
        }
    }
}

void solve_usual(Device& device, ProgressLine& progress) {
    // Programs differ with the size, most of all those of multigrid.
    const bool is_slow = device.info().software;
    for (const Index cells : {64, 128, 256, 512, 1024}) {
        if (is_slow && cells > 256) break;
        solve_some(device, poisson2d(cells), of_definite, progress);
        solve_some(device, convection_diffusion(cells), of_any, progress);
        solve_some(device, graph_laplacian(cells * cells / 4, 8), of_definite, progress);
    }
}

}  // namespace

int warm(const WarmArguments& a) {
    const std::string folder = default_program_cache();
    if (folder.empty()) {
        throw InvalidInput("warm: neither XDG_CACHE_HOME nor HOME names a folder, so nothing can be kept");
    }
    ProgressLine progress(false);
    std::optional<CsrMatrix> A;
    if (a.matrix) {
        check_inputs({*a.matrix});
        std::vector<std::string> remarks;
        A = read_matrix(*a.matrix, remarks, show_reading(progress, name_of_input(*a.matrix)));
    }
    const auto begin = std::chrono::steady_clock::now();
    const int before = count_files(folder);
    Device device = open_device(a.device, a.device_name);
    if (device.info().backend == BackendKind::host) {
        fmt::print("{}: nothing has to be compiled for it\n", device_text(device.info()));
        return exit_converged;
    }
    if (A) {
        solve_some(device, *A, of_definite, progress);
        solve_some(device, *A, of_any, progress);
    } else {
        solve_usual(device, progress);
    }
    progress.clear();
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("{}: {} new files in {:.1f} s, kept in {}\n", device_text(device.info()), count_files(folder) - before,
               took, folder);
    return exit_converged;
}

}  // namespace glsolve::cli
