#include "opengl/measure_stage.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>

#include "core/mean_seconds.hpp"
#include "core/reductions.hpp"
#include "core/verbs.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// Seconds of one repetition.
template <class Work>
double time(OpenGlBackend& backend, int repetitions, const Work& work) {
    work();  // compiles, and allocates spare textures
    backend.finish();
    return mean_seconds(backend, repetitions, work);
}

/// Rates of an update and of a sum over vectors as long as take some fraction of a millisecond, and of a chain of 1 x 1
/// passes: a program waits for it when it starts.
StageInfo measure_stage(OpenGlBackend& backend, Stage stage) {
    const Session session(backend);
    backend.use_stage(stage);
    StageInfo info{.stage = stage, .available = true};
    constexpr Offset shortest = 1 << 14, fair = 1 << 18, longest = 1 << 24;
    for (Offset length = shortest;; length *= 4) {
        Vector x(backend, length, "measured x"), y(backend, length, "measured y");
        fill(x, 1.0f);
        fill(y, 0.5f);
        const double update = time(backend, 10, [&] { axpy(y, scalar_arg(0.5f), x); });
        info.update_texels = x.layout().extent().texels();
        info.update_bytes_per_second = 3 * 16 * static_cast<double>(info.update_texels) / update;
        // What takes long with so few numbers may be a busy processor; with many more a slow device would take seconds.
        const double enough = length < fair ? 2e-3 : 2.5e-4;
        if (update < enough && length < longest) continue;
        Reductions reductions(backend, length);
        Scalar s(backend, "measured sum");
        info.reduction_seconds = time(backend, 10, [&] { reductions.dot(s, x, y); });
        info.pass_seconds = time(backend, 50, [&] {
            backend.encode({.pass = PassId::axpby,
                            .output = {s.id()},
                            .input = {s.id(), s.id()},
                            .scalar = {scalar_arg(0.5f), scalar_arg(0)}});
        });
        break;
    }
    backend.trim();  // of what was measured
    return info;
}

}  // namespace

StageInfo remembered_rates(OpenGlBackend& backend, Stage stage) {
    static std::mutex mutex;
    static std::map<std::string, StageInfo> known;
    const std::string key =
        fmt::format("{}|{}|{}", backend.info().renderer, backend.info().version, static_cast<int>(stage));
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    return known.emplace(key, measure_stage(backend, stage)).first->second;
}

}  // namespace glsolve::inline v0_1::opengl
