#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

void Vector::upload(std::span<const float> numbers) { backend().upload(id(), pack(layout_, numbers)); }

std::vector<float> Vector::download_texels() const {
    std::vector<float> texels(static_cast<std::size_t>(layout_.extent().texels()) * 4);
    backend().read(id(), texels);
    return texels;
}

PartialSums::PartialSums(Backend& backend, Extent domain)
    : partial_(backend, backend.partial_extent(domain), Element::real, "partial sums") {
    std::vector<Extent> plan = reduction_plan(backend.partial_extent(domain), backend.reduction_shape());
    plan.pop_back();  // the last stage writes the caller's scalar
    for (const Extent extent : plan) stages_.emplace_back(backend, extent, Element::real, "sum stage");
}

}  // namespace glsolve::inline v0_1
