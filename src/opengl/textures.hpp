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

class Textures {
  public:
    Textures(const Functions& gl, const Features& features) : gl_(gl), features_(features) {}

    /// A texture with undefined content; it is left bound to the active unit. Throws DeviceError when memory is short.
    Texture make(Extent extent, Element element, std::string_view label);
    /// Deletes it, and the framebuffers that draw into it.
    void destroy(Texture texture, Extent extent);

    /// The framebuffer whose colour attachments are these textures; made once, then remembered.
    GLuint framebuffer(std::span<const GLuint> textures);
    /// Binds a texture for glReadPixels.
    void bind_for_reading(GLuint texture);

    std::uint64_t allocations() const { return allocations_; }
    std::int64_t bytes() const { return bytes_; }

  private:
    const Functions& gl_;
    const Features& features_;
    std::map<std::vector<GLuint>, Framebuffer> framebuffers_;
    Framebuffer reading_;
    std::uint64_t allocations_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace glsolve::inline v0_1::opengl
