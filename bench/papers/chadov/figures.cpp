#include "figures.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <set>

#include "time_line.hpp"

namespace glsolve::bench::chebyshev {
namespace {

constexpr int steps_run = 48, first_step = 14, steps_shown = 4;  // with a test of the optimised form, after 16 steps
constexpr int naive_steps = 256;                                 // of figure 3

Options fused(const Backend& backend) {
    return {.method = Method::chebyshev, .test_every = 16, .profile = backend.can().on_processor};
}

/// Where each step begins.
std::vector<std::size_t> begins_of(const std::vector<TimedPass>& passes, std::string_view first) {
    std::vector<std::size_t> begins;
    for (std::size_t k = 0; k < passes.size(); ++k) {
        if (passes[k].name.find(first) != std::string::npos) begins.push_back(k);
    }
    return begins;
}

/// A form's passes, with its steps from 1 to 33 (two tests of the optimised form).
struct Line {
    Line(std::vector<TimedPass> all, std::string_view first)
        : passes(std::move(all)), begins(begins_of(passes, first)) {
        if (begins.size() <= whole) throw Error(fmt::format("{} passes, too few of them of steps", passes.size()));
        counted = {passes.begin() + static_cast<std::ptrdiff_t>(begins[0]),
                   passes.begin() + static_cast<std::ptrdiff_t>(begins[whole])};
    }
    double passes_a_step() const { return static_cast<double>(counted.size()) / whole; }
    double span_a_step() const { return (passes[begins[whole]].begin - passes[begins[0]].begin) / whole; }
    double busy_a_step() const {
        double busy = 0;
        for (const TimedPass& pass : counted) busy += pass.end - pass.begin;
        return busy / whole;
    }

    static constexpr int whole = 32;
    std::vector<TimedPass> passes, counted;
    std::vector<std::size_t> begins;
};

std::string microseconds(double seconds) { return fmt::format("{:.1f}", 1e6 * seconds); }

/// Seconds of a step in passes: each call of a kind takes what its median is in `typical`.
double busy_a_step(const Line& line, const Line& typical) {
    const auto medians = shares_of(typical.counted);
    double busy = 0;
    for (const auto& [name, share] : shares_of(line.counted)) {
        const auto found = medians.find(name);
        busy += static_cast<double>(share.calls) * (found != medians.end() ? found->second.median : share.median);
    }
    return busy / Line::whole;
}

/// The step's seconds, and those in passes. Where marks make passes look longer than the step, nothing is known of
/// idle time.
std::vector<std::string> idle_row(const std::string& form, const Line& line, double step, double busy) {
    const bool known = busy < step;
    return {form,
            fmt::format("{:.2f}", line.passes_a_step()),
            microseconds(step),
            microseconds(busy),
            known ? microseconds(step - busy) : "-",
            known ? fmt::format("{:.0f} %", 100 * (step - busy) / step) : "-"};
}

}  // namespace

void add_time_lines(Section& section, NamedDevice& device, const ChadovSystem& system, const DeviceRuns& runs) {
    Backend& backend = device.device.backend();
    const bool by_clock = backend.can().on_processor;
    NaiveChebyshev published(device.device, system, FormatKind::automatic);
    PublishedChebyshevRule rule = system.rule;
    rule.tolerance = 0;
    rule.max_iterations = steps_run;
    published.solve(rule);  // compiles
    const Line naive_line(timed_passes(backend, [&] { published.solve(rule); }), "multiply");
    rule.test_every = 16;  // the host is ahead
    const Line ahead(timed_passes(backend, [&] { published.solve(rule); }), "multiply");
    Options options = chadov_options(system, fused(backend));
    options.fixed_iterations = steps_run;
    Solver solver(device.device, system.A, options);
    std::vector<double> x(system.b.size());
    solver.solve(system.b_doubles, x);
    const Line optimised_line(timed_passes(backend, [&] { solver.solve(system.b_doubles, x); }), "chebyshev");

    section.blocks.push_back(Heading{fmt::format("Figure 2: a time line, {} rows, {}", system.A.rows, device.name)});
    section.blocks.push_back(Text{fmt::format(
        "{} steps of each form, the 15th to the 18th: a box is a pass, white is time in which the device waits. {} The "
        "paper shows such a line of the naive form, without numbers, and says that the device idles for most of the "
        "time.",
        steps_shown,
        by_clock
            ? "This device is the processor: each pass is waited for and timed by the clock, and what lies between "
              "two boxes is the host's own work. Nothing overlaps. (Software renderers have time stamps, but these do "
              "not tell when a pass runs.)"
            : "The device marks the time before and behind each pass. The marks take time themselves, keep passes "
              "apart that are otherwise launched together, and are passed before a launch has arrived. The table takes "
              "the time of a step from the whole solve without marks."
              " The time in passes is that of their medians in a run in which the host does not wait. For the naive "
              "form it is at most what a step of the same passes takes where the device tests by itself: its idle time "
              "is at least the one shown. `-`: "
              "the marks take longer than the passes, and nothing can be said of idle time.")});
    for (const auto& [name, line] : {std::pair{"naive", &naive_line}, std::pair{"optimised", &optimised_line}}) {
        section.blocks.push_back(
            time_line(fmt::format("{}: steps 15 to 18, {} rows, {}", name, system.A.rows, device.name), line->passes,
                      line->begins[first_step], line->begins[first_step + steps_shown]));
    }
    Table table{{"form", "passes a step", "a step, us", "in passes, us", "idle, us", "share idle"}};
    if (by_clock) {
        for (const auto& [name, line] : {std::pair{"naive", &naive_line}, std::pair{"optimised", &optimised_line}})
            table.rows.push_back(idle_row(name, *line, line->span_a_step(), line->busy_a_step()));
    } else {
        // Without waits the whole step takes no longer than this, its passes included.
        const double naive_busy = std::min(busy_a_step(naive_line, ahead), runs.without_waits.seconds_a_step());
        table.rows.push_back(idle_row("naive", naive_line, runs.naive.seconds_a_step(), naive_busy));
        table.rows.push_back(idle_row("optimised", optimised_line, runs.optimised.seconds_a_step(),
                                      busy_a_step(optimised_line, optimised_line)));
    }
    section.blocks.push_back(table);
}

void add_pass_shares(Section& section, NamedDevice& device, const ChadovSystem& system) {
    Backend& backend = device.device.backend();
    NaiveChebyshev published(device.device, system, FormatKind::automatic);
    PublishedChebyshevRule rule = system.rule;
    rule.max_iterations = naive_steps;
    published.solve(rule);
    PublishedChebyshev published_run;
    const auto naive = shares_of(timed_passes(backend, [&] { published_run = published.solve(rule); }));
    Solver solver(device.device, system.A, chadov_options(system, fused(backend)));
    std::vector<double> x(system.b.size());
    solver.solve(system.b_doubles, x);
    const Counters before = backend.counters();
    Report report;
    const auto optimised = shares_of(timed_passes(backend, [&] { report = solver.solve(system.b_doubles, x); }));
    const Counters& after = backend.counters();

    section.blocks.push_back(Heading{fmt::format("Figure 3: time by pass, {} rows, {}", system.A.rows, device.name)});
    section.blocks.push_back(Text{fmt::format(
        "The optimised form, a whole solve of {} steps, and {} steps of the naive one. The optimised form encodes "
        "steps before the host knows that enough are done: these change nothing, and count as calls. The paper prints "
        "counts of its optimised form with 350,000 rows and 2656 steps, and draws the shares, without numbers. Times "
        "are those between marks, which make short passes look longer.",
        report.iterations, published_run.iterations)});
    section.blocks.push_back(Table{
        {"the paper's kernel", "calls", "what it does", "here"},
        {{"axmb_csr_krnl", "2656", "r <- b - A x", "in the one pass of a step"},
         {"chebyshev_iteration_krnl", "2656", "z, p, x", "the same pass"},
         {"snrm2_gld_main", "85", "|r|", "reductions of what a step leaves in parts"},
         {"spmv_csr_kernel_vector", "2", "A x", "of the first residual"},
         {"saxpy_gld_main", "2", "y <- y + a x", "-"},
         {"sscal_gld_main", "2", "y <- a y", "-"},
         {"memcpyHtoD", "6", "to the device", fmt::format("{} uploads in a solve", after.uploads - before.uploads)},
         {"memcpyDtoH", "86", "to the host",
          fmt::format("{} reads in a solve, waited for {} times", after.reads - before.reads,
                      after.waits - before.waits)}}});
    double naive_all = 0, optimised_all = 0;
    std::set<std::string> names;
    for (const auto& [name, share] : naive) naive_all += share.seconds, names.insert(name);
    for (const auto& [name, share] : optimised) optimised_all += share.seconds, names.insert(name);
    Table table{{"pass", "naive, calls", "share", "us each", "optimised, calls", "share", "us each"}};
    Figure figure{.title = fmt::format("Time by pass, {} rows, {}", system.A.rows, device.name),
                  .kind = FigureKind::bars,
                  .x_label = "pass",
                  .y_label = "% of the time in passes",
                  .categories = {},
                  .curves = {Curve{"naive"}, Curve{"optimised"}}};
    const auto cells = [](const std::map<std::string, PassShare>& shares, const std::string& name, double all) {
        const auto found = shares.find(name);
        if (found == shares.end()) return std::vector<std::string>{"-", "-", "-"};
        const PassShare& share = found->second;
        return std::vector<std::string>{fmt::format("{}", share.calls),
                                        fmt::format("{:.1f} %", 100 * share.seconds / all),
                                        microseconds(share.seconds / static_cast<double>(share.calls))};
    };
    const auto percent = [](const std::map<std::string, PassShare>& shares, const std::string& name, double all) {
        const auto found = shares.find(name);
        return found == shares.end() ? 0 : 100 * found->second.seconds / all;
    };
    for (const std::string& name : names) {
        const double in_naive = percent(naive, name, naive_all), in_optimised = percent(optimised, name, optimised_all);
        std::vector<std::string> row{name};
        for (const auto& part : {cells(naive, name, naive_all), cells(optimised, name, optimised_all)})
            row.insert(row.end(), part.begin(), part.end());
        table.rows.push_back(std::move(row));
        if (std::max(in_naive, in_optimised) < 0.5) continue;
        const auto at = static_cast<double>(figure.categories.size());
        figure.categories.push_back(name);
        figure.curves[0].points.emplace_back(at, in_naive);
        figure.curves[1].points.emplace_back(at, in_optimised);
    }
    section.blocks.push_back(figure);
    section.blocks.push_back(table);
}

}  // namespace glsolve::bench::chebyshev
