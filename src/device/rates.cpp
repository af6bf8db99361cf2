#include "device/rates.hpp"

#include <fmt/format.h>

#include <glsolve/version.hpp>
#include <map>
#include <mutex>
#include <sstream>

#include "base/disk_cache.hpp"
#include "device/mean_seconds.hpp"
#include "device/reductions.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Seconds of one repetition.
template <class Work>
double time(Backend& backend, int repetitions, const Work& work) {
    work();  // compiles, and allocates spare textures
    backend.finish();
    return mean_seconds(backend, repetitions, work);
}

/// Two vectors of zeros that passes have written: what is only cleared may be held in less memory.
struct Pair {
    Pair(Backend& backend, Offset length) : x(backend, length, "measured x"), y(backend, length, "measured y") {
        axpy(x, scalar_arg(0.5f), y);
        axpy(y, scalar_arg(0.5f), x);
    }
    Vector x, y;
};

/// The rate of an update of vectors as long as take some fraction of a millisecond: a program waits for it when it
/// starts.
void measure_update(Backend& backend, StageInfo& info) {
    constexpr Offset shortest = 1 << 14, fair = 1 << 18, longest = 1 << 24;
    for (Offset length = shortest;; length *= 4) {
        Pair v(backend, length);
        const double update = time(backend, 10, [&] { axpy(v.y, scalar_arg(0.5f), v.x); });
        info.update_texels = v.x.layout().extent().texels();
        info.update_bytes_per_second = 3 * 16 * static_cast<double>(info.update_texels) / update;
        // What takes long with so few numbers may be a busy processor; with many more a slow device would take seconds.
        const double enough = length < fair ? 2e-3 : 2.5e-4;
        if (update >= enough || length >= longest) return;
    }
}

/// Of a sum of products of the same vectors, and of a chain of passes over next to nothing.
void measure_rest(Backend& backend, StageInfo& info) {
    Pair v(backend, 4 * info.update_texels);
    Reductions reductions(backend, 4 * info.update_texels);
    Scalar s(backend, "measured sum");
    info.reduction_seconds = time(backend, 10, [&] { reductions.dot(s, v.x, v.y); });
    Vector texel(backend, 4, "measured pass");  // by the program of longer vectors
    info.pass_seconds = time(backend, 50, [&] { scale(texel, scalar_arg(0.5f), texel); });
}

DiskCache kept(const Backend& backend) { return {backend.kept_in().folder, {}, "measured rates", "rates"}; }

/// What an earlier process has measured; nothing where it is not understood.
void find_kept(const Backend& backend, const std::string& key, StageInfo& info) {
    if (backend.kept_in().anew) return;
    std::istringstream text(kept(backend).find(key));
    StageInfo found = info;
    text >> found.update_texels >> found.update_bytes_per_second >> found.reduction_seconds >> found.pass_seconds;
    const bool is_sound = found.update_texels > 0 && found.update_bytes_per_second > 0 && found.reduction_seconds >= 0
                          && found.pass_seconds >= 0;
    if (text && is_sound) info = found;
}

void keep(const Backend& backend, const std::string& key, const StageInfo& info) {
    kept(backend).keep(key, fmt::format("{} {:.6g} {:.6g} {:.6g}\n", info.update_texels, info.update_bytes_per_second,
                                        info.reduction_seconds, info.pass_seconds));
}

}  // namespace

double seconds_of_work(Backend& backend, Offset length) {
    constexpr int repetitions = 20;
    const Session session(backend);
    double seconds = 0;
    {
        Pair v(backend, length);
        Reductions reductions(backend, length);
        Scalar s(backend, "measured sum");
        seconds = time(backend, repetitions, [&] {
            axpy(v.y, scalar_arg(0.5f), v.x);
            reductions.dot(s, v.x, v.y);
        });
    }
    backend.trim();
    return seconds;
}

double seconds_a_texel(const StageInfo& rates) {
    const auto texels = static_cast<double>(rates.update_texels);
    return 48 / rates.update_bytes_per_second + rates.reduction_seconds / texels;
}

StageInfo remembered_rates(Backend& backend, Stage stage, RatesOf what, const std::function<void()>& prepare) {
    static std::mutex mutex;
    static std::map<std::string, StageInfo> known;
    const DeviceInfo& device = backend.info();
    const std::string key = fmt::format("glsolve {}|{}|{}|{}|{}", GLSOLVE_VERSION, device.renderer, device.version,
                                        device.pci_address, static_cast<int>(stage));
    const std::lock_guard lock(mutex);
    const auto found = known.find(key);
    StageInfo info = found != known.end() ? found->second : StageInfo{.stage = stage, .available = true};
    if (found == known.end()) find_kept(backend, key, info);
    const bool update = info.update_texels == 0, rest = what == RatesOf::all && info.pass_seconds == 0;
    if (!update && !rest) return known.insert_or_assign(key, info).first->second;
    const Session session(backend);
    if (prepare) prepare();
    if (update) measure_update(backend, info);
    if (rest) measure_rest(backend, info);
    backend.trim();  // of what was measured
    keep(backend, key, info);
    return known.insert_or_assign(key, info).first->second;
}

}  // namespace glsolve::inline v0_1
