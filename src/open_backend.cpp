// The list of backends: what `--backend` can name, and what `auto` tries.
#include "device/open_backend.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "host/host_backend.hpp"
#include "opengl/opengl_backend.hpp"

namespace glsolve::inline v0_1 {

std::unique_ptr<Backend> open_backend(const DeviceOptions& options) {
    if (options.backend == BackendKind::host) {
        if (options.stage != Stage::automatic) {
            throw InvalidInput(fmt::format("stage {}: the host backend has no stages", name(options.stage)));
        }
        return make_host_backend("");
    }
    if (options.backend == BackendKind::opengl || options.stage != Stage::automatic || options.current) {
        return opengl::open_opengl(options);
    }
    try {
        return opengl::open_opengl(options);
    } catch (const NoDevice& failure) {
        return make_host_backend(fmt::format("host: OpenGL could not be used: {}", failure.what()));
    }
}

}  // namespace glsolve::inline v0_1
