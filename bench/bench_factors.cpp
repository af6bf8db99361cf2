// Whole solves with incomplete factors: glsolve beside Eigen and beside cuSPARSE, to the same true residual.
//     bench_factors FILES... --method bicgstab gmres --preconditioner ilut ilu0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <map>
#include <optional>
#include <utility>

#include "cusparse_solver.hpp"
#include "eigen_factors.hpp"
#include "our_factors.hpp"

namespace {

using namespace glsolve;
using namespace glsolve::bench;

struct Pair {
    Method method;
    PreconditionerKind preconditioner;
    std::string title() const { return fmt::format("{} + {}", name(method), name(preconditioner)); }
};

struct Setting {
    Aim aim;
    std::vector<Method> methods;                      // none: by the matrix
    std::vector<PreconditionerKind> preconditioners;  // ...
    Options base;                                     // what all of glsolve's solves share
    bool with_eigen = true, with_vendor = true, remarks = false;
};

/// What is asked for, or conjugate gradients with IC(0) for what is definite and BiCGStab with ILU(0) for the rest.
std::vector<Pair> pairs_for(const TestSystem& system, const Setting& setting) {
    std::vector<Method> methods = setting.methods;
    std::vector<PreconditionerKind> preconditioners = setting.preconditioners;
    if (methods.empty()) methods = {system.definite ? Method::cg : Method::bicgstab};
    if (preconditioners.empty())
        preconditioners = {system.definite && methods.front() == Method::cg ? PreconditionerKind::ic0
                                                                            : PreconditionerKind::ilu0};
    std::vector<Pair> pairs;
    for (const Method method : methods) {
        for (const PreconditionerKind preconditioner : preconditioners) pairs.push_back({method, preconditioner});
    }
    return pairs;
}

/// How many times as long as ours a peer took, matrix by matrix.
struct Comparison {
    std::vector<double> ratios;
    std::vector<std::string> left_out;

    void add(const std::string& matrix, const SolveRow& peer, const SolveRow& ours) {
        if (peer.reached && ours.reached) {
            ratios.push_back(peer.total() / ours.total());
        } else {
            left_out.push_back(fmt::format("{} ({})", matrix,
                                           peer.reached   ? "glsolve did not reach it"
                                           : ours.reached ? "the peer did not reach it"
                                                          : "neither reached it"));
        }
    }
    double mean() const {
        double logs = 0;
        for (const double ratio : ratios) logs += std::log(ratio);
        return std::exp(logs / static_cast<double>(ratios.size()));
    }
};

/// peer and glsolve's row, in words -> ratios
using Comparisons = std::map<std::pair<std::string, std::string>, Comparison>;

void print(const Comparisons& all) {
    fmt::print(
        "\nTimes of peers / times of glsolve, set-up and solve, where both reach the tolerance:\n\n"
        "| peer | glsolve | geometric mean | least | matrices | not in the mean |\n|---|---|---:|---:|---:|---|\n");
    for (const auto& [names, each] : all) {
        const bool some = !each.ratios.empty();
        fmt::print("| {} | {} | {} | {} | {} | {} |\n", names.first, names.second,
                   some ? fmt::format("{:.3f}", each.mean()) : "-",
                   some ? fmt::format("{:.3f}", *std::ranges::min_element(each.ratios)) : "-", each.ratios.size(),
                   fmt::join(each.left_out, ", "));
    }
}

template <class Value, class Values>
Value named(const Values& values, const std::string& text) {
    for (const auto value : values) {
        if (name(value) == text) return value;
    }
    throw InvalidInput(fmt::format("there is no {}", text));
}

class FactorBench {
  public:
    FactorBench(const Setting& setting, std::vector<NamedDevice>& devices, const VendorSolvers* vendor)
        : setting_(setting), devices_(devices), vendor_(vendor) {}

    void run(const TestSystem& system) {
        std::vector<SolveRow> peers;
        const auto add_peer = [&](SolveRow row) {
            print_row(system.name, row);
            peers.push_back(std::move(row));
        };
        if (setting_.with_eigen) {
            add_peer(eigen_bicgstab(system, setting_.aim));
            if (system.definite) add_peer(eigen_cg(system, setting_.aim));
        }
        if (vendor_ != nullptr) {
            for (const bool single : {false, true}) {
                add_peer(vendor_->row(system, setting_.aim, {.cholesky = false, .single = single}));
                if (system.definite) add_peer(vendor_->row(system, setting_.aim, {.cholesky = true, .single = single}));
            }
        }
        for (NamedDevice& on : devices_) run_ours(system, on, peers);
    }
    const Comparisons& comparisons() const { return comparisons_; }

  private:
    void run_ours(const TestSystem& system, NamedDevice& on, const std::vector<SolveRow>& peers) {
        std::optional<SolveRow> best;
        const auto pairs = pairs_for(system, setting_);
        for (const Pair& pair : pairs) {
            Options options = setting_.base;
            options.method = pair.method;
            options.preconditioner = pair.preconditioner;
            SolveRow row = our_row(fmt::format("{}, {}", on.name, pair.title()), on, system, setting_.aim, options,
                                   setting_.remarks);
            print_row(system.name, row);
            const bool better = !best || (row.reached && (!best->reached || row.total() < best->total()));
            if (better) best = std::move(row);
        }
        for (const SolveRow& peer : peers)
            comparisons_[{peer.solver, pairs.size() > 1 ? on.name + ", the best" : on.name}].add(system.name, peer,
                                                                                                 *best);
    }

    const Setting& setting_;
    std::vector<NamedDevice>& devices_;
    const VendorSolvers* vendor_;
    Comparisons comparisons_;
};

/// Null, with a line that says why, where there is no cuSPARSE or nothing to run it on.
std::unique_ptr<VendorSolvers> open_vendor(bool wanted) {
    if (!wanted) return nullptr;
    try {
        return std::make_unique<VendorSolvers>();
    } catch (const Error& missing) {
        fmt::print("- cuSPARSE is left out: {}\n", missing.what());
        return nullptr;
    }
}

}  // namespace

int main(int argc, char** argv) try {
    CLI::App app("Whole solves with incomplete factors, beside Eigen's and cuSPARSE's");
    Setting setting;
    std::vector<std::string> files, methods, preconditioners,
        backends{"opengl-fragment", "opengl-compute", "cuda", "host"};
    std::string apply = "auto", order = "auto", precision = "auto";
    app.add_option("files", files, "matrices, or folders of them")->required();
    app.add_option("--backends", backends, "opengl-fragment, opengl-compute, cuda, host")->capture_default_str();
    app.add_option("--method", methods, "glsolve's, each with each preconditioner; without it: bicgstab, or cg");
    app.add_option("--preconditioner", preconditioners, "without it: ilu0, or ic0 with cg");
    app.add_option("--apply", apply, "auto, levels, sweeps or isai")->capture_default_str();
    app.add_option("--factor-order", order, "auto, none, rcm, minimum-degree or colours")->capture_default_str();
    app.add_option("--drop-tolerance", setting.base.preconditioning.drop_tolerance, "glsolve's ilut and ict")
        ->capture_default_str();
    app.add_option("--fill", setting.base.preconditioning.fill, "glsolve's ilut and ict")->capture_default_str();
    app.add_option("--precision", precision, "glsolve's: auto, single, two-float or double")->capture_default_str();
    app.add_option("--tolerance", setting.aim.tolerance, "|b - A x| / |b| in double precision")->capture_default_str();
    app.add_option("--max-iterations", setting.aim.max_iterations, "0: each program's own")->capture_default_str();
    app.add_option("--seconds", setting.aim.seconds, "after which a solve is given up; Eigen's is not")
        ->capture_default_str();
    app.add_option("--rounds", setting.aim.rounds, "of which the one with the least total counts")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    app.add_flag("!--no-eigen", setting.with_eigen, "without Eigen");
    app.add_flag("!--no-cusparse", setting.with_vendor, "without cuSPARSE");
    app.add_flag("--remarks", setting.remarks, "how factors were made and applied");
    CLI11_PARSE(app, argc, argv);
    for (const std::string& each : methods) setting.methods.push_back(named<Method>(all_methods(), each));
    for (const std::string& each : preconditioners)
        setting.preconditioners.push_back(named<PreconditionerKind>(all_preconditioners(), each));
    setting.base.preconditioning.apply = named<FactorApplication>(all_factor_applications(), apply);
    setting.base.preconditioning.order = named<FactorOrder>(all_factor_orders(), order);
    setting.base.precision = named<Precision>(
        std::array{Precision::automatic, Precision::single, Precision::two_float, Precision::doubles}, precision);

    const std::unique_ptr<VendorSolvers> vendor = open_vendor(setting.with_vendor);
    std::vector<std::string> lines;
    std::vector<NamedDevice> devices = open_devices(backends, lines);
    for (const std::string& line : lines) fmt::print("- {}\n", line);
    fmt::print("\nb = A x* with a random x*, |b - A x| <= {} |b| in double precision, least total of {} rounds.\n{}\n",
               setting.aim.tolerance, setting.aim.rounds, eigen_in_words());
    FactorBench bench(setting, devices, vendor.get());
    const std::vector<TestSystem> systems = test_systems(files);
    print_head();
    for (const TestSystem& system : systems) bench.run(system);
    print(bench.comparisons());
    return 0;
} catch (const std::exception& error) {
    fmt::print(stderr, "bench_factors: {}\n", error.what());
    return 1;
}
