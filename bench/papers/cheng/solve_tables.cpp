#include "solve_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace glsolve::bench::hec {
namespace {

/// What the text says of the figures.
struct PaperWords {
    const char *matrix, *figure6, *figure7;
};
constexpr std::array paper_words{
    PaperWords{"bcsstk28", "HEC does well", "own CSR is the fastest of four"},
    PaperWords{"bcsstk29", "HEC is the fastest of four, by up to 10.4 %", "HEC is the fastest of four"},
    PaperWords{"bcsstk33", "HEC does well", "own CSR is the fastest of four; about the time of bcsstk28"},
};
PaperWords words_of(const std::string& matrix) {
    const auto found = std::ranges::find(paper_words, matrix, &PaperWords::matrix);
    return found != paper_words.end() ? *found : PaperWords{"", "-", "-"};
}

std::string remark_of(const SolveRow& row) {
    if (row.failed) return "failed: " + row.remark;
    return (row.reached ? "" : "not reached; ") + row.remark;
}

bool counts(const Solve& solve) { return solve.row.reached && solve.method == Method::bicgstab; }

/// Null: none counts.
template <class Seconds>
const Solve* fastest(const std::vector<Solve>& solves, const Seconds& seconds) {
    const Solve* best = nullptr;
    for (const Solve& solve : solves) {
        if (counts(solve) && (best == nullptr || seconds(solve.row) < seconds(best->row))) best = &solve;
    }
    return best;
}

constexpr auto total = [](const SolveRow& row) { return row.total(); };
constexpr auto on_device = [](const SolveRow& row) { return row.solve; };

std::string curve_name(const Solve& solve) { return fmt::format("{}, {}", solve.row.solver, solve.precision); }

/// Of BiCGStab; of GMRES where BiCGStab has not reached the tolerance in any format.
Method method_of_bars(const std::vector<Solve>& solves) {
    return std::ranges::any_of(solves, counts) ? Method::bicgstab : Method::gmres;
}

template <class Seconds>
Figure bars(const std::string& title, const std::vector<SolvesOfMatrix>& all, const Seconds& seconds) {
    Figure figure{.title = title, .kind = FigureKind::bars, .x_label = "", .y_label = "% of the first bar's time"};
    for (const auto& [matrix, solves] : all) {
        const Method method = method_of_bars(solves);
        const auto drawn = [&](const Solve& solve) { return solve.method == method && solve.row.reached; };
        const auto first = std::ranges::find_if(solves, drawn);
        if (first == solves.end()) continue;
        const std::size_t place = figure.categories.size();
        figure.categories.push_back(matrix->system.name + (method == Method::gmres ? ", GMRES" : ""));
        for (const Solve& solve : solves) {
            if (solve.method != method) continue;
            auto curve = std::ranges::find(figure.curves, curve_name(solve), &Curve::name);
            if (curve == figure.curves.end()) curve = figure.curves.insert(curve, {.name = curve_name(solve)});
            curve->points.resize(place + 1);  // no bar over matrices that this solver has not solved so
            if (drawn(solve)) curve->points[place].second = 100 * seconds(solve.row) / seconds(first->row);
        }
    }
    return figure;
}

}  // namespace

Table solves_table(const std::vector<SolvesOfMatrix>& all) {
    Table table{{"matrix", "product", "method", "precision", "total, ms", "device, ms", "iterations", "true residual",
                 "remark"}};
    for (const auto& [matrix, solves] : all) {
        for (const Solve& solve : solves) {
            const SolveRow& row = solve.row;
            std::vector<std::string> cells{matrix->system.name, row.solver, std::string(name(solve.method)),
                                           solve.precision};
            if (row.failed) {
                cells.insert(cells.end(), 4, "-");
            } else {
                cells.insert(cells.end(), {digits(1e3 * row.total()), digits(1e3 * row.solve),
                                           fmt::format("{}", row.iterations), fmt::format("{:.1e}", row.residual)});
            }
            cells.push_back(remark_of(row));
            table.rows.push_back(std::move(cells));
        }
    }
    return table;
}

Table fastest_table(const std::vector<SolvesOfMatrix>& all) {
    Table table{{"matrix", "fastest in total, here", "the paper's figure 6", "fastest on the device, here",
                 "the paper's figure 7"}};
    const auto text = [](const Solve* solve, double seconds) {
        if (solve == nullptr) return std::string("none: BiCGStab does not reach the tolerance");
        return fmt::format("{}, {}: {}", solve->row.solver, solve->precision, in_seconds(seconds));
    };
    for (const auto& [matrix, solves] : all) {
        const Solve *by_total = fastest(solves, total), *by_solve = fastest(solves, on_device);
        const PaperWords words = words_of(matrix->paper_name);
        table.rows.push_back({matrix->system.name, text(by_total, by_total ? by_total->row.total() : 0), words.figure6,
                              text(by_solve, by_solve ? by_solve->row.solve : 0), words.figure7});
    }
    return table;
}

std::vector<Figure> solves_figures(const std::string& device, const std::vector<SolvesOfMatrix>& all) {
    return {bars(fmt::format("Figure 6: total time, {}", device), all, total),
            bars(fmt::format("Figure 7: time on the device, {}", device), all, on_device)};
}

std::vector<Claim> gain_claims(const std::string& device, const SolvesOfMatrix& of) {
    std::vector<Claim> claims;
    std::vector<Solve> vendors;
    std::ranges::copy_if(of.solves, std::back_inserter(vendors), [](const Solve& solve) { return !solve.ours; });
    const auto add = [&](const char* what, const Solve& solve, const auto& seconds, bool is_printed,
                         const std::string& why) {
        const Solve* vendor = fastest(vendors, seconds);
        claims.push_back({.what = fmt::format("HEC against the vendor's best, {}, {}", what, of.matrix->system.name),
                          .where = fmt::format("{}, {}", device, solve.precision),
                          .printed = paper_gain,
                          .found = seconds(vendor->row) / seconds(solve.row),
                          .remark = fmt::format("{} against {} of {}; {}", in_seconds(seconds(solve.row)),
                                                in_seconds(seconds(vendor->row)), vendor->row.solver, why),
                          .target = !is_printed});
    };
    if (fastest(vendors, total) == nullptr) return claims;
    for (const Solve& solve : of.solves) {
        if (!solve.ours || solve.format != FormatKind::hec || !counts(solve)) continue;
        add("total (the paper: up to)", solve, total, true,
            fmt::format("set-up on the host takes {} of it", in_seconds(solve.row.setup)));
        add("on the device", solve, on_device, false,
            "the triangular solves, which formats do not touch, are most of a solve");
    }
    return claims;
}

Claim reached_claim(const std::string& device, const std::vector<SolvesOfMatrix>& all) {
    int wanted = 0, reached = 0;
    std::string others, none;
    for (const auto& [matrix, solves] : all) {
        for (const FormatKind format : our_formats) {
            const auto solved_by = [&](Method method) {
                return std::ranges::any_of(solves, [&](const Solve& solve) {
                    return solve.ours && solve.format == format && solve.method == method && solve.row.reached;
                });
            };
            const bool as_published = solved_by(Method::bicgstab), by_gmres = solved_by(Method::gmres);
            ++wanted;
            reached += as_published || by_gmres ? 1 : 0;
            std::string& list = by_gmres ? others : none;
            if (!as_published)
                list += fmt::format("{} {} in {}", list.empty() ? "" : ",", matrix->system.name, name(format));
        }
    }
    std::string remark;
    if (!others.empty()) remark += "BiCGStab, the paper's method, does not reach it, GMRES does:" + others;
    if (!none.empty()) remark += (remark.empty() ? "neither reaches it:" : "; neither reaches it:") + none;
    return {.what = "solves to a true residual of 1e-6 by BiCGStab or GMRES, share of matrices and formats",
            .where = device,
            .printed = 1,
            .found = static_cast<double>(reached) / wanted,
            .timed = false,
            .remark = remark};
}

}  // namespace glsolve::bench::hec
