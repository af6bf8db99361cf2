#include "formats/packed_numbers.hpp"

#include <algorithm>

#include "formats/rectangle.hpp"
#include "formats/rest_pass.hpp"

namespace glsolve::inline v0_1 {
namespace {

Layout layout_for(const Backend& backend, std::size_t count, std::string_view what) {
    return rectangle(static_cast<std::int64_t>(count + 3) / 4, backend.info().max_texture_size, what);
}

}  // namespace

PackedNumbers packed_integers(Backend& backend, std::span<const std::int32_t> numbers, std::string_view what) {
    const Layout layout = layout_for(backend, numbers.size(), what);
    return {integers_as(backend, layout, numbers, 0), layout.log2_width};
}

PackedNumbers packed_reals(Backend& backend, std::span<const double> numbers, std::string_view what) {
    const Layout layout = layout_for(backend, numbers.size(), what);
    Storage storage(backend, layout.extent(), Element::real, what);
    backend.upload(storage.id(), [&](std::span<float> texels) {
        std::ranges::fill(texels, 0.0f);
        std::ranges::transform(numbers, texels.begin(), [](double number) { return static_cast<float>(number); });
    });
    return {std::move(storage), layout.log2_width};
}

Storage integers_as(Backend& backend, const Layout& layout, std::span<const std::int32_t> numbers,
                    std::int32_t behind) {
    std::vector<std::int32_t> padded = zeros<std::int32_t>(layout);
    std::ranges::fill(padded, behind);
    std::ranges::copy(numbers, padded.begin());
    return structure_of(backend, layout, padded);
}

}  // namespace glsolve::inline v0_1
