#include "paper_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <glsolve/error.hpp>
#include <glsolve/matrix_market.hpp>
#include <string>

namespace glsolve::bench {
namespace {

/// What the paper's text says of its figures: their bars are pictures without numbers.
struct PaperMatrix {
    const char *name, *total, *device;
};
constexpr std::array paper_matrices{
    PaperMatrix{"bcsstk28", "HEC does well", "own CSR is the fastest of four"},
    PaperMatrix{"bcsstk29", "HEC is the fastest of four, by up to 10.4 %", "HEC is the fastest of four"},
    PaperMatrix{"bcsstk33", "HEC does well", "own CSR is the fastest of four; about the time of bcsstk28"},
};

bool is_pattern(const CsrMatrix& A) {
    return std::ranges::all_of(A.value, [](double each) { return each == 1; });
}

/// -1 beside the diagonal; on it, the number of those in the row, and 1.
CsrMatrix with_made_values(const CsrMatrix& A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        double sum = 1;
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index j = A.column[static_cast<std::size_t>(k)];
            if (j == i) continue;
            entries.push_back({i, j, -1});
            ++sum;
        }
        entries.push_back({i, i, sum});
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

std::filesystem::path file_of(const std::filesystem::path& folder, const std::string& name) {
    for (const char* ending : {".mtx", ".mtx.gz"}) {
        if (std::filesystem::exists(folder / (name + ending))) return folder / (name + ending);
    }
    throw InvalidInput(fmt::format("{} has neither {}.mtx nor {}.mtx.gz", folder.string(), name, name));
}

void print_row(const PaperMatrix& matrix, const SolveRow& row) {
    if (row.failed) {
        fmt::print("| {} | {} | | | | | failed: {} |\n", matrix.name, row.solver, row.remark);
    } else {
        fmt::print("| {} | {} | {} | {} | {} | {:.1e} | {}{} |\n", matrix.name, row.solver, milliseconds(row.total()),
                   milliseconds(row.solve), row.iterations, std::abs(row.residual), row.reached ? "" : "not reached; ",
                   row.remark);
    }
    std::fflush(stdout);
}

/// Least total and least solve of the rows that reached the tolerance.
void print_fastest(const PaperMatrix& matrix, const std::string& where, const std::vector<SolveRow>& rows) {
    std::vector<SolveRow> reached;
    std::ranges::copy_if(rows, std::back_inserter(reached), &SolveRow::reached);
    if (reached.empty()) return;
    const auto by_total = std::ranges::minmax_element(reached, {}, &SolveRow::total);
    const auto by_solve = std::ranges::minmax_element(reached, {}, &SolveRow::solve);
    const auto behind = [](double least, double most) { return 100 * (1 - least / most); };
    fmt::print("| {} | {} | {}, {:.1f} % below the slowest | {} | {}, {:.1f} % below the slowest | {} |\n", matrix.name,
               where, by_total.min->solver, behind(by_total.min->total(), by_total.max->total()), matrix.total,
               by_solve.min->solver, behind(by_solve.min->solve, by_solve.max->solve), matrix.device);
}

constexpr std::array our_formats{FormatKind::csr, FormatKind::hyb, FormatKind::hec};

}  // namespace

void print_paper(const std::filesystem::path& folder, std::vector<NamedDevice>& devices, const VendorSolvers* vendor,
                 const Aim& aim, const Options& base, bool remarks) {
    fmt::print(
        "\n## Cheng (2018), figures 6 and 7\n\n"
        "BiCGStab with ILU(0), which is what the paper's ILUCG is, to a true residual of {}. total: from the matrix on "
        "the host to\nthe answer on the host, set-up included. device: the solve alone. Least of {} rounds; the paper "
        "has means of 50.\ncuSPARSE has lost its HYB: COO and sliced ELL stand in its place. HYB and HEC split as in "
        "section 1.4.\ncuSPARSE works in double precision; glsolve's is `{}`. glsolve times how to apply the factors "
        "for each row anew: --apply levels is\nexact, as the paper's and cuSPARSE's solves are.\n\n"
        "| matrix | product | total, ms | device, ms | iterations | residual | remark |\n"
        "|---|---|---:|---:|---:|---:|---|\n",
        aim.tolerance, aim.rounds, name(base.precision));
    struct Place {
        const PaperMatrix* matrix;
        std::string where;
        std::vector<SolveRow> rows;
    };
    std::vector<Place> places;
    std::string made;
    for (const PaperMatrix& matrix : paper_matrices) {
        CsrMatrix A = read_matrix_market(file_of(folder, matrix.name));
        if (is_pattern(A)) {
            A = with_made_values(A);
            made += made.empty() ? matrix.name : fmt::format(", {}", matrix.name);
        }
        const TestSystem system = test_system(matrix.name, std::move(A));
        std::vector<SolveRow> of_vendor;
        if (vendor != nullptr) {
            for (const VendorFormat format : {VendorFormat::csr, VendorFormat::coo, VendorFormat::sliced_ell}) {
                of_vendor.push_back(vendor->row(system, aim, {.format = format}));
                print_row(matrix, of_vendor.back());
            }
        }
        for (NamedDevice& on : devices) {
            std::vector<SolveRow> rows = of_vendor;
            for (const FormatKind format : our_formats) {
                Options options = base;
                options.method = Method::bicgstab;
                options.preconditioner = PreconditionerKind::ilu0;
                options.format = format;
                options.ell_width = EllWidth::paper;
                rows.push_back(our_row(fmt::format("{} {}", on.name, name(format)), on, system, aim, options, remarks));
                print_row(matrix, rows.back());
            }
            places.push_back({&matrix, on.name, std::move(rows)});
        }
    }
    if (!made.empty()) {
        fmt::print("\nFiles of {} hold places only. Values made for them: -1 beside the diagonal, row sums of 1.\n",
                   made);
    }
    fmt::print(
        "\nThe paper's figures are bars without numbers; what its text says stands beside what was found here.\n\n"
        "| matrix | where | fastest in total | the paper | fastest on the device | the paper |\n"
        "|---|---|---|---|---|---|\n");
    for (const Place& place : places) print_fastest(*place.matrix, place.where, place.rows);
}

}  // namespace glsolve::bench
