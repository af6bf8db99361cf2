#pragma once

#include <glsolve/device.hpp>
#include <string_view>

#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

/// What the context that is current says about itself, and its limits. `context`: how it was reached. The stage is the
/// fragment stage, which every context has.
DeviceInfo describe_device(const Functions& gl, const Features& features, std::string_view context);

}  // namespace glsolve::inline v0_1::opengl
