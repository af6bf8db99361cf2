// Opens an OpenGL device and chooses its stage by measuring, never by a list of vendors.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>
#include <map>
#include <mutex>

#include "core/mean_seconds.hpp"
#include "core/reductions.hpp"
#include "core/self_test.hpp"
#include "core/verbs.hpp"
#include "opengl/opengl_backend.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// Seconds of one repetition.
template <class Work>
double time(OpenGlBackend& backend, int repetitions, const Work& work) {
    work();  // compiles, and allocates spare textures
    backend.finish();
    return mean_seconds(backend, repetitions, work);
}

/// Rates of an update and of a sum over vectors as long as take about a millisecond, and of a chain of 1 x 1 passes.
StageInfo measure_stage(OpenGlBackend& backend, Stage stage) {
    const Session session(backend);
    backend.use_stage(stage);
    StageInfo info{.stage = stage, .available = true};
    for (Offset length = Offset{1} << 14; length <= Offset{1} << 24; length *= 4) {
        Vector x(backend, length, "measured x"), y(backend, length, "measured y");
        fill(x, 1.0f);
        fill(y, 0.5f);
        Reductions reductions(backend, length);
        Scalar s(backend, "measured sum");
        const double update = time(backend, 10, [&] { axpy(y, scalar_arg(0.5f), x); });
        info.update_texels = x.layout().extent().texels();
        info.update_bytes_per_second = 3 * 16 * static_cast<double>(info.update_texels) / update;
        info.reduction_seconds = time(backend, 10, [&] { reductions.dot(s, x, y); });
        info.pass_seconds = time(backend, 200, [&] {
            s.backend().encode(
                {.pass = PassId::scale, .output = {s.id()}, .input = {s.id()}, .scalar = {scalar_arg(0.5f)}});
        });
        if (update > 1e-3) break;
    }
    backend.trim();
    return info;
}

/// Measured once in a process for each driver: opening a device again costs nothing.
StageInfo remembered(OpenGlBackend& backend, Stage stage) {
    static std::mutex mutex;
    static std::map<std::string, StageInfo> known;
    const std::string key =
        fmt::format("{}|{}|{}", backend.info().renderer, backend.info().version, static_cast<int>(stage));
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
    return known.emplace(key, measure_stage(backend, stage)).first->second;
}

/// What decides between the stages: an update and a sum of equally many texels.
double cost(const StageInfo& info) {
    const auto texels = static_cast<double>(info.update_texels);
    return 48 / info.update_bytes_per_second + info.reduction_seconds / texels;
}

void choose_stage(OpenGlBackend& backend, const DeviceOptions& options) {
    const auto measured = [&](Stage stage) {
        StageInfo info = remembered(backend, stage);
        backend.describe_stage(info);
        return info;
    };
    if (options.stage != Stage::automatic && !backend.has_stage(options.stage)) {
        throw NoDevice(fmt::format("OpenGL ({}): no {} stage: {}", backend.info().renderer, name(options.stage),
                                   backend.info().stages[1].missing));
    }
    if (options.stage != Stage::automatic && !options.measure) {
        backend.use_stage(options.stage);
        return;
    }
    if (!backend.has_stage(Stage::compute)) {
        if (options.measure) measured(Stage::fragment);
        backend.use_stage(Stage::fragment);
        backend.describe_choice("fragment: there is no compute stage");
        return;
    }
    const StageInfo fragment = measured(Stage::fragment), compute = measured(Stage::compute);
    const double ratio = cost(fragment) / cost(compute);
    const bool use_compute = ratio > 1;
    backend.use_stage(options.stage != Stage::automatic ? options.stage
                      : use_compute                     ? Stage::compute
                                                        : Stage::fragment);
    if (options.stage == Stage::automatic) {
        backend.describe_choice(fmt::format("{}: measured {:.1f} times as fast as {} here",
                                            use_compute ? "compute" : "fragment", use_compute ? ratio : 1 / ratio,
                                            use_compute ? "fragment" : "compute"));
    }
}

}  // namespace

std::unique_ptr<Backend> open_opengl(const DeviceOptions& options) {
    auto backend = make_opengl_backend(
        options.current ? adopt_current_context() : open_headless_context(options.platform, options.debug),
        {.debug = options.debug && !options.current});
    choose_stage(*backend, options);
    backend->describe_two_float(error_free_fault(*backend));
    return backend;
}

}  // namespace glsolve::inline v0_1::opengl
