#include "clone/inputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace cloning {
namespace {

std::string size_of(const demo::Picture& picture) {
    return std::to_string(picture.width) + " x " + std::to_string(picture.height) + " pixels";
}

/// A number for each pixel that says whether it is inside.
class Mask {
  public:
    Mask(int width, int height)
        : width_(width), height_(height), inside_(static_cast<std::size_t>(width) * static_cast<std::size_t>(height)) {}

    std::uint8_t& at(int x, int y) {
        return inside_[static_cast<std::size_t>(y) * pitch() + static_cast<std::size_t>(x)];
    }
    bool at(int x, int y) const {
        return inside_[static_cast<std::size_t>(y) * pitch() + static_cast<std::size_t>(x)] != 0;
    }

    /// Without the pixels that have a neighbour outside of it.
    Mask shrunk() const {
        Mask smaller(width_, height_);
        for (int y = 1; y < height_ - 1; ++y) {
            for (int x = 1; x < width_ - 1; ++x) {
                smaller.at(x, y) = at(x, y) && at(x - 1, y) && at(x + 1, y) && at(x, y - 1) && at(x, y + 1) ? 1 : 0;
            }
        }
        return smaller;
    }

    void clear_border() {
        for (int x = 0; x < width_; ++x) at(x, 0) = at(x, height_ - 1) = 0;
        for (int y = 0; y < height_; ++y) at(0, y) = at(width_ - 1, y) = 0;
    }

  private:
    std::size_t pitch() const { return static_cast<std::size_t>(width_); }

    int width_, height_;
    std::vector<std::uint8_t> inside_;
};

/// Where the mean of red, green and blue, or alpha, is above a half.
Mask mask_from(const demo::Picture& picture, bool alpha) {
    Mask mask(picture.width, picture.height);
    std::size_t i = 0;
    for (int y = 0; y < picture.height; ++y) {
        for (int x = 0; x < picture.width; ++x, i += 4) {
            const float* texel = &picture.texels[i];
            mask.at(x, y) = (alpha ? texel[3] : (texel[0] + texel[1] + texel[2]) / 3) > 0.5f ? 1 : 0;
        }
    }
    return mask;
}

/// The largest ellipse without the outermost pixels.
Mask ellipse(int width, int height) {
    Mask mask(width, height);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const double u = (2.0 * x + 1 - width) / (width - 2), v = (2.0 * y + 1 - height) / (height - 2);
            mask.at(x, y) = u * u + v * v <= 1 ? 1 : 0;
        }
    }
    return mask;
}

bool has_transparency(const demo::Picture& picture) {
    for (std::size_t i = 3; i < picture.texels.size(); i += 4) {
        if (picture.texels[i] < 1) return true;
    }
    return false;
}

Mask mask_of(const demo::Picture& source, const InputFiles& files) {
    if (!files.mask.empty()) {
        const demo::Picture picture = demo::load_picture(files.mask);
        if (picture.width != source.width || picture.height != source.height) {
            throw std::runtime_error(files.mask + " has " + size_of(picture) + ", and the source has " + size_of(source)
                                     + ": a mask must have the source's size");
        }
        return mask_from(picture, false);
    }
    return has_transparency(source) ? mask_from(source, true).shrunk() : ellipse(source.width, source.height);
}

}  // namespace

Inputs load_inputs(const InputFiles& files) {
    Inputs inputs;
    inputs.target =
        files.target.empty() ? evening_picture(files.size, files.size * 3 / 4) : demo::load_picture(files.target);
    const int side = std::max(16, std::min(inputs.target.width, inputs.target.height) * 3 / 5);
    inputs.source = files.source.empty() ? day_picture(side) : demo::load_picture(files.source);

    Mask mask = mask_of(inputs.source, files);
    mask.clear_border();
    std::size_t i = 3;
    for (int y = 0; y < inputs.source.height; ++y) {
        for (int x = 0; x < inputs.source.width; ++x, i += 4) {
            inputs.source.texels[i] = mask.at(x, y) ? 1.0f : 0.0f;
            inputs.masked += mask.at(x, y) ? 1 : 0;
        }
    }
    if (inputs.masked == 0) {
        const std::string name = !files.mask.empty() ? files.mask : files.source;
        throw std::runtime_error(name + " (" + size_of(inputs.source)
                                 + "): nothing would be cloned; a mask needs white pixels, or a source opaque ones, "
                                   "beside those at its border");
    }
    return inputs;
}

}  // namespace cloning
