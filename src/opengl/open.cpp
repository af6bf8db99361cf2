// Opens an OpenGL device and chooses its stage by measuring, never by a list of vendors.
#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>

#include "device/self_test.hpp"
#include "opengl/describe_device.hpp"
#include "opengl/measure_stage.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

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
            if (backend.has_stage(stage)) backend.describe_stage(rates_of_stage(backend, stage, RatesOf::all));
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
    StageInfo better = rates_of_stage(backend, Stage::fragment, RatesOf::update),
              other = rates_of_stage(backend, Stage::compute, RatesOf::update);
    if (other.update_bytes_per_second > better.update_bytes_per_second) std::swap(better, other);
    better = rates_of_stage(backend, better.stage, RatesOf::all);
    if (seconds_a_texel(other) <= seconds_a_texel(better)) other = rates_of_stage(backend, other.stage, RatesOf::all);
    for (const StageInfo& info : {better, other}) backend.describe_stage(info);
    if (seconds_a_texel(other) < seconds_a_texel(better)) std::swap(better, other);
    backend.use_stage(better.stage);
    backend.describe_choice(fmt::format("{}: measured {}{:.1f} times as fast as {} here", name(better.stage),
                                        other.reduction_seconds > 0 ? "" : "more than ",
                                        seconds_a_texel(other) / seconds_a_texel(better), name(other.stage)));
}

}  // namespace

std::vector<FoundDevice> find_devices() {
    std::vector<FoundDevice> all;
    for (int number = 0; number < count_headless_devices(); ++number) {
        FoundDevice& found = all.emplace_back();
        found.entry = {.backend = BackendKind::opengl, .number = number, .name = fmt::format("EGL device {}", number)};
        try {
            const std::unique_ptr<Context> context = open_headless_device(number);
            found.cuda_device = context->cuda_device();
            const Current current(*context);
            const Functions gl = load_functions();
            const DeviceInfo info = describe_device(gl, query_features(gl), *context);
            found.entry.name = info.renderer;
            found.entry.pci_address = info.pci_address;
            found.entry.memory_bytes = info.memory_bytes;
        } catch (const NoDevice& failure) {
            found.entry.missing = failure.what();
        }
    }
    return all;
}

std::unique_ptr<Backend> open_opengl(const DeviceOptions& options, int number) {
    auto backend = make_opengl_backend(
        options.current ? adopt_current_context() : open_headless_context(options.platform, options.debug, number),
        {.debug = options.debug && !options.current,
         .state = options.state,
         .program_cache = options.program_cache,
         .warn = options.warn});
    backend->keep_in({std::string(options.program_cache), options.measure});
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
