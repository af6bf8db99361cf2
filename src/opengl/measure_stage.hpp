/// The rates of a stage, measured in it: the backend works in that stage afterwards.
#pragma once

#include "device/rates.hpp"
#include "opengl/opengl_backend.hpp"

namespace glsolve::inline v0_1::opengl {

inline StageInfo rates_of_stage(OpenGlBackend& backend, Stage stage, RatesOf what) {
    return remembered_rates(backend, stage, what, [&] { backend.use_stage(stage); });
}

}  // namespace glsolve::inline v0_1::opengl
