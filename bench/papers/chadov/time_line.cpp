#include "time_line.hpp"

#include <algorithm>

#include "device/pass_table.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::chebyshev {

std::vector<TimedPass> timed_passes(Backend& backend, const std::function<void()>& work) {
    const bool by_clock = backend.can().on_processor;
    const Session session(backend);
    backend.profile(by_clock);
    backend.mark_laps(true);
    try {
        work();
        backend.finish();
    } catch (...) {
        backend.mark_laps(false);
        backend.profile(false);
        throw;
    }
    backend.mark_laps(false);
    backend.profile(false);
    std::vector<TimedPass> passes;
    for (const Lap& lap : backend.take_laps()) {
        TimedPass pass{std::string(row(lap.pass).name), lap.clock_begin, lap.clock_end};
        if (!by_clock) {
            const std::optional<double> begin = backend.try_time(lap.begin), end = backend.try_time(lap.end);
            if (!begin || !end) continue;
            pass.begin = *begin;
            pass.end = *end;
        }
        passes.push_back(std::move(pass));
    }
    return passes;
}

std::map<std::string, PassShare> shares_of(const std::vector<TimedPass>& passes) {
    std::map<std::string, std::vector<double>> seconds;
    for (const TimedPass& pass : passes) seconds[pass.name].push_back(pass.end - pass.begin);
    std::map<std::string, PassShare> shares;
    for (const auto& [name, each] : seconds) {
        PassShare& share = shares[name];
        share.calls = each.size();
        for (const double s : each) share.seconds += s;
        share.median = median(each);
    }
    return shares;
}

Figure time_line(std::string title, const std::vector<TimedPass>& passes, std::size_t first, std::size_t last) {
    Figure figure{.title = std::move(title),
                  .kind = FigureKind::spans,
                  .x_label = "microseconds; white: the device waits",
                  .y_label = "",
                  .categories = {},
                  .curves = {}};
    for (std::size_t k = first; k < std::min(last, passes.size()); ++k) {
        const TimedPass& pass = passes[k];
        auto lane = std::ranges::find(figure.curves, pass.name, &Curve::name);
        if (lane == figure.curves.end()) lane = figure.curves.insert(lane, Curve{pass.name});
        lane->points.emplace_back(1e6 * (pass.begin - passes[first].begin), 1e6 * (pass.end - passes[first].begin));
    }
    return figure;
}

}  // namespace glsolve::bench::chebyshev
