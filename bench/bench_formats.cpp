// The time of one product y = A x, the mean of many in a row, in every format on every backend, beside cuSPARSE's best
// algorithm and Eigen's product in single precision:
//     bench_formats FILES... --generated --backends cuda opengl-compute --teams 0 1 8
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <glsolve/device.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <limits>
#include <map>

#include "beside_eigen.hpp"
#include "cuda_libraries.hpp"
#include "device/mean_seconds.hpp"
#include "formats/choose_format.hpp"
#include "formats/time_product.hpp"
#include "matrix_files.hpp"
#include "named_devices.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

constexpr double too_much = 20;  // times the memory of CSR: no candidate
constexpr double nothing = 0;    // seconds, where nothing was measured

struct Setting {
    std::vector<int> teams{0};
    std::vector<std::string> formats;  // none: all
    int products = 100, rounds = 5;
};

/// The least time of some rounds, of which each lasts a while at least.
template <class Once>
double least_seconds(const Setting& setting, const Once& once) {
    double least = std::numeric_limits<double>::infinity();
    for (int round = 0; round < setting.rounds; ++round) least = std::min(least, once());
    return least;
}

double seconds_of(Backend& backend, Operator& A, Index n, const Setting& setting) {
    const Session session(backend);
    TimedVectors vectors(backend, n);
    const bool one_by_one = backend.can().on_processor;
    const auto product = [&] {
        A.multiply(vectors.y, vectors.x);
        if (one_by_one) backend.flush();
    };
    const auto once = [&](int count) { return mean_seconds(backend, count, product); };
    warm_up(backend, product);
    const double first = std::max(once(2), once(2));
    const int count = std::clamp(static_cast<int>(0.5 / first), 2, setting.products);
    once(count);
    return least_seconds(setting, [&] { return once(count); });
}

/// The header of a format's column: "csr", "csr, team 8".
std::string column(const FormatRow& row, int team) {
    return team == 0 ? std::string(row.name) : fmt::format("{}, {}", row.name, team);
}

double eigen_seconds(CsrView A, const Setting& setting) {
    const auto eigen = to_eigen<float>(A);
    const Eigen::VectorXf x = Eigen::VectorXf::Random(A.columns);
    Eigen::VectorXf y(A.rows);
    return least_seconds(setting, [&] {
        const auto begin = std::chrono::steady_clock::now();
        int count = 0;
        double seconds = 0;
        for (; count < setting.products && seconds < 0.2; ++count) {
            y.noalias() = eigen * x;
            seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        }
        return seconds / count;
    });
}

std::string microseconds(double seconds) { return seconds > 0 ? fmt::format("{:.1f}", seconds * 1e6) : "-"; }

/// Ratios, and what they are on the whole.
struct Ratios {
    std::vector<double> all;
    void add(double peer, double ours) {
        if (peer > 0 && ours > 0) all.push_back(peer / ours);
    }
    std::string text() const {
        if (all.empty()) return "-";
        double logs = 0;
        for (const double r : all) logs += std::log(r);
        return fmt::format("geometric mean {:.2f}, least {:.2f}, {} matrices",
                           std::exp(logs / static_cast<double>(all.size())), *std::ranges::min_element(all),
                           all.size());
    }
};

class Table {
  public:
    Table(std::string name, Device device, const Setting& setting)
        : name_(std::move(name)), device_(std::move(device)), setting_(setting) {
        fmt::print("\n{}: {}, {}\n\n", name_, device_.info().renderer, device_.info().version);
        std::string head = "| matrix | rows | entries a row | cuSPARSE, us | Eigen, us |",
                    line = "|---|---:|---:|---:|---:|";
        for (const FormatRow* row : format_table) {
            for (const int team : teams_of(*row)) head += fmt::format(" {} |", column(*row, team)), line += "---:|";
        }
        fmt::print("{} best | chosen | cuSPARSE / chosen |\n{}---|---|---:|\n", head, line);
    }

    void add(const std::string& matrix, CsrView A, double cusparse, double eigen) {
        Backend& backend = device_.backend();
        const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
        const FormatInput in = for_device(backend, {A, ones, {}, backend.info().max_texture_size});
        std::string text =
            fmt::format("| {} | {} | {:.1f} | {} | {} |", matrix, A.rows, static_cast<double>(A.nonzeros()) / A.rows,
                        microseconds(cusparse), microseconds(eigen));
        std::map<double, const FormatRow*> found;
        double chosen_seconds = nothing;
        const FormatChoice choice = choose_format(in, FormatKind::automatic, true);
        const FormatKind chosen = choice.format;
        for (const FormatRow* row : format_table) {
            for (const int team : teams_of(*row)) {
                const double seconds = seconds_in(*row, in, team);
                text += fmt::format(" {} |", beside_predicted(seconds, choice, row->kind));
                if (seconds > 0) found.emplace(seconds, row);
                if (row->kind == chosen && (chosen_seconds == nothing || seconds < chosen_seconds))
                    chosen_seconds = seconds;
            }
        }
        if (found.empty()) return;
        ++confusion_[found.begin()->second->kind][chosen];
        fmt::print("{} {} | {} | {:.2f} |\n", text, found.begin()->second->name, name(chosen),
                   cusparse > 0 ? cusparse / chosen_seconds : 0);
        std::fflush(stdout);
        best_.add(cusparse, found.begin()->first);
        chosen_.add(cusparse, chosen_seconds);
        eigen_.add(eigen, found.begin()->first);
        lost_.add(found.begin()->first, chosen_seconds);
    }

    void end() const {
        fmt::print("\n{}:\ncuSPARSE / best: {}\ncuSPARSE / chosen: {}\nEigen / best: {}\nbest / chosen: {}\n", name_,
                   best_.text(), chosen_.text(), eigen_.text(), lost_.text());
        print_confusion();
    }

  private:
    /// Microseconds, measured, and predicted where the model knows.
    static std::string beside_predicted(double seconds, const FormatChoice& choice, FormatKind kind) {
        const auto of_kind = std::ranges::find(choice.predictions, kind, &FormatPrediction::format);
        if (seconds == nothing || of_kind == choice.predictions.end() || of_kind->predicted_seconds == 0)
            return microseconds(seconds);
        return fmt::format("{} ({})", microseconds(seconds), microseconds(of_kind->predicted_seconds));
    }

    /// How often each format was chosen where another one was the fastest.
    void print_confusion() const {
        const auto near = std::ranges::count_if(lost_.all, [](double share) { return share >= 1 / 1.1; });
        fmt::print("chosen at most 10 % behind the best: {} of {}\n\n| fastest \\ chosen |", near, lost_.all.size());
        std::string line = "\n|---|";
        for (const FormatRow* row : format_table) fmt::print(" {} |", row->name), line += "---:|";
        fmt::print("{}\n", line);
        for (const auto& [fastest, chosen] : confusion_) {
            fmt::print("| {} |", name(fastest));
            for (const FormatRow* row : format_table) {
                const auto count = chosen.find(row->kind);
                fmt::print(" {} |", count == chosen.end() ? "" : std::to_string(count->second));
            }
            fmt::print("\n");
        }
    }

    /// The formats that read lines of a matrix have no teams.
    std::vector<int> teams_of(const FormatRow& row) const {
        if (!setting_.formats.empty() && std::ranges::find(setting_.formats, row.name) == setting_.formats.end())
            return {};
        const bool none = row.kind == FormatKind::dia || row.kind == FormatKind::dense;
        return none ? std::vector<int>{0} : setting_.teams;
    }
    double seconds_in(const FormatRow& row, FormatInput in, int team) {
        in.team = team;
        const FormatPrediction prediction = row.predict(in);
        if (!prediction.possible()
            || prediction.memory > too_much * 8.0 * static_cast<double>(in.A.nonzeros() + in.A.rows))
            return nothing;
        Backend& backend = device_.backend();
        double seconds = nothing;
        {
            const auto matrix = row.make(backend, in);
            seconds = seconds_of(backend, *matrix, in.A.rows, setting_);
        }
        backend.trim();
        return seconds;
    }

    std::string name_;
    Device device_;
    Setting setting_;
    Ratios best_, chosen_, eigen_, lost_;
    std::map<FormatKind, std::map<FormatKind, int>> confusion_;  // fastest, chosen
};

/// One row and one column that are full, in a 5-point grid.
CsrMatrix arrowhead(Index side) {
    CsrMatrix A = poisson2d(side);
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k)
            entries.push_back({i, A.column[static_cast<std::size_t>(k)], A.value[static_cast<std::size_t>(k)]});
        if (i > 1 && i != side) entries.insert(entries.end(), {{0, i, 0.01}, {i, 0, 0.01}});
    }
    return csr_from_triplets(A.rows, A.rows, entries);
}

struct Named {
    std::string name;
    CsrMatrix A;
};
/// Seconds of others.
struct Peers {
    double cusparse, eigen;
};

struct Generated {
    std::string name;
    CsrMatrix (*make)();
};
const std::vector<Generated> generated{
    {"poisson2d 1000", [] { return poisson2d(1000); }},
    {"poisson2d 3000", [] { return poisson2d(3000); }},
    {"poisson3d 100", [] { return poisson3d(100); }},
    {"elasticity 30", [] { return elasticity(30, 30, 30).A; }},
    {"elasticity 70", [] { return elasticity(70, 70, 70).A; }},
    {"power law 300,000", [] { return graph_laplacian(300'000, 12, Degrees::power_law); }},
    {"arrowhead 500", [] { return arrowhead(500); }},
    {"random 200,000", [] { return random_spd(200'000, 4'000'000); }},
};

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("The time of a product in every format on every backend, beside cuSPARSE and Eigen");
    Setting setting;
    std::string only;
    std::vector<std::string> files, backends{"opengl-fragment", "opengl-compute", "cuda", "host"};
    bool with_generated = false, with_eigen = true;
    Index least_rows = 1000;
    app.add_option("files", files, "matrices, or folders of them");
    app.add_flag("--generated", with_generated, "matrices of grids, bodies and graphs as well");
    app.add_option("--only", only, "of these the ones whose name has this in it");
    app.add_option("--backends", backends, "opengl-fragment, opengl-compute, cuda, host")->capture_default_str();
    app.add_option("--teams", setting.teams, "invocations for four rows; 0: as the library chooses")
        ->capture_default_str();
    app.add_option("--formats", setting.formats, "without it: all");
    app.add_option("--products", setting.products, "in a row")->capture_default_str();
    app.add_option("--rounds", setting.rounds, "of which the fastest counts")->capture_default_str();
    app.add_option("--least-rows", least_rows, "smaller matrices are left out")->capture_default_str();
    app.add_flag("!--no-eigen", with_eigen, "without Eigen");
    CLI11_PARSE(app, argc, argv);

    std::unique_ptr<CudaLibraries> cuda;
    try {
        cuda = std::make_unique<CudaLibraries>();
    } catch (const Error& missing) {
        fmt::print("cuSPARSE is left out: {}\n", missing.what());
    }
    std::vector<Named> matrices;
    for (const std::filesystem::path& path : matrix_files(files)) {
        try {
            CsrMatrix A = read_matrix_market(path);
            if (A.rows == A.columns && A.rows >= least_rows) {
                matrices.push_back({matrix_name(path), std::move(A)});
            }
        } catch (const InvalidInput&) {
            continue;  // complex numbers
        }
    }
    if (with_generated) {
        for (const Generated& each : generated) {
            if (each.name.find(only) != std::string::npos) matrices.push_back({each.name, each.make()});
        }
    }
    std::vector<Peers> peers;
    for (const auto& [name, A] : matrices)
        peers.push_back({least_cusparse_seconds(cuda.get(), A, setting.products),
                         with_eigen ? eigen_seconds(A, setting) : nothing});
    for (const std::string& backend : backends) {
        try {
            Table table(backend, open_device(backend), setting);
            for (std::size_t i = 0; i < matrices.size(); ++i)
                table.add(matrices[i].name, matrices[i].A, peers[i].cusparse, peers[i].eigen);
            table.end();
        } catch (const NoDevice& missing) {
            fmt::print("\n{} is left out: {}\n", backend, missing.what());
        }
    }
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_formats: {}\n", error.what());
    return 1;
}
