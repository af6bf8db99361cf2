// Figures 6 and 7: whole solves.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <memory>

#include "cusparse_solver.hpp"
#include "device/backend.hpp"
#include "our_factors.hpp"
#include "solve_tables.hpp"

namespace glsolve::bench::hec {
namespace {

constexpr double patience = 15, processor_patience = 5;  // seconds, then a solve is given up
constexpr int processor_rounds = 2;                      // the first one may compile further programs
constexpr std::array vendor_formats{VendorFormat::csr, VendorFormat::coo, VendorFormat::sliced_ell};

std::vector<Solve> vendor_solves(const VendorSolvers& vendor, const TestSystem& system, const Aim& aim) {
    std::vector<Solve> solves;
    for (const VendorFormat format : vendor_formats) {
        Solve solve{.precision = "double", .row = vendor.row(system, aim, {.format = format})};
        solve.row.solver = fmt::format("cuSPARSE {}", name(format));
        solves.push_back(std::move(solve));
    }
    return solves;
}

/// The paper's way: its rule for K, both factors applied exactly, level by level.
Options paper_options(Method method, FormatKind format, Precision precision) {
    Options options;
    options.method = method;
    options.preconditioner = PreconditionerKind::ilu0;
    options.preconditioning.apply = FactorApplication::levels;
    options.format = format;
    options.ell_width = EllWidth::paper;
    options.precision = precision;
    return options;
}

Solve our_solve(NamedDevice& on, const TestSystem& system, const Aim& aim, const Options& options) {
    Solve solve{.ours = true,
                .format = options.format,
                .method = options.method,
                .precision = std::string(name(options.precision)),
                .row = our_row(fmt::format("glsolve {}", name(options.format)), on, system, aim, options, false)};
    std::string& remark = solve.row.remark;
    if (remark.starts_with(name(options.format)))
        remark.erase(0, remark.find_first_not_of("; ", name(options.format).size()));
    if (remark.starts_with(name(Outcome::cancelled))) remark = fmt::format("given up after {} s", digits(aim.seconds));
    return solve;
}

/// In each format and precision. Where BiCGStab does not reach the tolerance, GMRES is tried as well.
std::vector<Solve> our_solves(NamedDevice& on, const TestSystem& system, const Aim& aim) {
    std::vector<Precision> precisions{Precision::automatic};
    if (on.device.backend().can().doubles) precisions.insert(precisions.begin(), Precision::doubles);
    std::vector<Solve> solves;
    for (const Precision precision : precisions) {
        for (const FormatKind format : our_formats) {
            solves.push_back(our_solve(on, system, aim, paper_options(Method::bicgstab, format, precision)));
            if (solves.back().row.reached) continue;
            solves.push_back(our_solve(on, system, aim, paper_options(Method::gmres, format, precision)));
        }
    }
    return solves;
}

/// Solved once before anything counts: programs are compiled then, and libraries loaded.
TestSystem small_system() { return test_system("small", elasticity(4, 3, 3).A); }

/// Null, with a line that says why, where cuSPARSE cannot solve.
std::unique_ptr<VendorSolvers> open_vendor(Section& section, const Bench& bench) {
    std::string why = "the list of devices says why";
    try {
        if (bench.vendor != nullptr) return std::make_unique<VendorSolvers>();
    } catch (const Error& missing) {
        why = missing.what();
    }
    section.blocks.emplace_back(Text{fmt::format("cuSPARSE's solves are left out: {}.", why)});
    return nullptr;
}

void explain(Section& section, const Aim& aim) {
    section.blocks.emplace_back(Heading{"Figures 6 and 7: BiCGStab with ILU(0)"});
    section.blocks.emplace_back(Text{fmt::format(
        "The paper's ILUCG is BiCGStab with ILU(0), line by line, but that its section 3.1 prints (r, q) where (rw, q) "
        "is meant. b = A x* with a random x*; solved to |b - A x| <= {} |b| in double precision. Total (figure 6): "
        "from "
        "the matrix on the host to the answer on the host, set-up included. Device (figure 7): the solve alone. Both "
        "factors are applied exactly, level by level, as in the paper; K of HYB and HEC is found by its rule. The "
        "least "
        "total of {} rounds counts, on processors of {} (the paper: means of 50). Programs are compiled on a small "
        "system before; what else a matrix needs is compiled in its first round. A solve is given up after {} s, on "
        "processors after {} s.",
        aim.tolerance, aim.rounds, processor_rounds, patience, processor_patience)});
    section.blocks.emplace_back(
        Text{"Of the paper's four, cuSPARSE's HYB is gone from the library: COO and sliced ELL stand in its place. The "
             "paper's own two kernels are glsolve's csr and hec here. cuSPARSE works in double precision. glsolve does "
             "so on CUDA (`double`); `auto` iterates in single precision and corrects the answer in double. Where "
             "BiCGStab does not reach the tolerance so, GMRES(32) is shown as well; comparisons do not count it, and "
             "it has bars only where BiCGStab has none. The paper's bars have no numbers: what its text says of them "
             "stands in the second table."});
}

}  // namespace

void add_solves(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices) {
    const Aim aim{.seconds = patience, .rounds = bench.pick(bench.setting.rounds, processor_rounds)};
    explain(section, aim);
    const std::unique_ptr<VendorSolvers> vendor = open_vendor(section, bench);
    std::vector<std::vector<Solve>> of_vendor(matrices.size());
    if (vendor) {
        vendor->row(small_system(), {.rounds = 1}, {});
        for (std::size_t i = 0; i < matrices.size(); ++i)
            of_vendor[i] = vendor_solves(*vendor, matrices[i].system, aim);
    }
    for (NamedDevice& on : bench.devices) {
        Aim here = aim;
        if (on.device.backend().can().on_processor) here.rounds = processor_rounds, here.seconds = processor_patience;
        our_solves(on, small_system(), {.rounds = 1});
        std::vector<SolvesOfMatrix> all;
        for (std::size_t i = 0; i < matrices.size(); ++i) {
            progress(fmt::format("BiCGStab with ILU(0), {}, {}", matrices[i].system.name, on.name));
            all.push_back({&matrices[i], of_vendor[i]});
            std::ranges::move(our_solves(on, matrices[i].system, here), std::back_inserter(all.back().solves));
        }
        section.blocks.emplace_back(Heading{fmt::format("Figures 6 and 7 on {}", on.name)});
        section.blocks.emplace_back(solves_table(all));
        section.blocks.emplace_back(fastest_table(all));
        std::ranges::move(solves_figures(on.name, all), std::back_inserter(section.blocks));
        for (const SolvesOfMatrix& each : all)
            std::ranges::move(gain_claims(on.name, each), std::back_inserter(section.claims));
        section.claims.push_back(reached_claim(on.name, all));
    }
}

}  // namespace glsolve::bench::hec
