/// Textures by size and format: given back ones are kept for the next who asks, and the framebuffers that draw into
/// them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "core/backend.hpp"
#include "opengl/objects.hpp"

namespace glsolve::inline v0_1::opengl {

class TexturePool {
  public:
    TexturePool(const Functions& gl, const Features& features) : gl_(gl), features_(features) {}

    /// A texture with undefined content, a spare one if there is one. Throws DeviceError when memory is short.
    Texture take(Extent extent, Element element);
    /// Keeps it as a spare one.
    void give_back(Texture texture, Extent extent, Element element);
    /// Deletes it, and the framebuffers that draw into it.
    void destroy(Texture texture, Extent extent);

    /// The framebuffer whose colour attachments are these textures.
    GLuint framebuffer(std::span<const GLuint> textures);

    void label(const Texture& texture, std::string_view text) const;

    std::uint64_t allocations() const { return allocations_; }
    std::int64_t bytes() const { return bytes_; }

  private:
    struct Spare {
        Texture texture;
        Extent extent;
        Element element;
    };

    const Functions& gl_;
    const Features& features_;
    std::vector<Spare> spares_;
    std::map<std::vector<GLuint>, Framebuffer> framebuffers_;
    std::uint64_t allocations_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace glsolve::inline v0_1::opengl
