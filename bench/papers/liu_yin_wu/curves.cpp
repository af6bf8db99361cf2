// Table 4: the residual over a hundred iterations, and how far the device's answer is from the processor's.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>
#include <map>

#include "cores.hpp"
#include "parts.hpp"

namespace glsolve::bench::gmres {
namespace {

constexpr int iterations = 100;
constexpr int least_decade = -9, most_decade = 2;  // of errors, relative to the largest number of the answer

struct Sample {
    std::string name;
    CsrMatrix A;
};

/// Three that GMRES can solve, and two with which it stands still, of the kind of the paper's c-26 (optimisation) and
/// rajat26 (a circuit).
std::vector<Sample> samples(const Bench& bench) {
    const Index side = bench.pick<Index>(200, 24);
    std::vector<Sample> all{{fmt::format("convection-diffusion {}", side), convection_diffusion(side)},
                            {fmt::format("poisson2d {}", side), poisson2d(side)},
                            {"random-spd", random_spd(side * side, Offset{6} * side * side)}};
    if (const auto file = bench.matrix_file("rajat01")) {
        all.push_back({"rajat01", read_matrix_market(*file)});
    } else {
        all.push_back({"circuit, made", circuit(side * 5)});
    }
    all.push_back({fmt::format("stokes2d {}, a saddle point", side / 4), stokes2d(side / 4)});
    return all;
}

std::string decade(int k) { return fmt::format("{}1e{}", k == least_decade ? "up to " : "", k); }

/// How many numbers of x differ from the reference by about 10^k of its largest number; none at all: in the first bin.
std::vector<double> histogram(const std::vector<double>& x, const std::vector<double>& reference) {
    double size = 0;
    for (const double number : reference) size = std::max(size, std::abs(number));
    std::vector<double> bins(static_cast<std::size_t>(most_decade - least_decade) + 1, 0.0);
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double error = std::abs(x[i] - reference[i]) / size;
        const double at = error > 0 ? std::floor(std::log10(error)) : least_decade;
        const int k = static_cast<int>(std::clamp(at, double{least_decade}, double{most_decade}));
        bins[static_cast<std::size_t>(k - least_decade)] += 1.0 / static_cast<double>(x.size());
    }
    return bins;
}

double median_of(std::vector<double> numbers) {
    std::ranges::nth_element(numbers, numbers.begin() + std::ssize(numbers) / 2);
    return numbers[numbers.size() / 2];
}

/// (median, largest) of |x - reference| / max |reference|
std::pair<double, double> errors(const std::vector<double>& x, const std::vector<double>& reference) {
    double size = 0, largest = 0;
    for (const double number : reference) size = std::max(size, std::abs(number));
    std::vector<double> all(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
        all[i] = std::abs(x[i] - reference[i]) / size;
        largest = std::max(largest, all[i]);
    }
    return {median_of(std::move(all)), largest};
}

struct Ran {
    Curve curve;
    std::vector<double> x;
    double residual = 0;
};

Ran run(Device& device, CsrView A, const std::vector<double>& b, int m) {
    Solver solver(device, A,
                  {.method = Method::gmres,
                   .preconditioner = PreconditionerKind::none,
                   .gmres = {.restart = m},
                   .tolerance = 1e-12,
                   .max_iterations = iterations,
                   .zero_guess = true});
    Ran ran{.curve = {fmt::format("m = {}", m)}, .x = std::vector<double>(b.size(), 0.0)};
    const Report report = solver.solve(b, ran.x);
    for (const HistoryEntry& entry : report.history) {
        if (entry.relative_residual > 0)
            ran.curve.points.emplace_back(static_cast<double>(entry.iteration), entry.relative_residual);
    }
    ran.residual = report.relative_residual;
    return ran;
}

}  // namespace

void add_gmres_curves(Section& section, Bench& bench) {
    section.add(Heading{"Table 4: convergence, and errors against the processor"});
    section.add(Text{fmt::format(
        "{} iterations, five matrices, three m. The processor runs the same algorithm in double precision "
        "(`bench/papers/liu_yin_wu/cores.cpp`); an error is |x - x of the processor| / max |x of the processor|. The "
        "paper's table holds pictures only: its curves fall at the matrix's and at m's pace, its histograms are "
        "narrow, "
        "and for rajat26 and c-26 nothing converges. Here a circuit and a saddle point stand for these two. Pictures: "
        "{}.",
        iterations, bench.devices.front().name)});
    std::vector<Table> tables(
        bench.devices.size(),
        Table{{"matrix", "m", "residual of the device", "residual of the processor", "median error", "largest error"}});
    std::map<int, Figure> histograms;
    for (const int m : restart_lengths) {
        Figure& figure = histograms[m];
        figure = {.title = fmt::format("Errors against the processor after {} iterations, m = {}", iterations, m),
                  .kind = FigureKind::bars,
                  .x_label = "error, of the largest number",
                  .y_label = "share of the numbers"};
        for (int k = least_decade; k <= most_decade; ++k) figure.categories.push_back(decade(k));
    }
    for (const Sample& sample : samples(bench)) {
        progress(fmt::format("gmres: table 4, {}", sample.name));
        const std::vector<double> x = known_answer(sample.A.rows);
        std::vector<double> b(x.size());
        multiply(sample.A, x, b);
        const CoreMatrix<double> cores(sample.A, bench.setting.threads);
        Figure figure{.title = fmt::format("{}: residual over iterations", sample.name),
                      .x_label = "iterations",
                      .y_label = "|r| / |b|",
                      .log_y = true};
        bool longer_is_better = true;
        double before = 1e300;
        for (const int m : restart_lengths) {
            const CoreSolve<double> reference = CoreGmres<double>(cores, m).solve(b, iterations);
            for (std::size_t d = 0; d < tables.size(); ++d) {
                Ran ran = run(bench.devices[d].device, sample.A, b, m);
                const auto [middle, largest] = errors(ran.x, reference.x);
                tables[d].rows.push_back({m == restart_lengths.front() ? sample.name : "", std::to_string(m),
                                          fmt::format("{:.2e}", ran.residual),
                                          fmt::format("{:.2e}", reference.residuals.back()),
                                          fmt::format("{:.1e}", middle), fmt::format("{:.1e}", largest)});
                if (d > 0) continue;
                longer_is_better = longer_is_better && ran.residual <= 1.05 * before;
                before = ran.residual;
                figure.curves.push_back(std::move(ran.curve));
                Curve curve{.name = "processor, " + figure.curves.back().name, .beside = true};
                for (std::size_t i = 0; i < reference.residuals.size(); ++i)
                    curve.points.emplace_back(static_cast<double>(i + 1), reference.residuals[i]);
                figure.curves.push_back(std::move(curve));
                Curve bars{sample.name};
                for (const double share : histogram(ran.x, reference.x)) bars.points.emplace_back(0, share);
                histograms[m].curves.push_back(std::move(bars));
            }
        }
        section.add(std::move(figure));
        if (sample.name.starts_with("poisson2d"))
            section.claims.push_back({.what = "table 4: a longer cycle ends with a smaller residual, poisson2d",
                                      .where = bench.devices.front().name,
                                      .printed = 1,
                                      .found = longer_is_better ? 1.0 : 0.0,
                                      .timed = false});
    }
    for (const int m : restart_lengths) section.add(std::move(histograms[m]));
    for (std::size_t d = 0; d < tables.size(); ++d) {
        section.add(Text{fmt::format("On {}:", bench.devices[d].name)});
        section.add(std::move(tables[d]));
    }
}

}  // namespace glsolve::bench::gmres
