/// How quick a stage of this device is: what decides between stages, and where multigrid's hierarchies end.
#pragma once

#include "opengl/opengl_backend.hpp"

namespace glsolve::inline v0_1::opengl {

/// Measured once in a process for each driver and stage: opening a device again costs nothing. Measuring changes over
/// to that stage.
StageInfo remembered_rates(OpenGlBackend& backend, Stage stage);
/// The rate of an update alone, and what has been measured before; the rest is 0.
StageInfo remembered_update(OpenGlBackend& backend, Stage stage);

}  // namespace glsolve::inline v0_1::opengl
