#pragma once

#include <glsolve/device.hpp>

#include "opengl/context.hpp"
#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

/// What `context`, which is current, says about itself, and its limits. The stage is the fragment stage, which every
/// context has.
DeviceInfo describe_device(const Functions& gl, const Features& features, const Context& context);

}  // namespace glsolve::inline v0_1::opengl
