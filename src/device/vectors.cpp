#include "device/vectors.hpp"

#include <algorithm>

#include "base/large_pages.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

namespace {

/// The numbers, and zeros behind them.
void upload_numbers(Backend& backend, StorageId storage, std::span<const float> numbers) {
    backend.upload(storage, [&](std::span<float> texels) {
        std::fill(std::copy(numbers.begin(), numbers.end(), texels.begin()), texels.end(), 0.0f);
    });
}

std::vector<float> texels_of(Backend& backend, StorageId storage) {
    std::vector<float> texels(static_cast<std::size_t>(backend.extent(storage).texels()) * 4);
    backend.read(storage, texels);
    return texels;
}

}  // namespace

void Vector::upload(std::span<const float> numbers) { upload_numbers(backend(), id(), numbers); }
void Vector::clear() { fill(*this, 0); }
void MultiVector::upload(std::span<const float> numbers) { upload_numbers(backend(), id(), numbers); }

std::vector<float> Vector::download_texels() const { return texels_of(backend(), id()); }
std::vector<float> MultiVector::download_texels() const { return texels_of(backend(), id()); }

std::vector<double> TwoFloatVector::download() const {
    std::vector<double> numbers = filled(length(), 0.0);
    download_two_floats(hi, lo, length(), [&](std::size_t i, double number) { numbers[i] = number; });
    return numbers;
}

PartialSums::PartialSums(Backend& backend, Extent domain)
    : partial_(backend, backend.partial_extent(domain), Element::real, "partial sums") {
    std::vector<Extent> plan = reduction_plan(backend.partial_extent(domain), backend.reduction_shape());
    plan.pop_back();  // the last stage writes the caller's scalar
    for (const Extent extent : plan) stages_.emplace_back(backend, extent, Element::real, "sum stage");
}

}  // namespace glsolve::inline v0_1
