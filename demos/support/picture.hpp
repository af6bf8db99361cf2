/// Pictures in files and in animations.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace demo {

/// Rows from the lower one upwards, four floats a texel from 0 to 1, as the file has them (sRGB).
struct Picture {
    int width = 0, height = 0;
    std::vector<float> texels;
};

/// PNG or JPEG. Throws std::runtime_error that names the file.
Picture load_picture(const std::string& file);
/// PNG, opaque. Throws std::runtime_error that names the file.
void save_picture(const std::string& file, const Picture& picture);
/// The same of bytes, three a texel, rows from the lower one upwards.
void save_picture(const std::string& file, int width, int height, const std::vector<unsigned char>& rgb);

/// WebP pictures one after the other, in a loop.
class Animation {
  public:
    /// Throws std::runtime_error where that cannot be.
    Animation(std::string file, int width, int height, int milliseconds_a_picture);
    ~Animation();
    /// Three bytes a texel, rows from the lower one upwards.
    void add(const std::vector<unsigned char>& rgb);
    /// Throws std::runtime_error that names the file.
    void save();

  private:
    struct Encoder;
    std::string file_;
    int width_, height_, milliseconds_, time_ = 0;
    std::unique_ptr<Encoder> encoder_;
};

}  // namespace demo
