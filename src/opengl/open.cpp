// Opens an OpenGL device and chooses its stage by measuring, never by a list of vendors.
#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "device/self_test.hpp"
#include "opengl/measure_stage.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// Seconds a texel of an update, and of the sum of as many where that has been measured.
double cost(const StageInfo& info) {
    const auto texels = static_cast<double>(info.update_texels);
    return 48 / info.update_bytes_per_second + info.reduction_seconds / texels;
}

void check_stage(const OpenGlBackend& backend, Stage stage) {
    if (stage == Stage::automatic || backend.has_stage(stage)) return;
    throw NoDevice(fmt::format("OpenGL ({}): no {} stage: {}", backend.info().renderer, name(stage),
                               backend.info().stages[1].missing));
}

/// The compute stage where there is one: it is the quicker one on most GPUs.
void choose_unmeasured(OpenGlBackend& backend, Stage asked) {
    const Stage usual = backend.has_stage(Stage::compute) ? Stage::compute : Stage::fragment;
    const Stage stage = asked == Stage::automatic ? usual : asked;
    backend.use_stage(stage);
    if (asked == Stage::automatic) backend.describe_choice(fmt::format("{}: not measured", name(stage)));
}

void choose_stage(OpenGlBackend& backend, const DeviceOptions& options) {
    const bool chooses = options.stage == Stage::automatic && backend.has_stage(Stage::compute);
    if (options.measure) {
        for (const Stage stage : {Stage::fragment, Stage::compute}) {
            if (backend.has_stage(stage)) backend.describe_stage(remembered_rates(backend, stage));
        }
    }
    if (!chooses) {
        const bool given = options.stage != Stage::automatic;
        if (!given) backend.describe_choice("fragment: there is no compute stage");
        backend.use_stage(given ? options.stage : Stage::fragment);
        return;
    }
    // What decides is an update and a sum of as many texels. Where one stage makes both before the other has made its
    // update, the other's sum is not waited for: programs take long to compile.
    StageInfo better = remembered_update(backend, Stage::fragment), other = remembered_update(backend, Stage::compute);
    if (other.update_bytes_per_second > better.update_bytes_per_second) std::swap(better, other);
    better = remembered_rates(backend, better.stage);
    if (cost(other) <= cost(better)) other = remembered_rates(backend, other.stage);
    for (const StageInfo& info : {better, other}) backend.describe_stage(info);
    if (cost(other) < cost(better)) std::swap(better, other);
    backend.use_stage(better.stage);
    backend.describe_choice(fmt::format("{}: measured {}{:.1f} times as fast as {} here", name(better.stage),
                                        other.reduction_seconds > 0 ? "" : "more than ", cost(other) / cost(better),
                                        name(other.stage)));
}

}  // namespace

std::unique_ptr<Backend> open_opengl(const DeviceOptions& options) {
    auto backend = make_opengl_backend(
        options.current ? adopt_current_context() : open_headless_context(options.platform, options.debug),
        {.debug = options.debug && !options.current, .state = options.state, .warn = options.warn});
    check_stage(*backend, options.stage);
    if (const std::string fault = execution_fault(*backend); !fault.empty()) {
        if (!options.measure) throw NoDevice(fmt::format("OpenGL ({}): {}", backend->info().renderer, fault));
        backend->describe_fault(fault);
        backend->describe_two_float(fault);
        choose_unmeasured(*backend, options.stage);
        return backend;
    }
    choose_stage(*backend, options);
    if (!backend->has_fast_doubles()) backend->describe_two_float(error_free_fault(*backend));
    return backend;
}

}  // namespace glsolve::inline v0_1::opengl
