#include "multigrid/row_facts.hpp"

#include <span>
#include <utility>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

Vector largest_of_texels(Vector x) {
    while (x.layout().extent().texels() > 1) {
        constexpr std::int64_t at_once = 64;
        const std::int64_t texels = (x.layout().extent().texels() + at_once - 1) / at_once;
        Vector y(x.backend(), 4 * texels, "the largest");
        x.backend().encode(pass::largest{.y = y,
                                         .x = x,
                                         .log2_y = y.layout().log2_width,
                                         .log2_x = x.layout().log2_width,
                                         .texels = static_cast<std::int32_t>(x.layout().extent().texels())});
        x = std::move(y);
    }
    return x;
}

std::array<float, 4> read_largest(Vector x) {
    const Vector largest = largest_of_texels(std::move(x));
    std::array<float, 4> found{};
    largest.backend().collect(largest.backend().read_later(largest.id()), std::span<float>(found));
    return found;
}

}  // namespace glsolve::inline v0_1
