#include "support/picture.hpp"

#include <stb/stb_image.h>
#include <stb/stb_image_write.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace demo {
namespace {

constexpr float quality = 70;  // of lossy pictures in animations

}  // namespace

Picture load_picture(const std::string& file) {
    Picture picture;
    int channels = 0;
    stbi_set_flip_vertically_on_load(1);
    const std::unique_ptr<unsigned char, void (*)(void*)> pixels(
        stbi_load(file.c_str(), &picture.width, &picture.height, &channels, 4), stbi_image_free);
    if (!pixels) throw std::runtime_error(file + ": " + stbi_failure_reason() + "; PNG and JPEG can be read");
    picture.texels.resize(4 * static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
    std::transform(pixels.get(), pixels.get() + picture.texels.size(), picture.texels.begin(),
                   [](unsigned char byte) { return static_cast<float>(byte) / 255.0f; });
    return picture;
}

void save_picture(const std::string& file, const Picture& picture) {
    std::vector<unsigned char> rgb;
    for (std::size_t i = 0; i < picture.texels.size(); ++i) {
        if (i % 4 == 3) continue;
        rgb.push_back(static_cast<unsigned char>(std::lround(255 * std::clamp(picture.texels[i], 0.0f, 1.0f))));
    }
    save_picture(file, picture.width, picture.height, rgb);
}

void save_picture(const std::string& file, int width, int height, const std::vector<unsigned char>& rgb) {
    stbi_flip_vertically_on_write(1);
    if (stbi_write_png(file.c_str(), width, height, 3, rgb.data(), 3 * width) == 0) {
        throw std::runtime_error("cannot write " + file);
    }
}

struct Animation::Encoder {
    Encoder(int width, int height) {
        WebPAnimEncoderOptions options;
        WebPAnimEncoderOptionsInit(&options);
        options.anim_params.loop_count = 0;  // for ever
        made = WebPAnimEncoderNew(width, height, &options);
        if (made == nullptr) throw std::runtime_error("animation: this is no size for WebP");
        WebPConfigInit(&config);
        config.quality = quality;
    }
    ~Encoder() { WebPAnimEncoderDelete(made); }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    WebPAnimEncoder* made = nullptr;
    WebPConfig config{};
};

Animation::Animation(std::string file, int width, int height, int milliseconds_a_picture)
    : file_(std::move(file)),
      width_(width),
      height_(height),
      milliseconds_(milliseconds_a_picture),
      encoder_(std::make_unique<Encoder>(width, height)) {}

Animation::~Animation() = default;

void Animation::add(const std::vector<unsigned char>& rgb) {
    const auto stride = 3 * static_cast<std::size_t>(width_);
    std::vector<unsigned char> from_the_top(rgb.size());
    for (std::size_t row = 0; row < static_cast<std::size_t>(height_); ++row) {
        std::copy_n(rgb.begin() + static_cast<std::ptrdiff_t>(row * stride), stride,
                    from_the_top.end() - static_cast<std::ptrdiff_t>((row + 1) * stride));
    }
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.width = width_;
    picture.height = height_;
    picture.use_argb = 1;
    const bool added = WebPPictureImportRGB(&picture, from_the_top.data(), static_cast<int>(stride)) != 0
                       && WebPAnimEncoderAdd(encoder_->made, &picture, time_, &encoder_->config) != 0;
    WebPPictureFree(&picture);
    if (!added) throw std::runtime_error(file_ + ": " + WebPAnimEncoderGetError(encoder_->made));
    time_ += milliseconds_;
}

void Animation::save() {
    WebPData data;
    WebPDataInit(&data);
    if (WebPAnimEncoderAdd(encoder_->made, nullptr, time_, nullptr) == 0
        || WebPAnimEncoderAssemble(encoder_->made, &data) == 0) {
        throw std::runtime_error(file_ + ": " + WebPAnimEncoderGetError(encoder_->made));
    }
    std::ofstream out(file_, std::ios::binary);
    out.write(reinterpret_cast<const char*>(data.bytes), static_cast<std::streamsize>(data.size));
    out.close();
    WebPDataClear(&data);
    if (!out) throw std::runtime_error("cannot write " + file_);
}

}  // namespace demo
