#include "solver/known_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/version.hpp>
#include <sstream>
#include <utility>

#include "base/disk_cache.hpp"
#include "base/parallel.hpp"
#include "matrix/structure_key.hpp"
#include "options/option_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

using State = KnownWay::State;

DiskCache cache(const std::string& folder) { return {folder, {}, "choices", "method"}; }

/// A line each: method, preconditioner, state, seconds, iterations. Nothing where a line is not understood.
std::vector<KnownWay> read(const std::string& text) {
    std::istringstream lines(text);
    std::vector<KnownWay> ways;
    for (std::string method, preconditioner; lines >> method >> preconditioner;) {
        int state = 0;
        KnownWay way;
        const auto M = from_name<PreconditionerKind>(preconditioner);
        const auto by = from_name<Method>(method);
        if (!(lines >> state >> way.seconds >> way.iterations) || !M || !by || state < 0 || state > 2) return {};
        way.method = *by;
        way.preconditioner = *M;
        way.state = static_cast<State>(state);
        ways.push_back(way);
    }
    return ways;
}

}  // namespace

KnownWays::KnownWays(std::string folder, std::string key) : folder_(std::move(folder)), key_(std::move(key)) {
    if (!folder_.empty()) ways_ = read(cache(folder_).find(key_));
}

std::optional<KnownWay> KnownWays::best() const {
    std::optional<KnownWay> measured, predicted;
    for (const KnownWay& way : ways_) {
        std::optional<KnownWay>& best = way.state == State::measured ? measured : predicted;
        if (way.state != State::failed && (!best || way.seconds < best->seconds)) best = way;
    }
    constexpr double clearly = 0.5;  // a prediction is not exact
    const bool is_other_worth_it = measured && predicted && predicted->seconds < clearly * measured->seconds;
    return is_other_worth_it ? predicted : measured;
}

std::optional<KnownWay> KnownWays::to_begin_with() const { return last_ ? ways_[*last_] : best(); }

std::vector<MethodPrediction> KnownWays::told() const {
    std::vector<MethodPrediction> told;
    for (const KnownWay& way : ways_) {
        if (way.state == State::failed) continue;
        told.push_back({way.method, way.preconditioner, way.seconds, way.state == State::measured});
    }
    return told;
}

/// Of this way in the list, to which it is added if it is new.
std::size_t KnownWays::place(Method method, PreconditionerKind preconditioner) {
    const auto is_same = [&](const KnownWay& one) {
        return one.method == method && one.preconditioner == preconditioner;
    };
    const auto found = std::ranges::find_if(ways_, is_same);
    const auto at = static_cast<std::size_t>(found - ways_.begin());
    if (found == ways_.end()) ways_.push_back({.method = method, .preconditioner = preconditioner});
    return at;
}

void KnownWays::predict(std::span<const MethodPrediction> ways) {
    for (const MethodPrediction& one : ways) {
        KnownWay& known = ways_[place(one.method, one.preconditioner)];
        if (known.state == State::predicted) known.seconds = one.seconds;
    }
}

/// The last time counts: the first one may have compiled programs.
void KnownWays::solved(const MethodChoice& choice, double seconds, std::int64_t iterations) {
    last_ = place(choice.method, choice.preconditioner);
    KnownWay& known = ways_[*last_];
    constexpr double noise = 0.1;
    const bool is_the_same =
        known.state == State::measured && std::abs(seconds - known.seconds) <= noise * known.seconds;
    known.state = State::measured;
    known.seconds = seconds;
    known.iterations = iterations;
    if (!is_the_same) keep();
}

void KnownWays::failed(const MethodChoice& choice) {
    const std::size_t at = place(choice.method, choice.preconditioner);
    if (last_ == at) last_.reset();
    if (std::exchange(ways_[at].state, State::failed) != State::failed) keep();
}

void KnownWays::keep() const {
    if (folder_.empty()) return;
    std::string text;
    for (const KnownWay& way : ways_) {
        text += fmt::format("{} {} {} {:.4g} {}\n", name(way.method), name(way.preconditioner),
                            static_cast<int>(way.state), way.seconds, way.iterations);
    }
    cache(folder_).keep(key_, text);
}

std::string key_of_ways(const Backend& backend, const CheckedSystem& system, const Options& options) {
    const int threads = backend.threads() > 0 ? backend.threads() : threads_in_use();
    std::string key = fmt::format("glsolve {}\n{}, {} threads\n", GLSOLVE_VERSION, device_key(backend), threads);
    if (!options.choice_cache.empty()) key += structure_key(system.A()) + "\n";
    key += fmt::format("symmetric {}, perhaps definite {}, divisors {}, empty rows {}\n", system.symmetric(),
                       system.may_be_definite(), system.has_divisors(), system.empty_lines().rows.size());
    const Options usual;
    each_option([&](const OptionRow& row) {
        if (row.at.member == "choice_cache" || row.at.member == "profile" || row.at.member == "seconds") return;
        const std::string value = text_of(row, options);
        if (value != text_of(row, usual)) key += fmt::format("{} {}\n", row.name, value);
    });
    return key;
}

}  // namespace glsolve::inline v0_1
