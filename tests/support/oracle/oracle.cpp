#include "support/oracle/oracle.hpp"

#include <cmath>

#include "support/device.hpp"

namespace glsolve::test::oracle {

double half_ulp() { return backend_under_test().holds_doubles() ? 0x1p-53 : 0x1p-24; }

dvec4 Given::in(std::string_view name, ivec2 at) const {
    const Image& image = found(images, name);
    const std::size_t i = 4
                          * (static_cast<std::size_t>(at.y) * static_cast<std::size_t>(image.extent.width)
                             + static_cast<std::size_t>(at.x));
    const auto number = [&](std::size_t k) { return static_cast<double>(image.texels->at(i + k)); };
    return {number(0), number(1), number(2), number(3)};
}

Formula formula_of(std::string_view pass) {
    for (const auto& formulas :
         {formulas_of_vectors(), formulas_of_two_floats(), formulas_of_cg(), formulas_of_pipelined_cg(),
          formulas_of_minres(), formulas_of_bicgstab(), formulas_of_idr()}) {
        for (const Entry& entry : formulas) {
            if (entry.pass == pass) return entry.formula;
        }
    }
    return nullptr;
}

bool bad(double v) { return !std::isfinite(static_cast<float>(v)); }
bool bad(dvec4 v) { return bad(v.x) || bad(v.y) || bad(v.z) || bad(v.w); }

dvec4 quotient(dvec4 n, dvec4 d) { return glm::mix(n / d, dvec4(0), glm::equal(d, dvec4(0))); }

dvec4 step_length(dvec4 alpha) {
    for (int i = 0; i < 4; ++i) alpha[i] = alpha[i] > 0 && !bad(alpha[i]) ? alpha[i] : 0;
    return alpha;
}

dvec4 finite_or_zero(dvec4 v) { return bad(v) ? dvec4(0) : v; }

}  // namespace glsolve::test::oracle
