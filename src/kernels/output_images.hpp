/// What a kernel's outputs are in a text for the compute stage: images, and the functions that store into them.
#pragma once

#include <string>

#include "kernels/shader_source.hpp"

namespace glsolve::inline v0_1 {

/// How the language names our textures, and what stands behind a texel's position where it is fetched.
struct TextureWords {
    std::string_view sampler, image, level;
};
TextureWords texture_words(const Dialect& dialect);

/// Declares the images and `out_x` for each output, with what the kernel reads of them again; `store_outputs`, and of
/// sums `add_terms` and `store_sums`.
std::string output_images(const PassRow& row, const Dialect& dialect);

}  // namespace glsolve::inline v0_1
