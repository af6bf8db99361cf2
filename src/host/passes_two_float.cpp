// The reference of the passes in two floats. It has no need of error-free arithmetic: double precision holds two
// floats.
#include "host/kernel.hpp"

namespace glsolve::inline v0_1::host {

// s + e = x + y, p + f = x y + x + y
void error_free(const Pass& pass) {
    const In in_x = pass.in(0), in_y = pass.in(1);
    pass.each([&](ivec2 at) {
        const dvec4 x = dvec4(in_x(at)), y = dvec4(in_y(at));
        split(x + y, pass.out(0)(at), pass.out(1)(at));
        split(x * y + x + y, pass.out(2)(at), pass.out(3)(at));
    });
}

}  // namespace glsolve::inline v0_1::host
