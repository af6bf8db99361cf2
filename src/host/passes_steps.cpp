// The reference of the test of iterations without inner products. See shaders/pass/step_control.glsl.
#include <cmath>

#include "core/stop.hpp"
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

void step_control(const Pass& pass) {
    const ivec2 at(0, 0);
    const vec4 state = pass.in(0)(at), status = pass.in(1)(at), sums = pass.in(2)(at);
    const float target = pass.constant(0), norm = pass.constant(1), tolerated = pass.constant(2);
    const float r = std::sqrt(sums.x);
    const bool first = status.y == 0.0f;
    const float smallest = first ? r : std::min(state.x, r), begin = state.y == 0.0f ? r : state.y;
    const float rounding = 5.9604645e-8f * (norm * std::sqrt(sums.y) + begin);
    const float iterations = status.y + static_cast<float>(pass.integer(0));

    Stop stop = Stop::running;
    if (is_bad(sums)) {
        stop = Stop::not_finite;
    } else if (r <= target) {
        stop = Stop::target;
    } else if (r > 100.0f * smallest) {
        stop = Stop::diverged;
    } else if (rounding > tolerated * r) {
        stop = Stop::drifted;
    } else if (tolerated < 1 && r < 1e-4f * begin) {
        stop = Stop::reduced;
    } else if (iterations >= static_cast<float>(pass.integer(1))) {
        stop = Stop::limit;
    }
    pass.out(0)(at) = pass.commit(state, vec4(smallest, begin, rounding, r));
    pass.out(1)(at) = pass.commit(status, vec4(static_cast<float>(stop), iterations, r, 0.0f));
}

}  // namespace glsolve::inline v0_1::host
