// Opens an OpenGL device and chooses its stage by measuring, never by a list of vendors.
#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "core/self_test.hpp"
#include "opengl/measure_stage.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// What decides between the stages: an update and a sum of equally many texels.
double cost(const StageInfo& info) {
    const auto texels = static_cast<double>(info.update_texels);
    return 48 / info.update_bytes_per_second + info.reduction_seconds / texels;
}

void choose_stage(OpenGlBackend& backend, const DeviceOptions& options) {
    const auto measured = [&](Stage stage) {
        StageInfo info = remembered_rates(backend, stage);
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
        {.debug = options.debug && !options.current, .state = options.state});
    choose_stage(*backend, options);
    if (!backend->has_fast_doubles()) backend->describe_two_float(error_free_fault(*backend));
    return backend;
}

}  // namespace glsolve::inline v0_1::opengl
